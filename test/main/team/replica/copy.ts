import { expect } from 'vitest'
import type { LoggedCall } from '../../../../src-main/inventory/thread/log-protocol.ts'
import { callsOn, type Calls } from '../../../../src-main/inventory/thread/calls.ts'
import {
  applyLog,
  dropActs,
  keepAct,
  resumeActs,
  snapshotIn,
  snapshotOut,
} from '../../../../src-main/inventory/thread/log-calls.ts'
import { carryOutActs, takeBackAll } from '../../../../src-main/inventory/thread/waiting-acts.ts'
import { mayWait } from '../../../../src-main/inventory/thread/logged-calls.ts'
import { newTouched } from '../../../../src-main/inventory/engine/inventory.ts'
import { rowAt } from '../../../../src-main/inventory/engine/view.ts'
import { setShown } from '../../../../src-main/inventory/engine/visibility.ts'
import { sharedCache, sharedJournal } from '../../../../src-main/storage/team-snapshot.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { closeStore, openStore, type Store } from '../../../../src-main/inventory/store.ts'

const ids = Array.from({ length: 12 }, (_, index) => `d${index}`)

const view = (id: string, name: string, isDefault = false) => ({
  id,
  name,
  query: { scope: 'all', filter: '', sort: [] },
  columns: null,
  isDefault,
})

/** A device as a page has it. */
export const device = {
  id: 'd',
  name: 'Device',
  connected: true,
  site: null,
  room: null,
  hardwareModel: 'TC10',
  hardwareFamily: '',
  macAddress: '',
  serialNumber: '',
  softwareVersion: '',
  lastDetected: null,
  lastConfigRequestDate: null,
}

/** Returns calls as two leaders, an evaluator and operators write them. */
export function rows(random: () => number, count: number): LoggedCall[] {
  let order = 0
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  /** Of a request just before, or of one whose answer is late. */
  const asked = () => order - 1 - (random() < 0.3 ? Math.floor(random() * 8) : 0)
  const named = (id: string) => ({ id, name: `${id} ${Math.floor(random() * 3)}` })
  const at = () => 1_000_000 + order * 1000
  const connection = () => pick(['c1', 'c2'])
  const deviceOf = (id: string) => ({
    ...device,
    id,
    name: `Device ${id} ${Math.floor(random() * 3)}`,
    connected: random() < 0.7,
    ...pick([
      { site: null, room: null },
      { site: named('s'), room: null },
      { site: named('s'), room: named(pick(['r1', 'r2'])) },
      { site: named('s2'), room: named('r1') },
    ]),
  })
  const some = () => ids.filter(() => random() < 0.4)
  const listing = (one = connection()) => ({
    call: 'tenants',
    input: { service: 'x', connection: one, tenants: [{ id: 't', name: 'T', region: null }], at: 1000 },
  })
  const makers: (() => LoggedCall)[] = [
    () => ({
      call: 'page',
      input: {
        service: 'x',
        tenant: 't',
        connection: connection(),
        generation: Math.ceil(order / 20),
        requestOrder: asked(),
        at: at(),
        devices: some().map((id) => ({ ...deviceOf(id), ...(random() < 0.1 && { failed: ['connected'] }) })),
        next: null,
      },
    }),
    () => ({
      call: 'events',
      input: {
        service: 'x',
        events: some().map((id) => ({
          id,
          tenant: random() < 0.8 ? 't' : null,
          connected: random() < 0.9 ? random() < 0.6 : undefined,
          name: random() < 0.2 ? `Event ${order}` : null,
          ...(random() < 0.3 && { site: 's', room: pick(['r1', 'r2']) }),
          ...(random() < 0.1 && { siteName: `Event ${order}`, roomName: `Event ${order}` }),
          order: random() < 0.8 ? order : asked(),
          at: at(),
        })),
      },
    }),
    () => ({
      call: 'reconciliation',
      input: {
        service: 'x',
        tenant: 't',
        requestOrder: asked(),
        at: at(),
        partial: random() < 0.3,
        devices: some().map((id) => ({
          id,
          connected: random() < 0.6,
          lastDetected: null,
          ...(random() < 0.3 && { name: `Read ${order}`, place: { site: named('s'), room: named('r1') } }),
        })),
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
        ...(random() < 0.5 && { visibleSince: at() - Math.floor(random() * 9000) }),
        uncertain: random() < 0.2,
        afterGap: random() < 0.2,
        at: at(),
      },
    }),
    () => ({
      call: 'subscriptionLost',
      input: { service: 'x', connection: connection(), ids: some(), at: at() - 500 },
    }),
    () => ({
      call: 'unsubscribed',
      input: { service: 'x', connection: connection(), ids: random() < 0.5 ? some() : [] },
    }),
    () => ({
      call: 'departed',
      input: { service: 'x', tenant: 't', connection: connection(), ids: [pick(ids)], requestOrder: asked(), at: at() },
    }),
    () => ({
      call: 'places',
      input: {
        service: 'x',
        tenant: 't',
        connection: connection(),
        places: {
          accounts: random() < 0.5 ? [named('a'), named('b')] : null,
          sites: ['s', 's2']
            .filter(() => random() < 0.7)
            .map((id) => ({ ...named(id), account: pick(['a', 'b', null]) })),
          rooms: ['r1', 'r2']
            .filter(() => random() < 0.7)
            .map((id) => ({ ...named(id), site: pick(['s', 's2']), capacity: null, size: null, floor: null })),
        },
        requestOrder: asked(),
        at: at(),
        partial: random() < 0.2,
      },
    }),
    () => ({
      call: 'adopt',
      input: { service: 'x', tenant: 't', from: 'c1', to: 'c2', at: at() },
    }),
    () => ({
      call: 'finish',
      input: {
        service: 'x',
        tenant: 't',
        connection: connection(),
        generation: Math.ceil(order / 20),
        partial: random() < 0.5,
        at: at(),
      },
    }),
    ...operatorActs({ random, pick, some, at, order: () => order }),
    () =>
      pick([
        listing,
        () => ({ call: 'shareConnection', input: { id: connection() } }),
        () => ({ call: 'unshareConnection', input: { id: connection() } }),
        () => (random() < 0.5 ? listing() : { call: 'forget', input: { connection: connection() } }),
      ])(),
  ]
  return [
    listing('c1'),
    listing('c2'),
    ...Array.from({ length: count }, () => {
      order += 1
      return pick(makers)()
    }),
  ]
}

/** What the calls of operators are made of. */
interface Making {
  random: () => number
  pick: <T>(all: readonly T[]) => T
  /** Some of the devices. */
  some: () => string[]
  at: () => number
  /** Number of the row. */
  order: () => number
}

/** Returns what makes calls of operators. */
function operatorActs({ random, pick, some, at, order }: Making): (() => LoggedCall)[] {
  return [
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
      input: { node: 't:x/t', text: `At ${order()}`, contact: '', tags: [], at: at(), by: pick(['Ann', 'Ben']) },
      role: pick(['ann', 'ben']),
    }),
    () => ({
      call: 'saveNote',
      input: {
        node: pick(ids.map((id) => `d:x/t/${id}`)),
        text: pick(['', `At ${order()}`]),
        contact: '',
        tags: pick([[], ['spare'], ['Lobby', 'spare']]),
        at: at(),
        by: pick(['Ann', 'Ben']),
      },
      role: pick(['ann', 'ben']),
    }),
    () => ({
      call: 'tag',
      input: {
        keys: some().map((id) => `x/t/${id}`),
        add: some().flatMap((id) => [`${id}`, id.toUpperCase()]),
        remove: some(),
        at: at(),
        by: pick(['Ann', 'Ben']),
      },
      role: pick(['ann', 'ben']),
    }),
    () => ({
      call: 'setTags',
      input: { devices: some().map((id) => ({ key: `x/t/${id}`, tags: some() })), at: at(), by: 'Ann' },
      role: 'ann',
    }),
    () => ({
      call: pick(['saveView', 'removeView']),
      input: view(pick(['a', 'b', 'c']), `View ${order()}`, random() < 0.5),
    }),
    () => ({
      call: 'saveOperations',
      input: {
        operations: ['a', 'b']
          .filter(() => random() < 0.6)
          .map((id) => ({ id, name: `Operation ${order()}`, folder: '', document: '{ a }', variables: '' })),
      },
    }),
    () => ({ call: 'removeOperation', input: { id: pick(['a', 'b']) } }),
  ]
}

/** The files of a member. */
export interface Copy {
  profile: string
  store: Store
  calls: Calls
}

export function openCopy(profile: string): Copy {
  const store = openStore(profile, 1, 1_000_000)
  return { profile, store, calls: callsOn(store) }
}

/** Carries out all rows after the copy's position, some at a time, and is started again now and then. */
export function catchUp(copy: Copy, all: readonly LoggedCall[], until: number, random: () => number): Copy {
  let now = copy
  for (;;) {
    const done = now.store.journal.logPosition.read()?.number ?? 0
    if (done >= until) return now
    const end = Math.min(until, done + 1 + Math.floor(random() * 9))
    applyLog(now.store, now.calls, {
      calls: all.slice(done, end).map((row, index) => ({ ...row, number: done + index + 1 })),
      after: done === 0 ? null : { number: done, id: `row ${done}` },
      position: { number: end, id: `row ${end}` },
    })
    // What is shown here changes nothing that is stored.
    if (random() < 0.2) setShown(now.store.inventory, random() < 0.5 ? null : new Set(['c1']), newTouched())
    if (random() < 0.1) {
      closeStore(now.store)
      now = openCopy(now.profile)
    }
  }
}

/**
 * Does the same at a member that does some of the acts among the rows before the team has them: they wait, and come with their
 * rows. Now and then it takes in a snapshot of `other`, or drops an act that cannot be sent. Beneath what waits it is as `other`
 * all the time.
 */
export function catchUpWithActs(copy: Copy, other: Copy, all: readonly LoggedCall[], random: () => number): Copy {
  const own = all.map((row, index) => (mayWait(row.call) && random() < 0.6 ? { ...row, act: `act ${index}` } : row))
  const done = () => now.store.journal.logPosition.read()?.number ?? 0
  /** The rows whose acts were not done yet. */
  let next = 0
  const act = () => {
    next = Math.max(next, done())
    const { act: id, call = '', input } = own[next] ?? {}
    next += 1
    if (id !== undefined) attempt(() => keepAct(now.store, now.calls, { id, call, input }))
  }
  let [now, reference] = [copy, other]
  while (done() < all.length) {
    if (random() < 0.5) for (let count = 1 + Math.floor(random() * 12); count > 0; count -= 1) act()
    if (random() < 0.1) {
      keepAct(now.store, now.calls, { id: 'unsent', call: 'saveView', input: view('a', 'Unsent', random() < 0.5) })
      dropActs(now.store, now.calls, { id: 'unsent' })
    }
    const until = Math.min(all.length, done() + 1 + Math.floor(random() * 12))
    reference = catchUp(reference, all, until, random)
    if (random() < 0.9) now = catchUp(now, own, until, random)
    else now = takenOver(now, reference)
    takeBackAll(now.store)
    expect(actedOn(now)).toEqual(actedOn(reference))
    carryOutActs(now.store, now.calls)
  }
  // What waits still was in a snapshot.
  for (const { id } of now.store.journal.pendingActs.all()) dropActs(now.store, now.calls, { id })
  closeStore(reference.store)
  return now
}

/** Replaces a copy by a snapshot of another one, as a data thread does. */
function takenOver(copy: Copy, other: Copy): Copy {
  const { file, position } = snapshotOut(other.store, other.calls, other.profile)
  snapshotIn(copy.store, { file, position })
  closeStore(copy.store)
  const now = openCopy(copy.profile)
  resumeActs(now.store, now.calls)
  return now
}

/** What acts may change. */
const actedOn = ({ store: { journal, inventory } }: Copy) => ({
  notes: journal.notes.all(),
  inMemory: [...inventory.notes].sort(([one], [two]) => (one < two ? -1 : 1)),
  views: journal.views.all(),
  operations: journal.keptQueries.operations(),
})

/** Runs what may have a fault of its own: the act is not done then, and its row comes all the same. */
function attempt(run: () => void): void {
  try {
    run()
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown
  }
}

/** What a copy says: all rows of its files but those about itself, its tree, and the rows as they are shown. */
export function said({ store }: Copy) {
  const { inventory, journal, cache } = store
  const all = (db: typeof journal.db, tables: readonly string[]) =>
    Object.fromEntries(
      tables.map((table) => [
        table,
        db
          .prepare(`SELECT * FROM "${table}"`)
          .all()
          .map((row) => JSON.stringify(row))
          .sort(),
      ]),
    )
  setShown(inventory, null, newTouched())
  return {
    journal: all(
      journal.db,
      sharedJournal.filter((table) => !table.startsWith('day_')),
    ),
    cache: all(
      cache.db,
      sharedCache.filter((table) => table !== 'recent_update'),
    ),
    kept: cache.db.prepare('SELECT device, text FROM recent_update ORDER BY position').all(),
    rows: [...inventory.rows.slotOf.values()].map((slot) => JSON.stringify(rowAt(inventory, slot))).sort(),
    places: [...inventory.places.byId.values()]
      .map(({ id, name, nameOrder, counts, facts }) => JSON.stringify([id, name, nameOrder, counts, facts]))
      .sort(),
    updates: [...store.recentUpdates.updates],
  }
}
