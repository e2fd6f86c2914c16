import { isolated } from '../../../src-shared/text/direction.ts'
import { adviceText } from '../../../src-shared/text/access.ts'
import { explain, type Fault, type FaultKind } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import type { Banner } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Reach } from '../session.ts'
import { isMonitoringLost } from './connection-status.ts'
import { numberText, many } from './numbers.ts'
import { clockTime, span, type Times } from './time.ts'
import { largest } from '../../../src-shared/lib/extremes.ts'

/** The fault of a connection as a line of text, with its next step. */
export interface FaultLine {
  /** Name of the connection. */
  who: string
  title: string
  advice: string
  /** The particulars of the fault; may be empty. */
  detail: string
  connection: ConnectionState
  /** The action that can fix it; null when it ends by itself. */
  act: 'retry' | 'edit' | null
  /** The remedy of a button that is not specific to the connection. */
  remedy: Remedy | null
}

/** Returns the worst fault of a connection; null without one, and while it is paused. */
export function worstFault({ faults, paused }: Pick<ConnectionState, 'faults' | 'paused'>): Fault | null {
  if (paused) return null
  return faults.find(({ fault }) => traitsOf(fault.kind).shown === null)?.fault ?? null
}

/**
 * Returns the text of a connection's fault for a list: the worst one, or else a mild one that lasts, for example "2
 * tenants: These credentials may not see this.". `more`: the number of other faults. Returns null without a fault.
 */
export function faultText(
  connection: Pick<ConnectionState, 'faults' | 'paused'>,
): { title: string; more: number } | null {
  const faults = connection.paused ? [] : connection.faults
  const worst = worstFault(connection)
  const first = faults.find(({ fault }) => (worst === null ? traitsOf(fault.kind).shown !== 'brief' : fault === worst))
  if (first === undefined) return null
  const { title } = explain(first.fault)
  if (first.tenant === undefined) return { title, more: faults.length - 1 }
  const same = faults.filter(({ fault, tenant }) => tenant !== undefined && fault.kind === first.fault.kind)
  // The listing and the comparison of a tenant may have the same fault.
  return {
    title: `${many(new Set(same.map(({ tenant }) => tenant)).size, 'tenant')}: ${title}`,
    more: faults.length - same.length,
  }
}

/** Returns whether a connection has an error that does not end by itself at once. */
export function isFaulty(connection: ConnectionState): boolean {
  const { link, paused, secret } = connection
  return !paused && (secret === 'missing' || link.state === 'waiting' || worstFault(connection) !== null)
}

/** Returns whether the connection waits for its next attempt, so that a retry now changes something. */
export function canRetry(connection: ConnectionState): boolean {
  const { link, paused, secret } = connection
  return !paused && secret !== 'missing' && (link.state === 'waiting' || worstFault(connection) !== null)
}

/**
 * Returns whether no service answers: each connection has an error or is paused. A service that answers while its live
 * link is being established counts.
 */
export function areAllUnreachable(connections: readonly ConnectionState[]): boolean {
  return connections.every(isUnreachable)
}

const isUnreachable = (connection: ConnectionState): boolean =>
  isMonitoringLost(connection) && (connection.paused || isFaulty(connection))

/** Returns a function that says whether no service updates a gauge: none of its connections answers. */
export function staleGaugeTest(
  connections: readonly ConnectionState[],
): (gauge: Pick<Gauge, 'connections'>) => boolean {
  const silent = new Set(connections.filter(isUnreachable).map(({ id }) => id))
  return (gauge) => gauge.connections.every((id) => silent.has(id))
}

/** Returns the worst fault of each connection that has one. A fault that a banner already shows is not repeated. */
export function faultLines(connections: readonly ConnectionState[], banners: readonly Banner[]): FaultLine[] {
  return connections.flatMap((connection) => {
    const worst = worstFault(connection)
    return worst === null ? [] : [faultOf(connection, worst, banners)]
  })
}

function faultOf(connection: ConnectionState, fault: Fault, banners: readonly Banner[]): FaultLine {
  const remedy = remedyOf(fault)
  const hasBanner = remedy !== null && banners.some((banner) => remedyOf(banner.fault) === remedy)
  if (hasBanner)
    return {
      who: connection.name,
      title: waitingFor[remedy],
      advice: '',
      detail: '',
      connection,
      act: null,
      remedy: null,
    }
  const since = connection.faults.find((each) => each.fault === fault)?.at ?? Infinity
  const byEdit = traitsOf(fault.kind).byEdit && !connection.demo
  return {
    who: connection.name,
    title: explain(fault).title,
    advice: adviceText(fault, since, connection.access),
    detail: fault.detail,
    connection,
    act: byEdit ? 'edit' : canRetry(connection) ? 'retry' : null,
    remedy,
  }
}

/**
 * Returns the text of several faults: their number, the connections to name, the number of others, the reason when all
 * have the same, and the state of the healthy ones.
 */
export function faultsText(
  all: readonly FaultLine[],
  connections: readonly ConnectionState[],
): { lead: string; named: readonly FaultLine[]; more: string; why: string; rest: string } {
  const named = all.slice(0, 3)
  const healthy = connections.filter((connection) => !connection.paused && !isFaulty(connection)).length
  return {
    lead: `${numberText(all.length)} of ${many(connections.length, 'connection')} with errors:`,
    named,
    more: all.length > named.length ? ` and ${numberText(all.length - named.length)} more` : '',
    why: all.every(({ title }) => title === all[0]?.title) ? (all[0]?.title ?? '') : '',
    rest:
      healthy === 0
        ? ''
        : healthy === 1
          ? 'The one that works is not affected.'
          : `The ${numberText(healthy)} that work are not affected.`,
  }
}

/** Returns since when the devices of a connection are unknown; '' when they are not or it never read any. */
export function monitoringLostText(connection: ConnectionState, now: number, times: Times): string {
  const { heardAt, lastReadingAt } = connection
  if (lastReadingAt === null || !isMonitoringLost(connection)) return ''
  if (heardAt === null) return 'Its devices are unknown, not offline; what is shown keeps its age.'
  return `Last response at ${clockTime(heardAt, now, times)}, ${span(now - heardAt)} ago. Since then its devices are unknown, not offline.`
}

/**
 * Returns since when none of these connections has answered; '' when one of them sees its devices, or when the time is
 * unknown.
 */
export function allMonitoringLostText(connections: readonly ConnectionState[], now: number, times: Times): string {
  const received = connections.map(({ heardAt }) => heardAt).filter((at) => at !== null)
  if (connections.length === 0 || !connections.every(isMonitoringLost)) return ''
  if (received.length === 0) return 'None of them has answered yet.'
  if (received.length < connections.length) return ''
  const last = largest(received)
  return `None of them has answered since ${clockTime(last, now, times)}, ${span(now - last)} ago; their devices are unknown, not offline.`
}

/** Returns the paused connections, whose devices are unknown; null without any. `one`: the only paused one. */
export function pausedFault(
  connections: readonly ConnectionState[],
): { lead: string; one: ConnectionState | null; paused: readonly ConnectionState[] } | null {
  const paused = connections.filter((connection) => connection.paused)
  const [first, second] = paused
  if (first === undefined) return null
  if (second === undefined) return { lead: `${isolated(first.name)} is paused.`, one: first, paused }
  const lead =
    paused.length === connections.length
      ? `All ${numberText(paused.length)} connections are paused.`
      : `${numberText(paused.length)} of ${many(connections.length, 'connection')} are paused.`
  return { lead, one: null, paused }
}

/** Returns why a requested refresh does not run, or when it will; '' when it runs. */
export function refreshText(connections: readonly ConnectionState[], lost: boolean): string {
  if (lost) return 'Not refreshed: Muster’s core is not running.'
  const running = connections.filter(({ paused }) => !paused)
  if (connections.length === 0) return ''
  if (running.length === 0)
    return `Not refreshed: ${connections.length === 1 ? 'the connection is' : 'all connections are'} paused.`
  if (!areAllUnreachable(connections)) return ''
  const mended = running.every(
    ({ secret, faults }) => secret === 'missing' || faults.some(({ fault }) => traitsOf(fault.kind).byEdit),
  )
  if (mended)
    return `Not refreshed yet. Muster syncs when ${running.length === 1 ? 'the connection works' : 'the connections work'} again.`
  return running.length === 1
    ? 'The service does not answer now. Muster syncs when it does.'
    : 'No service answers now. Muster syncs when they do.'
}

/**
 * Returns that the core is unreachable, with the time of the last response of any service, which is the age of the
 * screen. Returns null while the core is reachable. This comes before all other faults.
 */
export function coreLostText(reach: Reach, connections: readonly ConnectionState[], now: number): string | null {
  if (reach.state !== 'lost') return null
  const received = connections.map(({ heardAt }) => heardAt).filter((at) => at !== null)
  if (received.length === 0) return `Muster’s core has not been running for ${span(now - reach.at)}.`
  return `Muster’s core is not running. The last response of ${connections.length === 1 ? 'the' : 'a'} service came ${span(now - largest(received))} ago.`
}

/** The next steps of faults that a button can do. */
export type Remedy = 'unlock' | 'network' | 'settings'

const remedies: Partial<Record<FaultKind, Remedy>> = {
  'keychain-locked': 'unlock',
  'proxy-locked': 'unlock',
  'proxy-login': 'network',
  'proxy-refused': 'network',
  'settings-usual': 'settings',
}

export const remedyOf = ({ kind }: Fault): Remedy | null => remedies[kind] ?? null

export const remedyLabels = { network: 'Enter name and password', settings: 'Open the settings' } as const

/**
 * Returns the banners to show. Faults that wait for the keychain are hidden while the keychain's own banner is shown.
 */
export const shownBanners = (banners: readonly Banner[]): readonly Banner[] =>
  banners.some(({ fault }) => fault.kind === 'keychain-locked')
    ? banners.filter(({ fault }) => fault.kind !== 'proxy-locked')
    : banners

/** The short text of a fault whose cause has a banner of its own. */
export const waitingFor: Record<Remedy, string> = {
  unlock: 'It waits for the keychain.',
  network: 'It waits for the proxy.',
  settings: 'It waits for the settings.',
}
