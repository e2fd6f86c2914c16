import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { DevicePlace, DevicePlaces, PlacePosition } from './device-places.ts'
import { belowPrefix } from './erasure.ts'

/** A device's last known status, and since when anything is known of it (ms). */
export interface KnownState {
  connected: boolean
  knownSince: number
}

/** Receives one transition; `place` is the device's index in the requested list. */
export type Visit = (place: number, at: number, notBefore: number | null, connected: boolean) => void

/** Receives one transition of any device. */
export type VisitKey = (key: string, at: number, notBefore: number | null, connected: boolean) => void

/** Receives one interval of a device's name and place. */
export type VisitPlace = (key: string, interval: DevicePlace) => void

/** Transitions, names and places of devices over a time (inventory/reads/availability.ts). */
export interface History {
  /** Returns the states in the order of the keys; null for unknown devices. */
  states(keys: readonly string[]): (KnownState | null)[]
  /**
   * Visits the transitions of these devices since `from` (ms), each device's in the order of entry, independent of
   * clock changes.
   */
  since(keys: readonly string[], from: number, visit: Visit): void
  /**
   * Visits some transitions since `from` (ms) in the order of entry: the first ones (`after` null), or those after the
   * position that the last page returned. Returns null after the last one. To be called again, after other calls. Entries
   * of a clock that was set back later may be missing, where more than 50,000 others lie between.
   */
  page(from: number, after: number | null, limit: number, visit: VisitKey): number | null
  /** Visits the transitions of a time (ms; `until` excluded), in the order of entry. */
  between(from: number, until: number, visit: VisitKey): void
  /**
   * Visits some transitions, the last entered first: the last ones (`before` null), or those before the position that the last page
   * returned. Returns null after the first one.
   */
  pageBack(before: number | null, limit: number, visit: VisitKey): number | null
  /** Returns the first entered transition of a device at or after a time (ms); null without one. */
  nextOf(key: string, from: number): { notBefore: number | null; connected: boolean } | null
  /**
   * Returns the spans in which monitoring of a tenant was lost, without those that ended before `from`; `until` null:
   * still lost.
   */
  unseen(tenant: string, from: number): { from: number; until: number | null }[]
  /**
   * Returns a device's names and places from `from` up to `until` (ms), in the order of entry; none before the first
   * sync that entered them.
   */
  placesOf(key: string, from: number, until: number): DevicePlace[]
  /**
   * Visits some intervals of names and places, device after device, each device's in order: the first ones (`after` null), or those
   * after the position that the last page returned. Returns null after the last one.
   */
  placesPage(after: PlacePosition | null, limit: number, visit: VisitPlace): PlacePosition | null
}

/** Up to this many devices are read one by one; more by one scan of the whole time. */
const few = 400

export function historyIn(db: DatabaseSync, places: Pick<DevicePlaces, 'of' | 'page'>): History {
  const sql = prepare(db)
  return {
    states: (keys) => (keys.length <= few ? keys.map((key) => stateOf(sql.state.get(key))) : statesOf(sql, keys)),
    since: (keys, from, visit) => (keys.length <= few ? own(sql, keys, from, visit) : whole(sql, keys, from, visit)),
    page: (from, after, limit, visit) => page(sql, from, after, limit, visit),
    between(from, until, visit) {
      for (const row of sql.between.iterate(from, until) as Iterable<unknown>) {
        const [key, at, notBefore, connected] = row as [string, number, number | null, number]
        visit(key, at, notBefore, connected === 1)
      }
    },
    pageBack: (before, limit, visit) => pageBack(sql, before, limit, visit),
    nextOf(key, from) {
      const row = sql.next.get(key, from)
      return row ? { notBefore: time(row['not_before']), connected: row['connected'] === 1 } : null
    },
    unseen: (tenant, from) =>
      sql.unseen
        .all(tenant, from)
        .map(({ since, until }) => ({ from: Number(since), until: typeof until === 'number' ? until : null })),
    placesOf: (key, from, until) => places.of(key, from, until),
    placesPage: (after, limit, visit) => places.page(after, limit, visit),
  }
}

function prepare(db: DatabaseSync) {
  return {
    state: db.prepare('SELECT connected, known_since FROM state WHERE key = ?'),
    statesIn: lists(db.prepare('SELECT key, connected, known_since FROM state WHERE key >= ? AND key < ?')),
    own: db.prepare('SELECT at, not_before, connected FROM transition WHERE key = ? AND at >= ? ORDER BY id'),
    first: db.prepare('SELECT min(id) AS id FROM transition WHERE at >= ?'),
    whole: lists(db.prepare('SELECT key, at, not_before, connected FROM transition WHERE id >= ? ORDER BY id')),
    // Where the clock was set back, entries are not in the order of their times. All of a long time would take too long.
    earliest: db.prepare('SELECT min(id) AS id FROM (SELECT id FROM transition WHERE at >= ? ORDER BY at LIMIT 50000)'),
    page: lists(
      db.prepare('SELECT id, key, at, not_before, connected FROM transition WHERE id > ? ORDER BY id LIMIT ?'),
    ),
    between: lists(
      db.prepare('SELECT key, at, not_before, connected FROM transition WHERE at >= ? AND at < ? ORDER BY id'),
    ),
    pageBack: lists(
      db.prepare('SELECT id, key, at, not_before, connected FROM transition WHERE id < ? ORDER BY id DESC LIMIT ?'),
    ),
    next: db.prepare('SELECT not_before, connected FROM transition WHERE key = ? AND at >= ? ORDER BY id LIMIT 1'),
    unseen: db.prepare(
      'SELECT since, until FROM unseen WHERE tenant = ? AND (until IS NULL OR until > ?) ORDER BY since',
    ),
  }
}

/** Returns rows as lists: an object for each of a million rows would take longer than reading them. */
function lists(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}

type Statements = ReturnType<typeof prepare>
type Row = Record<string, unknown>

const stateOf = (row: Row | undefined): KnownState | null =>
  row ? { connected: row['connected'] === 1, knownSince: Number(row['known_since']) } : null

const indexesOf = (keys: readonly string[]) => new Map(keys.map((key, place) => [key, place]))

function statesOf(sql: Statements, keys: readonly string[]): (KnownState | null)[] {
  const places = indexesOf(keys)
  const found: (KnownState | null)[] = keys.map(() => null)
  for (const tenant of new Set(keys.map(tenantPrefix))) {
    for (const row of sql.statesIn.iterate(tenant, belowPrefix(tenant)) as Iterable<unknown>) {
      const [key, connected, knownSince] = row as [string, number, number]
      const place = places.get(key)
      if (place !== undefined) found[place] = { connected: connected === 1, knownSince }
    }
  }
  return found
}

/** Returns the prefix of the keys of all devices of a key's tenant. */
const tenantPrefix = (key: string) => key.slice(0, key.lastIndexOf('/') + 1)

function own(sql: Statements, keys: readonly string[], from: number, visit: Visit): void {
  keys.forEach((key, place) => {
    for (const row of sql.own.iterate(key, from))
      visit(place, Number(row['at']), time(row['not_before']), row['connected'] === 1)
  })
}

/**
 * Scans in the order of the file, the fastest way, from the first transition of that time. The visitor handles older
 * entries that follow because the clock was set back.
 */
function whole(sql: Statements, keys: readonly string[], from: number, visit: Visit): void {
  const first = sql.first.get(from)?.['id']
  if (typeof first !== 'number') return
  const places = indexesOf(keys)
  for (const row of sql.whole.iterate(first) as Iterable<unknown>) {
    const [key, at, notBefore, connected] = row as [string, number, number | null, number]
    const place = places.get(key)
    if (place !== undefined && at >= from) visit(place, at, notBefore, connected === 1)
  }
}

function page(sql: Statements, from: number, after: number | null, limit: number, visit: VisitKey): number | null {
  const start = after ?? sql.earliest.get(from)?.['id']
  if (typeof start !== 'number') return null
  let last = after ?? start - 1
  let count = 0
  for (const row of sql.page.iterate(last, limit) as Iterable<unknown>) {
    const [id, key, at, notBefore, connected] = row as [number, string, number, number | null, number]
    last = id
    count += 1
    if (at >= from) visit(key, at, notBefore, connected === 1)
  }
  return count < limit ? null : last
}

function pageBack(sql: Statements, before: number | null, limit: number, visit: VisitKey): number | null {
  let last = before ?? Number.MAX_SAFE_INTEGER
  let count = 0
  for (const row of sql.pageBack.iterate(last, limit) as Iterable<unknown>) {
    const [id, key, at, notBefore, connected] = row as [number, string, number, number | null, number]
    last = id
    count += 1
    visit(key, at, notBefore, connected === 1)
  }
  return count < limit ? null : last
}

const time = (value: unknown) => (typeof value === 'number' ? value : null)
