import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { acme, connection, event, fact, key, pageOf, query, service, tempProfile } from './profile.ts'

export let temp: ReturnType<typeof tempProfile>
beforeEach(() => {
  temp = tempProfile()
})
afterEach(() => temp.remove())

export const file = (name: string) => join(temp.profile, name)
export const facts = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => fact(`dev-${from + n}`, { connected: n % 2 === 0 }))

export function filled(devices: number): void {
  const calls = callsOn(openStore(temp.profile, 1, 0))
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
  calls.page(pageOf(facts(0, devices)))
  calls.events({ service, events: [event('dev-0', { connected: false })] })
  calls.close(undefined)
}

function harmedBy(name: string, sql: string): void {
  const db = new DatabaseSync(file(name))
  db.exec(sql)
  db.close()
}

describe('a damaged cache', () => {
  const garbage = 'no database, '.repeat(2000)
  const harm: [string, () => void][] = [
    ['garbage', () => writeFileSync(file('cache.db'), garbage)],
    ['a truncated file', () => truncateSync(file('cache.db'), 9000)],
    [
      'a broken middle',
      () => {
        const bytes = readFileSync(file('cache.db'))
        bytes.fill(0xa5, 4096 * 8, bytes.length - 4096)
        writeFileSync(file('cache.db'), bytes)
      },
    ],
    [
      'another version',
      () => {
        const db = new DatabaseSync(file('cache.db'))
        db.exec('PRAGMA user_version = 999')
        db.close()
      },
    ],
    [
      'a file of someone else',
      () => {
        writeFileSync(file('cache.db'), '')
        const db = new DatabaseSync(file('cache.db'))
        db.exec('CREATE TABLE theirs (x)')
        db.close()
      },
    ],
    [
      'a value that nobody can read',
      () =>
        harmedBy(
          'cache.db',
          "UPDATE device SET more_claims = 'rubbish{' WHERE rowid = (SELECT min(rowid) FROM device)",
        ),
    ],
    ['a table that is missing', () => harmedBy('cache.db', 'DROP TABLE device')],
  ]
  test.each(harm)('%s: created anew, and the journal still has its history', (_name, damage) => {
    filled(600)
    damage()
    const store = openStore(temp.profile, 1, 0)
    const calls = callsOn(store)
    expect(calls.open(undefined)).toMatchObject({ cache: 'damaged', journal: 'ok', totals: { unknown: 0 } })
    calls.tenants({ service, connection, tenants: [acme], at: 0 })
    const change = calls.page(
      pageOf([fact('dev-0', { connected: false }), fact('dev-2', { connected: false })], {
        at: 9000,
        requestOrder: 50,
      }),
    )
    expect(change.transitions).toEqual([{ key: key('dev-2'), at: 9000, notBefore: 1000, connected: false }])
    expect(calls.device({ key: key('dev-0') }).device?.row.since).toEqual({ at: 5000, kind: 'seen' })
    calls.close(undefined)
    expect(callsOnce((again) => again.open(undefined))).toMatchObject({ cache: 'ok', totals: { unknown: 2 } })
  })
})

function callsOnce<T>(use: (calls: Calls) => T): T {
  const calls = callsOn(openStore(temp.profile, 1, 0))
  try {
    return use(calls)
  } finally {
    calls.close(undefined)
  }
}

describe('a damaged journal', () => {
  const newer = () => {
    const db = new DatabaseSync(file('journal.db'))
    db.exec('PRAGMA user_version = 77')
    db.close()
  }
  test.each<[string, () => void]>([
    ['garbage', () => writeFileSync(file('journal.db'), 'x'.repeat(20_000))],
    ['truncated', () => truncateSync(file('journal.db'), 5000)],
    ['of a newer Muster', newer],
    ['without one of its tables', () => harmedBy('journal.db', 'DROP TABLE transition')],
    ['without a table of a later version', () => harmedBy('journal.db', 'DROP TABLE member')],
    ['without its place', () => harmedBy('journal.db', 'DELETE FROM sequence')],
  ])('%s: set aside whole, and a new one created', (_name, damage) => {
    filled(300)
    damage()
    const before = readFileSync(file('journal.db'))
    const opened = callsOnce((calls) => calls.open(undefined))
    expect(opened).toMatchObject({ journal: 'damaged', cache: 'ok', totals: { unknown: 300 } })
    const aside = readdirSync(temp.profile).filter(
      (name) => name.startsWith('journal.damaged-') && name.endsWith('.db'),
    )
    expect(aside.map(file)).toEqual([opened.damagedJournal])
    expect(readFileSync(file(aside[0] ?? '')).equals(before)).toBe(true)
    expect(callsOnce((calls) => calls.open(undefined))).toMatchObject({ journal: 'ok' })
  })

  test('a history that is gone, or empty, is reported', () => {
    filled(300)
    for (const name of ['journal.db-wal', 'journal.db-shm']) rmSync(file(name), { force: true })
    writeFileSync(file('journal.db'), '')
    expect(callsOnce((calls) => calls.open(undefined))).toMatchObject({
      journal: 'damaged',
      damagedJournal: null,
      cache: 'ok',
    })
    expect(callsOnce((calls) => calls.open(undefined))).toMatchObject({ journal: 'ok' })
  })
})

describe('a full disk', () => {
  let store: Store
  let calls: Calls
  beforeEach(() => {
    filled(100)
    store = openStore(temp.profile, 1, 0)
    calls = callsOn(store)
  })
  afterEach(() => calls.close(undefined))

  const fill = () => {
    const pages = Number(store.cache.db.prepare('PRAGMA page_count').get()?.['page_count'])
    store.cache.db.exec(`PRAGMA max_page_count = ${pages}`)
  }
  const room = () => store.cache.db.exec('PRAGMA max_page_count = 1000000')
  const everything = () => calls.rows({ query: query(), offset: 0, limit: 500, now: 0 })

  test('a failed write changes neither memory nor disk, and works once there is space', () => {
    const before = everything()
    const page = pageOf(facts(100, 400), { generation: 2, requestOrder: 60, at: 7000 })
    fill()
    expect(() => calls.page(page)).toThrow('full')
    expect(everything()).toEqual(before)
    room()
    expect(calls.page(page).totals.unknown).toBe(500)
  })

  test('a transition that the cache could not store is reported once, with the write that works', () => {
    const page = pageOf([fact('dev-2', { connected: false }), ...facts(100, 400)], {
      generation: 2,
      requestOrder: 60,
      at: 7000,
    })
    fill()
    expect(() => calls.page(page)).toThrow('full')
    expect(() => calls.page(page)).toThrow('full')
    room()
    const reported = [{ key: key('dev-2'), at: 7000, notBefore: 1000, connected: false }]
    expect(calls.page(page).transitions).toEqual(reported)
    expect(calls.page(page).transitions).toEqual([])
    expect(calls.device({ key: key('dev-2') }).device?.transitions).toHaveLength(1)
  })

  test('a transition only in the journal is proven from its request, not from its response', () => {
    const page = (connected: boolean, requestedAt: number, at: number) => ({
      ...pageOf([fact('dev-2', { connected }), ...facts(100, 400)], { generation: 2, requestOrder: requestedAt, at }),
      requestedAt,
    })
    fill()
    expect(() => calls.page(page(false, 6000, 7000))).toThrow('full')
    room()
    calls.page(page(true, 8000, 9000))
    expect(calls.device({ key: key('dev-2') }).device?.transitions[0]).toEqual({
      at: 9000,
      notBefore: 6000,
      connected: true,
    })
  })

  test('a crash after such a write leaves the journal ahead, and the next start catches up', () => {
    fill()
    expect(() =>
      calls.page(pageOf([fact('dev-2', { connected: false }), ...facts(100, 400)], { requestOrder: 60, at: 7000 })),
    ).toThrow('full')
    calls.close(undefined)
    store = openStore(temp.profile, 1, 0)
    calls = callsOn(store)
    expect(calls.device({ key: key('dev-2') }).device).toMatchObject({
      row: { connected: false, since: { at: 7000, kind: 'at-least' } },
      transitions: [{ at: 7000 }],
    })
    expect(everything().total).toBe(100)
    expect(store.cache.sequence()).toBe(store.sequence)
  })
})

describe('a batch that is sent again', () => {
  let store: Store
  let calls: Calls
  beforeEach(() => {
    filled(10)
    store = openStore(temp.profile, 1, 0)
    calls = callsOn(store)
  })
  afterEach(() => calls.close(undefined))

  /** Another holder of the cache, a backup say: every write fails until it lets go. */
  const failing = (times: number, write: () => unknown) => {
    store.cache.db.exec('PRAGMA busy_timeout = 0')
    const other = new DatabaseSync(file('cache.db'))
    other.exec('BEGIN IMMEDIATE')
    for (let n = 0; n < times; n += 1) expect(write).toThrow('locked')
    other.close()
  }
  const words = (id: string) =>
    calls.device({ key: key(id) }).device?.transitions.map(({ at, connected }) => [at, connected])
  const offAndOn = () =>
    calls.events({
      service,
      events: [
        event('dev-2', { connected: false, order: 20, at: 6000 }),
        event('dev-2', { connected: true, order: 21, at: 6001 }),
      ],
    })

  test('enters off and on once, however often the cache could not store them', () => {
    failing(10, offAndOn)
    expect(offAndOn().transitions.map(({ at }) => at)).toEqual([6000, 6001])
    expect(words('dev-2')).toEqual([
      [6001, true],
      [6000, false],
    ])
    expect(calls.device({ key: key('dev-2') }).device?.row).toMatchObject({ connected: true, seenAt: 6001 })
    expect(store.cache.sequence()).toBe(store.sequence)
  })

  test('continues with what came after it', () => {
    failing(1, offAndOn)
    const more = () => calls.events({ service, events: [event('dev-2', { connected: false, order: 22, at: 6002 })] })
    failing(2, more)
    offAndOn()
    more()
    expect(words('dev-2')).toEqual([
      [6002, false],
      [6001, true],
      [6000, false],
    ])
    expect(calls.device({ key: key('dev-2') }).device?.row).toMatchObject({
      connected: false,
      since: { at: 6002, kind: 'seen' },
    })
  })

  test('a page or reconciliation requested before it does not undo it', () => {
    const off = () => calls.events({ service, events: [event('dev-2', { connected: false, order: 20, at: 6000 })] })
    failing(1, off)
    expect(calls.page(pageOf([fact('dev-2')], { requestOrder: 19, at: 6500 })).transitions.map(({ at }) => at)).toEqual(
      [6000],
    )
    expect(calls.device({ key: key('dev-2') }).device?.row.connected).toBe(false)
    expect(off().transitions).toEqual([])
    expect(words('dev-2')).toEqual([[6000, false]])
    expect(store.cache.sequence()).toBe(store.sequence)
  })
})

describe('a crash long after a write that failed', () => {
  test('the cache is still known to be behind, although other writes have worked since', () => {
    filled(100)
    const store = openStore(temp.profile, 1, 0)
    const calls = callsOn(store)
    store.cache.db.exec(
      `PRAGMA max_page_count = ${Number(store.cache.db.prepare('PRAGMA page_count').get()?.['page_count'])}`,
    )
    expect(() =>
      calls.page(pageOf([fact('dev-2', { connected: false }), ...facts(100, 400)], { requestOrder: 60, at: 7000 })),
    ).toThrow('full')
    calls.events({ service, events: [event('dev-4', { connected: false, order: 70, at: 8000 })] })
    calls.close(undefined)
    const rows = callsOnce((again) =>
      ['dev-2', 'dev-4'].map((id) => again.device({ key: key(id) }).device?.row.connected),
    )
    expect(rows).toEqual([false, false])
  })
})

test('names and ids of a megabyte in the cache are dropped at the next start', () => {
  filled(4)
  const long = `printf('%.*c', 1000000, 'x')`
  harmedBy(
    'cache.db',
    `UPDATE device SET name = ${long}, hardware_model = ${long}, site_name = ${long} WHERE id = 'dev-0'; UPDATE device SET id = ${long} WHERE id = 'dev-1'; UPDATE tenant SET name = ${long}`,
  )
  const calls = callsOn(openStore(temp.profile, 1, 0))
  const { rows, total } = calls.rows({ query: query(), offset: 0, limit: 9, now: 1 })
  expect([total, rows.map(({ id }) => id).toSorted()]).toEqual([3, ['dev-0', 'dev-2', 'dev-3']])
  const texts = rows.flatMap(({ name, hardwareModel, site, tenant }) => [
    name,
    hardwareModel,
    site?.name ?? '',
    tenant.name,
  ])
  expect(Math.max(...texts.map(({ length }) => length))).toBe(501)
  calls.close(undefined)
  const db = new DatabaseSync(file('cache.db'))
  expect(
    db
      .prepare('SELECT id FROM device ORDER BY id')
      .all()
      .map(({ id }) => id),
  ).toEqual(['dev-0', 'dev-2', 'dev-3'])
  db.close()
})

test('a tenant in the cache whose id is a megabyte long is removed with its devices', () => {
  filled(4)
  harmedBy('cache.db', `UPDATE tenant SET id = printf('%.*c', 1000000, 'x')`)
  callsOn(openStore(temp.profile, 1, 0)).close(undefined)
  const db = new DatabaseSync(file('cache.db'))
  expect(db.prepare('SELECT (SELECT count(*) FROM tenant) + (SELECT count(*) FROM device) AS n').get()?.['n']).toBe(0)
  db.close()
})

test('a changing list of tenants is remembered up to 20,000 tenants', () => {
  const calls = callsOn(openStore(temp.profile, 1, 0))
  const list = (prefix: string, count: number) =>
    calls.tenants({
      service,
      connection,
      at: 0,
      partial: true,
      tenants: Array.from({ length: count }, (_, n) => ({ id: `${prefix}${n}`, name: prefix, region: null })),
    })
  list('a', 15_000)
  list('b', 15_000)
  const named = calls.locations({ keys: [], paused: [] }).tenants.map(({ name }) => name)
  expect([named.length, named.filter((name) => name === 'b').length]).toEqual([20_000, 15_000])
  list('c', 20_000)
  expect(new Set(calls.locations({ keys: [], paused: [] }).tenants.map(({ name }) => name))).toEqual(new Set(['c']))
  calls.close(undefined)
})
