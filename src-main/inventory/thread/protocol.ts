import type { Change } from './change.ts'
import type { StoredPull } from '../../storage/cache/rows.ts'
import type { NamedStatistics, ThreadMetrics } from './metrics-protocol.ts'
import type { LoadedColumn } from '../engine/columns/extras.ts'
import { type HandoverData, handoverCallOrder } from './handover-protocol.ts'
import { type IncidentData, incidentCallOrder } from './incident-protocol.ts'
import { type ActionData, actionCallOrder, type JobData, jobCallOrder } from './job-protocol.ts'
import { type NoteData, noteCallOrder } from './note-protocol.ts'
import { type KeptQueryData, keptQueryCallOrder } from './kept-query-protocol.ts'
import type { CallOrder } from './call-order.ts'
import { type CompareData, compareCallOrder } from './compare-protocol.ts'
import { type FirmwareData, firmwareCallOrder } from './firmware-protocol.ts'
import { type LogData, logCallOrder } from './log-protocol.ts'
import { type ChangesData, changesCallOrder } from './changes-protocol.ts'
import { type OverviewData, overviewCallOrder } from './overview-protocol.ts'
import type { PlaceList, PlacesInput } from './place-protocol.ts'
import { type ReportData, reportCallOrder } from './report-protocol.ts'
import { type SchemaData, schemaCallOrder } from './schema-protocol.ts'
import { type SharedConnectionData, sharedConnectionCallOrder } from './shared-connection-protocol.ts'
import { type SharedSettingData, sharedSettingCallOrder } from './shared-setting-protocol.ts'
import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type {
  DeviceDetail,
  DeviceFields,
  DeviceStatus,
  InventoryQuery,
  NodeKind,
  SavedView,
  TenantFields,
  TreeRow,
} from '../../../src-shared/model/inventory.ts'
import type { BaseField } from '../../../src-shared/model/base-fields.ts'
import type { OpenResult } from './open-result.ts'
import type { LiveEvent, ReconciliationInput, UnplacedDevice } from './update-protocol.ts'

/**
 * The calls of the core to its data thread. The thread holds the cache (disposable), the journal (permanent) and
 * the inventory engine (memory). Every write commits first, then changes the memory, and its answer has the changes
 * (invariant 2). The thread answers one request after the other; reads overtake data from services (request-queue.ts).
 */
export interface InventoryData
  extends
    IncidentData,
    JobData,
    ActionData,
    OverviewData,
    ChangesData,
    ReportData,
    SchemaData,
    KeptQueryData,
    NoteData,
    CompareData,
    FirmwareData,
    SharedConnectionData,
    SharedSettingData,
    HandoverData,
    LogData {
  open(): Promise<OpenResult>
  /**
   * Sets the tenants that a connection lists. Those it no longer lists are removed, unless another connection lists
   * them. With `partial` none is removed, except the first listed ones beyond `maxTenants`.
   */
  tenants(input: {
    service: string
    connection: string
    tenants: TenantFields[]
    at: number
    partial?: boolean
  }): Promise<Change>
  /** Writes a page of devices of one tenant, under the sync's generation. */
  page(input: PageInput): Promise<Change>
  /** Writes the places that a connection lists. `leftOut`: how many have no usable id, or are beyond the bounds. */
  places(input: PlacesInput): Promise<Change & { leftOut: number }>
  /** What a connection lists in its tenants, where it has read that. */
  placeLists(input: { service: string; connection: string }): Promise<PlaceList[]>
  /**
   * Ends a full sync: rows of the tenant from older generations are removed, in one transaction. With `connection` only
   * rows that no other connection claims: each may see another part of the tenant. Without it the shared claimant
   * counts, whose rows the next named sync takes over. With `partial` they stay, because a part of the sync failed: such
   * a row is unknown until a page, a reconciliation or an event reports it.
   */
  finish(input: {
    service: string
    tenant: string
    generation: number
    at: number
    partial?: boolean
    connection?: string
  }): Promise<Change>
  /**
   * Removes this connection's claims on devices that a complete list of the tenant's ids lacks, as `finish` does: rows
   * that no other connection claims are removed. `requestOrder`: of the list's first request; what was reported later
   * stays. `at`: when the list came, ms.
   */
  departed(input: {
    service: string
    tenant: string
    connection: string
    ids: readonly string[]
    requestOrder: number
    at: number
  }): Promise<Change>
  /**
   * Writes live events in the order of their arrival. Unknown devices are left out and returned. A device whose event
   * names another place than the known one, and no place of known names, stays where it was (`unplaced`).
   */
  events(input: {
    service: string
    events: LiveEvent[]
  }): Promise<Change & { unknownDevices: string[]; unplaced: UnplacedDevice[] }>
  /**
   * Writes a reconciliation (`id connected lastDetected`, and name and place where they were read): differences are
   * missed transitions. `requestOrder` as in PageInput. Unknown ids are returned.
   */
  reconciliation(input: ReconciliationInput): Promise<Change & { unknownDevices: string[] }>
  /**
   * Sets whether this connection sees the devices that it claims. With `visible` the tenants are all that it sees: it does not
   * see its others. Without `visible`, its others do not change. `tenants: null` means all that it lists. A device that no
   * connection sees is unknown (invariant 4). Times in ms.
   * - `confirmedAt`: up to then all reports have come in; transitions that are missed from now on came after it.
   * - `visibleSince`: with `visible`, a device last updated before it stays unknown until it is reported again. Default: none does.
   * - `uncertain`: with `visible`, devices that no other connection sees are unknown until the next call without it, and then as before.
   * - `at`: now. A device last updated after it was so by a clock that has been set back, and stays unknown.
   * - `afterGap`: there was a gap up to `confirmedAt`; earlier reports are confirmed up to the gap only.
   */
  visibility(input: {
    service: string
    connection: string
    tenants: string[] | null
    visible: boolean
    confirmedAt: number
    visibleSince?: number
    uncertain?: boolean
    at?: number
    afterGap?: boolean
  }): Promise<Change>
  /**
   * Since `at` (ms) this connection has no subscription for these devices. Those that no other connection sees are
   * unknown until a page, a reconciliation or an event reports them; a transition found then may be as old as `at`.
   */
  subscriptionLost(input: { service: string; connection: string; ids: string[]; at: number }): Promise<Change>
  /**
   * Sets this connection's devices without a subscription: only syncs report them, and each report holds up to its own
   * time. Replaces the former ones.
   */
  unsubscribed(input: { service: string; connection: string; ids: string[] }): Promise<void>
  /**
   * Forgets what only this connection claims, also in tenants that others list: rows, tenants, interrupted syncs,
   * history. Keeps the service `except`, and with `keepHistory` the history, in which the devices are gone since `at` (ms).
   */
  forget(input: { connection: string; keepHistory?: { at: number }; except?: string }): Promise<Change>
  /**
   * Sets which offline devices are spares (`spare:yes` in filters): those of these models, without case, and those last
   * detected longer ago than `age` (ms; null: none). A new thread has no spares until this call.
   */
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
  /** The tenants in or around a node of the tree; none when it is gone. */
  scopeTenants(input: { scope: string }): Promise<{ tenants: { service: string; id: string }[] }>
  /** The devices of a room, a site, an account or a device's node; null for any other node, and for more than `most`. */
  scopeDevices(input: {
    scope: string
    limit: number
  }): Promise<{ devices: { service: string; tenant: string; id: string }[] | null }>
  /** The keys of the devices with these ids; several where tenants have devices of the same id. */
  devicesById(input: CallInput<'query.devices'>): Promise<CallOutput<'query.devices'>>
  /**
   * Sets the extra columns that are loaded for rows, sort and filter. Others are dropped from memory (their values stay
   * in the cache). To be called again when a type or the services that offer a column change.
   */
  extraColumns(input: { columns: LoadedColumn[] }): Promise<Change>
  /**
   * Writes values of extra fields, by name; null: the service returned null. Other fields keep theirs. Unknown devices
   * are left out.
   */
  extraValues(input: {
    service: string
    tenant: string
    devices: { id: string; values: Record<string, string | null> }[]
  }): Promise<Change>
  /** Returns the number of devices of these services for which an extra column was read, loaded or not. */
  coverage(input: {
    columns: { name: string; services: string[] }[]
  }): Promise<{ rev: number; columns: { name: string; read: number; of: number }[] }>
  /** The columns that are not read for all devices of these tenants. A column that is not loaded counts as unread. */
  unreadColumns(input: {
    service: string
    tenants: string[]
    names: string[]
  }): Promise<{ tenants: { id: string; names: string[] }[] }>
  locate(input: { query: InventoryQuery; key: string; now: number }): Promise<{ rev: number; index: number | null }>
  counts(input: { scope: string }): Promise<CallOutput<'inventory.counts'>>
  /** Device counts of each connection. A device that several connections claim counts with each. */
  connectionCounts(): Promise<CallOutput<'connections.counts'>>
  tree(
    input: CallInput<'inventory.tree'>,
  ): Promise<{ rev: number; total: number; rows: TreeRow[]; expanded: string[]; index: number | null }>
  findPlaces(input: CallInput<'inventory.places'>): Promise<CallOutput<'inventory.places'>>
  device(input: { key: string }): Promise<{ rev: number; device: DeviceDetail | null }>
  deviceHistory(input: { key: string }): Promise<CallOutput<'inventory.deviceHistory'>>
  /**
   * Gives `to` exactly the claims of `from` on a tenant, because both see the same part of it and only `from` reads it.
   * Rows that only `to` claimed are removed. `to` lists the places of `from`, where that has read them. Nothing happens
   * unless both list the tenant. `at`: now, ms.
   */
  adopt(input: { service: string; tenant: string; from: string; to: string; at: number }): Promise<Change>
  /** Ids of the devices of a service's tenant, for the live shards; with `connection` only of those that it claims. */
  ids(input: { service: string; tenant: string; connection?: string }): Promise<string[]>
  /** The generation for a new full sync: greater than all of the tenant's rows. It does not depend on the clock. */
  nextGeneration(input: { service: string; tenant: string; connection?: string }): Promise<number>
  /**
   * Ids of all connections that list a tenant in the cache, or did (`withdrawn`), sorted. To `forget` those that no
   * longer exist.
   */
  connections(): Promise<string[]>
  /** The state of this connection's interrupted full sync; null when there is none. */
  pull(input: { service: string; tenant: string; connection?: string }): Promise<PullState | null>
  /**
   * Places and status of these devices, without removed ones, and the visibility of each tenant. `paused`: ids of the
   * connections that the operator has paused.
   */
  locations(input: { keys: string[]; paused: string[] }): Promise<DeviceLocations>
  /**
   * The devices of a service's tenants among these keys, in their order, and how many devices of each tenant were last
   * reported online.
   */
  priorities(input: {
    service: string
    keys: string[]
  }): Promise<{ tenants: { id: string; first: string[]; online: number }[] }>
  /** Costs of operations by credential set. The caller checks their shape. */
  costs(): Promise<{ credentials: string; shapes: unknown }[]>
  /** `shapes: null` removes them. */
  saveCosts(input: { credentials: string; shapes: unknown }): Promise<void>
  /** Metrics of the thread. */
  metrics(): Promise<ThreadMetrics>
  /** Statistics of the journal up to now, ms. They take time: for a support bundle, not for a refresh. */
  statistics(input: { now: number }): Promise<NamedStatistics>
  /** The saved views of the journal. The caller checks their shape. */
  views(): Promise<unknown[]>
  saveView(input: SavedView): Promise<void>
  removeView(input: { id: string }): Promise<void>
  close(): Promise<void>
}

/** How the request queue orders each call. The facade of client.ts has a function for each name in it. */
export const callOrder: { readonly [N in keyof InventoryData]: CallOrder } = {
  ...incidentCallOrder,
  ...jobCallOrder,
  ...actionCallOrder,
  ...overviewCallOrder,
  ...changesCallOrder,
  ...reportCallOrder,
  ...schemaCallOrder,
  ...keptQueryCallOrder,
  ...noteCallOrder,
  ...compareCallOrder,
  ...firmwareCallOrder,
  ...sharedConnectionCallOrder,
  ...sharedSettingCallOrder,
  ...handoverCallOrder,
  ...logCallOrder,
  open: 'ordered',
  tenants: 'ordered',
  page: 'feed',
  places: 'feed',
  placeLists: 'ordered',
  finish: 'ordered',
  departed: 'ordered',
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
  devicesById: 'read',
  extraColumns: 'ordered',
  extraValues: 'feed',
  coverage: 'ordered',
  unreadColumns: 'ordered',
  locate: 'read',
  counts: 'read',
  connectionCounts: 'read',
  tree: 'read',
  findPlaces: 'read',
  device: 'read',
  deviceHistory: 'read',
  adopt: 'ordered',
  ids: 'ordered',
  nextGeneration: 'ordered',
  connections: 'ordered',
  pull: 'ordered',
  locations: 'feed',
  priorities: 'ordered',
  costs: 'ordered',
  saveCosts: 'ordered',
  metrics: 'ordered',
  statistics: 'ordered',
  views: 'ordered',
  saveView: 'ordered',
  removeView: 'ordered',
  close: 'ordered',
}

export interface DeviceLocations {
  /** Keys of withdrawn tenants that no connection lists now. */
  withdrawn: string[]
  /** `node` is the room's index in `nodes`. */
  devices: {
    key: string
    name: string
    hardwareModel: string
    connected: boolean | null
    status: DeviceStatus
    /** True where a tag of it or its place makes it a spare. */
    isSpare?: boolean
    node: number
  }[]
  /**
   * Rooms and the places above them; a parent comes before its children. `devices`: the number of devices below;
   * `offline`: of those that are visibly offline.
   */
  nodes: PlaceNode[]
  /**
   * All tenants; `id` is the node's. `seenSince`, `lastSeen`: when the present or last visibility session began and was
   * last confirmed, ms. `connections`: those that list it. `unseen`: devices that no connection sees, without those
   * that only paused ones claim. `seen`: a connection sees it, and `unseen` is 0. `outdated`: visible devices without a
   * report since.
   */
  tenants: {
    key: string
    id: string
    name: string
    region: string | null
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
  /** The node of a site's account, where it is the tenant's only one and the tree leaves its level out. */
  onlyAccount?: string
}

/** A device of a page. `failed`: fields that were not reported; they keep their former value and age. */
export type DeviceFact = DeviceFields & { failed?: readonly BaseField[] }

export interface PageInput {
  service: string
  tenant: string
  generation: number
  /** Order of the moment when the page was requested (see `LiveEvent.order`): later events beat it (invariant 10). */
  requestOrder: number
  /** When it was requested, ms: up to then its values are known to have held. Default: `at`. */
  requestedAt?: number
  /** When the answer arrived. */
  at: number
  devices: DeviceFact[]
  /** The state of the sync after this page, written in the same transaction; null ends it. */
  next: PullState | null
  /** The connection whose sync this is, see `finish`. Nothing is written while it does not list the tenant. */
  connection?: string
}

/** The state of an interrupted full sync in the cache. */
export type PullState = StoredPull
