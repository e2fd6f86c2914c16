import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Api } from '../api/client.ts'
import type { Dialect } from '../api/dialect.ts'
import type { Change, InventoryData } from '../inventory/thread/protocol.ts'
import type { Live, LiveOptions } from '../live/machine.ts'
import type { Pacer } from '../pacing/pacer.ts'
import type { Log } from '../ports.ts'
import type { Assignments } from './assignments/assignments.ts'
import type { ConnectionColumnsOptions } from './columns/connection-columns.ts'
import type { Deduplicator } from './events/deduplicator.ts'
import type { EventQueues } from './events/events.ts'
import type { Facts } from './health/health.ts'

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
  /** The fields that the service was found to lack, shared with all connections that have the same credential set there. */
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
  openLive: (listeners: Listeners) => Live
  /** Returns the doubts about the token and the service's clock; `ConnectionSync.checkSelf` is called when they change. */
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
