import type { Net, Session } from 'electron'
import type { Prime } from '../chromium/primed-fetch.ts'
import { credentialsFor, type ProxyEnv } from '../chromium/proxy-credentials.ts'

/**
 * Electron's fetch and sockets fail at once where a proxy wants a name and password; only `net.request` asks for them,
 * and what it was told is then used by the whole session. So one request goes ahead, and answers once: a second
 * question means that the answer was wrong.
 */
export function primeBy(net: Pick<Net, 'request'>, session: Session, env: ProxyEnv): Prime {
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
