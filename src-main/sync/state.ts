import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
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
import type { Polling } from './polling-state.ts'
import type { Faults } from './faults.ts'
import type { Requests } from './reader/requests.ts'
import type { Reader } from './reader/reader.ts'
import type { Schedule } from './reader/schedule.ts'
import type { Devices } from './link/devices.ts'

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

/** The state of a running sync; `connection-sync.ts` owns it. */
export interface ConnectionSyncState {
  options: ConnectionSyncOptions
  stopping: AbortController
  faults: Faults
  requests: Requests
  devices: Devices
  reader: Reader
  schedule: Schedule
  live: Live | null
  queue: EventQueue
  columns: ConnectionColumns | null
  /** Asks again for what an event left open. */
  rechecks: Rechecks | null
  /** Events that could not be read. */
  unreadableEvents: UnreadableEvents | null
  /** This connection among those that list the same tenants. */
  member: Member
  /** Tenants of others' reading that this one claims as well. */
  shared: Set<string>
  /** Readings in the place of a live connection that cannot be had. */
  polling: Polling
  cancelPoll: () => void
  /** Set while it waits to be told what the service takes no subscription for. */
  isReportPlanned: boolean
  /** Set while devices that a page brought wait to be listened to. */
  isSubscribePlanned: boolean
  doubts: Doubts
  /** The service takes no document that asks for devices by their ids. */
  rejectsIds: boolean
  lastEventAt: number | null
  /** The last good answer; the live link has its own word. */
  heardAt: number | null
  /** Since when the devices are subscribed to; null while they are not. */
  subscribedAt: number | null
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
}
