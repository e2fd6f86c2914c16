import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { SyncState } from '../../src-shared/model/connection.ts'
import type { Api } from '../api/client.ts'
import type { Dialect } from '../api/dialect.ts'
import type { Pacer } from '../pacing/pacer.ts'
import type { Change, InventoryData } from '../inventory/thread/protocol.ts'
import type { Live, LiveOptions } from '../live/machine.ts'
import type { Log } from '../ports.ts'
import type { ConnectionColumnsOptions, ConnectionColumns } from './columns/connection-columns.ts'
import type { Doubts } from './health/doubts.ts'
import type { Deduplicator } from './events/deduplicator.ts'
import type { EventQueue, EventQueues } from './events/events.ts'
import type { Facts } from './health/health.ts'
import type { Member, Assignments } from './assignments/assignments.ts'
import type { Rechecks, UnreadableEvents } from './events/follow-ups.ts'
import type { Tenants } from './tenants/tenant-list.ts'
import type { Polling } from './polling-state.ts'

/** Rejected credentials are tried this slowly at the most, so that Muster never locks an account out. */
export const rejectedCapMs = 5 * 60_000

export interface ConnectionSyncOptions {
  /** Id of the connection. */
  connection: string
  /** Identity of the service: the same for all connections that reach it (invariant 9). */
  service: string
  /** Identity of the credential set, see `Assignments`. */
  credentials: string
  /** Place of the connection in the operator's list. */
  place: () => number
  /** Shared by all connections: who reads what, what was told already, and what waits to be written. */
  assignments: Assignments
  deduplicator: Deduplicator
  queues: EventQueues
  api: Api
  /** What the service was found to lack, shared with all connections that have the same credential set there. */
  dialect: Dialect
  pacer: Pacer
  /** A person wants it now: what the service asked to wait for is tried at once. */
  tryNow?: () => void
  data: InventoryData
  clock: Clock
  random: () => number
  log: Log
  order: () => number
  /** Opens the live connection with these listeners. */
  openLive: (ears: Listeners) => Live
  /** What the token and the service's clock are to be doubted for; `ConnectionSync.checkSelf` hears when that changes. */
  selfChecks: () => Pick<Facts, 'token' | 'skew' | 'timeTold'>
  /** Keys of the devices on the watch list, then of those that somebody looks at. */
  urgentKeys: () => Iterable<string>
  /** Looks whether time was lost; if so, `ConnectionSync.lostTime` has been called when it answers. */
  isTimeLost: () => boolean
  lastReadingAt: number | null
  /** Ms between full syncs: the stream carries no new, moved or deleted devices (design, section 5). */
  refreshMs: () => number
  /** Where the times of extra columns' readings are kept, and who hears of them. */
  columns: ConnectionColumnsOptions
  /** The service has told its schema: what it offers, as words (`Capabilities.fingerprint`). */
  onSchema: (fingerprint: readonly string[]) => void
  publish: (change: Change) => void
  /** Something that `state` tells has changed. */
  onState: () => void
}

/** Listeners of the live connection. */
export type Listeners = Pick<
  LiveOptions,
  'onState' | 'onEvent' | 'onSubscribed' | 'onSubscriptionLost' | 'onDoubt' | 'onParked'
>

/**
 * `asked`: those tenants that a person wants read now. `full`: all of them, their list first. `states`: the cheap
 * comparison. `behind`: those alone that the last sync could not read. `watched`: the comparison of the tenants of which the live
 * connection does not tell, or not of all devices.
 */
export type TaskKind = 'asked' | 'full' | 'states' | 'behind' | 'watched'

/** What each kind does. `counts`: asks for the number of devices first, for the progress and the size of the pages. */
export const tasks: Record<TaskKind, { what: 'inventory' | 'changes'; lists: boolean; counts: boolean }> = {
  asked: { what: 'inventory', lists: false, counts: false },
  full: { what: 'inventory', lists: true, counts: true },
  states: { what: 'changes', lists: false, counts: false },
  behind: { what: 'inventory', lists: false, counts: true },
  watched: { what: 'changes', lists: false, counts: false },
}

/** What is read first of what is wanted. */
const urgency: readonly TaskKind[] = ['asked', 'full', 'states', 'behind', 'watched']

/** The state of a running sync; `connection-sync.ts` owns it. */
export interface ConnectionSyncState {
  options: ConnectionSyncOptions
  stopping: AbortController
  live: Live | null
  queue: EventQueue
  columns: ConnectionColumns | null
  /** Asks again for what an event left open. */
  rechecks: Rechecks | null
  /** Events that could not be read. */
  unreadableEvents: UnreadableEvents | null
  tenants: Tenants | null
  /** This connection among those that list the same tenants. */
  member: Member
  /** Tenants of others' reading that this one claims as well. */
  shared: Set<string>
  requests: Set<TaskKind>
  /** Tenants that a person wants read, and whether the next full sync is such a wish. */
  requestedTenants: Set<string>
  isUrgent: boolean
  /** Of those, the ones that are being read: what ends all readings leaves them asked for. */
  requestedInProgress: Set<string>
  /** Ends the wait for something to do. */
  wake: () => void
  cancelFull: () => void
  /** From when the time to the next full sync counts, in monotonic ms; null before the first. */
  fullSince: number | null
  /** Ids of each tenant's devices, for the live link; of those in `stale` they are asked for again. */
  ids: Map<string, Set<string>>
  staleIds: Set<string>
  cancelCatchUp: () => void
  /** Readings in the place of a live connection that cannot be had. */
  polling: Polling
  cancelPoll: () => void
  /** Set while it waits to be told what the service takes no subscription for. */
  isReportPlanned: boolean
  /** Set while devices that a page brought wait to be listened to. */
  isSubscribePlanned: boolean
  doubts: Doubts
  /** Tenants that the last sync could not read. */
  outdated: Set<string>
  /** Tenants whose pages are coming in. */
  inProgress: Set<string>
  /** The service takes no document that asks for devices by their ids. */
  rejectsIds: boolean
  faults: Map<string, { where: string; fault: Fault; at: number }>
  progress: Exclude<SyncState, { state: 'holding' }>
  lastEventAt: number | null
  lastSyncAt: number | null
  /** The last good answer; the live link has its own word. */
  heardAt: number | null
  /** Since when the devices are subscribed to; null while they are not. */
  subscribedAt: number | null
  /** When the next try comes, while the service cannot be read at all. */
  retryAt: number | null
  failures: number
  /** Readings of `behind` in a row that did not catch up. */
  catchUps: number
  /** Up to when everything that its devices told has come in, ms; 0 before the first. */
  provenAt: number
  /** Since when readings alone show the devices; null while they do not. */
  pollingVisibleSince: number | null
  /** Since when neither the live link nor readings in its place stand; null while one does. */
  downSince: number | null
  /** Time was lost, until the service is heard again: when that was found, and when all was well the last time. */
  lostTime: { at: number; wellAt: number } | null
  /** While token or clock are in doubt nothing is seen; and what was heard of before the doubt ended is unknown. */
  isMistrusted: boolean
  trustedSince: number | null
  /** Since when what was heard cannot be written, and why; null while it can. One rejection may be a moment's: `times` counts them. */
  unwritten: { since: number; fault: Fault; times: number } | null
  /** Since when a comparison is wanted and not done. */
  reconciliationDueSince: number | null
}

/** Adds a request; it stays until it was done. */
export function requestSync(sync: ConnectionSyncState, kind: TaskKind): void {
  if (kind === 'states') sync.reconciliationDueSince ??= sync.options.clock.now()
  sync.requests.add(kind)
  sync.wake()
}

/** Takes the most urgent request; null when there is none. */
export function takeRequest(sync: ConnectionSyncState): TaskKind | null {
  if (sync.requestedTenants.size === 0) sync.requests.delete('asked')
  const kind = urgency.find((each) => sync.requests.has(each)) ?? null
  if (kind !== null) sync.requests.delete(kind)
  return kind
}

/** Keys of what stands in the way of a tenant's listing, of its comparison, and of a page of either that is being asked for again. */
export const tenantKey = (id: string): string => `tenant ${id}`
export const statesKey = (id: string): string => `states ${id}`
/** The tenant of such a key; null for any other. */
export function tenantIn(key: string): string | null {
  const prefix = [tenantKey(''), statesKey('')].find((each) => key.startsWith(each))
  return prefix === undefined ? null : key.slice(prefix.length)
}
export const retryKey = (id: string): string => `again ${id}`

/** Notes what stands in the way under a key of its own, or that it no longer does. */
export function noteFault(sync: ConnectionSyncState, key: string, where: string, fault: Fault | null): void {
  const before = sync.faults.get(key)
  if (fault === null ? before === undefined : before?.fault.kind === fault.kind && before.fault.detail === fault.detail)
    return
  if (fault === null) sync.faults.delete(key)
  else sync.faults.set(key, { where, fault, at: sync.options.clock.now() })
  sync.options.onState()
}
