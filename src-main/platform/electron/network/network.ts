import { createHash, type X509Certificate } from 'node:crypto'
import type { Net, Session } from 'electron'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { netFault } from '../../../network/chromium/net-fault.ts'
import { primedFetch, sharedPriming } from '../../../network/chromium/primed-fetch.ts'
import { createLoginSessions, resolvedProxy, type SessionLogins } from '../../../network/chromium/login-sessions.ts'
import type { Link, Network, ProxyLogins } from '../../../ports.ts'
import { isProxyFault } from '../../../network/proxies/fault.ts'
import { readCertificates } from '../../../network/ca.ts'
import { guardFetch, type FaultOf } from '../../../network/guarded-fetch.ts'
import { dialBy } from './dial.ts'
import { fetchOnceBy, type LentSession } from './once.ts'
import { primeBy } from './proxy-login.ts'
import { addTrust } from '../security/certificate.ts'

/** The parts of Electron that the network needs. Usable only when the application is ready. */
export interface ElectronNetwork {
  net: Pick<Net, 'request' | 'WebSocket'>
  sessions: { fromPartition(partition: string, options: { cache: boolean }): Session }
  logins: Pick<ProxyLogins, 'answer' | 'report' | 'onReplaced'>
  now: () => number
}

/** A session, and why it rejected a server's certificate, by host. */
interface PooledSession {
  session: Session
  rejections: Map<string, string>
}

/**
 * The network of the Electron shell: Chromium's, with the system's proxy and trust store, on one session in memory for
 * each open link. A session cannot be ended, so a free one is reused, but only for the same CA: Chromium caches
 * certificate results beyond our own check.
 */
export function openNetwork(electron: ElectronNetwork): Network {
  const loginsOf = createLoginSessions(electron.logins)
  const free = new Map<string, PooledSession[]>()
  let created = 0
  const make = (hash: string, added: readonly X509Certificate[]): PooledSession => {
    created += 1
    const session = electron.sessions.fromPartition(`net-${created}-${hash}`, { cache: false })
    const rejections = new Map<string, string>()
    addTrust(session, added, electron.now, (host, reason) => rejections.set(host, reason))
    return { session, rejections }
  }
  return {
    proxyOf: async (address) =>
      resolvedProxy(await electron.sessions.fromPartition('net-proxies', { cache: false }).resolveProxy(address)),
    open(ca) {
      const added = readCertificates(ca)
      const hash = createHash('sha256')
        .update(
          added
            .map(({ fingerprint256 }) => fingerprint256)
            .toSorted()
            .join(),
        )
        .digest('hex')
        .slice(0, 16)
      const waiting = free.get(hash) ?? []
      free.set(hash, waiting)
      const take = (): PooledLogins => {
        const pooled = waiting.pop() ?? make(hash, added)
        return { ...pooled, logins: loginsOf(pooled.session), release: () => void waiting.push(pooled) }
      }
      return openLink(electron.net, take)
    },
  }
}

/** A session of the pool until it is released. */
interface PooledLogins extends PooledSession {
  logins: SessionLogins
  release(): void
}

function openLink(net: ElectronNetwork['net'], take: () => PooledLogins): Link {
  const pooled = take()
  const { session, rejections } = pooled
  const faultOf = faultsOf(pooled)
  const ensure = sharedPriming(primeBy(net, session, pooled.logins))
  let closed = false
  return {
    // The types of Electron and of the DOM differ only in their declarations.
    fetch: guardFetch(
      primedFetch((input, init) => session.fetch(input as string, init as never), ensure),
      faultOf,
      { tied: true },
    ),
    // Its errors are faults already, of the session that it used.
    fetchOnce: guardFetch(
      fetchOnceBy(() => lent(net, take())),
      netFault,
      { tied: true },
    ),
    dial: (headers, onFault) =>
      dialBy(net, session, headers, faultOf, (fault, address) => {
        // A socket cannot answer a login request: the next one uses the primed session.
        if (isProxyFault(fault.fault.kind)) void ensure(address.replace(/^ws/, 'http'), null)
        onFault(fault)
      }),
    close: async () => {
      if (closed) return
      closed = true
      await session.closeAllConnections()
      rejections.clear()
      pooled.release()
    },
  }
}

/** A certificate rejected here fails with ERR_FAILED, which is ambiguous. */
function faultsOf({ rejections, logins }: PooledLogins): FaultOf {
  return (thrown, host) => {
    const reason = /ERR_FAILED\b/.test(String(thrown)) ? rejections.get(hostnameOf(host)) : undefined
    return reason === undefined ? logins.explain(netFault(thrown, host)) : new FaultError('tls', `${host}: ${reason}`)
  }
}

const hostnameOf = (host: string): string => URL.parse(`https://${host}`)?.hostname ?? ''

/** Returns a session of the pool for one request. */
function lent(net: ElectronNetwork['net'], pooled: PooledLogins): LentSession {
  const { session, rejections, logins, release } = pooled
  rejections.clear()
  return {
    session,
    faultOf: faultsOf(pooled),
    ensure: sharedPriming(primeBy(net, session, logins)),
    hasRejected: (host) => rejections.has(hostnameOf(host)),
    release,
  }
}
