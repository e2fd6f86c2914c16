import type { LoggedCall } from '../../../../src-main/inventory/thread/log-protocol.ts'
import { callsOn, type Calls } from '../../../../src-main/inventory/thread/calls.ts'
import { applyLog } from '../../../../src-main/inventory/thread/log-calls.ts'
import { closeStore, openStore, type Store } from '../../../../src-main/inventory/store.ts'

const ids = Array.from({ length: 12 }, (_, index) => `d${index}`)

/** Returns calls as two leaders, an evaluator and operators write them. */
export function rows(random: () => number, count: number): LoggedCall[] {
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
    if (random() < 0.1) {
      closeStore(now.store)
      now = openCopy(now.profile)
    }
  }
}

/** What a copy says, without since when exactly, and what its memory alone knows. */
export function said({ store }: Copy) {
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
