import { lacksSecret, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import type { Member } from '../assignments/assignments.ts'
import type { EventQueue } from '../events/events.ts'
import type { Faults } from '../faults.ts'
import type { Freshness } from '../link/freshness.ts'
import type { Devices } from '../link/devices.ts'
import type { Link } from '../link/link.ts'
import type { ConnectionSyncOptions } from '../options.ts'
import type { Reader } from '../reader/reader.ts'
import type { Requests } from '../reader/requests.ts'
import { findings, type Finding } from './health.ts'

/** Number of rejected writes, two seconds apart, from which on a failure is not transient. */
const persistentRejections = 3

/** The visibility of a connection's devices, and the time up to which all events have arrived (invariant 4). */
export interface Visibility {
  /** Returns the monitoring checks, in their order. */
  state(): Finding[]
  /** Returns the link as the window shows it. */
  link(): LinkState
  /**
   * Returns since when monitoring works, ms: while the link is live, or while only polls are available and succeed, and
   * no doubt has interrupted it since. Null while it does not.
   */
  visibleSince(): number | null
  /**
   * Runs the checks again. While token or clock are in doubt nothing is visible; after the doubt everything is
   * compared: the stream may have been silent because of it.
   */
  check(): void
  /** Records lost time after `lastGoodAt`, ms: nothing is visible until the service answers again. */
  timeLost(lastGoodAt: number): void
  /** Records that the service has answered. */
  reachable(): void
  /** Records that events cannot be written, for this fault, or can again (null). */
  written(fault: Fault | null): void
  /**
   * Records the time up to which the link has delivered all events. Not while pages arrive: their devices have no
   * subscription yet, and are known only as of the request. Nor while an event is unwritten: it may be lost, and then
   * later ones do not prove the status before it.
   */
  prove(): void
  /**
   * Reports the visibility to the data thread: what was last confirmed before is unknown until it is synced.
   * `afterGap`: events may be missing. Never rejects.
   */
  report(afterGap?: boolean): Promise<void>
}

export interface VisibilityOptions {
  options: ConnectionSyncOptions
  member: Pick<Member, 'reads'>
  queue: Pick<EventQueue, 'isWritten'>
  faults: Faults
  requests: Requests
  devices: Devices
  reader: Reader
  link: Link
  freshness: Pick<Freshness, 'oldestReadAt'>
}

interface State {
  /** Time up to which all events have arrived, ms; 0 before the first proof. */
  provenAt: number
  /** Lost time, until the service answers again: when it was found, and the last good check, ms. */
  loseTime: { at: number; lastGoodAt: number } | null
  /** `since`: when the last doubt about token or clock ended, ms; null where there was none. */
  trust: { is: 'trusted'; since: number | null } | { is: 'doubted' }
  /**
   * Since when events cannot be written, and why. `times`: consecutive rejections, of which the first may be transient.
   */
  unwritten: { since: number; fault: Fault; times: number } | null
}

export function createVisibility(parts: VisibilityOptions): Visibility {
  const state: State = { provenAt: 0, loseTime: null, trust: { is: 'trusted', since: null }, unwritten: null }
  return {
    state: () => findingsOf(state, parts),
    link: () => linkOf(parts),
    visibleSince: () => visibleSince(state, parts),
    check: () => check(state, parts),
    timeLost(lastGoodAt) {
      state.loseTime = { at: parts.options.clock.now(), lastGoodAt }
      check(state, parts)
    },
    reachable() {
      if (state.loseTime === null) return
      state.loseTime = null
      check(state, parts)
    },
    written: (fault) => written(state, parts, fault),
    prove: () => prove(state, parts),
    report: (afterGap = false) => report(state, parts, afterGap),
  }
}

const isUnwritten = ({ unwritten }: State): boolean => unwritten !== null && unwritten.times >= persistentRejections

function findingsOf(state: State, parts: VisibilityOptions): Finding[] {
  const { options, faults, requests, link: live } = parts
  const link = linkOf(parts)
  return findings({
    link,
    downSince: live.downSince(),
    // Without a live stream the polls have to succeed.
    fault: (link.state === 'polling' ? null : faults.get('live')) ?? faults.get('service'),
    lostAt: state.loseTime?.at ?? null,
    ...options.selfChecks(),
    readable: live.polling().visibleSince !== null,
    unwritten: isUnwritten(state) ? state.unwritten : null,
    subscriptionLostSince: live.subscriptionLostSince(),
    lateSince: live.lateSince(),
    comparingSince: isHolding(options.pacer) ? requests.reconciliationDueSince() : null,
    isAskedToWait: options.pacer.waitsForService() !== null,
  })
}

const isHolding = (pacer: ConnectionSyncOptions['pacer']): boolean =>
  pacer.holdsUntil() !== null || pacer.waitsForService() !== null

function linkOf(parts: VisibilityOptions): LinkState {
  const { faults, devices } = parts
  const link = parts.link.state() ?? linkBefore(parts)
  if (link.state === 'polling') return { ...link, ...readAt(parts) }
  const { since, visibleSince } = parts.link.polling()
  if (since !== null && visibleSince !== null)
    return { state: 'polling', ...readAt(parts), failing: faults.get('live') ?? { kind: 'socket', detail: '' } }
  const parked = parts.link.parked().size
  if (link.state !== 'live' || parked === 0) return link
  const of = devices.count()
  return { ...link, partly: { live: Math.max(0, of - parked), of } }
}

function readAt({ freshness }: VisibilityOptions): { readAt?: number } {
  const at = freshness.oldestReadAt()
  return at === null ? {} : { readAt: at }
}

/** Returns the link before it was ever opened: the tenants are read first, which may fail. */
function linkBefore({ reader, faults }: VisibilityOptions): LinkState {
  const fault = faults.get('service')
  if (fault !== null && lacksSecret(fault)) return { state: 'off' }
  const [activity, attempt] = [reader.state(), reader.failures()]
  return activity.state === 'retrying' && activity.at !== null
    ? { state: 'waiting', attempt, retryAt: activity.at }
    : { state: 'connecting', attempt }
}

function check(state: State, parts: VisibilityOptions): void {
  const { clock, onState } = parts.options
  const isLost = findingsOf(state, parts).some(({ check, visibility }) => check !== 'link' && visibility === 'lost')
  if (state.trust.is === 'doubted' && !isLost) {
    state.trust = { is: 'trusted', since: clock.now() }
    if (parts.link.state() !== null) parts.requests.add('reconciliation')
  }
  if (isLost) state.trust = { is: 'doubted' }
  onState()
  void report(state, parts, false)
}

function visibleSince({ trust }: State, { link }: VisibilityOptions): number | null {
  if (trust.is === 'doubted') return null
  const live = link.state()
  const since = live?.state === 'live' && !link.isPolling() ? live.since : link.polling().visibleSince
  return since === null ? null : Math.max(since, trust.since ?? since)
}

function written(state: State, parts: VisibilityOptions, fault: Fault | null): void {
  const before = isUnwritten(state)
  state.unwritten = fault && {
    since: state.unwritten?.since ?? parts.options.clock.now(),
    fault,
    times: (state.unwritten?.times ?? 0) + 1,
  }
  if (isUnwritten(state) !== before) check(state, parts)
}

function prove(state: State, { link, reader, options, queue }: VisibilityOptions): void {
  if (reader.isReadingInventory() || link.isPolling() || !link.covers() || !queue.isWritten()) return
  // A link whose token is rejected may have been silent because of it, and events after a sleep prove nothing about it.
  const proven = Math.min(
    link.provenAt() ?? 0,
    options.selfChecks().token?.since ?? Infinity,
    state.loseTime?.lastGoodAt ?? Infinity,
  )
  state.provenAt = Math.max(state.provenAt, proven)
}

async function report(state: State, parts: VisibilityOptions, afterGap: boolean): Promise<void> {
  const { data, service, connection, clock, publish, isTimeLost } = parts.options
  // If so, this function has been called from there too; the rest uses the state after that.
  isTimeLost()
  const from = visibleSince(state, parts)
  const doubt = findingsOf(state, parts).some((finding) => finding.visibility === 'uncertain')
  prove(state, parts)
  const confirmedAt = afterGap ? clock.now() : state.provenAt
  const coverage =
    from === null
      ? { tenants: null, visible: false }
      : { tenants: tenantsOf(parts), visible: true, visibleSince: from, uncertain: doubt }
  try {
    publish(await data.visibility({ service, connection, confirmedAt, afterGap, at: clock.now(), ...coverage }))
  } catch (error) {
    parts.faults.note('storage', 'this computer', toFault(error))
  }
}

/**
 * Returns the tenants whose claimed devices it covers (protocol.ts, `visibility`): devices that only another connection
 * lists are covered by that. With polling only, it covers what it reads itself.
 */
function tenantsOf({ reader, link }: VisibilityOptions): string[] {
  const list = link.isPolling() ? reader.ownTenants() : (reader.tenants()?.list ?? [])
  return list.map(({ id }) => id)
}
