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

/** So many rejections of a write, two seconds apart, are more than a passing one. */
const rejectedForGood = 3

/** Whether a connection sees its devices, and up to when it has seen everything (invariant 4). */
export interface Visibility {
  /** The checks of "is it me?", in their order. */
  state(): Finding[]
  /** The link as the window shows it. */
  link(): LinkState
  /**
   * Since when Muster sees, ms: while the link is live, or while polls are all that can be had and they succeed, and no doubt
   * about itself has blinded it since. Null while it does not.
   */
  visibleSince(): number | null
  /**
   * Looks at the checks anew. While token or clock are in doubt nothing is visible; when the doubt has ended everything is
   * compared: the stream may have been silent for it.
   */
  check(): void
  /** Time was lost after `wellAt`, ms: nothing is visible until the service is heard again. */
  timeLost(wellAt: number): void
  /** The service has answered: what it says from here on is of now. */
  reachable(): void
  /** Events cannot be written, for this fault, or can again (null). */
  written(fault: Fault | null): void
  /**
   * Notes up to when the link has told everything. Not while pages come in: they bring devices that have no subscription yet, and
   * how those were when they were requested is all that is known of them. Nor while something that was heard is not written: it
   * may be lost, and then the word before it was not proven by what came after it.
   */
  prove(): void
  /**
   * Tells the data thread what is visible: what was last heard of before that is unknown until it is read. `afterGap`: there
   * was a gap in what was heard. Never rejects.
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
  /** Up to when everything that its devices told has come in, ms; 0 before the first. */
  provenAt: number
  /** Time was lost, until the service is heard again: when that was found, and when all was well the last time, ms. */
  lostTime: { at: number; wellAt: number } | null
  /** `since`: when the last doubt about token or clock ended, ms; null where there was none. */
  trust: { is: 'trusted'; since: number | null } | { is: 'doubted' }
  /** Since when events cannot be written, and why. `times`: rejections in a row, of which the first may pass. */
  unwritten: { since: number; fault: Fault; times: number } | null
}

export function createVisibility(parts: VisibilityOptions): Visibility {
  const state: State = { provenAt: 0, lostTime: null, trust: { is: 'trusted', since: null }, unwritten: null }
  return {
    state: () => findingsOf(state, parts),
    link: () => linkOf(parts),
    visibleSince: () => visibleSince(state, parts),
    check: () => check(state, parts),
    timeLost(wellAt) {
      state.lostTime = { at: parts.options.clock.now(), wellAt }
      check(state, parts)
    },
    reachable() {
      if (state.lostTime === null) return
      state.lostTime = null
      check(state, parts)
    },
    written: (fault) => written(state, parts, fault),
    prove: () => prove(state, parts),
    report: (afterGap = false) => report(state, parts, afterGap),
  }
}

const isUnwritten = ({ unwritten }: State): boolean => unwritten !== null && unwritten.times >= rejectedForGood

function findingsOf(state: State, parts: VisibilityOptions): Finding[] {
  const { options, faults, requests, link: live } = parts
  const link = linkOf(parts)
  return findings({
    link,
    downSince: live.downSince(),
    // Without a live stream it is the polls that have to succeed.
    fault: (link.state === 'polling' ? null : faults.get('live')) ?? faults.get('service'),
    lostAt: state.lostTime?.at ?? null,
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

/** Returns the link before it was ever opened: the tenants come first, and they may not be had. */
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
  const isBlind = findingsOf(state, parts).some(({ check, visibility }) => check !== 'link' && visibility === 'blind')
  if (state.trust.is === 'doubted' && !isBlind) {
    state.trust = { is: 'trusted', since: clock.now() }
    if (parts.link.state() !== null) parts.requests.add('reconciliation')
  }
  if (isBlind) state.trust = { is: 'doubted' }
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
  // A link whose token is rejected may have been silent for that, and what came after a sleep proves nothing of it.
  const proven = Math.min(
    link.provenAt() ?? 0,
    options.selfChecks().token?.since ?? Infinity,
    state.lostTime?.wellAt ?? Infinity,
  )
  state.provenAt = Math.max(state.provenAt, proven)
}

async function report(state: State, parts: VisibilityOptions, afterGap: boolean): Promise<void> {
  const { data, service, connection, clock, publish, isTimeLost } = parts.options
  // If so, this has been called from there as well; what follows is of what is known by then.
  isTimeLost()
  const from = visibleSince(state, parts)
  const doubt = findingsOf(state, parts).some((finding) => finding.visibility === 'holds')
  prove(state, parts)
  const confirmedAt = afterGap ? clock.now() : state.provenAt
  const sees =
    from === null
      ? { tenants: null, visible: false }
      : { tenants: tenantsOf(parts), visible: true, heardSince: from, uncertain: doubt }
  try {
    publish(await data.visibility({ service, connection, confirmedAt, afterGap, at: clock.now(), ...sees }))
  } catch (error) {
    parts.faults.note('storage', 'this computer', toFault(error))
  }
}

/**
 * It vouches for what it claims of these tenants (protocol.ts, `visibility`): what only another connection brings is that one's to
 * see. Where polls alone show the devices, it vouches for what it reads itself.
 */
function tenantsOf({ reader, link }: VisibilityOptions): string[] {
  const list = link.isPolling() ? reader.ownTenants() : (reader.tenants()?.list ?? [])
  return list.map(({ id }) => id)
}
