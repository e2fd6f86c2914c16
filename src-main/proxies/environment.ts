import type { ProxyLogin } from '../ports.ts'
import { decoded } from '../../src-shared/decoded.ts'

/** The variables that name a proxy, as other programs read them. */
export type ProxyEnv = Record<string, string | undefined>

/** The name and password that HTTPS_PROXY or HTTP_PROXY carries for this very proxy; null: none. */
export function loginFrom(env: ProxyEnv, host: string, port: number): ProxyLogin | null {
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
    const proxy = addressOf(env[name] ?? '')
    if (proxy === null || proxy.username === '') continue
    // A password with a % that begins no code is meant as it stands.
    if (hostOf(proxy) === host.toLowerCase() && portOf(proxy) === port) return { name: decoded(proxy.username), password: decoded(proxy.password) }
  }
  return null
}

/** What such a variable holds as an address; people leave out its scheme. */
export const addressOf = (text: string): URL | null => URL.parse(text.includes('://') ? text : `http://${text}`)

export const hostOf = ({ hostname }: URL): string => hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')

/** `host:port`, as a proxy is named. */
export const proxyAddress = (host: string, port: number): string => `${host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase()}:${port}`

export const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
