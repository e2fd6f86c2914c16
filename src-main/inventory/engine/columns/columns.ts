import {
  plainValues,
  type TextField,
  type TimeField,
  textFields,
  timeFields,
} from '../../../../src-shared/model/base-fields.ts'
import type { Since } from '../../../../src-shared/model/inventory.ts'

/**
 * The rows as a struct of arrays. A row has a slot for life; a slot that became free is used again. Times are ms with
 * NaN for "not reported". Text that many rows share (plain texts, places) is stored once and referenced by index.
 */
export interface Columns {
  capacity: number
  /** No slot at or above this was ever used. */
  top: number
  count: number
  readonly free: number[]
  readonly slotOf: Map<string, number>
  readonly key: string[]
  readonly id: string[]
  readonly name: string[]
  /** Name and id folded for the text filter; made with the signature at the first search (search.ts). */
  readonly searchText: (string | undefined)[]
  /** One column for each 32-bit word of the signature: a search reads only those that it needs. */
  readonly signature: Uint32Array[]
  /** 1: `searchText` and `signature` are up to date. */
  searchTextReady: Uint8Array
  alive: Uint8Array
  /** -1 not reported, 0 no, 1 yes. */
  connected: Int8Array
  /** Codes below. */
  status: Uint8Array
  /**
   * 1: the last full sync has left the row out, and nothing has reported it since. Not stored: after a start all rows
   * are unknown.
   */
  unconfirmed: Uint8Array
  /** Rows whose subscription was lost while their connection goes on: until when it reported them, ms. */
  readonly subscribedUntil: Map<number, number>
  /** Rows whose last answer left fields out: when each of these was last reported, ms, by name. */
  readonly staleFields: Map<number, Readonly<Record<string, number>>>
  /** 1: connections have seen the row one after the other without a gap, since before those that see it now. */
  handedOver: Uint8Array
  /** 1: a connection sees the row, so that its `connected` counts. It may be unknown here all the same (`Inventory.shown`). */
  visible: Uint8Array
  /** Rows of which `unconfirmed`, `handedOver` or `subscribedUntil` is not in the cache; null where that is not kept. */
  unsaved: Set<number> | null
  /** Index of the room's place. */
  room: Int32Array
  /** The room's chain of rows; -1 ends it. */
  next: Int32Array
  prev: Int32Array
  sinceSeen: Uint8Array
  sinceAt: Float64Array
  seenAt: Float64Array
  /** When name, site and room were reported, ms: the oldest of them. */
  placedAt: Float64Array
  /** The plain fields (base-fields.ts). */
  readonly texts: Record<TextField, TextColumn>
  readonly times: Record<TimeField, Float64Array>
  /**
   * Generation and claimant (index into `claimants`) of the row's first claim; rows with more are in `claims`
   * (claims.ts).
   */
  generation: Float64Array
  claimant: Int32Array
  /** Order of the request whose answer last reported the row; 0 for none. */
  requestOrder: Float64Array
  readonly claims: Map<number, readonly { connection: string; generation: number }[]>
  readonly claimants: string[]
}

/** Texts that rows share: each text once, and for each slot its index. */
export interface TextColumn {
  values: Int32Array
  readonly texts: string[]
  readonly indexOf: Map<string, number>
}

/** 32-bit words of a row's signature. */
export const signatureWords = 18

/** In the order of the status column: offline comes first. */
export const statusCodes = { disconnected: 0, unknown: 1, connected: 2 } as const
export const statusNames = ['disconnected', 'unknown', 'connected'] as const

export function newColumns(): Columns {
  const none = new Float64Array(0)
  return {
    capacity: 0,
    top: 0,
    count: 0,
    free: [],
    slotOf: new Map(),
    key: [],
    id: [],
    name: [],
    searchText: [],
    signature: Array.from({ length: signatureWords }, () => new Uint32Array(0)),
    searchTextReady: new Uint8Array(0),
    alive: new Uint8Array(0),
    connected: new Int8Array(0),
    status: new Uint8Array(0),
    unconfirmed: new Uint8Array(0),
    handedOver: new Uint8Array(0),
    visible: new Uint8Array(0),
    unsaved: null,
    room: new Int32Array(0),
    next: new Int32Array(0),
    prev: new Int32Array(0),
    sinceSeen: new Uint8Array(0),
    sinceAt: none,
    seenAt: none,
    placedAt: none,
    ...newPlainColumns(),
    generation: none,
    requestOrder: none,
    claimant: new Int32Array(0),
    subscribedUntil: new Map(),
    staleFields: new Map(),
    claims: new Map(),
    claimants: [],
  }
}

function newPlainColumns(): Pick<Columns, 'texts' | 'times'> {
  const texts = textFields.map((field): [TextField, TextColumn] => [
    field,
    { values: new Int32Array(0), texts: [], indexOf: new Map() },
  ])
  const times = timeFields.map((field): [TimeField, Float64Array] => [field, new Float64Array(0)])
  return {
    texts: Object.fromEntries(texts) as Columns['texts'],
    times: Object.fromEntries(times) as Columns['times'],
  }
}

/** A slot for a new row of this key, its columns as yet unset. */
export function allocateSlot(c: Columns, key: string, id: string): number {
  const slot = c.free.pop() ?? c.top
  if (slot === c.top) {
    if (c.top === c.capacity) grow(c)
    c.top += 1
  }
  c.slotOf.set(key, slot)
  c.key[slot] = key
  c.id[slot] = id
  c.alive[slot] = 1
  c.requestOrder[slot] = 0
  c.unconfirmed[slot] = 0
  c.handedOver[slot] = 0
  c.visible[slot] = 0
  c.count += 1
  return slot
}

export function freeSlot(c: Columns, slot: number): void {
  c.slotOf.delete(textAt(c.key, slot))
  c.key[slot] = ''
  c.id[slot] = ''
  c.name[slot] = ''
  clearSearchText(c, slot)
  c.claims.delete(slot)
  c.subscribedUntil.delete(slot)
  c.staleFields.delete(slot)
  c.alive[slot] = 0
  c.count -= 1
  c.free.push(slot)
}

/** Call this when the row's name or id has changed: the next search makes its text and signature again. */
export function clearSearchText(c: Columns, slot: number): void {
  c.searchText[slot] = undefined
  c.searchTextReady[slot] = 0
}

function grow(c: Columns): void {
  const capacity = Math.max(1024, Math.ceil(c.capacity * 1.5))
  const grown = <T extends { set(from: T): void }>(to: T, from: T): T => {
    to.set(from)
    return to
  }
  c.signature.forEach((words, place) => {
    if (words.length > 0) c.signature[place] = grown(new Uint32Array(capacity), words)
  })
  c.searchTextReady = grown(new Uint8Array(capacity), c.searchTextReady)
  c.alive = grown(new Uint8Array(capacity), c.alive)
  c.connected = grown(new Int8Array(capacity), c.connected)
  c.status = grown(new Uint8Array(capacity), c.status)
  c.unconfirmed = grown(new Uint8Array(capacity), c.unconfirmed)
  c.handedOver = grown(new Uint8Array(capacity), c.handedOver)
  c.visible = grown(new Uint8Array(capacity), c.visible)
  c.room = grown(new Int32Array(capacity), c.room)
  c.next = grown(new Int32Array(capacity), c.next)
  c.prev = grown(new Int32Array(capacity), c.prev)
  c.sinceSeen = grown(new Uint8Array(capacity), c.sinceSeen)
  c.sinceAt = grown(new Float64Array(capacity), c.sinceAt)
  for (const field of textFields) c.texts[field].values = grown(new Int32Array(capacity), c.texts[field].values)
  for (const field of timeFields) c.times[field] = grown(new Float64Array(capacity), c.times[field])
  c.seenAt = grown(new Float64Array(capacity), c.seenAt)
  c.placedAt = grown(new Float64Array(capacity), c.placedAt)
  c.generation = grown(new Float64Array(capacity), c.generation)
  c.claimant = grown(new Int32Array(capacity), c.claimant)
  c.requestOrder = grown(new Float64Array(capacity), c.requestOrder)
  c.capacity = capacity
}

/** The index of a text, which is added where it is new. */
export function textIndex({ texts, indexOf }: TextColumn, text: string): number {
  const known = indexOf.get(text)
  if (known !== undefined) return known
  indexOf.set(text, texts.length)
  return texts.push(text) - 1
}

/** A cell that is known to be there: slots never lie outside of their columns. */
export function at(column: ArrayLike<number>, slot: number): number {
  return column[slot] as number
}

export function textAt(column: readonly string[], slot: number): string {
  return column[slot] ?? ''
}

/** Sets when the fields that the last answer left out were last reported; an empty record clears it. */
export function setStaleFields(c: Columns, slot: number, staleFields: Readonly<Record<string, number>>): void {
  if (Object.keys(staleFields).length === 0) c.staleFields.delete(slot)
  else c.staleFields.set(slot, staleFields)
}

/** Call this when a field has been reported. */
export function refreshField(c: Columns, slot: number, field: string): void {
  const staleFields = c.staleFields.get(slot)
  if (staleFields !== undefined && Object.hasOwn(staleFields, field))
    setStaleFields(c, slot, Object.fromEntries(Object.entries(staleFields).filter(([name]) => name !== field)))
}

export const sharedTextAt = ({ values, texts }: TextColumn, slot: number): string => textAt(texts, at(values, slot))

export const timeAt = (column: Float64Array, slot: number) => {
  const time = at(column, slot)
  return Number.isNaN(time) ? null : time
}

/** The plain fields of a row. */
export function plainValuesAt({ texts, times }: Columns, slot: number) {
  return plainValues(
    (field) => sharedTextAt(texts[field], slot),
    (field) => timeAt(times[field], slot),
  )
}

/** A time for a cell. Adding 0 makes -0 the 0 that it equals. */
export const timeCell = (time: number | null) => (time === null ? Number.NaN : time + 0)

/** -1, 0 or 1 for a `connected`. */
export const connectedCode = (connected: boolean | null) => (connected === null ? -1 : Number(connected))

export function connectedAt(c: Columns, slot: number): boolean | null {
  const code = at(c.connected, slot)
  return code === -1 ? null : code === 1
}

export function sinceAt(rows: Columns, slot: number): Since | null {
  const time = timeAt(rows.sinceAt, slot)
  return time === null ? null : { at: time, kind: rows.sinceSeen[slot] === 1 ? 'seen' : 'at-least' }
}
