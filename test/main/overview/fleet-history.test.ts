import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createScan } from '../../../src-main/inventory/reads/overview/scan.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import type { JournalEntry } from '../../../src-main/storage/journal/journal.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from '../inventory/profile.ts'
import { noDelta } from '../storage/journal/deltas.ts'

const hour = 3_600_000
const day = 24 * hour
const now = 100 * day
const beta = { id: 'beta', name: 'Beta', region: 'US-1' }
const tenantOf = (id: string) => `t:https%3A%2F%2Fservice.test/${id}`
const site = (id: string) => `s:https%3A%2F%2Fservice.test/acme/${id}`

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls
let order = 10

beforeEach(() => {
  temp = tempProfile()
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
  calls.tenants({ service, connection, tenants: [acme, beta], at: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const seen = (id: string, at: number, connected: boolean, tenant = acme.id) =>
  calls.events({ service, events: [event(id, { tenant, connected, at, order: ++order })] })
const missed = (id: string, notBefore: number, at: number, connected: boolean) => {
  const entry: JournalEntry = {
    key: key(id),
    state: { connected, at, notBefore, since: null },
    transition: { at, notBefore, connected },
  }
  store.journal.enter([entry])
}
const unseen = (from: number, until: number | null) =>
  calls.saveAlerts({ ...noDelta, unseen: [{ tenant: 'https%3A%2F%2Fservice.test/acme', from, until }] })

/** Repeats a call as the core does; the number of calls is in `turns`. */
function done<T>(call: () => T | null, turns = { count: 0 }): T {
  for (;;) {
    turns.count += 1
    const answer = call()
    if (answer !== null) return answer
  }
}
const dayOf = (at = now) => done(() => calls.overviewDay({ now: at }))
const monthOf = (at = now) => done(() => calls.overviewMonth({ now: at }))

describe('the last 24 hours of the tenants', () => {
  test('have the devices that were online and offline, by quarter of an hour', () => {
    calls.page(pageOf([fact('a'), fact('b')], { at: 10 }))
    calls.page(pageOf([fact('c')], { at: 10, tenant: beta.id }))
    seen('a', now - hour, false)
    const { from, until, tenants } = dayOf()
    expect([from, until]).toEqual([now - day, now])
    const [first, second] = tenants
    expect([first?.id, first?.devices, second?.id, second?.devices]).toEqual([tenantOf('acme'), 2, tenantOf('beta'), 1])
    expect([first?.up.length, first?.up[0], first?.up[91], first?.up[92], first?.down[92], first?.down[95]]).toEqual([
      96, 2, 2, 1, 1, 1,
    ])
    expect([second?.up.at(-1), second?.down.at(-1)]).toEqual([1, 0])
  })

  test('have nothing before a device was known, and none of the time in which nobody saw it', () => {
    calls.page(pageOf([fact('a')], { at: now - 2 * hour }))
    unseen(now - hour, now - hour / 2)
    const [first] = dayOf().tenants
    expect([first?.up[0], first?.up[87], first?.up[88], first?.up[92], first?.up[94]]).toEqual([0, 0, 1, 0, 1])
    expect(first?.down.every((each) => each === 0)).toBe(true)
  })

  test('agree with the strip of the whole fleet, whatever happened', () => {
    const change = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      at: fc.integer({ min: now - 3 * day, max: now + hour }),
      connected: fc.boolean(),
      gap: fc.option(fc.nat(6 * hour)),
    })
    calls.page(pageOf([fact('a'), fact('b', { connected: false }), fact('c')], { at: now - 2 * day }))
    let at = now
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        for (const { id, at: time, connected, gap } of changes)
          if (gap === null) seen(id, time, connected)
          else missed(id, time - gap, time, connected)
        at += 60_000
        const strip = calls.availability({ subject: { node: 'all' }, from: at - day, until: at, parts: 96, now: at })
        const [first] = dayOf(at).tenants
        strip.parts.forEach(({ up, down }, part) => {
          expect(first?.up[part]).toBeCloseTo(up / (hour / 4), 1)
          expect(first?.down[part]).toBeCloseTo(down / (hour / 4), 1)
        })
      }),
      { numRuns: 60 },
    )
  })
})

describe('the last 30 days', () => {
  test('count disconnects by device, the most first, without devices that are gone', () => {
    calls.page(pageOf([fact('a'), fact('b'), fact('c')], { at: 10, generation: 1 }))
    for (const [id, times] of [
      ['a', 1],
      ['b', 3],
      ['c', 2],
    ] as const)
      for (let n = 0; n < times; n += 1) {
        seen(id, now - 20 * day + n * hour, false)
        seen(id, now - 20 * day + n * hour + 60_000, true)
      }
    seen('a', now - 31 * day, false)
    seen('a', now - 31 * day + 1, true)
    expect(
      monthOf().disconnects.map(({ key: device, count, name, tenant, site: its }) => [
        device,
        count,
        name,
        tenant,
        its,
      ]),
    ).toEqual([
      [key('b'), 3, 'Studio b', 'Acme', 'Berlin'],
      [key('c'), 2, 'Studio c', 'Acme', 'Berlin'],
      [key('a'), 1, 'Studio a', 'Acme', 'Berlin'],
    ])
    calls.page(pageOf([fact('a'), fact('c')], { at: now, generation: 2, requestOrder: 50 }))
    calls.finish({ service, tenant: acme.id, generation: 2, at: now })
    expect(monthOf().disconnects.map(({ key: device }) => device)).toEqual([key('c'), key('a')])
  })

  test('rank sites by offline time, and leave spares out', () => {
    const at = (id: string, of: string) =>
      fact(id, { site: { id: of, name: of }, room: null, lastDetected: now - 5 * day })
    calls.page(pageOf([at('a', 'x'), at('b', 'y'), at('c', 'z')], { at: 10 }))
    calls.visibility({ service, connection, tenants: [acme.id], visible: true, confirmedAt: 10, visibleSince: 0 })
    seen('a', now - 2 * day, false)
    seen('a', now - day, true)
    seen('b', now - 4 * day, false)
    seen('b', now - day, true)
    seen('c', now - 9 * day, false)
    calls.spares({ models: [], age: day })
    const { sites } = monthOf()
    expect(sites.map(({ id, down, up }) => [id, down / day, up / day])).toEqual([
      [site('y'), 3, 27],
      [site('x'), 1, 29],
    ])
  })

  test('have the same 24 hours of last week', () => {
    calls.page(pageOf([fact('a')], { at: 10 }))
    seen('a', now - 7 * day - hour, false)
    seen('a', now - 7 * day + hour, true)
    const { lastWeek } = monthOf()
    expect([lastWeek.from, lastWeek.until]).toEqual([now - 8 * day, now - 7 * day])
    expect([lastWeek.up[91], lastWeek.down[91], lastWeek.up[92], lastWeek.down[95]]).toEqual([1, 0, 0, 1])
  })

  test('give each place its last 7 days, none to one without data', () => {
    calls.page(
      pageOf([fact('a'), fact('b', { site: { id: 's2', name: 'Hamburg' }, room: null })], { at: now - 10 * day }),
    )
    calls.page(pageOf([fact('c', { site: { id: 's3', name: 'Roma' }, room: null })], { at: now, requestOrder: 40 }))
    seen('a', now - 8 * day, false)
    seen('a', now - 6 * day, true)
    seen('a', now - 1 * day, false)
    seen('a', now - 1 * day + hour, true)
    const { places, from } = done(() => calls.overviewPlaces({ tiles: 'site', now }))
    expect(from).toBe(now - 7 * day)
    expect(places).toEqual([
      { id: site('s1'), up: 6 * day - hour, down: day + hour, disconnects: 1 },
      { id: site('s2'), up: 7 * day, down: 0, disconnects: 0 },
    ])
  })
})

describe('the journal is read part by part', () => {
  test('a change that comes between two parts is in the result, and no part reads everything', () => {
    calls.page(pageOf([fact('a'), fact('b')], { at: 10 }))
    const entries = Array.from({ length: 20_000 }, (_, n): JournalEntry => {
      const at = now - day + n * 4000
      const connected = n % 2 === 1
      return {
        key: key('b'),
        state: { connected, at, notBefore: null, since: null },
        transition: { at, notBefore: null, connected },
      }
    })
    store.journal.enter(entries)
    const turns = { count: 0 }
    expect(calls.overviewDay({ now })).toBeNull()
    seen('a', now - hour, false)
    const { tenants } = done(() => calls.overviewDay({ now }), turns)
    expect(turns.count).toBeGreaterThan(3)
    expect(tenants[0]?.down.at(-1)).toBeGreaterThanOrEqual(1)
  })

  test('a result holds for a while; a scan that was left, failed, or is too old begins anew', () => {
    let [begun, fails] = [0, false]
    const scan = createScan(function* work(): Generator<undefined, number> {
      begun += 1
      yield undefined
      if (fails) throw new Error('the disk')
      return begun
    }, 1000)
    expect([scan.step(0), scan.step(10), scan.step(900), scan.step(1010)]).toEqual([null, 1, 1, 1])
    expect([scan.step(1011), scan.step(1012)]).toEqual([null, 2])
    expect(scan.step(3000)).toBeNull()
    expect([scan.step(3000 + 600_000), begun]).toEqual([null, 4])
    fails = true
    expect(() => scan.step(3000 + 600_001)).toThrow('the disk')
    fails = false
    expect([scan.step(3000 + 600_002), scan.step(3000 + 600_003)]).toEqual([null, 5])
    // The clock was set back.
    expect(scan.step(5)).toBeNull()
  })
})
