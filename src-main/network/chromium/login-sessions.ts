import type { FaultError } from '../../../src-shared/model/fault.ts'
import type { ProxyLogins } from '../../ports.ts'
import { proxyAddress } from '../proxies/environment.ts'
import { proxyFault } from '../proxies/fault.ts'

/** The parts of a session that may hold a login. */
export interface LoginSession {
  clearAuthCache(): Promise<void>
  closeAllConnections(): Promise<void>
}

type Logins = Pick<ProxyLogins, 'answer' | 'report'>

export interface SessionLogins extends Logins {
  /**
   * Returns the fault with its cause: Chromium reports a proxy's rejection in the same words for many causes, so the
   * state of the session's last login decides.
   */
  explain(fault: FaultError): FaultError
}

/**
 * Returns the proxy logins for a session. A session keeps its proxy's login and its tunnels. When the operator changes
 * or removes a login, the caches of the sessions that used it are cleared, and its connections are closed, so that the next one asks
 * again.
 */
export function createLoginSessions(
  logins: Logins & Pick<ProxyLogins, 'onReplaced'>,
): (session: LoginSession) => SessionLogins {
  const sessions = new Map<string, Set<LoginSession>>()
  logins.onReplaced((address) => {
    // They stay: a session whose request is in progress receives the next login. A session that cannot clear it is rejected at
    // its next connection.
    for (const session of sessions.get(address) ?? [])
      session
        .clearAuthCache()
        .then(() => session.closeAllConnections())
        .catch(() => {})
  })
  return (session) => {
    let lastFault: FaultError | null = null
    return {
      answer(host, port) {
        const address = proxyAddress(host, port)
        // Added before the answer: the login may be replaced while the keychain is read.
        sessions.set(address, (sessions.get(address) ?? new Set()).add(session))
        return logins.answer(host, port)
      },
      report(host, port, outcome) {
        const state = logins.report(host, port, outcome)
        lastFault = outcome === 'accepted' ? null : proxyFault(state, proxyAddress(host, port))
        return state
      },
      explain: (fault) =>
        fault.fault.kind === 'proxy' || fault.fault.kind === 'proxy-login' ? (lastFault ?? fault) : fault,
    }
  }
}

/**
 * Returns the first proxy that Chromium would try for an address, `host:port`, from the result of
 * `Session.resolveProxy` ("DIRECT", "PROXY host:port; DIRECT"); null: none. Leaves out name and password.
 */
export function resolvedProxy(result: string): string | null {
  const [kind = '', address = ''] = result.split(';')[0]?.trim().split(/\s+/) ?? []
  if (kind === '' || kind.toUpperCase() === 'DIRECT' || address === '') return null
  return address.slice(address.lastIndexOf('@') + 1)
}
