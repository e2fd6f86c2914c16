import type { FaultError } from '../../../src-shared/model/fault.ts'
import type { ProxyLogins } from '../../ports.ts'
import { proxyAddress } from '../proxies/environment.ts'
import { proxyFault } from '../proxies/fault.ts'

/** What of a session may hold a login. */
export interface LoginSession {
  clearAuthCache(): Promise<void>
  closeAllConnections(): Promise<void>
}

type Logins = Pick<ProxyLogins, 'answer' | 'heard'>

export interface SessionLogins extends Logins {
  /** Chromium's words for a proxy that let nobody through are the same for many reasons: how the session's last one stands tells more. */
  why(fault: FaultError): FaultError
}

/**
 * A session keeps what its proxy was told, and its tunnels stand, for as long as it lives. So each session that has asked for a
 * proxy's login is made to forget it, and its connections are closed, when the operator changes or wipes that login: whoever
 * needs one asks anew.
 */
export function createLoginSessions(
  logins: Logins & Pick<ProxyLogins, 'onReplaced'>,
): (session: LoginSession) => SessionLogins {
  const told = new Map<string, Set<LoginSession>>()
  logins.onReplaced((address) => {
    // They stay: one whose question is under way is told the next login. One that cannot forget is refused at its next connection.
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
        // Before it is told: it may be replaced while the keychain is asked.
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
 * What Chromium says about the way to an address (`Session.resolveProxy`: "DIRECT", "PROXY host:port; DIRECT"), as `host:port`
 * of the first one that it would try; null: no proxy. A name or password in it is left out.
 */
export function resolvedProxy(words: string): string | null {
  const [kind = '', address = ''] = words.split(';')[0]?.trim().split(/\s+/) ?? []
  if (kind === '' || kind.toUpperCase() === 'DIRECT' || address === '') return null
  return address.slice(address.lastIndexOf('@') + 1)
}
