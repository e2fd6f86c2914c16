import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { belowPrefix } from './erasure.ts'

/**
 * The name and place of a device over a time, ms. `until` null: it still holds. The intervals of a device never
 * overlap, whatever the clock does; between two of them the service did not list it.
 */
export interface DevicePlace extends NameAndPlace {
  from: number
  until: number | null
}

interface NameAndPlace {
  name: string
  /** That of the site. Null: none, or not known. */
  account: NamedRef | null
  site: NamedRef | null
  room: NamedRef | null
}

/**
 * A report of a device's name and place. What is left out was not reported, and stays as it was; an account stays only
 * with its site. A report of an account alone opens no interval of a device that has none.
 */
export interface PlaceReport extends Partial<NameAndPlace> {
  key: string
  /** The moment of the report, ms. */
  at: number
}

/** Devices that are gone: these keys, and all whose key begins with one of these prefixes. `at` in ms. */
export interface PlaceDepartures {
  keys: readonly string[]
  prefixes: readonly string[]
  at: number
}

/** The place of an interval in the order of keys and times. */
export interface PlacePosition {
  key: string
  position: number
}

/** The intervals of names and places. The functions that write are called inside a transaction. */
export interface DevicePlaces {
  /** Returns the intervals of a device that touch the time from `from` up to `until` (ms), in the order of entry. */
  of(key: string, from: number, until: number): DevicePlace[]
  /** Visits the intervals after a position, in order (history.ts). */
  page(
    after: PlacePosition | null,
    limit: number,
    visit: (key: string, interval: DevicePlace) => void,
  ): PlacePosition | null
  /** Returns the reports that differ from what is stored. */
  changed(reports: readonly PlaceReport[]): PlaceReport[]
  /** Closes the open interval of each device where the report differs from it, and opens one. */
  enter(reports: readonly PlaceReport[]): void
  /** Closes the open intervals of devices that are gone. */
  close(departures: PlaceDepartures): void
  /** Erases the keys from `from` up to, and without, `before`. */
  erase(from: string, before: string): void
}

export function devicePlacesIn(db: DatabaseSync): DevicePlaces {
  const sql = prepare(db)
  return {
    of: (key, from, until) => (sql.of.all(key, from, until) as unknown[]).map((row) => devicePlace(row as Cells)),
    page: (after, limit, visit) => page(sql, after, limit, visit),
    changed: (reports) => reports.filter((report) => differs(lastOf(sql, report.key), report)),
    enter: (reports) => {
      for (const report of reports) enter(sql, report)
    },
    close: ({ keys, prefixes, at }) => {
      for (const key of keys) sql.close.run(at, key)
      for (const prefix of prefixes) sql.closeBelow.run(at, prefix, belowPrefix(prefix))
    },
    erase: (from, before) => void sql.erase.run(from, before),
  }
}

const columns = 'account_id, account_name, site_id, site_name, room_id, room_name, name, since, until'

function prepare(db: DatabaseSync) {
  return {
    of: lists(
      db.prepare(`SELECT ${columns} FROM device_place
      WHERE key = ?1 AND (until IS NULL OR until >= ?2) AND since <= ?3 ORDER BY position`),
    ),
    last: lists(
      db.prepare(`SELECT ${columns}, position FROM device_place WHERE key = ? ORDER BY position DESC LIMIT 1`),
    ),
    page: lists(
      db.prepare(`SELECT ${columns}, key, position FROM device_place
      WHERE (key, position) > (?, ?) ORDER BY key, position LIMIT ?`),
    ),
    end: db.prepare('UPDATE device_place SET until = ? WHERE key = ? AND position = ?'),
    open: db.prepare(`INSERT INTO device_place (key, position, since, ${columns.replace('since, until', 'until')})
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)`),
    close: db.prepare('UPDATE device_place SET until = max(since, ?) WHERE key = ? AND until IS NULL'),
    closeBelow: db.prepare(
      'UPDATE device_place SET until = max(since, ?) WHERE key >= ? AND key < ? AND until IS NULL',
    ),
    erase: db.prepare('DELETE FROM device_place WHERE key >= ? AND key < ?'),
  }
}

/** Returns rows as lists, which takes half the time of objects. */
function lists(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}

type Statements = ReturnType<typeof prepare>
type Text = string | null
/** The cells in the order of `columns`. */
type Cells = [Text, Text, Text, Text, Text, Text, string, number, number | null, ...number[]]

interface Stored extends DevicePlace {
  position: number
}

function page(
  sql: Statements,
  after: PlacePosition | null,
  limit: number,
  visit: (key: string, interval: DevicePlace) => void,
): PlacePosition | null {
  let last = after
  let count = 0
  for (const row of sql.page.iterate(after?.key ?? '', after?.position ?? -1, limit) as Iterable<unknown>) {
    const [key, position] = (row as unknown[]).slice(-2) as [string, number]
    visit(key, devicePlace(row as Cells))
    last = { key, position }
    count += 1
  }
  return count < limit ? null : last
}

function lastOf(sql: Statements, key: string): Stored | null {
  const row = sql.last.get(key) as unknown as Cells | undefined
  return row === undefined ? null : { ...devicePlace(row), position: Number(row[9]) }
}

function devicePlace(cells: Cells): DevicePlace {
  const [accountId, accountName, siteId, siteName, roomId, roomName, name, from, until] = cells
  return {
    from,
    until,
    name,
    account: namedRef(accountId, accountName),
    site: namedRef(siteId, siteName),
    room: namedRef(roomId, roomName),
  }
}

const namedRef = (id: Text, name: Text): NamedRef | null => (id === null ? null : { id, name: name ?? '' })

/** A device that was gone gets an interval again, also where nothing else differs. */
function differs(last: Stored | null, report: PlaceReport): boolean {
  if (last === null || last.until !== null) return !isAccountAlone(report)
  return !isEqual(last, merged(last, report))
}

const isAccountAlone = ({ name, account, site, room }: PlaceReport): boolean =>
  account !== undefined && name === undefined && site === undefined && room === undefined

const merged = (last: NameAndPlace | null, { name, account, site, room }: PlaceReport): NameAndPlace => ({
  name: name ?? last?.name ?? '',
  account:
    account !== undefined
      ? account
      : site === undefined || site?.id === last?.site?.id
        ? (last?.account ?? null)
        : null,
  site: site === undefined ? (last?.site ?? null) : site,
  room: room === undefined ? (last?.room ?? null) : room,
})

const isEqual = (a: NameAndPlace, b: NameAndPlace): boolean =>
  a.name === b.name && isSame(a.account, b.account) && isSame(a.site, b.site) && isSame(a.room, b.room)

const isSame = (a: NamedRef | null, b: NamedRef | null): boolean => a?.id === b?.id && a?.name === b?.name

/** An interval begins where the one before ends at the earliest: a clock that was set back makes no overlap. */
function enter(sql: Statements, report: PlaceReport): void {
  const last = lastOf(sql, report.key)
  if (!differs(last, report)) return
  const from = Math.max(report.at, last?.from ?? report.at, last?.until ?? report.at)
  if (last !== null && last.until === null) sql.end.run(from, report.key, last.position)
  const { name, account, site, room } = merged(last, report)
  sql.open.run(
    report.key,
    (last?.position ?? -1) + 1,
    from,
    account?.id ?? null,
    account?.name ?? null,
    site?.id ?? null,
    site?.name ?? null,
    room?.id ?? null,
    room?.name ?? null,
    name,
  )
}
