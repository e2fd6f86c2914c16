import type { AuthInfo, Net, Session } from 'electron'
import type { Prime } from '../../../network/chromium/primed-fetch.ts'
import type { ProxyLogin, ProxyLogins } from '../../../ports.ts'

type Logins = Pick<ProxyLogins, 'answer' | 'report'>

/**
 * Primes a session with one request. Electron's fetch and sockets fail at once where a proxy wants a login; only
 * `net.request` asks for it, and the whole session then uses the answer. Each proxy is answered once: a second request
 * means that the login was wrong. A server that asks gets no login.
 */
export function primeBy(net: Pick<Net, 'request'>, session: Session, logins: Logins): Prime {
  return (url) => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const request = net.request({
      session,
      url,
      method: 'HEAD',
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
    })
    const answered = new Map<string, AuthInfo>()
    request.on('login', async (info, answer) => {
      const login = await loginFor(info, answered, logins)
      if (login === null) answer()
      else answer(login.name, login.password)
    })
    request.on('response', (response) => {
      if (response.statusCode !== 407)
        for (const { host, port } of answered.values()) logins.report(host, port, 'accepted')
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

async function loginFor(info: AuthInfo, answered: Map<string, AuthInfo>, logins: Logins): Promise<ProxyLogin | null> {
  if (!info.isProxy) return null
  const key = `${info.host}:${info.port}`
  const login = answered.has(key) ? null : await logins.answer(info.host, info.port)
  if (login === null) logins.report(info.host, info.port, answered.delete(key) ? 'rejected' : 'required')
  else answered.set(key, info)
  return login
}
