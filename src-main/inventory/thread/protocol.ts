import type { StoredPull } from '../../storage/cache/rows.ts'
import type { TableRows } from '../../storage/tables.ts'
import type { JournalStatistics } from '../../storage/journal/statistics.ts'
import type { LoopDelay } from '../../../src-shared/contract/diagnostics.ts'
import type { LoadedColumn } from '../engine/columns/extras.ts'
import { type IncidentData, incidentCallOrder } from './incident-protocol.ts'
import type { CallOrder } from './call-order.ts'
import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type {
  Counts,
  DeviceDetail,
  DeviceFields,
  DeviceRow,
  DeviceStatus,
  InventoryQuery,
  NodeKind,
  SavedView,
  TenantFields,
  TreeRow,
} from '../../../src-shared/model/inventory.ts'
import type { BaseField } from '../../../src-shared/model/base-fields.ts'

/**
 * What the core and its data thread say to each other. The thread holds the cache (disposable), the journal (kept) and
 * the inventory engine (memory). Every write commits first, then changes the memory, and its answer tells what changed
 * (invariant 2). The thread does one thing at a time, in order, but what a person waits for goes before what services tell (request-queue.ts).
 */
export interface InventoryData extends IncidentData {
  open(): Promise<OpenResult>
  /** The tenants that a connection of this service lists, complete unless `partial`: then none is taken for gone, but for those that were listed first where there are more than `mostTenants`. Tenants of this connection no longer listed go, unless another connection lists them. */
  tenants(input: {
    service: string
    connection: string
    tenants: TenantFields[]
    at: number
    partial?: boolean
  }): Promise<Change>
  /** Devices of one tenant as a page of a pull told them. Written under the pull's generation. */
  page(input: PageInput): Promise<Change>
  /**
   * Ends a pull: rows of the tenant that its generation did not touch go, in one transaction. With `connection` only
   * what this connection's pulls brought, and no other connection's that lists the tenant: each may see another part
   * of it. Left out: one claimant that all such calls share; what it brought, the next named pull takes over. With `keep` they stay:
   * a part of the pull could not be read, and what could not be read is not gone. But nobody vouches for it either: such
   * a row is unknown until a page, a reading or an event tells of it.
   */
  finish(input: {
    service: string
    tenant: string
    generation: number
    at: number
    keep?: boolean
    connection?: string
  }): Promise<Change>
  /** Live events in the order of their arrival. Devices that are not known are left out and returned as `unknownDevices`. */
  events(input: { service: string; events: LiveEvent[] }): Promise<Change & { unknownDevices: string[] }>
  /**
   * A cheap reading (`id connected lastDetected`): differences from what was known are transitions that were missed.
   * `requestOrder` as in PageInput. Unknown ids are returned as `unknownDevices`.
   */
  reconciliation(input: ReconciliationInput): Promise<Change & { unknownDevices: string[] }>
  /**
   * Whether this connection sees its devices of these tenants now: those that it claims (`finish`). With `visible` the
   * tenants are all that it sees: the others of the service that it lists, it does not see. Without, those are not
   * touched. Null means all that it lists. A device that no connection sees is unknown (invariant 4). `confirmedAt`: the
   * moment up to which everything that was told has come in, the beginning of the honest span of whatever is missed from here
   * on. `heardSince`: with `visible`, a device last heard of before this moment (ms) stays unknown until a page, a reading or an
   * event tells of it; left out, all are seen. `uncertain`: with `visible`, it goes on seeing but is not sure of itself: what no
   * other one sees is unknown until the next word without doubt, and then as it was, for nothing was missed. `at`: now;
   * what was heard of later than that was so by a clock that has been set back, and is no word of this session. `afterGap`: there was a
   * gap up to `confirmedAt`; what was told before it is vouched for up to the gap and no longer.
   */
  visibility(input: {
    service: string
    connection: string
    tenants: string[] | null
    visible: boolean
    confirmedAt: number
    heardSince?: number
    uncertain?: boolean
    at?: number
    afterGap?: boolean
  }): Promise<Change>
  /**
   * Since `at` this connection does not hear of these devices any more, though it goes on seeing others. What it claims of
   * them and no other one sees is unknown until a page, a reading or an event tells of it; a transition that this finds may
   * be as old as that moment.
   */
  subscriptionLost(input: { service: string; connection: string; ids: string[]; at: number }): Promise<Change>
  /** These of this connection’s devices nobody tells of: readings alone do, and each holds up to its own time. All others are heard of. Replaces what was said before. */
  unsubscribed(input: { service: string; connection: string; ids: string[] }): Promise<void>
  /** Forgets what only this connection sees, also of tenants that others list: rows, tenants, pull states, history. Of the service `except` nothing. */
  forget(input: { connection: string; keepHistory?: boolean; except?: string }): Promise<Change>
  /** Which offline devices are spares on the shelf (`spare:yes` in filters): those of these models, in any case of letters, and those that were last detected longer ago than `age` (ms; null: none for that). Before this is said none are, so that a thread that was started again is told again. */
  spares(input: { models: string[]; age: number | null }): Promise<void>
  rows(input: {
    query: InventoryQuery
    offset: number
    limit: number
    now: number
  }): Promise<Omit<CallOutput<'inventory.rows'>, 'offset'>>
  /** Behind the calls of the contract; `now` in ms. Ages in filters are those at the last full second. */
  totals(input: CallInput<'inventory.totals'> & { now: number }): Promise<CallOutput<'inventory.totals'>>
  values(input: CallInput<'inventory.values'>): Promise<CallOutput<'inventory.values'>>
  keys(input: CallInput<'inventory.keys'> & { now: number }): Promise<CallOutput<'inventory.keys'>>
  hidden(input: CallInput<'inventory.hidden'> & { now: number }): Promise<CallOutput<'inventory.hidden'>>
  exportPart(input: CallInput<'inventory.export'> & { now: number }): Promise<CallOutput<'inventory.export'>>
  /** The tenants that lie in or around a node of the tree; none when it is gone. */
  scopeTenants(input: { scope: string }): Promise<{ tenants: { service: string; id: string }[] }>
  /** The devices of a room or a site, or the one that the node stands for; null for any other node, and when there are more than `most`. */
  scopeDevices(input: {
    scope: string
    most: number
  }): Promise<{ devices: { service: string; tenant: string; id: string }[] | null }>
  /**
   * The further columns that are held in memory for rows, sort and filter, all of them: one that is not named is let go
   * (what was read of it stays in the cache). Said again when a type or the services that offer it change.
   */
  extraColumns(input: { columns: LoadedColumn[] }): Promise<Change>
  /** Further fields as read, by the field's name; null: the service said null. Kept beside what was known of others. Strangers are left out. */
  extraValues(input: {
    service: string
    tenant: string
    devices: { id: string; values: Record<string, string | null> }[]
  }): Promise<Change>
  /** For how many devices of these services a further column was read, whether it is on or not. */
  coverage(input: {
    columns: { name: string; services: string[] }[]
  }): Promise<{ rev: number; columns: { name: string; read: number; of: number }[] }>
  /** Of these tenants of a service, the columns that are held and of which some device was not read; of one that is not held nothing is known, and it is named. */
  unreadColumns(input: {
    service: string
    tenants: string[]
    names: string[]
  }): Promise<{ tenants: { id: string; names: string[] }[] }>
  locate(input: { query: InventoryQuery; key: string; now: number }): Promise<{ rev: number; index: number | null }>
  counts(input: { scope: string }): Promise<CallOutput<'inventory.counts'>>
  /** Devices of each connection that claims any. One that several connections claim counts with each of them. */
  connectionCounts(): Promise<CallOutput<'connections.counts'>>
  tree(
    input: CallInput<'inventory.tree'>,
  ): Promise<{ rev: number; total: number; rows: TreeRow[]; expanded: string[]; index: number | null }>
  places(input: CallInput<'inventory.places'>): Promise<CallOutput<'inventory.places'>>
  device(input: { key: string }): Promise<{ rev: number; device: DeviceDetail | null }>
  /**
   * Two connections see the same part of a tenant, and only `from` reads it: what it claims, `to` claims as well from here
   * on, and nothing else. What only `to` has claimed goes. Nothing happens unless both list the tenant.
   */
  adopt(input: { service: string; tenant: string; from: string; to: string }): Promise<Change>
  /** Ids of the devices of a service's tenant, for the live shards; with `connection` only of those that it claims. */
  ids(input: { service: string; tenant: string; connection?: string }): Promise<string[]>
  /** A generation beyond all that the tenant's rows carry; begins a pull. Counts up whatever the computer's clock does. */
  nextGeneration(input: { service: string; tenant: string; connection?: string }): Promise<number>
  /** Ids of all connections that list a tenant in the cache, or did (`withdrawn`), in order: `forget` those that are no longer on record, and what they list of another service. */
  connections(): Promise<string[]>
  /** Where an interrupted pull of this connection stands (`finish` on leaving it out); null when there is none. */
  pull(input: { service: string; tenant: string; connection?: string }): Promise<PullState | null>
  /**
   * Where these devices are and how they stand now, those that are gone left out, and how well each tenant is seen. `paused`:
   * connections that the operator has paused.
   */
  locations(input: { keys: string[]; paused: string[] }): Promise<DeviceLocations>
  /** What a service's tenants have among these keys, in their order, and how many of each one's devices were online by the last word. */
  priorities(input: {
    service: string
    keys: string[]
  }): Promise<{ tenants: { id: string; first: string[]; online: number }[] }>
  /** What operations were charged, for whoever takes it to check, by credential set. */
  costs(): Promise<{ credentials: string; shapes: unknown }[]>
  /** `shapes: null`: forgotten. */
  keepCosts(input: { credentials: string; shapes: unknown }): Promise<void>
  /** How the thread is. */
  metrics(): Promise<ThreadMetrics>
  /** What the journal amounts to up to now, ms. It may take a moment: for a support bundle, not for looking on. */
  statistics(input: { now: number }): Promise<NamedStatistics>
  /** The saved views as the journal has them, for whoever takes them to check. */
  views(): Promise<unknown[]>
  saveView(input: SavedView): Promise<void>
  removeView(input: { id: string }): Promise<void>
  close(): Promise<void>
}

/** How the request queue orders each call. The facade of client.ts has a function for each name in it. */
export const callOrder: { readonly [N in keyof InventoryData]: CallOrder } = {
  ...incidentCallOrder,
  open: 'ordered',
  tenants: 'ordered',
  page: 'feed',
  finish: 'ordered',
  events: 'feed',
  reconciliation: 'feed',
  visibility: 'ordered',
  subscriptionLost: 'feed',
  unsubscribed: 'ordered',
  forget: 'ordered',
  spares: 'ordered',
  rows: 'read',
  totals: 'read',
  values: 'read',
  keys: 'read',
  hidden: 'read',
  exportPart: 'read',
  scopeTenants: 'ordered',
  scopeDevices: 'ordered',
  extraColumns: 'ordered',
  extraValues: 'feed',
  coverage: 'ordered',
  unreadColumns: 'ordered',
  locate: 'read',
  counts: 'read',
  connectionCounts: 'read',
  tree: 'read',
  places: 'read',
  device: 'read',
  adopt: 'ordered',
  ids: 'ordered',
  nextGeneration: 'ordered',
  connections: 'ordered',
  pull: 'ordered',
  locations: 'feed',
  priorities: 'ordered',
  costs: 'ordered',
  keepCosts: 'ordered',
  metrics: 'ordered',
  statistics: 'ordered',
  views: 'ordered',
  saveView: 'ordered',
  removeView: 'ordered',
  close: 'ordered',
}

export interface DeviceLocations {
  /** Keys of tenants that a list named until it did not (`withdrawn`), and that no connection lists now. */
  withdrawn: string[]
  /** `node` is the room's place in `nodes`. */
  devices: {
    key: string
    name: string
    hardwareModel: string
    connected: boolean | null
    status: DeviceStatus
    node: number
  }[]
  /** Rooms and all that is above them; a parent comes before its children. `devices`: how many are known below; `offline`: how many of them are seen to be. */
  nodes: PlaceNode[]
  /**
   * All tenants, `id` being the node's. Times in ms: when the present session of seeing it began, or the last one, and
   * when it was last proven. `connections`: who lists it. `unseen`: devices that no connection sees, without those that
   * only paused ones claim. `seen`: a connection sees it, and there are none of these. `outdated`: devices that are seen, and
   * of which nothing was told since.
   */
  tenants: {
    key: string
    id: string
    name: string
    devices: number
    seen: boolean
    unseen: number
    read: boolean
    outdated: number
    seenSince: number | null
    lastSeen: number | null
    connections: string[]
  }[]
}

export interface PlaceNode {
  id: string
  kind: Exclude<NodeKind, 'device'>
  name: string
  placeless: boolean
  /** Index; null for a region. */
  parent: number | null
  devices: number
  offline: number
}

export interface OpenResult {
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

/** A device as a page told it. `failed`: there is no word on these fields, so they keep their former value and age. */
export type DeviceFact = DeviceFields & { failed?: readonly BaseField[] }

export interface PageInput {
  service: string
  tenant: string
  generation: number
  /** Order of the moment when the page was requested (see `LiveEvent.order`): later events beat it (invariant 10). */
  requestOrder: number
  /** When it was requested, ms: up to then its words are known to have held. Left out: when it arrived. */
  requestedAt?: number
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
  /** Null: the service does not know. Undefined: the event does not tell of it, and what was known of it is as old as before. */
  connected: boolean | null | undefined
  name: string | null
  /** Position in the one order of arrivals and requests of this run; counts up. */
  order: number
  at: number
}

export interface ReconciliationInput {
  service: string
  tenant: string
  requestOrder: number
  /** As in PageInput. */
  requestedAt?: number
  at: number
  devices: { id: string; connected: boolean | null; lastDetected: number | null }[]
  /** Some devices that were asked for by their ids: whoever asks how well the tenant was read hears nothing of it. */
  partial?: boolean
}

/** What the data thread knows of itself; sizes in bytes. */
export interface ThreadMetrics {
  /** Null before anything was measured. */
  delay: LoopDelay | null
  heapUsed: number
  heapTotal: number
  external: number
  tables: (TableRows & { file: string })[]
}

/** `busiest` by name, where the device is still there. */
export type NamedStatistics = Omit<JournalStatistics, 'busiest'> & {
  busiest: { key: string; name: string | null; transitions: number }[]
}
