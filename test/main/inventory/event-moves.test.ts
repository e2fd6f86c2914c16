import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

let temp: ReturnType<typeof tempProfile>
let calls: Calls

const begin = () => {
  calls = callsOn(openStore(temp.profile, 1, 0))
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
}
beforeEach(() => {
  temp = tempProfile()
  begin()
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const north = { site: { id: 's1', name: 'North' }, room: { id: 'r1', name: 'One' } }
const south = { site: { id: 's2', name: 'South' }, room: { id: 'r2', name: 'Two' } }
const page = (requestOrder: number) => calls.page({ ...pageOf([fact('a', north), fact('b', south)]), requestOrder })
const move = (order: number, site = 's2', room = 'r2') =>
  calls.events({ service, events: [event('a', { order, connected: true, name: null, site, room })] })
const placeOf = (id: string) => {
  const row = calls.device({ key: key(id) }).device?.row
  return [row?.site?.name, row?.room?.name]
}

test('a page that was requested before the event keeps its place, a later one brings its own', () => {
  page(1)
  move(5)
  page(4)
  expect(placeOf('a')).toEqual(['South', 'Two'])
  page(6)
  expect(placeOf('a')).toEqual(['North', 'One'])
})

test('an event that came before the request of the last page moves nothing', () => {
  page(9)
  move(5)
  expect(placeOf('a')).toEqual(['North', 'One'])
})

test('a moved device stands under its place after a restart, and in the counts of the tree', () => {
  page(1)
  const change = move(5)
  expect([change.structure, change.unplaced]).toEqual([true, []])
  calls.close(undefined)
  begin()
  expect(placeOf('a')).toEqual(['South', 'Two'])
})

test('a read of a device beats a page that was requested before it', () => {
  page(1)
  calls.reconciliation({
    service,
    tenant: acme.id,
    requestOrder: 7,
    at: 100,
    partial: true,
    devices: [{ id: 'a', connected: true, lastDetected: null, name: 'Renamed', place: south }],
  })
  page(6)
  expect([placeOf('a'), calls.device({ key: key('a') }).device?.row.name]).toEqual([['South', 'Two'], 'Renamed'])
})

test('an unknown place is reported with the place where the device stands', () => {
  page(1)
  expect(move(5, 's2', 'r9').unplaced).toEqual([
    { tenant: acme.id, id: 'a', known: { site: 's1', room: 'r1' }, named: { site: 's2', room: 'r9' } },
  ])
  expect(placeOf('a')).toEqual(['North', 'One'])
})

test('a place that went with its last device is not known by name any more', () => {
  page(1)
  move(5)
  expect(
    calls.events({ service, events: [event('a', { order: 6, connected: true, name: null, site: 's1', room: 'r1' })] })
      .unplaced,
  ).toEqual([{ tenant: acme.id, id: 'a', known: { site: 's2', room: 'r2' }, named: { site: 's1', room: 'r1' } }])
})
