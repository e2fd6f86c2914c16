import type { StoredPull } from '../cache/cache.ts'
import type { Counts, DeviceDetail, DeviceFields, DeviceRow, InventoryQuery, TenantFields, TreeRow } from '../../src-shared/model.ts'

/**
 * What the core and its data thread say to each other. The thread holds the cache (disposable), the journal (kept) and
 * the inventory engine (memory). Every write commits first, then changes the memory, and its answer tells what changed
 * (invariant 2). The core asks one thing at a time in order; the thread answers in order.
 */
export interface Data {
  open(): Promise<Opened>
  /** The tenants that a connection of this service lists, complete unless `partial`: then none is taken for gone. Tenants of this connection no longer listed go, unless another connection lists them. */
  tenants(input: { service: string; connection: string; tenants: TenantFields[]; at: number; partial?: boolean }): Promise<Change>
  /** Devices of one tenant as a page of a pull told them. Written under the pull's generation. */
  page(input: PageInput): Promise<Change>
  /**
   * Ends a pull: rows of the tenant that its generation did not touch go, in one transaction. With `connection` only
   * what this connection's pulls brought, and no other connection's that lists the tenant: each may see another part
   * of it. Left out: one claimant that all such calls share; what it brought, the next named pull takes over. With `keep` they stay:
   * a part of the pull could not be read, and what could not be read is not gone. But nobody vouches for it either: such
   * a row is unknown until a page, a reading or an event tells of it.
   */
  finish(input: { service: string; tenant: string; generation: number; at: number; keep?: boolean; connection?: string }): Promise<Change>
  /** Live events in the order of their arrival. Devices that are not known are left out and returned as `strangers`. */
  events(input: { service: string; events: LiveEvent[] }): Promise<Change & { strangers: string[] }>
  /**
   * A cheap reading (`id connected lastDetected`): differences from what was known are transitions that were missed.
   * `asked` as in PageInput. Unknown ids are strangers.
   */
  reading(input: ReadingInput): Promise<Change & { strangers: string[] }>
  /**
   * Whether Muster can see these tenants' devices now; null means all tenants of the service that this connection
   * lists. What it cannot see is unknown (invariant 4). `confirmedAt`: the last moment at which the link was proven to
   * work, the beginning of the honest span of whatever is missed from here on. `from`: with `seen`, a device last heard
   * of before this moment (ms) stays unknown until a page, a reading or an event tells of it; left out, all are seen.
   */
  sight(input: { service: string; connection: string; tenants: string[] | null; seen: boolean; confirmedAt: number; from?: number }): Promise<Change>
  /** Forgets what only this connection sees, also of tenants that others list: rows, tenants, pull states, history. */
  forget(input: { connection: string; keepHistory?: boolean }): Promise<Change>
  rows(input: { query: InventoryQuery; offset: number; limit: number; now: number }): Promise<{ rev: number; total: number; rows: DeviceRow[] }>
  locate(input: { query: InventoryQuery; key: string; now: number }): Promise<{ rev: number; index: number | null }>
  counts(input: { scope: string }): Promise<{ rev: number; counts: Counts | null }>
  tree(input: { expanded: string[]; offset: number; limit: number; reveal: string | null }): Promise<{ rev: number; total: number; rows: TreeRow[]; expanded: string[]; index: number | null }>
  device(input: { key: string }): Promise<{ rev: number; device: DeviceDetail | null }>
  /** Ids of the devices of a service's tenant, for the live shards. */
  ids(input: { service: string; tenant: string }): Promise<string[]>
  /** A generation beyond all that the tenant's rows carry; begins a pull. Counts up whatever the computer's clock does. */
  nextGeneration(input: { service: string; tenant: string; connection?: string }): Promise<number>
  /** Ids of all connections that list a tenant in the cache, in order: `forget` those that are no longer on record. */
  connections(): Promise<string[]>
  /** Where an interrupted pull of this connection stands (`finish` on leaving it out); null when there is none. */
  pull(input: { service: string; tenant: string; connection?: string }): Promise<PullState | null>
  close(): Promise<void>
}

export interface Opened {
  rev: number
  totals: Counts
  /** `damaged`: the cache was unreadable or of another version, and was begun anew. */
  cache: 'ok' | 'new' | 'damaged'
  /** `damaged`: the journal was unreadable; it was put aside (never thrown away) and a new one begun. */
  journal: 'ok' | 'new' | 'damaged'
  /** Path of the damaged journal's copy. */
  journalAside: string | null
}

export interface Change {
  base: number
  rev: number
  totals: Counts
  /** Changed and new devices, at most `patchRows`; empty with `many` beyond that. */
  devices: DeviceRow[]
  many: boolean
  structure: boolean
  /** Transitions that this entered into the journal. */
  transitions: { key: string; at: number; notBefore: number | null; connected: boolean }[]
}

/** A device as a page told it. */
export interface DeviceFact extends DeviceFields {
  /** Further fields as text, by name. */
  extra: Record<string, string> | null
}

export interface PageInput {
  service: string
  tenant: string
  generation: number
  /** Order of the moment when the page was requested (see `LiveEvent.order`): later events beat it (invariant 10). */
  asked: number
  /** When the answer arrived. */
  at: number
  devices: DeviceFact[]
  /** Where the pull stands after this page, kept in the same transaction; null ends it. */
  next: PullState | null
  /** Whose pull this is, see `finish`. While it does not list the tenant, nothing is taken. */
  connection?: string
}

/** Where a pull stands, as the cache keeps it. */
export type PullState = StoredPull

export interface LiveEvent {
  id: string
  tenant: string | null
  connected: boolean | null
  name: string | null
  /** Position in the one order of arrivals and requests of this run; counts up. */
  order: number
  at: number
}

export interface ReadingInput {
  service: string
  tenant: string
  asked: number
  at: number
  devices: { id: string; connected: boolean | null; lastDetected: number | null }[]
}
