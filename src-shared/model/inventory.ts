import { z } from 'zod'
import { plainValues, textFields, timeFields } from './base-fields.ts'
import { message } from './messages.ts'
import { faultKinds } from './fault.ts'

/**
 * The inventory's types (design, section 1). Times are in ms since the epoch; `null` is "the service did not say".
 * Field names are the service's own (service-spec.md, section 2).
 */

/** `unknown`: Muster cannot see the device now, or the service does not say. It is never shown as online or offline. */
export const deviceStatus = z.enum(['connected', 'disconnected', 'unknown'])
export type DeviceStatus = z.infer<typeof deviceStatus>

/** A site or room with its name, as the specification's `site` and `room` objects. */
export const namedRef = z.object({ id: z.string(), name: z.string() })
export type NamedRef = z.infer<typeof namedRef>

/**
 * Since when the status holds. `seen`: Muster saw the transition. `at-least`: the true beginning is at or before this,
 * because the transition was missed or the device had this status when first seen.
 */
export const since = z.object({ at: z.number(), kind: z.enum(['seen', 'at-least']) })
export type Since = z.infer<typeof since>

/** What the service tells about a room beyond its name; null: it did not say. */
export const roomFacts = z.object({
  capacity: z.number().nullable(),
  size: z.string().nullable(),
  floor: z.string().nullable(),
})
export type RoomFacts = z.infer<typeof roomFacts>

export const tenantRef = z.object({
  /** Unique over all services: `<service>/<id>`. */
  key: z.string(),
  id: z.string(),
  name: z.string(),
  /** For example `US-1` or `EU-1`; null when the service names none. */
  region: z.string().nullable(),
})
export type TenantRef = z.infer<typeof tenantRef>

/** A tenant as the service returns it. */
export interface TenantFields {
  id: string
  name: string
  region: string | null
  /** Fields that the service failed to return; their former values stay. */
  failed?: readonly ('name' | 'region')[]
}

/** The plain fields of a device (base-fields.ts), by name. */
export type PlainFields = ReturnType<typeof plainValues<string, number | null>>

/**
 * The device fields of the specification as read from the wire; times in ms. `connected` is null when the service does
 * not say.
 */
export interface DeviceFields extends PlainFields {
  id: string
  name: string
  connected: boolean | null
  site: NamedRef | null
  room: NamedRef | null
}

/** One row of the inventory: the specification's fields, and Muster's own data about the device. */
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
  /** The service's last value of `connected`, kept while the status is unknown. */
  connected: z.boolean().nullable(),
  /** Null also in a tenant without a level of accounts (`nodeKind`). */
  account: namedRef.nullable(),
  site: namedRef.nullable(),
  room: namedRef.nullable(),
  tenant: tenantRef,
  since: since.nullable(),
  /** When the service last returned anything about this device. */
  seenAt: z.number(),
  /** When it last returned name, site and room, the oldest of them: an event may carry the status alone. */
  placedAt: z.number(),
  /** Times (ms) of fields that the service left out of its last answer about the device. */
  staleFields: z.record(z.string(), z.number()).optional(),
  /**
   * Values of the active extra columns as text, by column name. Null: the service returned null. A missing name was not
   * read yet.
   */
  extra: z.record(z.string(), z.string().nullable()),
  /** The operator's tags of the device and the places that it is in, and the nearest of their notes, cut; missing where there is none. */
  tags: z.array(z.string()).optional(),
  note: z.string().optional(),
})
export type DeviceRow = z.infer<typeof deviceRow>

export const counts = z.object({
  connected: z.number(),
  disconnected: z.number(),
  unknown: z.number(),
})
export type Counts = z.infer<typeof counts>

/**
 * A change of a device's `connected`. `notBefore` is null when it was observed, or else the start of the span in which
 * it happened.
 */
export const transition = z.object({
  at: z.number(),
  notBefore: z.number().nullable(),
  connected: z.boolean(),
})
export type Transition = z.infer<typeof transition>

export const deviceDetail = z.object({
  row: deviceRow,
  /** Extra fields that the service returned, by their own names, as text, including those of columns that are off. */
  extra: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Newest first, at most 100. */
  transitions: z.array(transition),
  /** Ids of the connections that list this device. */
  connections: z.array(z.string()),
  /** Of the device's room; missing where the service tells nothing. */
  roomFacts: roomFacts.optional(),
})
export type DeviceDetail = z.infer<typeof deviceDetail>

/**
 * Kinds of the tree's nodes. A tenant has accounts where its service lists more than one; sites whose account is not
 * known are below a placeless one. Sites and rooms that the service lists are there without devices too. Devices without a site or room are below a `site` or `room` node of their own
 * (`placeless`).
 */
export const nodeKind = z.enum(['region', 'tenant', 'account', 'site', 'room', 'device'])
export type NodeKind = z.infer<typeof nodeKind>

/** A search of places by name: with `within` below this node only, with `kind` of this kind only. */
export const placesByName = z.object({
  find: z.string().max(200),
  within: z.string().max(2048).optional(),
  kind: nodeKind.optional(),
  empty: z.boolean().optional(),
})

/**
 * One visible line of the tree, with everything that an ARIA `treeitem` needs, so that the window never holds the tree.
 */
export const treeRow = z.object({
  /** Opaque node id, usable as a scope. */
  id: z.string(),
  /** Id of the parent node; null at the top. */
  parent: z.string().nullable(),
  kind: nodeKind,
  name: z.string(),
  /** Starts at 1, for a region. */
  level: z.number(),
  setSize: z.number(),
  /** Starts at 1. */
  posInSet: z.number(),
  /** Null for a device, which cannot be expanded. */
  expanded: z.boolean().nullable(),
  /**
   * True for "No account", "No site", "No room" and "No region". For a placeless site or room, `connections` are those that list its
   * tenant; fields that none of their services offers are not offered.
   */
  placeless: z.boolean(),
  connections: z.array(z.string()).optional(),
  /** Of a room; missing where the service tells nothing. */
  roomFacts: roomFacts.optional(),
  /** Of a site: the node of its account, where it is the tenant's only one and the tree leaves its level out. */
  onlyAccount: z.string().optional(),
  counts,
  /** Time of the oldest full sync below this node; null when a part was never read. For a device: its `seenAt`. */
  readAt: z.number().nullable(),
})
export type TreeRow = z.infer<typeof treeRow>

/** The scope of the whole fleet. */
export const everything = 'all'

export const sortColumns = [
  'name',
  'status',
  'since',
  ...textFields,
  'site',
  'room',
  'account',
  'tenant',
  'region',
  ...timeFields,
  'tags',
  'note',
  'id',
  'seenAt',
  'placedAt',
] as const

export const sortColumn = z.enum(sortColumns)
export type SortColumn = z.infer<typeof sortColumn>

/** A column of the table: one of Muster's own, or `extra:` and the name of an extra field that the service offers. */
export const columnId = z.union([sortColumn, z.templateLiteral(['extra:', z.string().min(1).max(200)])])
export type ColumnId = z.infer<typeof columnId>

export const sort = z.object({ column: columnId, direction: z.enum(['asc', 'desc']) })
export type Sort = z.infer<typeof sort>

/** The longest filter, characters: a list of some thousand ids. */
export const maxFilter = 200_000

/** The table's query. */
export const inventoryQuery = z.object({
  /** A node id of the tree, or `everything`. */
  scope: z.string().max(2048),
  /**
   * A text of the filter language (filter.ts); '' matches everything. Fails with a fault of kind `input` that names an
   * invalid word.
   */
  filter: z.string().max(maxFilter),
  sort: z.array(sort).max(4),
})
export type InventoryQuery = z.infer<typeof inventoryQuery>

export const fault = z.object({ kind: z.enum(faultKinds), detail: z.string() })

/** An extra field of devices that a service offers beyond the base fields, found by its schema. */
export const extraColumn = z.object({
  /** The field's name in the service's schema; `user.email` for a member of an object. */
  name: z.string(),
  type: z.enum(['text', 'number', 'time', 'boolean']),
  on: z.boolean(),
  /** Number of devices for which it was read, and of those whose service offers it. */
  read: z.number(),
  of: z.number(),
  /** True while it is read in the background. */
  reading: z.boolean(),
  /** Why reading it has stopped; null when it has not. */
  fault: fault.nullable(),
})
export type ExtraColumn = z.infer<typeof extraColumn>

/** A saved view: a query with a name. */
export const savedView = z.object({
  id: z.string().max(64),
  name: z.string().trim().min(1, 'Give it a name.').max(200),
  query: inventoryQuery,
  /** Shown columns in order; null for the operator's usual ones. */
  columns: z.array(columnId).max(100).nullable(),
  /** Opened at the start. At most one view is the default. */
  isDefault: z.boolean(),
})
export type SavedView = z.infer<typeof savedView>

/** A notification (design, section 8). Lists have the newest first. */
export const notification = z.object({
  id: z.string(),
  at: z.number(),
  /**
   * `digest`: several incidents in one, after an absence, a pause or a maintenance window, or in a storm. `unlisted`:
   * an end like `recovered`, of devices that the service no longer lists.
   */
  kind: z.enum(['offline', 'recovered', 'unlisted', 'flapping', 'digest', 'monitoring-lost', 'monitoring-restored']),
  message,
  devices: z.number(),
  /**
   * The target of a click: the incident if it is about one (`incident`, missing in older journals), and its devices as
   * a scope of the tree and a filter; `device` if it is about a single one.
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

/**
 * `pausedUntil`: the end of a pause; null without one. `recent`: at most 50. `times`: how often one was sent;
 * `earlier`: up to 10 of its earlier messages, the newest first.
 */
export const notifications = z.object({ pausedUntil: z.number().nullable(), recent: z.array(listedNotification) })
export type Notifications = z.infer<typeof notifications>

/** A message of Muster about itself, shown until it is dismissed or no longer true. */
export const banner = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  fault,
  at: z.number(),
})
export type Banner = z.infer<typeof banner>
