import { once } from 'node:events'
import { createServer as createHttps } from 'node:https'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { Link } from '../../../../src-main/ports.ts'
import { openNetwork } from '../../../../src-main/platform/web/network/network.ts'
import { makeAuthority, makeSelfSigned, type Served } from './certificates.ts'
import { listening, startProxy } from './servers.ts'

function open(ca: string, env: Record<string, string> = {}): Link {
  const link = openNetwork(env).open(ca)
  onTestFinished(() => link.close())
  return link
}

/** A server for requests and sockets, and what it received. */
async function server(served: Served): Promise<{ port: number; report: string[] }> {
  const report: string[] = []
  const https = createHttps(served, (request, response) => {
    report.push(`${request.method} ${request.url}`)
    response.end('hello')
  })
  new WebSocketServer({ server: https }).on('connection', () => report.push('socket'))
  return { port: await listening(https), report }
}

/** The results of a call and a socket: 'open', or the fault. */
async function both(link: Link, host: string): Promise<string[]> {
  const words = (thrown: unknown) =>
    thrown instanceof FaultError ? thrown.message.replaceAll(/:\d{4,5}\b/g, '') : `not a fault: ${String(thrown)}`
  const call = await link.fetch(`https://${host}/`).then(() => 'open', words)
  const faults: unknown[] = []
  const Dial = link.dial(
    () => ({}),
    (thrown) => faults.push(thrown),
  )
  const socket = new Dial(`wss://${host}/`) as WebSocket
  const dialled = await Promise.race([
    once(socket, 'open').then(
      () => 'open',
      () => words(faults[0]),
    ),
    once(socket, 'close').then(() => words(faults[0])),
  ])
  socket.terminate()
  return [call, dialled]
}

function ignoreCertificates(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
}

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  it('accepts no untrusted service, neither for a call nor for a socket', async () => {
    ignoreCertificates()
    const { port, report } = await server(await makeSelfSigned())
    const why = 'tls: 127.0.0.1: it is self-signed'
    expect(await both(open(''), `127.0.0.1:${port}`)).toEqual([why, why])
    expect(report).toEqual([])
  })

  it('accepts no certificate for another host, and none from a TLS-intercepting proxy', async () => {
    ignoreCertificates()
    const [authority, other] = await Promise.all([makeAuthority(), makeAuthority('other')])
    const { port, report } = await server(await authority.issue(['elsewhere.test']))
    const why = 'tls: 127.0.0.1: it is for another host name'
    expect(await both(open(authority.ca), `127.0.0.1:${port}`)).toEqual([why, why])
    const proxy = await startProxy(port, { inspects: await other.issue(['elsewhere.test']) })
    const inspected = 'tls: elsewhere.test: its authority is not known here'
    expect(await both(open(authority.ca, { HTTPS_PROXY: proxy.url }), `elsewhere.test:${port}`)).toEqual([
      inspected,
      inspected,
    ])
    expect(report).toEqual([])
  })

  it('accepts no untrusted proxy', async () => {
    ignoreCertificates()
    const authority = await makeAuthority()
    const { port } = await server(await authority.issue(['live.test']))
    const proxy = await startProxy(port, { served: await makeSelfSigned() })
    const [call] = await both(open(authority.ca, { HTTPS_PROXY: proxy.url }), `live.test:${port}`)
    expect(call).toMatch(/^proxy: the certificate of the proxy is not trusted/u)
    expect(proxy.asked).toEqual([])
  })
})

describe('the name of a certificate', () => {
  const alone =
    'tls: localhost: it names the host in its common name alone, which no longer counts; it needs a subject alternative name'

  it('counts as a subject alternative name, and not in the common name', async () => {
    const authority = await makeAuthority()
    const link = open(authority.ca)
    const named = await server(await authority.issue(['localhost'], { commonName: 'other' }))
    expect(await both(link, `localhost:${named.port}`)).toEqual(['open', 'open'])
    for (const names of [[], ['127.0.0.1']]) {
      const { port, report } = await server(await authority.issue(names, { commonName: 'localhost' }))
      expect(await both(link, `localhost:${port}`)).toEqual([alone, alone])
      expect(report).toEqual([])
    }
  })

  it('in the common name does not count for an address either', async () => {
    const authority = await makeAuthority()
    const { port } = await server(await authority.issue(['localhost'], { commonName: '127.0.0.1' }))
    const why = 'tls: 127.0.0.1: it is for another host name'
    expect(await both(open(authority.ca), `127.0.0.1:${port}`)).toEqual([why, why])
  })
})
