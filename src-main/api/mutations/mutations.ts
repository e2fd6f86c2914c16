import type { Fault } from '../../../src-shared/model/fault.ts'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import type { CallState } from '../../../src-shared/model/jobs.ts'

/** What the service's schema offers of the actions; null: not offered. */
export interface MutationOffer {
  reboot: { linkedDevices: boolean } | null
  update: { name: boolean; site: boolean; room: boolean } | null
  /** Create and edit. */
  site: { account: boolean } | null
  room: { site: boolean; capacity: boolean; size: boolean; floor: boolean } | null
  /** True where the service tells calls (`callStatus`) of a device that is read by id. */
  calls: boolean
}

/**
 * What came of one thing that was sent. `refused`: the service said no, and nothing happened; the fault `forbidden`
 * means the role. `unknown`: it was sent, and no answer says what came of it. `not-sent`: it certainly never left (no
 * token, no balance, no connection, or the signal aborted before the first byte; `input`: the service does not offer all
 * of it), or the service did not begin it for lack of points.
 */
export type SentOutcome =
  /** `id`: of a created place. */
  | { outcome: 'confirmed'; id: string | null }
  | { outcome: 'refused'; words: string; fault: Fault | null }
  | { outcome: 'unknown'; words: string }
  | { outcome: 'not-sent'; fault: Fault }

/** What is changed of a device; a member that is left out stays. Null: no site, no room. */
export interface DeviceUpdate {
  id: string
  name?: string
  site?: string | null
  room?: string | null
}

/** `id`: of an existing site; null creates one. A member that is left out stays, and null clears it. */
export interface SiteFields {
  tenant: string
  id: string | null
  account?: string | null
  name: string
}

/** `id`: of an existing room; null creates one. A member that is left out stays, and null clears it. */
export interface RoomFields {
  tenant: string
  id: string | null
  site?: string | null
  name: string
  capacity?: number | null
  size?: string | null
  floor?: string | null
}

/** A device that was read by id. A member that is missing could not be read, or the service does not offer it. */
export interface ReadDevice {
  id: string
  name?: string
  site?: NamedRef | null
  room?: NamedRef | null
  /** Null: the service does not know. */
  connected?: boolean | null
  /** Ms since the epoch; null: never. */
  lastConfigRequestDate?: number | null
  call?: CallState
}

/** Devices of one `update` at most: each has an alias in one operation. */
export const maxUpdates = 25

/** `signal` ends what is on its way; `withdraw` takes back only what was not handed to the network yet. */
export interface SendSignals {
  signal: AbortSignal
  withdraw: AbortSignal
}

/** Sends mutations once: no layer repeats one (design, invariant 16). */
export interface Mutations {
  /**
   * Returns what the schema offers; null while it is not known (`offerFault`). The first call begins to read it, and a
   * later one again where that failed some time ago.
   */
  offer(): MutationOffer | null
  /** Returns why the schema is not known; null: it is known, or still being read. */
  offerFault(): Fault | null
  /** Calls the listener when `offer` or `offerFault` changes. Returns a function that stops it. */
  onOffer(listener: () => void): () => void
  /** Never rejects, as all that send. */
  reboot(device: string, linkedDevices: boolean, signals: SendSignals): Promise<SentOutcome>
  /** Sends at most `maxUpdates`, one operation with an alias each. Resolves with an outcome for each. */
  update(updates: readonly DeviceUpdate[], signals: SendSignals): Promise<SentOutcome[]>
  saveSite(fields: SiteFields, signals: SendSignals): Promise<SentOutcome>
  saveRoom(fields: RoomFields, signals: SendSignals): Promise<SentOutcome>
  /**
   * Reads name, place, connected, lastConfigRequestDate and callStatus of devices by id; null: no such device, or not
   * readable. Rejects with a `FaultError`.
   */
  read(ids: readonly string[], signal: AbortSignal): Promise<(ReadDevice | null)[]>
  /**
   * Returns the points that sending costs, as the service charged the same before. Before that it is an upper estimate from
   * what other operations cost; null: nothing was charged yet, or it is not offered.
   */
  cost(kind: 'reboot' | 'update' | 'site' | 'room', count: number): number | null
}
