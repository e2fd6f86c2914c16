import { z } from 'zod'
import { cutName, isId, maxTenants } from '../../src-shared/model/bounds.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { maxPageToken, maxEdges } from './bounds.ts'
import type { DeviceFields, NamedRef, TenantFields } from '../../src-shared/model/inventory.ts'
import { baseFields, type BaseField, plainValues } from '../../src-shared/model/base-fields.ts'
import { readErrors, type ServiceError } from './classify.ts'

/**
 * The network boundary: answers of the service become typed records here, once (invariant 11). Unknown fields are
 * ignored, never an error; an unreadable part loses that part alone (invariant 7).
 */

/** A device as an answer reported it. `failed`: fields that the service failed to report or was not asked for. */
export type DeviceUpdate = DeviceFields & { failed?: readonly BaseField[] }

export interface PageRead {
  devices: DeviceUpdate[]
  /** The edges as received, for readers of other fields. */
  edges: readonly unknown[]
  /** Number of nodes that could not be read (null, or without an id). */
  unreadable: number
  /** Failures beside or above the devices; a failure of a single field is recorded with its device. */
  failures: readonly ServiceError[]
  totalCount: number | null
  nextToken: string | null
  hasNextPage: boolean
  /**
   * There is no token of a next page, and the service does not say that this page was the last: it says that there are
   * more, or nothing about pages.
   */
  cut: boolean
}

/*
 * Nodes and events are read without a schema library: twenty thousand of them arrive in a second, and a library makes
 * several objects for each value, whose garbage collection would block the core.
 */

type Wire = Record<string, unknown>

export function objectOf(value: unknown): Wire | null {
  return typeof value === 'object' && value !== null ? (value as Wire) : null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? cutName(value) : '')

/** Returns the id, which may be a number in services whose `ID` is one; null where it is invalid. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && isId(value) ? value : null
}

/** Returns whether an object's id is too long to store. Shortened, it could equal another id. */
function isOverlong(value: unknown): boolean {
  const id = objectOf(value)?.['id']
  return typeof id === 'string' && id !== '' && !isId(id)
}

/** Returns a reference. Where a service offers only id or name, it serves as both. */
function refOf(value: unknown): NamedRef | null {
  const wire = objectOf(value)
  if (wire === null) return null
  const name = wire['name'] === undefined ? null : textOf(wire['name'])
  const id = idOf(wire['id'] === undefined ? name : wire['id'])
  return id === null ? null : { id, name: name ?? id }
}

/** The year 2100: a later time is not in the assumed unit. */
const latest = Date.UTC(2100, 0)
const zoneless = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/

/**
 * Returns a time, ms since the epoch: ISO 8601 in UTC as in the twin (section 7). The specification shows no format, so
 * epochs are accepted too, as numbers or text, in s, ms, µs or ns. Returns null for anything else.
 */
function timeOf(value: unknown): number | null {
  const text = textOf(value).slice(0, 40).trim()
  if (typeof value === 'number' || /^\d{9,19}(\.\d+)?$/.test(text)) return epochOf(Number(value))
  const time = Date.parse(zoneless.test(text) ? `${text.replace(' ', 'T')}Z` : text)
  return Number.isFinite(time) ? time : null
}

function epochOf(value: number): number | null {
  const time = [1000, 1, 1e-3, 1e-6]
    .map((unit) => value * unit)
    .find((ms, index) => Math.abs(ms) < latest && (index > 0 || value < 1e11))
  return time === undefined || !Number.isFinite(time) ? null : Math.trunc(time)
}

const online: ReadonlySet<string> = new Set(['true', '1', 'online', 'connected', 'yes'])
const offline: ReadonlySet<string> = new Set(['false', '0', 'offline', 'disconnected', 'no'])

/**
 * Returns the status: a boolean in the twin; the specification names no type, so numbers and words are accepted too.
 * Returns null, unknown, for any other value.
 */
function connectedOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'number' ? String(value) : textOf(value).slice(0, 20).trim().toLowerCase()
  return online.has(word) || (offline.has(word) ? false : null)
}

/** Reads one device; null where it has no usable id. `isFailed` tells whether a field's value failed. */
export function deviceOf(
  value: unknown,
  isFailed: (field: BaseField, value: unknown) => boolean = () => false,
): DeviceUpdate | null {
  const wire = objectOf(value)
  const id = idOf(wire?.['id'])
  // Without its site, the device would seem to belong to none.
  if (wire === null || id === null || isOverlong(wire['site']) || isOverlong(wire['room'])) return null
  const failed = baseFields.filter((field) => wire[field] === undefined || isFailed(field, wire[field]))
  return {
    id,
    ...plainValues(
      (field) => textOf(wire[field]),
      (field) => timeOf(wire[field]),
    ),
    ...(failed.length > 0 && { failed }),
    name: wire['name'] === undefined ? id : textOf(wire['name']),
    connected: connectedOf(wire['connected']),
    site: refOf(wire['site']),
    room: refOf(wire['room']),
  }
}

const text = z.string().transform(cutName).catch('')
const id = z.union([z.string().refine(isId), z.number().transform(String)])

const tenant = z.object({ id, name: text, region: z.object({ id }).nullable().catch(null) })

const total = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().min(0))
  .nullish()
  .catch(null)
const paging = z.object({
  totalCount: total,
  nextToken: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  hasNextPage: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
    .nullish()
    .catch(null),
})

const connection = paging.extend({
  edges: z.array(z.unknown()).nullish().catch(null),
  pageInfo: paging.nullish().catch(null),
  error: z.unknown().optional(),
  errors: z.unknown().optional(),
})

const search = z.object({ tenant: z.object({ inventory: z.object({ deviceSearch: connection }) }) })

/**
 * Reads `tenants { id name region { id } }`, the first 20,000; `over`: number of further ones. A repeated tenant counts
 * once. Throws `no-data` when there is no list.
 */
export function readTenants(
  data: unknown,
  errors: readonly ServiceError[] = [],
): { tenants: TenantFields[]; unreadable: number; over: number } {
  const list = z.object({ tenants: z.array(z.unknown()) }).safeParse(data)
  if (!list.success) throw new FaultError('no-data', 'no list of tenants')
  const failed = new Set(
    errors.flatMap(({ path }) => (path?.[0] === 'tenants' && path.length > 2 ? `${path[1]} ${path[2]}` : [])),
  )
  const entries = list.data.tenants.slice(0, maxTenants)
  const tenants = entries.flatMap((entry, index) => {
    const read = tenant.safeParse(entry)
    if (!read.success) return []
    const { id, name, region } = read.data
    const missing = (['name', 'region'] as const).filter(
      (field) => objectOf(entry)?.[field] === undefined || failed.has(`${index} ${field}`),
    )
    return [{ id, name: name || id, region: region?.id ?? null, ...(missing.length > 0 && { failed: missing }) }]
  })
  const unique = [...new Map(tenants.map((each) => [each.id, each])).values()]
  return {
    tenants: unique,
    unreadable: entries.length - tenants.length,
    over: list.data.tenants.length - entries.length,
  }
}

/**
 * Reads a page of `tenant(id).inventory.deviceSearch`. Returns null when the service returned no such part (its
 * `errors` say why). Throws `paging` where the page, or the token of the next one, exceeds its limit.
 */
export function readPage(
  data: unknown,
  errors: readonly ServiceError[] = [],
  redact: (text: string) => string = (text) => text,
): PageRead | null {
  const read = search.safeParse(data)
  if (!read.success) return null
  const { edges, pageInfo, ...beside } = read.data.tenant.inventory.deviceSearch
  if (edges === null || edges === undefined) return null
  if (edges.length > maxEdges) throw new FaultError('paging', `a page of ${edges.length} devices`)
  // It was requested and is missing, so it is unknown whether this was the last page.
  if (pageInfo === null && beside.nextToken === undefined) return null
  const { cells, rest } = failuresOf(errors)
  const own = readErrors([...ownErrors(beside.error), ...ownErrors(beside.errors)], redact)
  const failures = [...rest, ...own]
  const devices = edges.flatMap((edge, index) => readNode(edge, cells.get(index), failures.length > 0))
  const reported = {
    totalCount: pageInfo?.totalCount ?? beside.totalCount ?? null,
    nextToken: pageInfo?.nextToken === undefined ? beside.nextToken : pageInfo.nextToken,
    more: pageInfo?.hasNextPage ?? beside.hasNextPage,
  }
  const nextToken = reported.nextToken === '' || reported.nextToken === undefined ? null : reported.nextToken
  if (nextToken !== null && nextToken.length > maxPageToken)
    throw new FaultError('paging', 'the token of the next page is too long')
  return {
    devices,
    edges,
    unreadable: edges.length - devices.length,
    failures,
    totalCount: reported.totalCount,
    nextToken,
    // "until hasNextPage is false and/or nextToken is null" (service-spec.md, section 4)
    hasNextPage: reported.more !== false && nextToken !== null,
    cut:
      nextToken === null &&
      (reported.more === true || (reported.more === undefined && reported.nextToken === undefined)),
  }
}

/** Groups errors by the field of the edge that they concern (`…, edges, 3, node, site, name`), and the rest. */
function failuresOf(errors: readonly ServiceError[]): { cells: Map<number, Set<string>>; rest: ServiceError[] } {
  const cells = new Map<number, Set<string>>()
  const rest: ServiceError[] = []
  for (const error of errors) {
    const at = error.path?.indexOf('edges') ?? -1
    const [index, , field] = at < 0 ? [] : (error.path ?? []).slice(at + 1)
    if (typeof index !== 'number' || typeof field !== 'string') rest.push(error)
    else cells.set(index, (cells.get(index) ?? new Set()).add(field))
  }
  return { cells, rest }
}

/**
 * Returns the failure that the search itself reports, in any form: a text, a number, an object with a message under any
 * name, or a list of these. Empty values, and objects of empty values, are no error.
 */
function ownErrors(value: unknown): ServiceError[] {
  if (Array.isArray(value)) return value.slice(0, 10).flatMap(ownErrors)
  if (isNothing(value)) return []
  const parts = Object.entries(objectOf(value) ?? {}).filter(([name]) => name !== '__typename')
  if (parts.length > 0 && parts.every(([, part]) => isNothing(part))) return []
  return [{ message: wordsOf(value, 3) ?? '', code: null, path: null }]
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === false || value === 0

/** Names under which an error usually has its message, the best first. */
const wordNames = ['message', 'description', 'reason', 'detail', 'details', 'title', 'text', 'code', 'type']

/** Returns the message of a value or of its members; null: none. */
function wordsOf(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value === 'number') return String(value)
  const wire = objectOf(value)
  if (wire === null || depth === 0) return null
  const parts = Object.entries(wire)
    .filter(([name, part]) => name !== '__typename' && !isNothing(part))
    .slice(0, 20)
  const order = (name: string) => (wordNames.indexOf(name) + wordNames.length + 1) % (wordNames.length + 1)
  const words = parts
    .toSorted(([one], [other]) => order(one) - order(other))
    .map(([, part]) => wordsOf(part, depth - 1))
  return words.find((each) => each !== null) ?? null
}

/** `isDoubtful`: something failed at an unknown place, so that a null may be a failure. */
function readNode(edge: unknown, failed: ReadonlySet<string> | undefined, isDoubtful: boolean): DeviceUpdate[] {
  const device = deviceOf(
    objectOf(edge)?.['node'],
    (field, value) => failed?.has(field) === true || (isDoubtful && value === null),
  )
  return device === null ? [] : [device]
}

/**
 * Reads devices that were requested under aliases (`d0`, `d1` and so on), in that order; null for a device that the
 * service does not know or fails to report.
 */
export function readStatesByIds(
  data: unknown,
  count: number,
  errors: readonly ServiceError[] = [],
): (Pick<DeviceFields, 'id' | 'connected' | 'lastDetected'> | null)[] {
  const wire = objectOf(data)
  return Array.from({ length: count }, (_, index) => {
    const device = deviceOf(wire?.[`d${index}`])
    const isReported =
      device?.failed?.includes('connected') !== true && !errors.some(({ path }) => path?.[0] === `d${index}`)
    return device === null || !isReported
      ? null
      : { id: device.id, connected: device.connected, lastDetected: device.lastDetected }
  })
}

/**
 * Returns whether the status is missing. A requested field that is left out arrives as null: where the tenant is null
 * too, the service sent neither.
 */
const isUnreported = ({ connected, tenantId }: Wire): boolean =>
  connected === undefined || (connected === null && tenantId === null)

/**
 * A device as the stream reported it. `connected` is undefined where the event has no such field, and null where the
 * service does not know.
 */
export interface EventUpdate {
  id: string
  tenant: string | null
  connected: boolean | null | undefined
  name: string | null
  /** Ids; null: without a valid one; missing: the event has no such field. */
  site?: string | null
  room?: string | null
  siteName?: string
  roomName?: string
}

/** An event whose device cannot be read, only its tenant. */
export interface EventUnread {
  id: null
  tenant: string
}

/**
 * Reads one `next` of the device stream: the payload's one field, whatever its name, with one device or a list of them.
 * Null stands for each that cannot be read.
 */
export function readEvents(data: unknown): (EventUpdate | EventUnread | null)[] {
  const payload = Object.values(objectOf(data) ?? {})[0]
  return Array.isArray(payload) ? payload.map(readEvent) : [readEvent(payload)]
}

/** Reads the device itself, or an event that contains the device or its id under `deviceId`. */
function readEvent(payload: unknown): EventUpdate | EventUnread | null {
  const outer = objectOf(payload)
  if (outer === null) return null
  const own = idOf(outer['id'])
  const inner = own === null ? (objectOf(outer['device']) ?? objectOf(outer['node'])) : null
  const wire = inner ?? outer
  const id = own ?? idOf(inner?.['id']) ?? idOf(outer['deviceId'])
  const tenant = idOf(wire['tenantId']) ?? idOf(outer['tenantId'])
  if (id === null) return tenant === null ? null : { id, tenant }
  const name = wire['name']
  return {
    id,
    tenant,
    connected: isUnreported(wire) ? undefined : connectedOf(wire['connected']),
    name: typeof name === 'string' ? cutName(name) : null,
    ...placeIn(wire, 'site'),
    ...placeIn(wire, 'room'),
  }
}

/** Reads `siteId`, or `site { id name }`; likewise of a room. */
function placeIn(wire: Wire, kind: 'site' | 'room'): Pick<EventUpdate, 'site' | 'room' | 'siteName' | 'roomName'> {
  const of = wire[kind]
  const inner = objectOf(of)
  if (wire[`${kind}Id`] === undefined && (of === undefined || (inner !== null && inner['id'] === undefined))) return {}
  const id = idOf(inner?.['id']) ?? idOf(wire[`${kind}Id`])
  const name = inner?.['name']
  return { [kind]: id, ...(id !== null && typeof name === 'string' && { [`${kind}Name`]: cutName(name) }) }
}
