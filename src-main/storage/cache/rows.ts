import type { SQLInputValue } from 'node:sqlite'
import { plainValues, textFields, timeFields } from '../../../src-shared/model/base-fields.ts'
import { cutName, isId, isPlaceId } from '../../../src-shared/model/bounds.ts'
import type { DeviceFields, Since } from '../../../src-shared/model/inventory.ts'

/** Extra fields as read, by name; null: the service returned null. */
export type Extra = Record<string, string | null>

export interface TenantId {
  service: string
  id: string
}

/** When a tenant was visible, ms: in the present or last session, and in the one before. */
export interface StoredSessions {
  sessionStart: number | null
  sessionConfirmed: number | null
  earlierStart: number | null
  earlierConfirmed: number | null
}

export interface StoredTenant extends TenantId, StoredSessions {
  name: string
  region: string | null
  lastSyncAt: number | null
  /** A page or a reconciliation came in during the present session. */
  syncedInSession: boolean
}

/** A connection that lists a tenant. */
export interface StoredListing {
  connection: string
  /** Since when it sees the tenant, ms; null: it does not. */
  visibleSince: number | null
  /** Whether its visibility is uncertain. */
  suspended: boolean
  /** Ids of the devices without a subscription. */
  unsubscribed: readonly string[]
}

/** What is known of the sight of a row beside its report (engine/columns/columns.ts). */
export interface StoredSight {
  unconfirmed: boolean
  handedOver: boolean
  /** Ms; null: its subscription was not lost. */
  subscribedUntil: number | null
}

export interface StoredDevice extends DeviceFields {
  since: Since | null
  seenAt: number
  /** When name, site and room were reported, ms: the oldest of them. */
  placedAt: number
  claims: StoredClaims
  /** When fields that the last answer left out were last reported, ms, by name. */
  staleFields?: Readonly<Record<string, number>> | undefined
  /** Order of the request whose answer last reported it; 0 for none. */
  requestOrder: number
}

/** The connections that have brought a row, with their generations. At least one. */
export type StoredClaims = readonly { connection: string; generation: number }[]

export interface StoredPull {
  generation: number
  nextToken: string
  pageSize: number | null
  pages: number
  read: number
  startedAt: number
}

export const bool = (value: boolean | null) => (value === null ? null : Number(value))
export const seen = (device: StoredDevice) => Number(device.since?.kind === 'seen')

/** A device's cells, in the order of the columns (schema.ts). */
export function deviceValues(d: StoredDevice): SQLInputValue[] {
  return [
    d.id,
    d.name,
    bool(d.connected),
    d.site?.id ?? null,
    d.site?.name ?? null,
    d.room?.id ?? null,
    d.room?.name ?? null,
    d.since?.at ?? null,
    seen(d),
    d.seenAt,
    d.placedAt,
    d.claims[0]?.generation ?? 0,
    ...claimTexts(d.claims),
    staleFieldsText(d.staleFields),
    d.requestOrder,
    ...textFields.map((field) => d[field]),
    ...timeFields.map((field) => d[field]),
  ]
}

/** The first claimant, and the others as JSON; null without others. */
export const claimTexts = (claims: StoredClaims): [string, string | null] => [
  claims[0]?.connection ?? '',
  claims.length > 1
    ? JSON.stringify(claims.slice(1).map(({ connection, generation }) => [connection, generation]))
    : null,
]

const staleFieldsText = (staleFields: StoredDevice['staleFields']): string | null =>
  staleFields === undefined || Object.keys(staleFields).length === 0 ? null : JSON.stringify(staleFields)

function staleFieldsOf(stored: unknown): Pick<StoredDevice, 'staleFields'> {
  const parsed: unknown = typeof stored === 'string' ? JSON.parse(stored) : null
  if (typeof parsed !== 'object' || parsed === null) return {}
  return {
    staleFields: Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    ),
  }
}

function claimsOf(generation: unknown, claimant: unknown, more: unknown): StoredClaims {
  const first = { connection: text(claimant), generation: Number(generation) }
  if (typeof more !== 'string') return [first]
  const parsed: unknown = JSON.parse(more)
  const others = Array.isArray(parsed) ? (parsed as unknown[][]) : []
  return [
    first,
    ...others.map(([connection, number]) => ({ connection: text(connection), generation: Number(number) })),
  ]
}

/** Where the cells of the plain fields begin in a row of `devices` (schema.ts). */
const firstText = 19
const firstTime = firstText + textFields.length
const firstOfSight = firstTime + timeFields.length

/** A row of `devices` as a device; null when its ids are invalid. */
export function deviceOf(c: unknown[]): StoredDevice | null {
  const [id, site, room] = [text(c[3]), c[6], c[8]]
  if (!isId(id) || !isPlaceOrNone(site) || !isPlaceOrNone(room)) return null
  return {
    ...plainValues(
      (_field, index) => cutName(text(c[firstText + index])),
      (_field, index) => time(c[firstTime + index]),
    ),
    id,
    name: cutName(text(c[4])),
    connected: c[5] === null ? null : c[5] === 1,
    site: site === null ? null : { id: text(site), name: cutName(text(c[7])) },
    room: room === null ? null : { id: text(room), name: cutName(text(c[9])) },
    since: c[10] === null ? null : { at: Number(c[10]), kind: c[11] === 1 ? 'seen' : 'at-least' },
    seenAt: Number(c[12]),
    placedAt: Number(c[13]),
    claims: claimsOf(c[14], c[15], c[16]),
    ...staleFieldsOf(c[17]),
    requestOrder: Number(c[18]),
  }
}

/** Returns what is known of the sight of a row of `devices`. */
export function sightOf(c: readonly unknown[]): StoredSight {
  return {
    unconfirmed: c[firstOfSight] === 1,
    handedOver: c[firstOfSight + 1] === 1,
    subscribedUntil: time(c[firstOfSight + 2]),
  }
}

/** Returns a list of ids from JSON; empty for null. */
export function idsOf(stored: unknown): string[] {
  const parsed: unknown = typeof stored === 'string' ? JSON.parse(stored) : []
  return Array.isArray(parsed) ? parsed.map(text) : []
}

const isPlaceOrNone = (id: unknown) => id === null || isPlaceId(text(id))

export function pullOf(row: Record<string, unknown> | undefined): StoredPull | null {
  if (!row) return null
  return {
    generation: Number(row['generation']),
    nextToken: text(row['next_token']),
    pageSize: time(row['page_size']),
    pages: Number(row['pages']),
    read: Number(row['read']),
    startedAt: Number(row['started_at']),
  }
}

export function extraOf(stored: unknown): Extra {
  if (typeof stored !== 'string') return {}
  const parsed: unknown = JSON.parse(stored)
  if (typeof parsed !== 'object' || parsed === null) return {}
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, value === null ? null : String(value)]),
  )
}

export const text = (value: unknown) => (typeof value === 'string' ? value : '')
export const maybeText = (value: unknown) => (typeof value === 'string' ? value : null)
export const time = (value: unknown) => (typeof value === 'number' ? value : null)
