import { lacksSecret, toFault } from '../../../src-shared/model/fault.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import { findings, type Finding } from './health.ts'
import type { ConnectionSyncState } from '../state.ts'
import { isPolling, oldestPollAt } from '../polling.ts'

/** Refusals of a write, two seconds apart, from which on it is no moment's. */
const refusedForGood = 3

export const isUnwritten = ({ unwritten }: ConnectionSyncState): boolean =>
  unwritten !== null && unwritten.times >= refusedForGood

/** What this connection has to say of itself now. */
export function findingsOf(sync: ConnectionSyncState): Finding[] {
  const { options, faults, downSince, pollingVisibleSince, lostTime: lost, requests, live, unwritten } = sync
  const link = linkOf(sync)
  // Without a live stream it is the readings that have to succeed.
  const fault = (link.state === 'polling' ? null : faults.get('live')) ?? faults.get('service')
  return findings({
    link,
    downSince,
    fault,
    lostAt: lost?.at ?? null,
    ...options.selfChecks(),
    readable: pollingVisibleSince !== null,
    unwritten: isUnwritten(sync) ? unwritten : null,
    subscriptionLostSince: live?.subscriptionLostSince() ?? null,
    lateSince: live?.lateSince() ?? null,
    comparingSince: isHolding(options.pacer) ? requests.reconciliationDueSince() : null,
    isAskedToWait: options.pacer.waitsForService() !== null,
  })
}

const isHolding = (pacer: ConnectionSyncState['options']['pacer']): boolean =>
  pacer.holdsUntil() !== null || pacer.waitsForService() !== null

export function linkOf(sync: ConnectionSyncState): LinkState {
  const link = sync.live?.state() ?? linkBefore(sync)
  if (link.state === 'polling') return { ...link, ...readAt(sync) }
  const failing = sync.faults.get('live')
  if (sync.polling.since !== null && sync.pollingVisibleSince !== null)
    return { state: 'polling', ...readAt(sync), failing: failing ?? { kind: 'socket', detail: '' } }
  const watched = sync.live?.parked().size ?? 0
  if (link.state !== 'live' || watched === 0) return link
  const of = sync.devices.count()
  return { ...link, partly: { live: Math.max(0, of - watched), of } }
}

function readAt(sync: ConnectionSyncState): { readAt?: number } {
  const at = oldestPollAt(sync)
  return at === null ? {} : { readAt: at }
}

/** The link before it was ever opened: the tenants come first, and they may not be had. */
function linkBefore({ reader, faults }: ConnectionSyncState): LinkState {
  const fault = faults.get('service')
  if (fault !== null && lacksSecret(fault)) return { state: 'off' }
  const [activity, attempt] = [reader.state(), reader.failures()]
  return activity.state === 'retrying' && activity.at !== null
    ? { state: 'waiting', attempt, retryAt: activity.at }
    : { state: 'connecting', attempt }
}

/**
 * Sees no more while the token or the clock is in doubt. What was heard of before such a doubt has ended is compared: the
 * stream may have been silent for it.
 */
export function checkSelf(sync: ConnectionSyncState): void {
  const { clock, onState } = sync.options
  const isBlind = findingsOf(sync).some(({ check, visibility }) => check !== 'link' && visibility === 'blind')
  if (sync.isMistrusted && !isBlind) {
    sync.trustedSince = clock.now()
    if (sync.live !== null) sync.requests.add('reconciliation')
  }
  sync.isMistrusted = isBlind
  onState()
  void reportVisibility(sync)
}

/** The service is there: whatever time was lost, what it says from here on is of now. */
export function isReachable(sync: ConnectionSyncState): void {
  if (sync.lostTime === null) return
  sync.lostTime = null
  checkSelf(sync)
}

/** Since when Muster sees: while the link is live, or while readings are all that can be had and they succeed; and no doubt about itself has blinded it since. */
export function visibleSince(sync: ConnectionSyncState): number | null {
  if (sync.isMistrusted) return null
  const state = sync.live?.state()
  const since = state?.state === 'live' && !isPolling(sync) ? state.since : sync.pollingVisibleSince
  return since === null ? null : Math.max(since, sync.trustedSince ?? since)
}

/**
 * Notes up to when the link has told everything. Not while pages come in: they bring devices that nobody listens to yet, and
 * how those were when they were asked for is all that is known of them. Nor while something that was heard is not written: it
 * may be lost, and then the word before it was not proven by what came after it.
 */
export function prove(sync: ConnectionSyncState): void {
  const { live, reader, lostTime: lost, options, queue } = sync
  if (reader.isReadingInventory() || isPolling(sync) || live?.covers() !== true || !queue.isWritten()) return
  // A link whose token is refused may have been silent for that, and what came after a sleep proves nothing of it.
  const proven = Math.min(live.provenAt() ?? 0, options.selfChecks().token?.since ?? Infinity, lost?.wellAt ?? Infinity)
  sync.provenAt = Math.max(sync.provenAt, proven)
}

/**
 * Tells the data thread what Muster sees (invariant 4): what was last heard of before that is unknown until it is read.
 * `afterGap`: there was a gap in what it heard.
 */
export async function reportVisibility(sync: ConnectionSyncState, afterGap = false): Promise<void> {
  const { data, service, connection, clock, publish, isTimeLost } = sync.options
  // If so, this has been called from there as well; what follows is of what is known by then.
  isTimeLost()
  const from = visibleSince(sync)
  const doubt = findingsOf(sync).some((finding) => finding.visibility === 'holds')
  prove(sync)
  const confirmedAt = afterGap ? clock.now() : sync.provenAt
  // It vouches for what it claims of them (protocol.ts, `visibility`): what only another one brings is that one's to see.
  // Where readings alone show the devices, it vouches for what it reads itself.
  const listed = (sync.reader.tenants()?.list ?? []).flatMap(({ id }) =>
    !isPolling(sync) || sync.member.reads(id) ? id : [],
  )
  const sees =
    from === null
      ? { tenants: null, visible: false }
      : { tenants: listed, visible: true, heardSince: from, uncertain: doubt }
  try {
    publish(await data.visibility({ service, connection, confirmedAt, afterGap, at: clock.now(), ...sees }))
  } catch (error) {
    sync.faults.note('storage', 'this computer', toFault(error))
  }
}
