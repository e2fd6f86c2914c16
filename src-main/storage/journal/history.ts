import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { belowPrefix } from './erasure.ts'

/** A device's last known word, and since when Muster knows anything of it (ms). */
export interface KnownState {
  connected: boolean
  knownSince: number
}

/** Takes one transition; `place` is the device's in the list that was asked for. */
export type Visit = (place: number, at: number, notBefore: number | null, connected: boolean) => void

/** What happened to devices over a time (inventory/reads/availability.ts). */
export interface History {
  /** In the order of the keys; null for what the journal does not know. */
  states(keys: readonly string[]): (KnownState | null)[]
  /** The transitions of these from then on (ms), each device's in the order in which they were entered, whatever the computer's clock did. */
  since(keys: readonly string[], from: number, visit: Visit): void
  /** Times in which a tenant was not seen, those that ended before `from` left out; `until` null: it still is not. */
  unseen(tenant: string, from: number): { from: number; until: number | null }[]
}

/** Of so few devices each one's own transitions are read; of more, all of the time. */
const few = 400

export function historyIn(db: DatabaseSync): History {
  const sql = prepare(db)
  return {
    states: (keys) => (keys.length <= few ? keys.map((key) => stateOf(sql.state.get(key))) : statesOf(sql, keys)),
    since: (keys, from, visit) => (keys.length <= few ? own(sql, keys, from, visit) : whole(sql, keys, from, visit)),
    unseen: (tenant, from) =>
      sql.unseen
        .all(tenant, from)
        .map(({ since, until }) => ({ from: Number(since), until: typeof until === 'number' ? until : null })),
  }
}

function prepare(db: DatabaseSync) {
  return {
    state: db.prepare('SELECT connected, known_since FROM state WHERE key = ?'),
    statesIn: lists(db.prepare('SELECT key, connected, known_since FROM state WHERE key >= ? AND key < ?')),
    own: db.prepare('SELECT at, not_before, connected FROM transition WHERE key = ? AND at >= ? ORDER BY id'),
    first: db.prepare('SELECT min(id) AS id FROM transition WHERE at >= ?'),
    whole: lists(db.prepare('SELECT key, at, not_before, connected FROM transition WHERE id >= ? ORDER BY id')),
    unseen: db.prepare(
      'SELECT since, until FROM unseen WHERE tenant = ? AND (until IS NULL OR until > ?) ORDER BY since',
    ),
  }
}

/** Rows as lists: an object for each of a million rows would take longer than reading them. */
function lists(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}

type Statements = ReturnType<typeof prepare>
type Row = Record<string, unknown>

const stateOf = (row: Row | undefined): KnownState | null =>
  row ? { connected: row['connected'] === 1, knownSince: Number(row['known_since']) } : null

const placesOf = (keys: readonly string[]) => new Map(keys.map((key, place) => [key, place]))

function statesOf(sql: Statements, keys: readonly string[]): (KnownState | null)[] {
  const places = placesOf(keys)
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

/** What the keys of all devices of its tenant begin with. */
const tenantPrefix = (key: string) => key.slice(0, key.lastIndexOf('/') + 1)

function own(sql: Statements, keys: readonly string[], from: number, visit: Visit): void {
  keys.forEach((key, place) => {
    for (const row of sql.own.iterate(key, from))
      visit(place, Number(row['at']), time(row['not_before']), row['connected'] === 1)
  })
}

/**
 * From the first of that time on in the order of the file, which is the quickest way through it. What is older and
 * stands there because the clock was put back is left to the one who visits.
 */
function whole(sql: Statements, keys: readonly string[], from: number, visit: Visit): void {
  const first = sql.first.get(from)?.['id']
  if (typeof first !== 'number') return
  const places = placesOf(keys)
  for (const row of sql.whole.iterate(first) as Iterable<unknown>) {
    const [key, at, notBefore, connected] = row as [string, number, number | null, number]
    const place = places.get(key)
    if (place !== undefined && at >= from) visit(place, at, notBefore, connected === 1)
  }
}

const time = (value: unknown) => (typeof value === 'number' ? value : null)
