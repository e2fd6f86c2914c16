import type { AuthInfo, Net, Session } from 'electron'

/** Variables that may name a proxy with its name and password, as the web shell reads them. */
type Env = Record<string, string | undefined>

/** Makes sure that a session has answered its proxy. */
export type Prime = (url: string) => Priming
export interface Priming {
  /** Resolves when it has been tried, or was stopped; never rejects. */
  done: Promise<void>
  stop(): void
}

/**
 * Electron's fetch and sockets fail at once where a proxy wants a name and password; only `net.request` asks for them,
 * and what it was told is then used by the whole session. So one request goes ahead, and answers once: a second
 * question means that the answer was wrong.
 */
export function primeBy(net: Pick<Net, 'request'>, session: Session, env: Env): Prime {
  return (url) => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const request = net.request({ session, url, method: 'HEAD', redirect: 'error', credentials: 'omit', cache: 'no-store' })
    let asked = false
    request.on('login', (info, callback) => {
      const known = asked ? null : credentialsFor(info, env)
      asked = true
      if (known === null) callback()
      else callback(known.name, known.password)
    })
    request.on('response', (response) => {
      response.on('data', () => {})
      response.on('end', () => resolve())
      response.on('error', () => resolve())
    })
    request.on('error', () => resolve())
    request.on('close', () => resolve())
    request.end()
    return { done, stop: () => request.abort() }
  }
}

/** The name and password that HTTPS_PROXY or HTTP_PROXY carries for the very proxy that asks; a server gets none. */
export function credentialsFor(info: Pick<AuthInfo, 'isProxy' | 'host' | 'port'>, env: Env): { name: string; password: string } | null {
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
