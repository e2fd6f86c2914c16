import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Access } from '../../src-shared/model/access.ts'
import type { PlaceDirectory } from '../../src-shared/model/place-directory.ts'
import type { Api } from '../api/client.ts'
import type { Dialect } from '../api/dialect.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Change } from '../inventory/thread/change.ts'
import type { Live, LiveOptions } from '../live/machine.ts'
import type { Pacer } from '../pacing/pacer.ts'
import type { Log } from '../ports.ts'
import type { Assignments } from './assignments/assignments.ts'
import type { ConnectionColumnsOptions } from './columns/connection-columns.ts'
import type { Deduplicator } from './events/deduplicator.ts'
import type { EventQueues } from './events/events.ts'
import type { Facts } from './health/health.ts'

/** What a connection does with the role and scope of its credential set. */
export interface AccessOptions {
  clientId: string
  /** Called with what the service told. `partial`: a part of the answer failed. */
  onRead: (access: Access, partial: boolean) => void
}

/** What a connection does with what it reads of the accounts, sites and rooms. */
export interface PlacesOptions {
  onChange: (directory: PlaceDirectory) => void
}

export interface ConnectionSyncOptions {
  /** Id of the connection. */
  connection: string
  /** Id of the service: the same for all connections to it (invariant 9). */
  service: string
  /** Id of the credential set, see `Assignments`. */
  credentials: string
  /** Returns the position of the connection in the operator's list. */
  place: () => number
  /** Shared by all connections: the readers, the received events, and the events to write. */
  assignments: Assignments
  deduplicator: Deduplicator
  queues: EventQueues
  api: Api
  /** The fields that the service lacks, shared with all connections of the same credential set. */
  dialect: Dialect
  pacer: Pacer
  /** Ends the delay that the service asked for, because a person wants to try at once. */
  tryNow?: () => void
  data: InventoryData
  clock: Clock
  random: () => number
  log: Log
  order: () => number
  /** Opens the live connection with these listeners. */
  openLive: (listeners: Listeners & EventFields) => Live
  /**
   * Returns the doubts about the token and the service's clock; `ConnectionSync.checkSelf` is called when they change.
   */
  selfChecks: () => Pick<Facts, 'token' | 'skew' | 'hasServiceTime'>
  /** Returns the keys of the devices on the watch list, then of those in the viewport. */
  urgentKeys: () => Iterable<string>
  /** Returns whether time was lost; if so, `ConnectionSync.loseTime` has been called before it returns. */
  isTimeLost: () => boolean
  lastReadingAt: number | null
  /** Returns the ms between full syncs: the stream carries no new, moved or deleted devices (design, section 5). */
  refreshMs: () => number
  /** The storage of extra columns' times, and the listener of their changes. */
  columns: ConnectionColumnsOptions
  /** Called with the service's schema as texts (`Capabilities.fingerprint`). */
  onSchema: (fingerprint: readonly string[]) => void
  /** The credential set's id, and the listener of its role and scope. */
  access: AccessOptions
  /** The listener of what is read of the accounts, sites and rooms. */
  places: PlacesOptions
  publish: (change: Change) => void
  /** Called when the value of `state` changes. */
  onState: () => void
}

/** Listeners of the live connection. */
export type Listeners = Pick<
  LiveOptions,
  'onState' | 'onEvent' | 'onSubscribed' | 'onSubscriptionLost' | 'onDoubt' | 'onParked'
>

/** What the schema offers of an event. */
export interface EventFields {
  /** Returns the selection of what an event can carry; null where the schema does not tell. */
  eventFields: () => string | null
}
