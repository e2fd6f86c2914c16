import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import type { DeviceFact } from '../../../src-main/inventory/thread/protocol.ts'
import { deleteDatabase } from '../../../src-main/storage/database.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls
const open = () => {
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
}
beforeEach(() => {
  temp = tempProfile()
  open()
  list([acme.id])
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const list = (ids: string[], at = 0, by = connection) =>
  calls.tenants({ service, connection: by, tenants: ids.map((id) => ({ ...acme, id })), at })
const read = (generation: number, devices: DeviceFact[], by = connection) => {
  const at = generation * 1000
  calls.page(pageOf(devices, { connection: by, generation, requestOrder: generation, requestedAt: at - 10, at }))
  return calls.finish({ service, tenant: acme.id, connection: by, generation, at })
}
const told = (id = 'a') =>
  store.journal.history
    .placesOf(key(id), 0, Infinity)
    .map(({ from, until, name, site, room }) => [from, until, name, site?.name ?? null, room?.name ?? null])
const berlin = ['Berlin', 'Room 1']

test('a page enters name and place once, and again only what differs', () => {
  read(1, [fact('a'), fact('b')])
  const { sequence } = store
  read(2, [fact('a'), fact('b')])
  expect(store.sequence).toBe(sequence)
  read(3, [fact('a', { name: 'Bar', site: { id: 's2', name: 'Paris' }, room: null }), fact('b')])
  expect(told()).toEqual([
    [990, 2990, 'Studio a', ...berlin],
    [2990, null, 'Bar', 'Paris', null],
  ])
  expect(told('b')).toEqual([[990, null, 'Studio b', ...berlin]])
})

test("an event's name is entered at its time; a page requested before does not undo it", () => {
  read(1, [fact('a')])
  calls.events({ service, events: [event('a', { name: 'Live', order: 5, at: 3500 })] })
  calls.page(pageOf([fact('a')], { connection, generation: 2, requestOrder: 4, requestedAt: 3400, at: 4000 }))
  expect(told()).toEqual([
    [990, 3500, 'Studio a', ...berlin],
    [3500, null, 'Live', ...berlin],
  ])
})

test('a field that the service failed to resolve is no rename and no move', () => {
  read(1, [fact('a')])
  const failing = fact('a', { name: '', site: null, room: null, failed: ['name', 'site', 'room'] })
  read(2, [failing])
  calls.close(undefined)
  deleteDatabase(`${temp.profile}/cache.db`)
  open()
  list([acme.id])
  read(3, [failing])
  expect(told()).toEqual([[990, null, 'Studio a', ...berlin]])
})

test('a device that a completed sync no longer brings is gone since then; one that failed is not', () => {
  read(1, [fact('a'), fact('b')])
  calls.page(pageOf([fact('b')], { connection, generation: 2, requestOrder: 2, at: 2000 }))
  calls.finish({ service, tenant: acme.id, connection, generation: 2, at: 2000, partial: true })
  expect(told()).toEqual([[990, null, 'Studio a', ...berlin]])
  read(3, [fact('b')])
  expect(told()).toEqual([[990, 3000, 'Studio a', ...berlin]])
  read(4, [fact('a'), fact('b')])
  expect(told().at(-1)).toEqual([3990, null, 'Studio a', ...berlin])
  expect(told('b')).toHaveLength(1)
})

test('a device ends with the last connection that claims it, and with its tenant', () => {
  list([acme.id], 0, 'other')
  read(1, [fact('a'), fact('b')])
  read(2, [fact('a')], 'other')
  list([], 5000)
  expect([told('a'), told('b')].map((spans) => spans[0]?.[1])).toEqual([null, 5000])
  list([], 6000, 'other')
  expect(told('a')[0]?.[1]).toBe(6000)
})

test('devices that only the adopting connection had are gone since the adoption', () => {
  list([acme.id], 0, 'other')
  read(1, [fact('ghost')], 'other')
  read(2, [fact('a')])
  calls.adopt({ service, tenant: acme.id, from: connection, to: 'other', at: 7000 })
  expect(told('ghost')[0]?.[1]).toBe(7000)
  expect(told('a')[0]?.[1]).toBeNull()
})

test('forgetting a connection erases them, unless the history is kept', () => {
  read(1, [fact('a')])
  calls.forget({ connection, keepHistory: { at: 5000 } })
  expect(told()).toEqual([[990, 5000, 'Studio a', ...berlin]])
  list([acme.id], 6000)
  read(7, [fact('a')])
  calls.forget({ connection })
  expect(told()).toEqual([])
})

test('a journal that is ahead of the cache enters nothing twice after a crash between the two', () => {
  const write = store.cache.write
  Object.assign(store.cache, {
    write: () => {
      throw new Error('the disk is full')
    },
  })
  expect(() => read(1, [fact('a')])).toThrow('the disk is full')
  Object.assign(store.cache, { write })
  calls.close(undefined)
  open()
  list([acme.id])
  read(2, [fact('a')])
  expect(told()).toEqual([[990, null, 'Studio a', ...berlin]])
})

test('the history of a device has the newest name and place first', () => {
  read(1, [fact('a')])
  read(2, [fact('a', { name: 'Bar', site: null, room: null })])
  const of = (id: string) => calls.deviceHistory({ key: key(id) })
  expect(of('a')).toMatchObject({
    total: 2,
    places: [
      { from: 1990, until: null, name: 'Bar', account: null, site: null, room: null },
      { from: 990, until: 1990, name: 'Studio a', site: { name: 'Berlin' }, room: { name: 'Room 1' } },
    ],
  })
  expect(of('none')).toEqual({ total: 0, places: [] })
})

test('the history of a device has the hundred newest of many names, and their number', () => {
  read(1, [fact('a')])
  for (let at = 2; at <= 120; at += 1)
    calls.events({ service, events: [event('a', { name: `Name ${at}`, order: at, at: at * 1000 })] })
  const { total, places } = calls.deviceHistory({ key: key('a') })
  expect([total, places.length, places[0]?.name, places.at(-1)?.name]).toEqual([120, 100, 'Name 120', 'Name 21'])
})
