import { request as requestHttp, type ClientRequest } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { FaultError } from '../../src-shared/fault.ts'

/** The variables that name a proxy, as other programs read them. */
export type ProxyEnv = Record<string, string | undefined>

/**
 * The proxy for a host, by HTTPS_PROXY (HTTP_PROXY for http) and NO_PROXY, lower case first; null: none. This machine
 * itself is never asked for through a proxy, or the demo would not be found behind one. Throws a `FaultError` of kind
 * `proxy` when the variable holds no address.
 */
export function proxyFor(secure: boolean, hostname: string, port: number, env: ProxyEnv): URL | null {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name] ?? ''
  const text = read(secure ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (text === '' || isLoopback(hostname) || excepted(hostname, port, read('NO_PROXY'))) return null
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new FaultError('proxy', `${secure ? 'HTTPS_PROXY' : 'HTTP_PROXY'} is not the address of an HTTP proxy`)
}

function isLoopback(hostname: string): boolean {
  const name = bare(hostname)
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d+){3}$/.test(name)
}

/** Entries: `*`, a name (its subdomains too), `.name`, `*.name`, an address; each with an optional port. */
function excepted(hostname: string, port: number, list: string): boolean {
  const name = bare(hostname)
  return list.split(/[\s,]+/).filter((entry) => entry !== '').some((entry) => {
    const [, host = '', only] = /^(.*?)(?<![:\w]:[^\]]*):(\d+)$/.exec(entry) ?? [null, entry]
    if (only !== undefined && Number(only) !== port) return false
    const wanted = bare(host).replace(/^\*?\./, '')
    return wanted === '*' || name === wanted || name.endsWith(`.${wanted}`)
  })
}

function bare(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

export interface Tunnel {
  proxy: URL
  hostname: string
  port: number
  context: SecureContext
  /** Milliseconds until the tunnel must stand. */
  timeout: number
}

/** A connection to the host through the proxy (CONNECT). Rejects with a `FaultError` of kind `proxy`. */
export function openTunnel(tunnel: Tunnel): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const fail = (detail: string) => reject(new FaultError('proxy', detail))
    const asked = ask(tunnel)
    asked.on('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket)
      socket.destroy()
      fail(response.statusCode === 407 ? 'the proxy wants a name and password' : `the proxy answered HTTP ${response.statusCode}`)
    })
    asked.on('response', (response) => {
      response.destroy()
      fail(`the proxy answered HTTP ${response.statusCode}`)
    })
    asked.on('timeout', () => {
      fail('the proxy did not answer in time')
      asked.destroy()
    })
    asked.on('error', (error: NodeJS.ErrnoException) => fail(unreachable(error, tunnel.proxy)))
    asked.end()
  })
}

function ask({ proxy, hostname, port, context, timeout }: Tunnel): ClientRequest {
  const target = `${hostname.includes(':') ? `[${bare(hostname)}]` : hostname}:${port}`
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const authorization = user === ':' ? {} : { 'Proxy-Authorization': `Basic ${Buffer.from(user).toString('base64')}` }
  const secure = proxy.protocol === 'https:'
  const options = {
    method: 'CONNECT',
    host: bare(proxy.hostname),
    port: proxy.port === '' ? (secure ? 443 : 80) : Number(proxy.port),
    path: target,
    headers: { Host: target, ...authorization },
    agent: false,
    timeout,
  }
  const trusted = { ...options, secureContext: context }
  return secure ? requestHttps(trusted) : requestHttp(options)
}

function unreachable(error: NodeJS.ErrnoException, proxy: URL): string {
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return `the proxy ${proxy.hostname} could not be found`
  return `the proxy ${proxy.host} cannot be reached`
}
