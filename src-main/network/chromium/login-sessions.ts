import type { FaultError } from '../../../src-shared/model/fault.ts'
import type { ProxyLogins } from '../../ports.ts'
import { proxyAddress } from '../proxies/environment.ts'
import { proxyFault } from '../proxies/fault.ts'

/** The parts of a session that may hold a login. */
export interface LoginSession {
  clearAuthCache(): Promise<void>
  closeAllConnections(): Promise<void>
}

type Logins = Pick<ProxyLogins, 'answer' | 'heard'>

export interface SessionLogins extends Logins {
  /**
   * Returns the fault with its cause: Chromium reports a proxy's rejection in the same words for many causes, so the
   * state of the session's last login decides.
   */
  why(fault: FaultError): FaultError
}

/**
 * Returns the proxy logins for a session. A session keeps its proxy's login and its tunnels. When the operator changes
 * or removes a login, each session that used it forgets it, and its connections are closed, so that the next one asks
 * again.
 */
export function createLoginSessions(
  logins: Logins & Pick<ProxyLogins, 'onReplaced'>,
): (session: LoginSession) => SessionLogins {
  const told = new Map<string, Set<LoginSession>>()
  logins.onReplaced((address) => {
    // They stay: a session whose request is in progress receives the next login. One that cannot forget is rejected at
    // its next connection.
    for (const session of told.get(address) ?? [])
      session
        .clearAuthCache()
        .then(() => session.closeAllConnections())
        .catch(() => {})
  })
  return (session) => {
    let standing: FaultError | null = null
    return {
      answer(host, port) {
        const address = proxyAddress(host, port)
        // Added before the answer: the login may be replaced while the keychain is read.
        told.set(address, (told.get(address) ?? new Set()).add(session))
        return logins.answer(host, port)
      },
      heard(host, port, said) {
        const state = logins.heard(host, port, said)
        standing = said === 'taken' ? null : proxyFault(state, proxyAddress(host, port))
        return state
      },
      why: (fault) =>
        fault.fault.kind === 'proxy' || fault.fault.kind === 'proxy-login' ? (standing ?? fault) : fault,
    }
  }
}

/**
 * Returns the first proxy that Chromium would try for an address, `host:port`, from the result of
 * `Session.resolveProxy` ("DIRECT", "PROXY host:port; DIRECT"); null: none. Leaves out name and password.
 */
export function resolvedProxy(words: string): string | null {
  const [kind = '', address = ''] = words.split(';')[0]?.trim().split(/\s+/) ?? []
  if (kind === '' || kind.toUpperCase() === 'DIRECT' || address === '') return null
  return address.slice(address.lastIndexOf('@') + 1)
}
