import { lacksSecret, toFault } from '../../../src-shared/model/fault.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import { findings, type Finding } from './health.ts'
import { noteFault, requestSync, type ConnectionSyncState } from '../state.ts'
import { isPolling, oldestPoll } from '../polling.ts'

/** Refusals of a write, two seconds apart, from which on it is no moment's. */
const refusedForGood = 3

export const isUnwritten = ({ unwritten }: ConnectionSyncState): boolean =>
  unwritten !== null && unwritten.times >= refusedForGood

/** What this connection has to say of itself now. */
export function findingsOf(estate: ConnectionSyncState): Finding[] {
  const { options, faults, downSince, readableSince, lost, owedSince, live, unwritten } = estate
  const link = linkOf(estate)
  // Without a live stream it is the readings that have to succeed.
  const { fault = null } = (link.state === 'polling' ? undefined : faults.get('live')) ?? faults.get('service') ?? {}
  return findings({
    link,
    downSince,
    fault,
    lostAt: lost?.at ?? null,
    ...options.self(),
    readable: readableSince !== null,
    unwritten: isUnwritten(estate) ? unwritten : null,
    unheardSince: live?.unheardSince() ?? null,
    lateSince: live?.lateSince() ?? null,
    comparingSince: isHolding(options.pacer) ? owedSince : null,
    isAskedToWait: options.pacer.waitsForService() !== null,
  })
}

const isHolding = (pacer: ConnectionSyncState['options']['pacer']): boolean =>
  pacer.holdsUntil() !== null || pacer.waitsForService() !== null

export function linkOf(estate: ConnectionSyncState): LinkState {
  const link = estate.live?.state() ?? linkBefore(estate)
  if (link.state === 'polling') return { ...link, ...readAt(estate) }
  const failing = estate.faults.get('live')?.fault
  if (estate.standIn.since !== null && estate.readableSince !== null)
    return { state: 'polling', ...readAt(estate), failing: failing ?? { kind: 'socket', detail: '' } }
  const watched = estate.live?.parked().size ?? 0
  if (link.state !== 'live' || watched === 0) return link
  const of = [...estate.ids.values()].reduce((sum, ids) => sum + ids.size, 0)
  return { ...link, partly: { live: Math.max(0, of - watched), of } }
}

function readAt(estate: ConnectionSyncState): { readAt?: number } {
  const at = oldestPoll(estate)
  return at === null ? {} : { readAt: at }
}

/** The link before it was ever opened: the tenants come first, and they may not be had. */
function linkBefore({ retryAt, failures, faults }: ConnectionSyncState): LinkState {
  const fault = faults.get('service')?.fault
  if (fault !== undefined && lacksSecret(fault)) return { state: 'off' }
  return retryAt === null
    ? { state: 'connecting', attempt: failures }
    : { state: 'waiting', attempt: failures, retryAt }
}

/**
 * Sees no more while the token or the clock is in doubt. What was heard of before such a doubt has ended is compared: the
 * stream may have been silent for it.
 */
export function checkSelf(estate: ConnectionSyncState): void {
  const { clock, onState } = estate.options
  const isBlind = findingsOf(estate).some(({ check, sight }) => check !== 'link' && sight === 'blind')
  if (estate.mistrusted && !isBlind) {
    estate.trustedSince = clock.now()
    if (estate.live !== null) requestSync(estate, 'states')
  }
  estate.mistrusted = isBlind
  onState()
  void reportVisibility(estate)
}

/** The service is there: whatever time was lost, what it says from here on is of now. */
export function isReachable(estate: ConnectionSyncState): void {
  if (estate.lost === null) return
  estate.lost = null
  checkSelf(estate)
}

/** Since when Muster sees: while the link is live, or while readings are all that can be had and they succeed; and no doubt about itself has blinded it since. */
export function visibleSince(estate: ConnectionSyncState): number | null {
  if (estate.mistrusted) return null
  const state = estate.live?.state()
  const since = state?.state === 'live' && !isPolling(estate) ? state.since : estate.readableSince
  return since === null ? null : Math.max(since, estate.trustedSince ?? since)
}

/**
 * Notes up to when the link has told everything. Not while pages come in: they bring devices that nobody listens to yet, and
 * how those were when they were asked for is all that is known of them. Nor while something that was heard is not written: it
 * may be lost, and then the word before it was not proven by what came after it.
 */
export function prove(estate: ConnectionSyncState): void {
  const { live, sync, lost, options, queue } = estate
  const isGrowing = sync.state === 'syncing' && sync.what === 'inventory'
  if (isGrowing || isPolling(estate) || live?.covers() !== true || !queue.isWritten()) return
  // A link whose token is refused may have been silent for that, and what came after a sleep proves nothing of it.
  const proven = Math.min(live.provenAt() ?? 0, options.self().token?.since ?? Infinity, lost?.wellAt ?? Infinity)
  estate.provenAt = Math.max(estate.provenAt, proven)
}

/**
 * Tells the data thread what Muster sees (invariant 4): what was last heard of before that is unknown until it is read.
 * `anew`: there was a gap in what it heard.
 */
export async function reportVisibility(estate: ConnectionSyncState, anew = false): Promise<void> {
  const { data, service, connection, clock, publish, isTimeLost } = estate.options
  // If so, this has been called from there as well; what follows is of what is known by then.
  isTimeLost()
  const from = visibleSince(estate)
  const doubt = findingsOf(estate).some((finding) => finding.sight === 'holds')
  prove(estate)
  const confirmedAt = anew ? clock.now() : estate.provenAt
  // It vouches for what it claims of them (protocol.ts, `sight`): what only another one brings is that one's to see.
  // Where readings alone show the devices, it vouches for what it reads itself.
  const listed = (estate.tenants?.list ?? []).flatMap(({ id }) =>
    !isPolling(estate) || estate.member.reads(id) ? id : [],
  )
  const sees = from === null ? { tenants: null, seen: false } : { tenants: listed, seen: true, from, doubt }
  try {
    publish(await data.sight({ service, connection, confirmedAt, anew, at: clock.now(), ...sees }))
  } catch (error) {
    noteFault(estate, 'storage', 'this computer', toFault(error))
  }
}
