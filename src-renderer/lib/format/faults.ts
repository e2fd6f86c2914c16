import { isolated } from '../../../src-shared/text/direction.ts'
import { explain, type Fault, type FaultKind } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import type { Banner } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Reach } from '../session.ts'
import { isBlind } from './connection-status.ts'
import { numberText, many } from './numbers.ts'
import { clockTime, span, type Times } from './time.ts'
import { largest } from '../../../src-shared/lib/extremes.ts'

/** What stands between Muster and the estate now, in words; the first thing that an operator must know. */
export interface FaultLine {
  /** Whose trouble it is, as the operator named it. */
  who: string
  title: string
  advice: string
  /** The particulars, as the fault tells them; may be empty. */
  detail: string
  connection: ConnectionState
  /** What can mend it; null where it mends itself. */
  act: 'retry' | 'edit' | null
  /** What one button does about it that is not the connection's own. */
  remedy: Remedy | null
}

/** What is worst with a connection; null when nothing is, and while it is paused. */
export function worstFault({ faults, paused }: Pick<ConnectionState, 'faults' | 'paused'>): Fault | null {
  if (paused) return null
  return faults.find(({ fault }) => traitsOf(fault.kind).shown === null)?.fault ?? null
}

/** What a list says of a connection: what is worst, else what is mild and lasts. "2 tenants: These credentials may not see this."; `more`: how many others there are. Null for nothing. */
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
  // A tenant's listing and its comparison may say the same.
  return {
    title: `${many(new Set(same.map(({ tenant }) => tenant)).size, 'tenant')}: ${title}`,
    more: faults.length - same.length,
  }
}

/** Whether something stands between this connection and its devices that does not pass by itself at once. */
export function isFaulty(connection: ConnectionState): boolean {
  const { link, paused, secret } = connection
  return !paused && (secret === 'missing' || link.state === 'waiting' || worstFault(connection) !== null)
}

/** Whether the connection waits for a time to come, so that trying at once changes something. */
export function canRetry(connection: ConnectionState): boolean {
  const { link, paused, secret } = connection
  return !paused && secret !== 'missing' && (link.state === 'waiting' || worstFault(connection) !== null)
}

/** Whether no service is known to answer now: each is in trouble or paused. What one tells while its live link is made counts. */
export function noneAnswers(connections: readonly ConnectionState[]): boolean {
  return connections.every(isSilent)
}

const isSilent = (connection: ConnectionState): boolean =>
  isBlind(connection) && (connection.paused || isFaulty(connection))

/** Whether no service tells the figures of a gauge now: none of its connections is known to answer. */
export function isUntold(connections: readonly ConnectionState[]): (gauge: Pick<Gauge, 'connections'>) => boolean {
  const silent = new Set(connections.filter(isSilent).map(({ id }) => id))
  return (gauge) => gauge.connections.every((id) => silent.has(id))
}

/** Troubles of the connections, one for each that has one, worst fault only. What a notice tells already is not told again. */
export function faultLines(connections: readonly ConnectionState[], notices: readonly Banner[]): FaultLine[] {
  return connections.flatMap((connection) => {
    const worst = worstFault(connection)
    return worst === null ? [] : [faultOf(connection, worst, notices)]
  })
}

function faultOf(connection: ConnectionState, fault: Fault, notices: readonly Banner[]): FaultLine {
  const remedy = remedyOf(fault)
  const told = remedy !== null && notices.some((notice) => remedyOf(notice.fault) === remedy)
  if (told)
    return {
      who: connection.name,
      title: waitingFor[remedy],
      advice: '',
      detail: '',
      connection,
      act: null,
      remedy: null,
    }
  const byEdit = traitsOf(fault.kind).byEdit && !connection.demo
  return {
    who: connection.name,
    ...explain(fault),
    detail: fault.detail,
    connection,
    act: byEdit ? 'edit' : canRetry(connection) ? 'retry' : null,
    remedy,
  }
}

/** Several troubles at once: how many there are, whom to name, how many are not named, the reason where all have the same, and what is said of those that are well. */
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

/** What a blind connection means for its devices, and since when; "" for one that sees or that never saw any. */
export function monitoringLostText(connection: ConnectionState, now: number, times: Times): string {
  const { heardAt, lastReadingAt } = connection
  if (lastReadingAt === null || !isBlind(connection)) return ''
  if (heardAt === null) return 'Its devices are unknown, not offline; what is shown keeps its age.'
  return `Last response at ${clockTime(heardAt, now, times)}, ${span(now - heardAt)} ago. Since then its devices are unknown, not offline.`
}

/** Since when none of these blind connections was heard from; "" while one of them sees, or when it is not known. */
export function allMonitoringLostText(connections: readonly ConnectionState[], now: number, times: Times): string {
  const received = connections.map(({ heardAt }) => heardAt).filter((at) => at !== null)
  if (connections.length === 0 || !connections.every(isBlind)) return ''
  if (received.length === 0) return 'None of them has answered yet.'
  if (received.length < connections.length) return ''
  const last = largest(received)
  return `None of them was heard from since ${clockTime(last, now, times)}, ${span(now - last)} ago; their devices are unknown, not offline.`
}

/** What the operator paused, and so is unknown; null when nothing is. `one`: the only one that is paused. */
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

/** Why nothing is read although it was asked for, or when it will be; "" when it is read. */
export function refreshText(connections: readonly ConnectionState[], lost: boolean): string {
  if (lost) return 'Not refreshed: Muster’s core is not running.'
  const running = connections.filter(({ paused }) => !paused)
  if (connections.length === 0) return ''
  if (running.length === 0)
    return `Not refreshed: ${connections.length === 1 ? 'the connection is' : 'all connections are'} paused.`
  if (!noneAnswers(connections)) return ''
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
 * The window itself is cut off: said before all else, with the age of the last word of any service, which is what the
 * screen can be trusted for. Null while the core is there.
 */
export function coreLost(reach: Reach, connections: readonly ConnectionState[], now: number): string | null {
  if (reach.state !== 'lost') return null
  const received = connections.map(({ heardAt }) => heardAt).filter((at) => at !== null)
  if (received.length === 0) return `Muster’s core has not been running for ${span(now - reach.at)}.`
  return `Muster’s core is not running. The last response of ${connections.length === 1 ? 'the' : 'a'} service came ${span(now - largest(received))} ago.`
}

/** What a fault's words tell the operator to do, where one button does it. */
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

/** Those that are shown: what waits for the keychain is not told beside the keychain itself. */
export const shownNotices = (notices: readonly Banner[]): readonly Banner[] =>
  notices.some(({ fault }) => fault.kind === 'keychain-locked')
    ? notices.filter(({ fault }) => fault.kind !== 'proxy-locked')
    : notices

/** What waits for it, where the fault itself and what to do are told beside it. */
export const waitingFor: Record<Remedy, string> = {
  unlock: 'It waits for the keychain.',
  network: 'It waits for the proxy.',
  settings: 'It waits for the settings.',
}
