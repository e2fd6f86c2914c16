import { z } from 'zod'
import { plainValues, textFields, timeFields } from './base-fields.ts'
import { message } from './messages.ts'
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
 * Since when the status holds: `seen` (Muster saw the transition), `at-least` (already so at first sight, the
 * transition was missed, or most of the time was: the true beginning is at or before this).
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
  /** What the service failed to tell: there is no word on that, and what was known stays. */
  failed?: readonly ('name' | 'region')[]
}

/** The plain fields of a device (base-fields.ts), by name. */
export type PlainFields = ReturnType<typeof plainValues<string, number | null>>

/** The spec's device fields as read from the wire; times in ms. `connected` null: the service does not say. */
export interface DeviceFields extends PlainFields {
  id: string
  name: string
  connected: boolean | null
  site: NamedRef | null
  room: NamedRef | null
}

/** One row of the inventory: the spec's eight fields, and what Muster knows about them. */
export const deviceRow = z.object({
  /** Unique over all services: `<service>/<tenant>/<id>` (invariant 9). */
  key: z.string(),
  id: z.string(),
  name: z.string(),
  ...plainValues(
    () => z.string(),
    () => z.number().nullable(),
  ),
  status: deviceStatus,
  /** The service's last word on `connected`, kept while the status is unknown. */
  connected: z.boolean().nullable(),
  site: namedRef.nullable(),
  room: namedRef.nullable(),
  tenant: tenantRef,
  since: since.nullable(),
  /** When the service last said anything about this device: its age. */
  seenAt: z.number(),
  /** When fields were told (ms) that the service left out of its last word on the device. */
  staleFields: z.record(z.string(), z.number()).optional(),
  /** Values of the extra columns that are switched on, as text, by the column's name. Null: the service said null. A name that is missing has not been read yet. */
  extra: z.record(z.string(), z.string().nullable()),
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
  /** Extra fields that the service gave, by their own names, as text: those of columns that are off now as well. */
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
  /** True for "No site", "No room", "No region". Of a site or room, `connections` are then those that list its tenant: what none of their services tells is not offered. */
  placeless: z.boolean(),
  connections: z.array(z.string()).optional(),
  counts,
  /** Oldest full reading below this node; null when one below was never read. For a device: its `seenAt`. */
  readAt: z.number().nullable(),
})
export type TreeRow = z.infer<typeof treeRow>

/** The scope of everything. */
export const everything = 'all'

export const sortColumns = [
  'name',
  'status',
  'since',
  ...textFields,
  'site',
  'room',
  'tenant',
  'region',
  ...timeFields,
  'id',
  'seenAt',
] as const

export const sortColumn = z.enum(sortColumns)
export type SortColumn = z.infer<typeof sortColumn>

/** A column of the table: one of Muster's own, or `extra:` and the name of an extra field that the service offers. */
export const columnId = z.union([sortColumn, z.templateLiteral(['extra:', z.string().min(1).max(200)])])
export type ColumnId = z.infer<typeof columnId>

export const sort = z.object({ column: columnId, direction: z.enum(['asc', 'desc']) })
export type Sort = z.infer<typeof sort>

/** What the table asks for. */
export const inventoryQuery = z.object({
  /** A node id of the tree, or `everything`. */
  scope: z.string().max(2048),
  /** In the filter language (filter.ts); '' lets everything through. A fault of kind `input` names a word that cannot be used. */
  filter: z.string().max(10_000),
  sort: z.array(sort).max(4),
})
export type InventoryQuery = z.infer<typeof inventoryQuery>

export const fault = z.object({ kind: z.enum(faultKinds), detail: z.string() })

/** An extra field of devices that a service offers beyond the spec's eight, found by its schema. */
export const extraColumn = z.object({
  /** The field's name in the service's schema; `user.email` for a member of an object. */
  name: z.string(),
  type: z.enum(['text', 'number', 'time', 'boolean']),
  on: z.boolean(),
  /** Devices for which it was read, of those whose service offers it. */
  read: z.number(),
  of: z.number(),
  /** While it is being read in the background. */
  reading: z.boolean(),
  /** Why its reading stands still; null when it does not. */
  fault: fault.nullable(),
})
export type ExtraColumn = z.infer<typeof extraColumn>

/** A saved view: a question with a name. */
export const savedView = z.object({
  id: z.string().max(64),
  name: z.string().trim().min(1, 'Give it a name.').max(200),
  query: inventoryQuery,
  /** Shown columns in their order; null for the operator's usual ones. */
  columns: z.array(columnId).max(100).nullable(),
  /** Opened at the start; at most one is. */
  isDefault: z.boolean(),
})
export type SavedView = z.infer<typeof savedView>

/** One thing that the operator was told (design, section 8), newest first in lists. */
export const notification = z.object({
  id: z.string(),
  at: z.number(),
  /** `flapping`: is flapping. `digest`: several incidents as one, after an absence, a pause or a maintenance window, or in a storm. `unlisted`: an end as `recovered` is, of what the service lists no longer. */
  kind: z.enum(['offline', 'recovered', 'unlisted', 'flapping', 'digest', 'monitoring-lost', 'monitoring-restored']),
  message,
  devices: z.number(),
  /**
   * What a click opens: the incident where it is about one (`incident`, missing in what was kept before), and its devices: a
   * scope of the tree and a filter; `device` when it is about one alone.
   */
  open: z.object({
    scope: z.string(),
    filter: z.string(),
    device: z.string().nullable(),
    incident: z.string().nullable().optional(),
  }),
})
export type Notification = z.infer<typeof notification>

const listedNotification = notification.extend({
  earlier: z.array(notification.pick({ at: true, message: true })).optional(),
  times: z.int().optional(),
})

/** `pausedUntil`: nothing is told until then; null when telling is on. `recent`: at most 50; `times`: how often one was told, `earlier`: up to 10 of its words before, the newest first. */
export const notifications = z.object({ pausedUntil: z.number().nullable(), recent: z.array(listedNotification) })
export type Notifications = z.infer<typeof notifications>

/** Something Muster says about itself, until it is dismissed or no longer true. */
export const banner = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  fault,
  at: z.number(),
})
export type Banner = z.infer<typeof banner>
