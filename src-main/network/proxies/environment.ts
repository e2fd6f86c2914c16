import type { ProxyLogin } from '../../ports.ts'
import { decoded } from '../../../src-shared/text/decoded.ts'

/** The environment variables that name a proxy. */
export type ProxyEnv = Record<string, string | undefined>

/** Returns the name and password in HTTPS_PROXY or HTTP_PROXY for this proxy; null: none. */
export function loginFrom(env: ProxyEnv, host: string, port: number): ProxyLogin | null {
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
    const proxy = addressOf(env[name] ?? '')
    if (proxy === null || proxy.username === '') continue
    if (hostOf(proxy) === host.toLowerCase() && portOf(proxy) === port)
      return { name: decode(proxy.username), password: decode(proxy.password) }
  }
  return null
}

/** Decodes encoded characters; a % without a code stays. */
const decode = (text: string): string => text.replaceAll(/(?:%[0-9a-f]{2})+/giu, decoded)

/**
 * Returns the address in such a variable, with or without scheme. Returns null where anything follows host and port:
 * then a name or password contains an unencoded `/`, `?`, `#` or `\`, and the apparent host is a part of it.
 */
export function addressOf(text: string): URL | null {
  const url = text.includes('\\') ? null : URL.parse(text.includes('://') ? text : `http://${text}`)
  return url !== null && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '' ? url : null
}

export const hostOf = ({ hostname }: URL): string => hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')

/** Returns the name of a proxy, `host:port`. */
export const proxyAddress = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase()}:${port}`

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
