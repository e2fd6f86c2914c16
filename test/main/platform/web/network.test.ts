import { createServer as createHttp } from 'node:http'
import net from 'node:net'
import tls from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { NetworkLimits } from '../../../../src-main/platform/web/network/dial.ts'
import { openNetwork } from '../../../../src-main/platform/web/network/network.ts'
import type { ProxyEnv } from '../../../../src-main/network/proxies/environment.ts'
import type { Link } from '../../../../src-main/ports.ts'
import { makeAuthority, makeSelfSigned } from './certificates.ts'
import { listening, secureServer, startProxy } from './servers.ts'

const hello = (_request: unknown, response: { end(text: string): unknown }) => response.end('hello')

function open(ca: string, env: ProxyEnv = {}, limits?: NetworkLimits): Link {
  const link = openNetwork(env, limits === undefined ? {} : { limits }).open(ca)
  onTestFinished(() => link.close())
  return link
}

/** The fault of a call that must fail, as "kind: detail"; ports vary from run to run and are left out. */
async function faultOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  )
  if (!(thrown instanceof FaultError)) throw new Error(`not a fault: ${String(thrown)}`)
  return thrown.message.replaceAll(/:\d{4,5}\b/g, '')
}

describe('trust', () => {
  it("accepts a server of the connection's own CA, over HTTP/1.1 although it offers HTTP/2", async () => {
    const authority = await makeAuthority()
    let version = ''
    const served = await authority.issue(['127.0.0.1'])
    const port = await listening(
      secureServer(served, (request, response) => {
        version = request.httpVersion
        response.end('hello')
      }),
    )
    const response = await open(authority.ca).fetch(`https://127.0.0.1:${port}/`)
    expect(await response.text()).toBe('hello')
    expect(version).toBe('1.1')
  })

  it('accepts every certificate of a CA field that holds several', async () => {
    const [first, second] = await Promise.all([makeAuthority('one'), makeAuthority('two')])
    const port = await listening(secureServer(await second.issue(['127.0.0.1']), hello))
    const response = await open(`first:\n${first.ca}\n\n${second.ca}`).fetch(`https://127.0.0.1:${port}/`)
    expect(response.status).toBe(200)
  })

  it("rejects a self-signed server, and one of another connection's CA", async () => {
    const [authority, other] = await Promise.all([makeAuthority(), makeAuthority('other')])
    const alone = await listening(secureServer(await makeSelfSigned(), hello))
    const issued = await listening(secureServer(await authority.issue(['127.0.0.1']), hello))
    expect(await faultOf(open('').fetch(`https://127.0.0.1:${alone}/`))).toBe('tls: 127.0.0.1: it is self-signed')
    expect(await faultOf(open(other.ca).fetch(`https://127.0.0.1:${issued}/`))).toBe(
      'tls: 127.0.0.1: its authority is not known here',
    )
  })

  it('checks dates, host name and purpose as usual when the CA is trusted', async () => {
    const authority = await makeAuthority()
    const refused = async (names: string[], options: { expired?: boolean; purpose?: string }) => {
      const port = await listening(secureServer(await authority.issue(names, options), hello))
      return faultOf(open(authority.ca).fetch(`https://127.0.0.1:${port}/`))
    }
    expect(await refused(['127.0.0.1'], { expired: true })).toBe('tls: 127.0.0.1: it has expired')
    expect(await refused(['elsewhere.example'], {})).toBe('tls: 127.0.0.1: it is for another host name')
    expect(await refused(['127.0.0.1'], { purpose: '1.3.6.1.5.5.7.3.2' })).toBe(
      'tls: 127.0.0.1: it may not be used for a server',
    )
  })

  it.each([
    ['no certificate', 'hello', 'ca: there is no certificate in it'],
    [
      'a damaged one',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
      'ca: certificate 1 of 1 is damaged',
    ],
    [
      'a private key',
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
      'ca: the text holds a private key',
    ],
  ])('rejects a CA text with %s', (_what, text, words) => {
    expect(() => openNetwork({}).open(text)).toThrow(words)
  })
})

describe('faults', () => {
  it('an unknown host is a name fault', async () => {
    expect(await faultOf(open('').fetch('https://nosuch.invalid/'))).toBe('name: nosuch.invalid:443')
  })

  it('a closed port is a connect fault', async () => {
    const port = await listening(net.createServer())
    const other = net.createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const closed = (other.address() as net.AddressInfo).port
    await new Promise((resolve) => other.close(resolve))
    expect(closed).not.toBe(port)
    expect(await faultOf(open('').fetch(`http://127.0.0.1:${closed}/`))).toBe('connect: 127.0.0.1')
  })

  it('an invalid address is a connect fault', async () => {
    expect(await faultOf(open('').fetch('not an address'))).toBe('connect: that is not an address that can be called')
    expect(await faultOf(open('').fetch('https://127.0.0.1:6000/'))).toBe(
      'connect: 127.0.0.1: its port is one that is never called for the web',
    )
  })

  it('a server without TLS is a protocol fault, never an untrusted certificate', async () => {
    const port = await listening(createHttp(hello))
    expect(await faultOf(open('').fetch(`https://127.0.0.1:${port}/`))).toBe(
      'protocol: 127.0.0.1: no secure connection could be agreed on',
    )
  })

  it('a server that hangs up is a reset', async () => {
    const port = await listening(net.createServer((socket) => socket.destroy()))
    expect(await faultOf(open('').fetch(`http://127.0.0.1:${port}/`))).toBe('reset: 127.0.0.1')
  })

  it('a body that is cut off is a reset', async () => {
    const plain = await listening(
      createHttp((_request, response) => {
        response.writeHead(200, { 'Content-Length': 100 })
        response.write('half', () => response.destroy())
      }),
    )
    const first = await open('').fetch(`http://127.0.0.1:${plain}/`)
    expect(await faultOf(first.text())).toBe('reset: 127.0.0.1')
  })

  it('a server that speaks neither HTTP/1.1 nor HTTP/2 is a protocol fault that names both', async () => {
    const authority = await makeAuthority()
    const served = { ...(await authority.issue(['127.0.0.1'])), ALPNProtocols: ['gopher'] }
    const port = await listening(tls.createServer(served))
    expect(await faultOf(open(authority.ca).fetch(`https://127.0.0.1:${port}/`))).toBe(
      'protocol: 127.0.0.1: it speaks neither HTTP/1.1 nor HTTP/2',
    )
  })

  it('an answer that does not come is a timeout, and so is a body that stops', async () => {
    const limits = { connect: 10_000, answer: 50 }
    const silent = await listening(createHttp(() => {}))
    expect(await faultOf(open('', {}, limits).fetch(`http://127.0.0.1:${silent}/`))).toBe('timeout: 127.0.0.1')
    const halting = await listening(createHttp((_request, response) => void response.writeHead(200).write('half')))
    const response = await open('', {}, limits).fetch(`http://127.0.0.1:${halting}/`)
    expect(await faultOf(response.text())).toBe('timeout: 127.0.0.1')
  })

  it('a connection that is not made in time is a timeout', async () => {
    // It takes the connection and never answers the greeting.
    const port = await listening(net.createServer())
    const link = open('', {}, { connect: 50, answer: 10_000 })
    expect(await faultOf(link.fetch(`https://127.0.0.1:${port}/`))).toBe('timeout: 127.0.0.1')
  })

  it('cancelling is an abort, or the fault that was given as the reason', async () => {
    const port = await listening(createHttp(() => {}))
    const link = open('')
    expect(await faultOf(link.fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort() }))).toBe(
      'abort: 127.0.0.1',
    )
    const signal = AbortSignal.abort(new FaultError('stopped'))
    expect(await faultOf(link.fetch(`http://127.0.0.1:${port}/`, { signal }))).toBe('stopped')
    expect(await faultOf(link.fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1) }))).toBe(
      'timeout: 127.0.0.1',
    )
  })

  it('a redirect is never followed, so that no secret is posted elsewhere', async () => {
    let elsewhere = 0
    const other = await listening(
      createHttp((_request, response) => {
        elsewhere += 1
        response.end()
      }),
    )
    const port = await listening(
      createHttp((_request, response) => {
        response.writeHead(307, { Location: `http://127.0.0.1:${other}/` }).end()
      }),
    )
    const post = open('').fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'secret', redirect: 'follow' })
    expect(await faultOf(post)).toBe('http: 127.0.0.1 redirects to another address, which is not followed')
    expect(elsewhere).toBe(0)
  })

  it('faults show neither path nor query', async () => {
    expect(await faultOf(open('').fetch('https://nosuch.invalid/path?secret=1'))).not.toMatch(/path|secret/)
  })
})

describe('proxy', () => {
  it('connects through HTTPS_PROXY with its login, and still checks the certificate', async () => {
    const authority = await makeAuthority()
    const port = await listening(secureServer(await authority.issue(['service.test']), hello))
    const proxy = await startProxy(port)
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//ann:p%40ss@') }
    const response = await open(authority.ca, env).fetch('https://service.test/')
    expect(await response.text()).toBe('hello')
    expect(proxy.asked).toEqual(['service.test:443'])
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('ann:p@ss').toString('base64')}`])
    expect(await faultOf(open(authority.ca, env).fetch('https://other.test/'))).toBe(
      'tls: other.test:443: it is for another host name',
    )
  })

  it('reports a tunnel that breaks during its handshake or an answer', async () => {
    const authority = await makeAuthority()
    const port = await listening(
      secureServer(
        await authority.issue(['service.test']),
        (_request, response) => void response.end(Buffer.alloc(1_000_000)),
      ),
    )
    for (const cutAfter of [10, 100_000]) {
      const proxy = await startProxy(port, { cutAfter })
      const read = open(authority.ca, { HTTPS_PROXY: proxy.url })
        .fetch('https://service.test/')
        .then((response) => response.arrayBuffer())
      expect(await faultOf(read)).toMatch(/^reset: service\.test/)
    }
  })

  it('is bypassed for NO_PROXY and for this machine', async () => {
    const proxy = await startProxy(1)
    const env = { https_proxy: proxy.url, http_proxy: proxy.url, NO_PROXY: '.invalid' }
    const port = await listening(createHttp(hello))
    expect((await open('', env).fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    expect(await faultOf(open('', env).fetch('https://nosuch.invalid/'))).toMatch(/^name/)
    expect(proxy.asked).toEqual([])
  })

  it.each([
    [407, 'proxy-login: 127.0.0.1'],
    [403, 'proxy: the proxy answered HTTP 403'],
    [502, 'proxy: the proxy answered HTTP 502'],
  ])('reports a rejection with %i', async (status, words) => {
    const proxy = await startProxy(1, { status })
    expect(await faultOf(open('', { HTTPS_PROXY: proxy.url }).fetch('https://service.test/'))).toBe(words)
  })

  it('reports that it cannot be found or reached', async () => {
    const unknown = open('', { HTTPS_PROXY: 'http://nosuch.invalid:3128' }).fetch('https://service.test/')
    expect(await faultOf(unknown)).toBe('proxy-away: the proxy nosuch.invalid could not be found')
    const closed = open('', { HTTPS_PROXY: 'http://127.0.0.1:1' }).fetch('https://service.test/')
    expect(await faultOf(closed)).toBe('proxy-away: 127.0.0.1:1')
    const silent = await listening(net.createServer())
    const limits = { connect: 50, answer: 10_000 }
    const late = open('', { HTTPS_PROXY: `http://127.0.0.1:${silent}` }, limits).fetch('https://service.test/')
    expect(await faultOf(late)).toBe('proxy-away: the proxy did not answer in time')
    const wrong = open('', { HTTPS_PROXY: 'socks5://127.0.0.1:1' }).fetch('https://service.test/')
    expect(await faultOf(wrong)).toBe('proxy: HTTPS_PROXY is not the address of an HTTP proxy')
  })
})
