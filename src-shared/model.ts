import { z } from 'zod'
import { faultKinds } from './fault.ts'

/**
 * The words of Muster as shapes (design, section 1). Times are milliseconds since the epoch; `null` is "the service did
 * not say". Field names are the service's own (service-spec.md, section 2).
 */

/** `unknown`: Muster cannot see the device now, or the service does not say. Never shown as on- or offline. */
export const deviceStatus = z.enum(['connected', 'disconnected', 'unknown'])
export type DeviceStatus = z.infer<typeof deviceStatus>

/** A named thing of the hierarchy, as the spec's `site` and `room` objects. */
export const namedRef = z.object({ id: z.string(), name: z.string() })
export type NamedRef = z.infer<typeof namedRef>

/**
 * Since when the status holds: `seen` (Muster saw the transition), `at-least` (already so at first sight, or the
 * transition was missed: the true beginning is at or before this).
 */
export const since = z.object({ at: z.number(), kind: z.enum(['seen', 'at-least']) })
export type Since = z.infer<typeof since>

export const tenantRef = z.object({
  /** Unique over all services: `<service>/<id>`. */
  key: z.string(),
  id: z.string(),
  name: z.string(),
  /** `US-1`, `EU-1`; null when the service names none. */
  region: z.string().nullable(),
})
export type TenantRef = z.infer<typeof tenantRef>

/** A tenant as the service tells it. */
export interface TenantFields {
  id: string
  name: string
  region: string | null
}

/** The spec's eight device fields as read from the wire; times in ms. `connected` null: the service does not say. */
export interface DeviceFields {
  id: string
  name: string
  hardwareModel: string
  connected: boolean | null
  lastDetected: number | null
  lastConfigRequestDate: number | null
  site: NamedRef | null
  room: NamedRef | null
}

/** One row of the inventory: the spec's eight fields, and what Muster knows about them. */
export const deviceRow = z.object({
  /** Unique over all services: `<service>/<tenant>/<id>` (invariant 9). */
  key: z.string(),
  id: z.string(),
  name: z.string(),
  hardwareModel: z.string(),
  status: deviceStatus,
  /** The service's last word on `connected`, kept while the status is unknown. */
  connected: z.boolean().nullable(),
  lastDetected: z.number().nullable(),
  lastConfigRequestDate: z.number().nullable(),
  site: namedRef.nullable(),
  room: namedRef.nullable(),
  tenant: tenantRef,
  since: since.nullable(),
  /** When the service last said anything about this device: its age. */
  seenAt: z.number(),
})
export type DeviceRow = z.infer<typeof deviceRow>

export const counts = z.object({
  connected: z.number(),
  disconnected: z.number(),
  unknown: z.number(),
})
export type Counts = z.infer<typeof counts>

/** A change of a device's `connected`. `notBefore` is null when it was seen live, else the honest span's beginning. */
export const transition = z.object({
  at: z.number(),
  notBefore: z.number().nullable(),
  connected: z.boolean(),
})
export type Transition = z.infer<typeof transition>

export const deviceDetail = z.object({
  row: deviceRow,
  /** Further fields that the service gave, by their own names, as text. */
  extra: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Newest first, at most 100. */
  transitions: z.array(transition),
  /** Ids of the connections that see this device. */
  connections: z.array(z.string()),
})
export type DeviceDetail = z.infer<typeof deviceDetail>

/** Kinds of the tree's nodes. Devices without a site or room hang under a `site` or `room` node of their own (`placeless`). */
export const nodeKind = z.enum(['region', 'tenant', 'site', 'room', 'device'])
export type NodeKind = z.infer<typeof nodeKind>

/** One visible line of the tree: everything that an ARIA `treeitem` needs, so that the window never holds the tree. */
export const treeRow = z.object({
  /** Node id, opaque; usable as a scope. */
  id: z.string(),
  /** Id of the parent node; null at the top. */
  parent: z.string().nullable(),
  kind: nodeKind,
  name: z.string(),
  /** 1 for a region. */
  level: z.number(),
  setSize: z.number(),
  /** From 1. */
  posInSet: z.number(),
  /** null: cannot be expanded (a device). */
  expanded: z.boolean().nullable(),
  /** True for "No site", "No room", "No region". */
  placeless: z.boolean(),
  counts,
  /** Oldest full reading below this node; null when one below was never read. For a device: its `seenAt`. */
  readAt: z.number().nullable(),
})
export type TreeRow = z.infer<typeof treeRow>

/** The scope of everything. */
export const everything = 'all'

export const sortColumns = [
  'name', 'status', 'since', 'hardwareModel', 'site', 'room', 'tenant', 'region', 'lastDetected',
  'lastConfigRequestDate', 'id', 'seenAt',
] as const
export const sortColumn = z.enum(sortColumns)
export type SortColumn = z.infer<typeof sortColumn>

export const sort = z.object({ column: sortColumn, direction: z.enum(['asc', 'desc']) })
export type Sort = z.infer<typeof sort>

/**
 * Which of the statuses. `down` is what the first view asks for: the service's last word is "not connected", seen now
 * or not, so that the list of what is down does not go blank when Muster goes blind.
 */
export const statusFilter = z.enum(['any', 'down', 'connected', 'disconnected', 'unknown'])
export type StatusFilter = z.infer<typeof statusFilter>

/** What the table asks for. */
export const inventoryQuery = z.object({
  /** A node id of the tree, or `everything`. */
  scope: z.string().max(2048),
  status: statusFilter,
  /** Free text: every word must be found in name, model, site, room, tenant or id; case and accents do not count. */
  text: z.string().max(10_000),
  sort: z.array(sort).max(4),
})
export type InventoryQuery = z.infer<typeof inventoryQuery>

/** How a connection's live socket stands. Each state holds what exists only in it. */
export const linkState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('connecting'), attempt: z.number() }),
  z.object({ state: z.literal('live'), since: z.number() }),
  z.object({ state: z.literal('waiting'), attempt: z.number(), retryAt: z.number() }),
  /** The service offers no stream: readings alone tell of changes. */
  z.object({ state: z.literal('readings-only') }),
])
export type LinkState = z.infer<typeof linkState>

export const fault = z.object({ kind: z.enum(faultKinds), detail: z.string() })

/** What the reading of a connection's estate is doing. Counts are devices. */
export const syncState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    state: z.literal('reading'),
    /** `inventory`: everything anew. `changes`: the cheap comparison after a subscription. */
    what: z.enum(['inventory', 'changes']),
    read: z.number(),
    /** Best known total; null until the service said it. */
    expected: z.number().nullable(),
    tenantsDone: z.number(),
    tenants: z.number(),
  }),
  /** No points left: goes on at `until`. */
  z.object({ state: z.literal('holding'), what: z.enum(['inventory', 'changes']), read: z.number(), expected: z.number().nullable(), until: z.number() }),
])
export type SyncState = z.infer<typeof syncState>

/** A connection as the window may know it: never with its secret. */
export const connectionState = z.object({
  id: z.string(),
  name: z.string(),
  demo: z.boolean(),
  tokenUrl: z.string(),
  graphqlUrl: z.string(),
  subscriptionUrl: z.string(),
  clientId: z.string(),
  ca: z.string(),
  subscription: z.string(),
  /** Where the secret is: in the system's keychain, in memory until quit, or missing. */
  secret: z.enum(['keychain', 'session', 'missing']),
  link: linkState,
  sync: syncState,
  /** When the last stream event came. */
  lastEventAt: z.number().nullable(),
  /** When the last full reading was complete. */
  lastReadingAt: z.number().nullable(),
  /** What stands in the way now, oldest first; empty when all is well. `where` names the leg or the tenant. */
  faults: z.array(z.object({ where: z.string(), fault, at: z.number() })),
})
export type ConnectionState = z.infer<typeof connectionState>

/** What the operator types to make or change a connection. An empty secret keeps the one that is known. */
export const connectionInput = z.object({
  id: z.string().max(64).nullable(),
  name: z.string().trim().min(1, 'Give it a name.').max(200),
  tokenUrl: z.string().trim().max(2000),
  graphqlUrl: z.string().trim().max(2000),
  subscriptionUrl: z.string().trim().max(2000),
  clientId: z.string().trim().min(1, 'The client id is missing.').max(500),
  clientSecret: z.string().max(4000),
  ca: z.string().max(100_000),
  /** Subscription document; empty for the usual one. */
  subscription: z.string().max(10_000),
})
export type ConnectionInput = z.infer<typeof connectionInput>

export const lanes = ['person', 'reconcile', 'visible', 'background'] as const
export const lane = z.enum(lanes)
export type Lane = z.infer<typeof lane>

/** The cost gauge of one credential set (service-spec.md, section 8). Points, and milliseconds since the epoch. */
export const gauge = z.object({
  /** Name of the connection (or connections) that use the credential set. */
  name: z.string(),
  limit: z.number(),
  remaining: z.number(),
  /** When the balance resets; null before the first answer. */
  resetAt: z.number().nullable(),
  /** False before the service gave its own figures: then these are Muster's guess. */
  known: z.boolean(),
  /** What Muster used in this window, lane by lane. */
  burned: z.object({ person: z.number(), reconcile: z.number(), visible: z.number(), background: z.number() }),
  /** The last operations, newest first, at most 20. */
  recent: z.array(z.object({ name: z.string(), lane, cost: z.number(), at: z.number() })),
  /** Requests that wait for points. */
  waiting: z.number(),
})
export type Gauge = z.infer<typeof gauge>

/** Something Muster says about itself, until it is dismissed or no longer true. */
export const notice = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  fault,
  at: z.number(),
})
export type Notice = z.infer<typeof notice>
