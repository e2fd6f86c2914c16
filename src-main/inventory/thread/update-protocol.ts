import type { NamedRef } from '../../../src-shared/model/inventory.ts'

/** A device as the stream has reported it. */
export interface LiveEvent {
  id: string
  tenant: string | null
  /** Null: the service does not know. Undefined: not in the event; the former value keeps its age. */
  connected: boolean | null | undefined
  name: string | null
  /**
   * Ids of its site and room. Undefined: not in the event. Null: no news; where it differs from the known place, the
   * device has to be read by its id.
   */
  site?: string | null
  room?: string | null
  /** Names of these places, where the event has them. */
  siteName?: string
  roomName?: string
  /** Position in the one order of arrivals and requests of this run; it counts up. */
  order: number
  at: number
}

/** The place of a device; null: none. */
export interface DevicePlace {
  site: NamedRef | null
  room: NamedRef | null
}

/** Ids of a site and a room; null: none. */
export interface PlaceIds {
  site: string | null
  room: string | null
}

/** A device whose place has to be read by its id: where it stands, and what its event names (missing: null). */
export interface UnplacedDevice {
  tenant: string
  id: string
  known: PlaceIds
  named: PlaceIds
}

/** What an answer says of a device. Undefined: it was not asked, or the service failed to answer. */
export interface DeviceReading {
  id: string
  connected: boolean | null
  lastDetected: number | null
  name?: string
  /** Site and room together; null: none. */
  place?: DevicePlace
}

/** Devices of one tenant that were read to be compared. */
export interface ReconciliationInput {
  service: string
  tenant: string
  requestOrder: number
  /** As in PageInput. */
  requestedAt?: number
  at: number
  devices: DeviceReading[]
  /** Only some devices, requested by their ids: it does not count as a sync of the tenant. */
  partial?: boolean
}
