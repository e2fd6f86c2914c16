import type { ProxyLogin } from '../../ports.ts'
import { decoded } from '../../../src-shared/text/decoded.ts'

/** The variables that name a proxy, as other programs read them. */
export type ProxyEnv = Record<string, string | undefined>

/** The name and password that HTTPS_PROXY or HTTP_PROXY carries for this very proxy; null: none. */
export function loginFrom(env: ProxyEnv, host: string, port: number): ProxyLogin | null {
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
    const proxy = addressOf(env[name] ?? '')
    if (proxy === null || proxy.username === '') continue
    if (hostOf(proxy) === host.toLowerCase() && portOf(proxy) === port)
      return { name: meant(proxy.username), password: meant(proxy.password) }
  }
  return null
}

/** A % that begins no code is meant as it stands; what the address had encoded beside it is not. */
const meant = (text: string): string => text.replaceAll(/(?:%[0-9a-f]{2})+/giu, decoded)

/**
 * What such a variable holds as an address; people leave out its scheme. Null where it goes on behind host and port: then a
 * name or password holds what ends them in an address (`/`, `?`, `#`, `\`), and what looks like the host is a part of it.
 */
export function addressOf(text: string): URL | null {
  const url = text.includes('\\') ? null : URL.parse(text.includes('://') ? text : `http://${text}`)
  return url !== null && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '' ? url : null
}

export const hostOf = ({ hostname }: URL): string => hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')

/** `host:port`, as a proxy is named. */
export const proxyAddress = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase()}:${port}`

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
