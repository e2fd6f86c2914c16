/** Variables that may name a proxy with its name and password, as the web shell reads them. */
export type ProxyEnv = Record<string, string | undefined>

/** Who asks for a name and password, as Chromium tells it. */
export interface Asker {
  isProxy: boolean
  host: string
  port: number
}

/** The name and password that HTTPS_PROXY or HTTP_PROXY carries for the very proxy that asks; a server gets none. */
export function credentialsFor(info: Asker, env: ProxyEnv): { name: string; password: string } | null {
  if (!info.isProxy) return null
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
    const text = env[name] ?? ''
    const proxy = URL.parse(text.includes('://') ? text : `http://${text}`)
    if (proxy === null || proxy.username === '') continue
    const port = proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port)
    if (proxy.hostname.toLowerCase() === info.host.toLowerCase() && port === info.port) {
      return { name: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) }
    }
  }
  return null
}
