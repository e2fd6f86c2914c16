import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { applyLog, ReopenError, snapshotIn, snapshotOut } from '../../../src-main/inventory/thread/log-calls.ts'
import { closeStore, openStore, type Store } from '../../../src-main/inventory/store.ts'
import { job } from './journal/jobs/records.ts'
import { bodiesOf, readItems } from '../../../src-main/team/replica/codec.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { ownCache, ownJournal, sharedCache, sharedJournal } from '../../../src-main/storage/team-snapshot.ts'
import { device as plain } from '../team/replica/copy.ts'

const folders: string[] = []
const stores: Store[] = []
afterEach(() => {
  for (const store of stores.splice(0)) closeStore(store)
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'muster-snapshot-'))
  folders.push(made)
  return made
}

function open(profile: string): Store {
  const store = openStore(profile, 1, 1_000_000)
  stores.push(store)
  return store
}

function close(store: Store): void {
  stores.splice(stores.indexOf(store), 1)
  closeStore(store)
}

const device = (id: string, connected: boolean) => ({ ...plain, id, name: `Device ${id}`, connected })

const listed = {
  call: 'tenants',
  input: { service: 'x', connection: 'c', tenants: [{ id: 't', name: 'Acme', region: 'US-1' }], at: 1000 },
}
const page = (devices: unknown[], order = 1) => ({
  call: 'page',
  input: {
    service: 'x',
    tenant: 't',
    connection: 'c',
    generation: order,
    requestOrder: order,
    at: 2000 + order,
    devices,
    next: null,
  },
})
const view = (id: string) => ({
  call: 'saveView',
  input: { id, name: id, query: { scope: 'all', filter: '', sort: [] }, columns: null, isDefault: false },
})
const drop = (id: string, order: number) => ({
  call: 'events',
  input: { service: 'x', events: [{ id, tenant: 't', connected: false, name: null, order, at: 5000 + order }] },
})

/** A member that has carried out some rows. */
function member(profile = folder()) {
  const store = open(profile)
  const calls = callsOn(store)
  return {
    profile,
    store,
    apply: (number: number, ...given: { call: string; input: unknown }[]) =>
      applyLog(store, calls, {
        calls: given,
        after: store.journal.logPosition.read(),
        position: { number, id: `row ${number}` },
      }),
    snapshot: () => snapshotOut(store, calls, profile),
    devices: () => [...store.inventory.rows.slotOf.keys()].sort(),
    transitions: (id: string) => store.journal.transitions(`x/t/${id}`, 10),
  }
}

test('every table of both databases is either shared or the own, so that a new one is decided on', () => {
  const { store } = member()
  const names = (tables: { name: string }[]) => tables.map(({ name }) => name).sort()
  expect(names(store.journal.tables())).toEqual([...sharedJournal, ...ownJournal].sort())
  expect(names(store.cache.tables())).toEqual([...sharedCache, ...ownCache].sort())
})

test('rows are carried out with their position, also after the next start', () => {
  const one = member()
  const { results } = one.apply(4, listed, page([device('a', true), device('b', true)]), drop('a', 9), view('v'))
  expect(results.every(({ ok }) => ok)).toBe(true)
  const [keyOfA = ''] = one.devices()
  expect(one.store.journal.transitions(keyOfA, 10)).toMatchObject([{ connected: false, at: 5009 }])
  close(one.store)
  const again = open(one.profile)
  expect(again.journal.logPosition.read()).toEqual({ number: 4, id: 'row 4' })
  expect(again.inventory.rows.slotOf.size).toBe(2)
  expect(again.journal.views.all()).toHaveLength(1)
})

test('a call with a fault of its own is left out, the same at every member', () => {
  const one = member()
  const { results } = one.apply(
    3,
    { call: 'saveNote', input: { node: 'd:nobody', text: 'x', tags: [], at: 1 } },
    { call: 'rows', input: {} },
    view('v'),
  )
  expect(results).toMatchObject([
    { ok: false, fault: { kind: 'input' } },
    { ok: false, fault: { kind: 'input' } },
    { ok: true },
  ])
  expect(one.store.journal.logPosition.read()?.number).toBe(3)
})

test('a write that fails leaves nothing of its rows, and the position before them', () => {
  const one = member()
  one.apply(1, listed, page([device('a', true)]))
  one.store.journal.db.exec(
    "CREATE TEMP TRIGGER full BEFORE INSERT ON main.view BEGIN SELECT RAISE(ROLLBACK, 'full'); END",
  )
  expect(() => one.apply(3, drop('a', 7), view('v'))).toThrow(ReopenError)
  close(one.store)
  const again = member(one.profile)
  expect(again.store.journal.logPosition.read()?.number).toBe(1)
  const [key = ''] = again.devices()
  expect(again.store.journal.transitions(key, 10)).toEqual([])
  again.apply(3, drop('a', 7), view('v'))
  expect(again.store.journal.transitions(key, 10)).toHaveLength(1)
  expect(again.store.journal.views.all()).toHaveLength(1)
})

test('rows that do not follow the position of the files are not carried out', () => {
  const one = member()
  one.apply(2, listed, page([device('a', true)]))
  const input = { calls: [view('v')], position: { number: 4, id: 'row 4' } }
  const calls = callsOn(one.store)
  for (const after of [null, { number: 3, id: 'row 3' }, { number: 2, id: 'another row 2' }])
    expect(() => applyLog(one.store, calls, { ...input, after })).toThrow(/the copy is not at the row/)
  expect(one.store.journal.views.all()).toEqual([])
  expect(one.store.journal.logPosition.read()).toEqual({ number: 2, id: 'row 2' })
  applyLog(one.store, calls, { ...input, after: { number: 2, id: 'row 2' } })
  expect(one.store.journal.views.all()).toHaveLength(1)
})

test('a cache that is behind the journal makes the position void, and a snapshot is taken', () => {
  const one = member()
  one.apply(2, listed, page([device('a', true)]))
  // As after a power failure: the cache's file lost its last commit.
  one.store.cache.db.exec('UPDATE sequence SET journal = journal - 1')
  close(one.store)
  expect(open(one.profile).journal.logPosition.read()).toBeNull()
})

test('a snapshot brings everything that is shared, and leaves the own', () => {
  const one = member()
  one.apply(5, listed, page([device('a', true), device('b', false)]), drop('a', 9), view('v'))
  const { file, position } = one.snapshot()
  expect(position?.number).toBe(5)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const other = member()
  other.apply(1, listed, page([device('z', true)]), view('gone'))
  callsOn(other.store).saveCosts({ credentials: 'own', shapes: { a: 1 } })
  snapshotIn(other.store, { file, position })
  close(other.store)
  const taken = member(other.profile)
  expect(taken.devices()).toEqual(one.devices())
  const [key = ''] = taken.devices()
  expect(taken.store.journal.transitions(key, 10)).toEqual(one.store.journal.transitions(key, 10))
  expect(taken.store.journal.logPosition.read()).toEqual(position)
  expect(taken.store.journal.views.all()).toMatchObject([{ id: 'v' }])
  expect(callsOn(taken.store).costs(undefined)).toMatchObject([{ credentials: 'own' }])
  // Both go on alike: the next ids too.
  const act = { call: 'savePolicies', input: { policies: [], action: { at: 1, kind: 'policies', before: [] } } }
  expect(taken.apply(6, act).results).toEqual(one.apply(6, act).results)
})

test('a snapshot has the jobs of members, and none of before the team had them', () => {
  const one = member()
  one.apply(
    1,
    {
      call: 'createJob',
      input: { ...job('ours', ['x/t/a'], { owner: { member: 'm', operator: 'Ann' } }), absent: [] },
    },
    { call: 'createJob', input: job('older', ['x/t/b']) },
  )
  const other = member()
  other.apply(1, { call: 'createJob', input: job('theirs', ['x/t/c']) })
  snapshotIn(other.store, one.snapshot())
  const { jobs } = other.store.journal
  expect(jobs.open(0)).toEqual([job('ours', ['x/t/a'], { owner: { member: 'm', operator: 'Ann' } })])
  // The next job has the same number at both, as its order decides.
  const next = { call: 'createJob', input: job('next', ['x/t/d'], { owner: { member: 'm', operator: 'Ann' } }) }
  for (const each of [one, other]) {
    each.apply(2, next)
    const sql = "SELECT number, (SELECT count(*) FROM job_device WHERE job = 2) AS left FROM job WHERE id = 'next'"
    expect(each.store.journal.db.prepare(sql).get()).toMatchObject({ number: 3, left: each === one ? 1 : 0 })
  }
})

/** Lets the commit of one of a member's files fail, as on a full disk. */
function failCommit({ store }: ReturnType<typeof member>, name: 'journal' | 'cache'): void {
  const { db } = store[name]
  const exec = db.exec.bind(db)
  db.exec = (sql) => {
    if (sql !== 'COMMIT') return exec(sql)
    exec('ROLLBACK')
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
  }
}

test.each(['journal', 'cache'] as const)('a snapshot whose commit fails in the %s leaves no mixed copy', (name) => {
  const one = member()
  one.apply(5, listed, page([device('a', true)]), view('v'))
  const snapshot = one.snapshot()
  const other = member()
  other.apply(1, listed, page([device('z', true)]), view('before'))
  failCommit(other, name)
  expect(() => snapshotIn(other.store, snapshot)).toThrow(ReopenError)
  close(other.store)
  const again = member(other.profile)
  // The journal's half alone has no position, so that all of it comes again.
  expect(again.store.journal.logPosition.read()).toEqual(name === 'journal' ? { number: 1, id: 'row 1' } : null)
  expect(again.store.journal.views.all()).toMatchObject([{ id: name === 'journal' ? 'before' : 'v' }])
  snapshotIn(again.store, snapshot)
  close(again.store)
  const taken = member(other.profile)
  expect(taken.devices()).toEqual(one.devices())
  expect(taken.store.journal.logPosition.read()?.number).toBe(5)
})

test('the numbers of what is replaced by nothing begin anew, as at a member that begins', () => {
  const act = { call: 'savePolicies', input: { policies: [], action: { at: 1, kind: 'policies', before: [] } } }
  const one = member()
  one.apply(1, act, act)
  snapshotIn(one.store, { file: null, position: null })
  close(one.store)
  const [again, other] = [member(one.profile), member()]
  expect(again.apply(1, act).results).toEqual(other.apply(1, act).results)
})

test.each([
  ['is no database', (file: string) => writeFileSync(file, 'nothing')],
  ['is cut', (file: string) => truncateSync(file, 8192)],
  ['has damaged pages', (file: string) => writeFileSync(file, readFileSync(file).fill(7, 8192))],
  ['has a damaged page of a table', (file: string) => damagedAt(file, 'journal_transition')],
  [
    'has a view for a table',
    (file: string) => changed(file, 'DROP TABLE journal_view; CREATE VIEW journal_view AS SELECT 1'),
  ],
  ['has another table', (file: string) => changed(file, 'CREATE TABLE other (a)')],
  ['has a trigger', (file: string) => changed(file, 'CREATE TRIGGER t AFTER INSERT ON cache_pull BEGIN SELECT 1; END')],
  ['lacks a table', (file: string) => changed(file, 'DROP TABLE journal_version')],
])('a snapshot that %s is refused, and nothing is changed', (_what, change) => {
  const one = member()
  one.apply(2, listed, page([device('a', true)]))
  const { file, position } = one.snapshot()
  change(file)
  const other = member()
  other.apply(1, listed, page([device('z', true)]))
  const taking = () => snapshotIn(other.store, { file, position })
  expect(taking).toThrow(FaultError)
  expect(taking).toThrow(/cannot be read/)
  expect(other.devices()).toHaveLength(1)
  expect(other.apply(2, view('v')).results).toMatchObject([{ ok: true }])
})

function damagedAt(file: string, table: string): void {
  const db = new DatabaseSync(file)
  const row = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)
  const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  db.close()
  const from = (Number(row?.['rootpage']) - 1) * pageBytes
  writeFileSync(file, readFileSync(file).fill(7, from, from + pageBytes))
}

function changed(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

test('damage that is found while rows are carried out is said to be damage', () => {
  const one = member()
  one.apply(1, listed)
  const { db } = one.store.cache
  const damage = Object.assign(new Error('malformed'), { errcode: 11 })
  one.store.cache.write = () => {
    db.close()
    throw damage
  }
  expect(() => one.apply(2, view('v'))).toThrow(damage)
  stores.splice(stores.indexOf(one.store), 1)
  one.store.journal.close()
})

test('the history of a schema is carried out as it was written', () => {
  const form = new Uint8Array([1, 2, 0, 255])
  const input = { connection: 'c', schema: { form, readAt: 5 }, entry: { at: 5, text: '{}' }, most: 10 }
  const bodies = bodiesOf({ is: 'call', call: 'saveSchema', input })
  const rows = bodies.map((body, n) => ({ number: n + 1, id: 'i', entry: 'e', term: 0, role: 'r', at: 1, body }))
  const [read] = readItems([], rows).items
  if (read?.item?.is !== 'call') throw new Error('no call')
  const one = member()
  expect(one.apply(1, { call: 'saveSchema', input: read.item.input }).results).toMatchObject([{ ok: true }])
  const row = one.store.journal.db.prepare('SELECT form FROM schema_last').get()
  expect(new Uint8Array(row?.['form'] as Uint8Array)).toEqual(form)
})

test('a snapshot of other tables is rejected, and nothing is changed', () => {
  const one = member()
  one.apply(2, listed, page([device('a', true)]))
  const { file } = one.snapshot()
  const other = member()
  other.apply(1, listed, page([device('z', true)]))
  other.store.journal.db.exec('PRAGMA user_version = 999')
  expect(() => snapshotIn(other.store, { file, position: { number: 2, id: 'x' } })).toThrow(/another version/)
  expect(other.devices()).toHaveLength(1)
  expect(other.store.journal.logPosition.read()?.number).toBe(1)
})
