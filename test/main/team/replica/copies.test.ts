import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { seeded } from '../../../../bench/inventory/world.ts'
import { callsOn, type Calls } from '../../../../src-main/inventory/thread/calls.ts'
import { applyLog, snapshotIn, snapshotOut } from '../../../../src-main/inventory/thread/log-calls.ts'
import type { LoggedCall } from '../../../../src-main/inventory/thread/log-protocol.ts'
import { closeStore, openStore, type Store } from '../../../../src-main/inventory/store.ts'

/*
 * All members of a team carry out the same rows. However these are cut into transactions, whoever is started again or joins
 * with a snapshot, their copies say the same. Only since when exactly a device is offline may be known less exactly by who
 * was not there.
 */

const sequences = 40
const rowsOfEach = 120

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'muster-copies-'))
  folders.push(made)
  return made
}

const ids = Array.from({ length: 12 }, (_, index) => `d${index}`)

/** Calls as two leaders, an evaluator and operators write them. */
function rows(random: () => number): LoggedCall[] {
  let order = 0
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const at = () => 1_000_000 + order * 1000
  const connection = () => pick(['c1', 'c2'])
  const device = (id: string) => ({
    id,
    name: `Device ${id} ${Math.floor(random() * 3)}`,
    connected: random() < 0.7,
    site: random() < 0.5 ? { id: 's', name: 'Site' } : null,
    room: null,
    hardwareModel: 'TC10',
    hardwareFamily: '',
    macAddress: '',
    serialNumber: '',
    softwareVersion: '',
    lastDetected: null,
    lastConfigRequestDate: null,
  })
  const some = () => ids.filter(() => random() < 0.4)
  const makers: (() => LoggedCall)[] = [
    () => ({
      call: 'page',
      input: {
        service: 'x',
        tenant: 't',
        connection: connection(),
        generation: Math.ceil(order / 20),
        requestOrder: order - 1,
        at: at(),
        devices: some().map(device),
        next: null,
      },
    }),
    () => ({
      call: 'events',
      input: {
        service: 'x',
        events: some().map((id) => ({ id, tenant: 't', connected: random() < 0.6, name: null, order, at: at() })),
      },
    }),
    () => ({
      call: 'reconciliation',
      input: {
        service: 'x',
        tenant: 't',
        requestOrder: order - 1,
        at: at(),
        devices: some().map((id) => ({ id, connected: random() < 0.6, lastDetected: null })),
      },
    }),
    () => ({
      call: 'visibility',
      input: {
        service: 'x',
        connection: connection(),
        tenants: null,
        visible: random() < 0.7,
        confirmedAt: at(),
        at: at(),
      },
    }),
    () => ({
      call: 'finish',
      input: { service: 'x', tenant: 't', connection: connection(), generation: Math.ceil(order / 20), at: at() },
    }),
    () => ({
      call: 'savePolicies',
      input: {
        policies: [
          { kind: 'zone', id: `t:x/t`, value: { nodeName: 'T', zone: pick(['Europe/Berlin', 'Asia/Tokyo']) } },
        ],
        action: { at: at(), kind: 'policies', before: [] },
      },
    }),
    () => ({
      call: 'saveNote',
      input: { node: 't:x/t', text: `At ${order}`, contact: '', tags: [], at: at(), by: pick(['Ann', 'Ben']) },
      role: pick(['ann', 'ben']),
    }),
    () => ({
      call: pick(['saveView', 'removeView']),
      input: {
        id: pick(['a', 'b']),
        name: 'View',
        query: { scope: 'all', filter: '', sort: [] },
        columns: null,
        isDefault: false,
      },
    }),
  ]
  const listing = ['c1', 'c2'].map((one) => ({
    call: 'tenants',
    input: { service: 'x', connection: one, tenants: [{ id: 't', name: 'T', region: null }], at: 1000 },
  }))
  return [
    ...listing,
    ...Array.from({ length: rowsOfEach }, () => {
      order += 1
      return pick(makers)()
    }),
  ]
}

interface Copy {
  profile: string
  store: Store
  calls: Calls
}

function openCopy(profile = folder()): Copy {
  const store = openStore(profile, 1, 1_000_000)
  return { profile, store, calls: callsOn(store) }
}

/** Carries out all rows after the copy's position, some at a time, and is started again now and then. */
function catchUp(copy: Copy, all: readonly LoggedCall[], until: number, random: () => number): Copy {
  let now = copy
  for (;;) {
    const done = now.store.journal.logPosition.read()?.number ?? 0
    if (done >= until) return now
    const end = Math.min(until, done + 1 + Math.floor(random() * 9))
    applyLog(now.store, now.calls, { calls: all.slice(done, end), position: { number: end, id: `row ${end}` } })
    if (random() < 0.1) {
      closeStore(now.store)
      now = openCopy(now.profile)
    }
  }
}

/** What a copy says, without since when exactly, and what its memory alone knows. */
function said({ store }: Copy) {
  const { journal, cache } = store
  const all = (sql: string) => journal.db.prepare(sql).all()
  return {
    transitions: all('SELECT key, at, connected FROM transition ORDER BY id'),
    outbox: all('SELECT key, at, connected FROM outbox ORDER BY key'),
    states: all('SELECT key, connected FROM state ORDER BY key'),
    places: all('SELECT * FROM device_place ORDER BY key'),
    views: all('SELECT * FROM view ORDER BY id'),
    policies: all('SELECT * FROM policy ORDER BY id'),
    actions: all('SELECT id, at FROM action ORDER BY id'),
    devices: cache.db
      .prepare(
        'SELECT id, name, connected, site_id, room_id, generation, claimant, more_claims FROM device ORDER BY id',
      )
      .all(),
  }
}

test(`copies say the same after ${sequences} sequences, with restarts and snapshots`, () => {
  for (let seed = 1; seed <= sequences; seed += 1) {
    const random = seeded(seed)
    const all = rows(random)
    const half = Math.floor(random() * all.length)
    const steady = catchUp(openCopy(), all, all.length, () => 0.99)
    let one = catchUp(openCopy(), all, half, random)
    const { file, position } = snapshotOut(one.store, one.profile)
    const joined = openCopy()
    snapshotIn(joined.store, { file, position })
    closeStore(joined.store)
    const late = catchUp(openCopy(joined.profile), all, all.length, random)
    one = catchUp(one, all, all.length, random)
    const expected = said(steady)
    expect(expected.transitions.length, `seed ${seed}`).toBeGreaterThan(0)
    expect(said(one), `seed ${seed}, started again`).toEqual(expected)
    expect(said(late), `seed ${seed}, joined later`).toEqual(expected)
    for (const { store } of [steady, one, late]) closeStore(store)
  }
}, 120_000)
