import type { LoggedCall } from '../../../../src-main/inventory/thread/log-protocol.ts'
import { callsOn, type Calls } from '../../../../src-main/inventory/thread/calls.ts'
import { applyLog } from '../../../../src-main/inventory/thread/log-calls.ts'
import { newTouched } from '../../../../src-main/inventory/engine/inventory.ts'
import { rowAt } from '../../../../src-main/inventory/engine/view.ts'
import { setShown } from '../../../../src-main/inventory/engine/visibility.ts'
import { sharedCache, sharedJournal } from '../../../../src-main/storage/team-snapshot.ts'
import { closeStore, openStore, type Store } from '../../../../src-main/inventory/store.ts'

const ids = Array.from({ length: 12 }, (_, index) => `d${index}`)

/** Returns calls as two leaders, an evaluator and operators write them. */
export function rows(random: () => number, count: number): LoggedCall[] {
  let order = 0
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  /** Of a request just before, or of one whose answer is late. */
  const asked = () => order - 1 - (random() < 0.3 ? Math.floor(random() * 8) : 0)
  const named = (id: string) => ({ id, name: `${id} ${Math.floor(random() * 3)}` })
  const at = () => 1_000_000 + order * 1000
  const connection = () => pick(['c1', 'c2'])
  const device = (id: string) => ({
    id,
    name: `Device ${id} ${Math.floor(random() * 3)}`,
    connected: random() < 0.7,
    ...pick([
      { site: null, room: null },
      { site: named('s'), room: null },
      { site: named('s'), room: named(pick(['r1', 'r2'])) },
      { site: named('s2'), room: named('r1') },
    ]),
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
        requestOrder: asked(),
        at: at(),
        devices: some().map((id) => ({ ...device(id), ...(random() < 0.1 && { failed: ['connected'] }) })),
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
    ...Array.from({ length: count }, () => {
      order += 1
      return pick(makers)()
    }),
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
      calls: all.slice(done, end),
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
