import type { TenantPlaces } from '../../../src-shared/model/places.ts'

/**
 * The places that a connection lists in a tenant. What this connection no longer lists goes, unless devices or another
 * connection have it; with `partial` nothing goes, and a null is no news. `requestOrder` as in PageInput (protocol.ts): a
 * name from a later page beats an earlier one. Nothing is written while the connection does not list the tenant, nor of an
 * answer to an earlier request than the last.
 */
export interface PlacesInput {
  service: string
  connection: string
  tenant: string
  places: TenantPlaces
  requestOrder: number
  /** When they were read, ms. */
  at: number
  partial?: boolean
}

/** The places that a connection lists in a tenant. `accounts`: null where the service does not tell them. */
export interface PlaceList {
  tenant: string
  readAt: number
  accounts: number | null
  sites: number
  rooms: number
}

/** A room as people counts name it. `id`: its node; `ref`: the service's id. `capacity`: people, null where it is not told. */
export interface StreamedRoom {
  id: string
  ref: string
  name: string
  site: string
  capacity: number | null
}

/** A tenant with its rooms. `id`: the service's; `node`: of the tree. */
export interface StreamedTenant {
  key: string
  id: string
  node: string
  name: string
  rooms: StreamedRoom[]
}
