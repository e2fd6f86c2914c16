import type { ProxyLogin } from '../ports.ts'

/** The variables that name a proxy, as other programs read them. */
export type ProxyEnv = Record<string, string | undefined>

/** The name and password that HTTPS_PROXY or HTTP_PROXY carries for this very proxy; null: none. */
export function loginFrom(env: ProxyEnv, host: string, port: number): ProxyLogin | null {
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
    const proxy = addressOf(env[name] ?? '')
    if (proxy === null || proxy.username === '') continue
    if (hostOf(proxy) === host.toLowerCase() && portOf(proxy) === port) return { name: decoded(proxy.username), password: decoded(proxy.password) }
  }
  return null
}

/** What such a variable holds as an address; people leave out its scheme. */
export const addressOf = (text: string): URL | null => URL.parse(text.includes('://') ? text : `http://${text}`)

export const hostOf = ({ hostname }: URL): string => hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')

export const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

/** A password with a % that begins no code is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
