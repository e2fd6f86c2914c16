import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { ProxyLogin, ProxyLogins } from '../../../ports.ts'
import { proxyFault } from '../../../network/proxies/fault.ts'
import { addressOf, hostOf, portOf, proxyAddress, type ProxyEnv } from '../../../network/proxies/environment.ts'
import { certificateCheck } from '../../../network/tls/certificate-check.ts'
import { networkFault } from '../../../network/tls/network-fault.ts'

/**
 * Returns the proxy for a host, by HTTPS_PROXY (HTTP_PROXY for http) and NO_PROXY, lower case first; null: none. This
 * computer is never reached through a proxy, otherwise the demo would not be found. Throws a `FaultError` of kind
 * `proxy` when the variable contains no address.
 */
export function proxyFor(secure: boolean, hostname: string, port: number, env: ProxyEnv): URL | null {
  const variable = (name: string) => env[name.toLowerCase()] ?? env[name] ?? ''
  const text = variable(secure ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (text === '' || isLoopback(hostname) || excepted(hostname, port, variable('NO_PROXY'))) return null
  const url = addressOf(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  // The message repeats nothing of it: the apparent host may be a part of a password.
  const advice = url === null ? '; what is special in its name or password (/ ? # \\ @ :) must be percent-encoded' : ''
  throw new FaultError('proxy', `${secure ? 'HTTPS_PROXY' : 'HTTP_PROXY'} is not the address of an HTTP proxy${advice}`)
}

function isLoopback(hostname: string): boolean {
  const name = bare(hostname)
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d+){3}$/.test(name)
}

/**
 * Returns whether NO_PROXY excludes a host. Entries: `*`, a name (with its subdomains), `.name`, `*.name`, an address,
 * a network (`10.0.0.0/8`); each but a network with an optional port.
 */
function excepted(hostname: string, port: number, list: string): boolean {
  const name = bare(hostname)
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry.includes('/')) return inNet(name, entry)
      const [host, only] = hostAndPort(entry)
      if (only !== null && only !== port) return false
      const wanted = bare(host).replace(/^\*?\./, '')
      return wanted === '*' || name === wanted || name.endsWith(`.${wanted}`)
    })
}

/**
 * Returns host and port of an entry. The part after the last colon is a port if it is a number, and not the end of an
 * IPv6 address without brackets.
 */
function hostAndPort(entry: string): [string, number | null] {
  const at = entry.lastIndexOf(':')
  const host = entry.slice(0, Math.max(0, at))
  const isPort = at >= 0 && /^\d+$/.test(entry.slice(at + 1)) && !/[:\w]:/.test(host.slice(host.lastIndexOf(']') + 1))
  return isPort ? [host, Number(entry.slice(at + 1))] : [entry, null]
}

/**
 * Returns whether an address is in a network. Names are not looked up, since behind a proxy they may have no address
 * here.
 */
function inNet(address: string, entry: string): boolean {
  const [net = '', bits = ''] = entry.split('/')
  const family = isIP(bare(net)) === 6 ? 'ipv6' : 'ipv4'
  if (
    isIP(address) === 0 ||
    isIP(bare(net)) === 0 ||
    !/^\d{1,3}$/.test(bits) ||
    Number(bits) > (family === 'ipv6' ? 128 : 32)
  )
    return false
  const list = new BlockList()
  list.addSubnet(bare(net), Number(bits), family)
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function bare(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

export interface Tunnel {
  proxy: URL
  hostname: string
  port: number
  context: SecureContext
  /** Deadline for the tunnel, ms. */
  timeout: number
}

/**
 * Opens a connection to the host through the proxy (CONNECT), with the login of `logins` (Basic, RFC 7617). Rejects
 * with a `FaultError` of one of the kinds `proxy…`. A rejected password is not tried again, because each attempt may
 * lock the account.
 */
export async function openTunnel(tunnel: Tunnel, logins: Pick<ProxyLogins, 'answer' | 'report'>): Promise<Duplex> {
  const { proxy } = tunnel
  const [host, port] = [hostOf(proxy), portOf(proxy)]
  const login = await logins.answer(host, port)
  const answered = await ask(tunnel, login)
  if ('socket' in answered) {
    logins.report(host, port, 'accepted')
    return answered.socket
  }
  const { status, challenge } = answered
  if (status !== 407) throw new FaultError('proxy', `the proxy answered HTTP ${status}`)
  // Without a scheme, Basic is assumed.
  if (challenge !== '' && !/\bbasic\b/i.test(challenge))
    throw new FaultError(
      'proxy',
      `the proxy wants ${challenge.split(/[\s,]/u)[0]}, and in a browser Muster speaks Basic alone`,
    )
  const state = logins.report(host, port, login === null ? 'required' : 'rejected')
  throw proxyFault(state, proxyAddress(host, port))
}

type Answered = { socket: Duplex } | { status: number; challenge: string }

function ask(tunnel: Tunnel, login: ProxyLogin | null): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = begin(tunnel, login)
    // Not the socket's own timeout: a proxy that sends a byte now and then would never exceed it.
    const timer = setTimeout(() => {
      reject(new FaultError('proxy-away', 'the proxy did not answer in time'))
      request.destroy()
    }, tunnel.timeout)
    const settle = ({ statusCode = 0, headers }: IncomingMessage) => {
      resolve({ status: statusCode, challenge: [headers['proxy-authenticate'] ?? []].flat().join(', ') })
      request.destroy()
    }
    request.on('connect', (response, socket, head) => {
      clearTimeout(timer)
      if (response.statusCode === undefined || response.statusCode < 200 || response.statusCode > 299) {
        socket.destroy()
        return settle(response)
      }
      if (head.length > 0) socket.unshift(head)
      resolve({ socket })
    })
    request.on('response', settle)
    request.on('error', (error: NodeJS.ErrnoException) => reject(unreachable(error, tunnel.proxy)))
    request.on('close', () => clearTimeout(timer))
    request.end()
  })
}

function begin({ proxy, hostname, port, context }: Tunnel, login: ProxyLogin | null): ClientRequest {
  const target = `${hostname.includes(':') ? `[${bare(hostname)}]` : hostname}:${port}`
  const authorization =
    login === null
      ? {}
      : { 'Proxy-Authorization': `Basic ${Buffer.from(`${login.name}:${login.password}`).toString('base64')}` }
  const options = {
    method: 'CONNECT',
    host: hostOf(proxy),
    port: portOf(proxy),
    path: target,
    headers: { Host: target, ...authorization },
    agent: false as const,
  }
  if (proxy.protocol === 'http:') return requestHttp(options)
  // Set explicitly, otherwise Node uses the Host header's, and the proxy would have to present the service's
  // certificate. An address is no server name.
  return requestHttps({
    ...options,
    ...certificateCheck,
    secureContext: context,
    servername: isIP(options.host) === 0 ? options.host : '',
  } as RequestOptions)
}

function unreachable(error: NodeJS.ErrnoException, proxy: URL): FaultError {
  const { kind, detail } = networkFault(error, proxy.host).fault
  if (kind === 'name') return new FaultError('proxy-away', `the proxy ${proxy.hostname} could not be found`)
  if (kind === 'tls') return new FaultError('proxy', `the certificate of the proxy is not trusted (${detail})`)
  return error.code?.startsWith('HPE_') || kind === 'protocol'
    ? new FaultError('proxy', `what answers at ${proxy.host} is no HTTP proxy`)
    : new FaultError('proxy-away', proxy.host)
}
