import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from '../inventory/profile.ts'
import { noDelta } from '../storage/journal/deltas.ts'

const hour = 3_600_000
const day = 24 * hour
const now = 100 * day
const tenant = 't:https%3A%2F%2Fservice.test/acme'
const site = (id: string) => `s:https%3A%2F%2Fservice.test/acme/${id}`

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls
let order = 10

beforeEach(() => {
  temp = tempProfile()
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const seen = (id: string, at: number, connected: boolean) =>
  calls.events({ service, events: [event(id, { connected, at, order: ++order })] })
const unseen = (from: number, until: number) =>
  calls.saveAlerts({ ...noDelta, unseen: [{ tenant: 'https%3A%2F%2Fservice.test/acme', from, until }] })
const at = (id: string, of: string, over: Parameters<typeof fact>[1] = {}) =>
  fact(id, { site: { id: of, name: `Site ${of}` }, room: { id: `r${of}`, name: `Room ${of}` }, ...over })
const outages = (id: string, times: number, length: number, begin = now - 20 * day) => {
  for (let n = 0; n < times; n += 1) {
    seen(id, begin + n * hour, false)
    seen(id, begin + n * hour + length, true)
  }
}

function historyOf(place: string, time = now) {
  for (;;) {
    const answer = calls.overviewPlace({ place, now: time })
    if (answer !== null) return answer.history
  }
}

test('a tenant has its sites by hour, the most offline first, and a site its rooms', () => {
  calls.page(pageOf([at('a', 'one'), at('b', 'one'), at('c', 'two')], { at: 10 }))
  seen('c', now - 2 * hour, false)
  const lines = historyOf(tenant)?.hours.lines ?? []
  expect(lines.map(({ id, name, devices }) => [id, name, devices])).toEqual([
    [site('two'), 'Site two', 1],
    [site('one'), 'Site one', 2],
  ])
  expect(lines[0]?.down.slice(20)).toEqual([0, 0, 1, 1])
  expect(lines[0]?.up.slice(20)).toEqual([1, 1, 0, 0])
  expect(historyOf(site('one'))?.hours.lines.map(({ name, devices }) => [name, devices])).toEqual([['Room one', 2]])
  expect(historyOf(site('three'))).toBeNull()
})

test('devices are ranked by disconnects of 30 days, with their offline time and the last one', () => {
  calls.page(pageOf([at('a', 'one'), at('b', 'one'), at('c', 'two'), at('d', 'two')], { at: 10 }))
  outages('a', 1, hour / 2, now - 31 * day)
  outages('b', 3, 60_000)
  outages('c', 1, 2 * 60_000)
  seen('d', now + hour, false)
  unseen(now - 20 * day + 60_000, now - 20 * day + 2 * 60_000)
  const history = historyOf(tenant)
  expect(history?.disconnecting).toBe(2)
  expect(history?.devices).toEqual([
    {
      key: key('b'),
      name: 'Studio b',
      site: 'Site one',
      room: 'Room one',
      hardwareModel: 'X50',
      disconnects: 3,
      last: now - 20 * day + 2 * hour,
      down: 3 * 60_000,
    },
    expect.objectContaining({ key: key('c'), disconnects: 1, down: 60_000 }),
  ])
  expect(historyOf(site('two'))?.devices.map((device) => device.key)).toEqual([key('c')])
})

test('what the worst have in common is told, unless all of the place have it', () => {
  const bad = ['a', 'b', 'c', 'd'].map((id) => at(id, 'one', { hardwareModel: 'X30' }))
  const good = Array.from({ length: 8 }, (_, n) => at(`g${n}`, 'one'))
  calls.page(pageOf([...bad, ...good], { at: 10 }))
  for (const id of ['a', 'b', 'c', 'd']) outages(id, 2, 60_000)
  expect(historyOf(tenant)?.inCommon).toEqual([{ field: 'hardwareModel', value: 'X30', devices: 4, all: 4 }])
})

test('with more devices than are read one by one, nothing differs', () => {
  const many = Array.from({ length: 450 }, (_, n) => at(`m${n}`, n < 10 ? 'one' : 'two'))
  calls.page(pageOf(many, { at: 10 }))
  outages('m3', 2, 60_000)
  outages('m44', 1, 60_000)
  expect(historyOf(tenant)?.devices.map((device) => [device.key, device.disconnects])).toEqual([
    [key('m3'), 2],
    [key('m44'), 1],
  ])
  expect(historyOf(site('one'))?.devices).toEqual(historyOf(tenant)?.devices.slice(0, 1))
})

test('an hour agrees with the strip of the place, whatever happened', () => {
  calls.page(pageOf([at('a', 'one'), at('b', 'one', { connected: false }), at('c', 'two')], { at: now - 2 * day }))
  const change = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    after: fc.nat(5 * hour),
    connected: fc.boolean(),
  })
  let time = now
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      for (const { id, after, connected } of changes.toSorted((one, other) => one.after - other.after))
        seen(id, time + after, connected)
      time += 6 * hour
      for (const { id, devices, up, down } of historyOf(tenant, time)?.hours.lines ?? []) {
        const span = { from: time - day, until: time, parts: 24, now: time }
        const strip = calls.availability({ subject: { node: id }, ...span })
        strip.parts.forEach((part, index) => {
          expect(up[index]).toBeCloseTo(part.up / hour / devices, 2)
          expect(down[index]).toBeCloseTo(part.down / hour / devices, 2)
        })
      }
    }),
    { numRuns: 60 },
  )
})
