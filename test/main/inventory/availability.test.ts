import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import type { JournalEntry } from '../../../src-main/storage/journal/journal.ts'
import { noDelta } from '../storage/journal/deltas.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

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
const missing = (id: string, notBefore: number, at: number, connected: boolean): JournalEntry => ({
  key: key(id),
  state: { connected, at, notBefore, since: null },
  transition: { at, notBefore, connected },
})
const missed = (...of: Parameters<typeof missing>) => store.journal.enter([missing(...of)])
const unseen = (from: number, until: number | null, tenant = 'https%3A%2F%2Fservice.test/acme') =>
  calls.saveAlerts({ ...noDelta, unseen: [{ tenant, from, until }] })
const strip = (
  subject: { device: string } | { node: string },
  over: Partial<Parameters<Calls['availability']>[0]> = {},
) => calls.availability({ subject, from: 1000, until: 2000, parts: 2, now: 2000, ...over })
const ofA = (over: Partial<Parameters<Calls['availability']>[0]> = {}) => strip({ device: key('a') }, over)
const part = (up: number, down: number, unseenMs: number) => ({ up, down, reported: 0, unseen: unseenMs })

describe('the strip of a device', () => {
  test('observed time is cut at the parts', () => {
    calls.page(pageOf([fact('a')], { at: 100 }))
    seen('a', 1200, false)
    seen('a', 1600, true)
    expect(ofA()).toEqual({ devices: 1, drops: 1, parts: [part(200, 300, 0), part(400, 100, 0)], reportedSince: null })
    expect(ofA({ parts: 1 }).parts).toEqual([part(600, 400, 0)])
  })

  test('without a transition it has its first known state, and no data before that', () => {
    calls.page(pageOf([fact('a', { connected: false })], { at: 1300 }))
    expect(ofA()).toEqual({ devices: 1, drops: 0, parts: [part(0, 200, 300), part(0, 500, 0)], reportedSince: null })
  })

  test('a device offline before monitoring is offline since lastDetected, as reported', () => {
    calls.page(pageOf([fact('a', { connected: false, lastDetected: 1100 })], { at: 1700 }))
    expect(ofA()).toEqual({
      devices: 1,
      drops: 0,
      parts: [
        { up: 0, down: 0, reported: 400, unseen: 100 },
        { up: 0, down: 300, reported: 200, unseen: 0 },
      ],
      reportedSince: 1100,
    })
    expect(ofA({ from: 1800 }).parts).toEqual([part(0, 100, 0), part(0, 100, 0)])
  })

  test('the reported time holds also while the tenant is unknown, and not after it was seen online', () => {
    calls.page(
      pageOf([fact('a', { connected: false, lastDetected: 1100 }), fact('b', { lastDetected: 1100 })], { at: 1700 }),
    )
    unseen(1000, 1500)
    expect(ofA().parts[0]).toEqual({ up: 0, down: 0, reported: 400, unseen: 100 })
    seen('a', 1800, true)
    expect(ofA()).toMatchObject({ parts: [{ reported: 0 }, { reported: 0 }], reportedSince: null })
    seen('a', 1900, false)
    expect(ofA()).toMatchObject({ parts: [{ reported: 0 }, { reported: 0 }], reportedSince: null })
    expect(strip({ device: key('b') }).reportedSince).toBeNull()
  })

  test('the first transition does not extend the known time before it', () => {
    calls.page(pageOf([fact('a')], { at: 1300 }))
    seen('a', 1400, false)
    expect(ofA().parts).toEqual([part(100, 100, 300), part(0, 500, 0)])
  })

  test('the span of a missed change has no data', () => {
    calls.page(pageOf([fact('a')], { at: 100 }))
    missed('a', 1100, 1600, false)
    expect(ofA()).toEqual({ devices: 1, drops: 1, parts: [part(100, 0, 400), part(0, 400, 100)], reportedSince: null })
  })

  test('a missed span can reach over the beginning, or lie before it', () => {
    calls.page(pageOf([fact('a')], { at: 100 }))
    missed('a', 400, 700, false)
    missed('a', 800, 1200, true)
    expect(ofA()).toEqual({ devices: 1, drops: 0, parts: [part(300, 0, 200), part(500, 0, 0)], reportedSince: null })
  })

  test('the state at the beginning is that of the last transition before it', () => {
    calls.page(pageOf([fact('a')], { at: 100 }))
    seen('a', 400, false)
    expect(ofA().parts).toEqual([part(0, 500, 0), part(0, 500, 0)])
  })

  test('a past range is not changed by later transitions', () => {
    calls.page(pageOf([fact('a')], { at: 100 }))
    seen('a', 1200, false)
    seen('a', 5000, true)
    seen('a', 6000, false)
    expect(ofA({ now: 9000 })).toEqual({
      devices: 1,
      drops: 1,
      parts: [part(200, 300, 0), part(0, 500, 0)],
      reportedSince: null,
    })
  })

  test('an open state ends now, and the time after now has no data', () => {
    calls.page(pageOf([fact('a')], { at: 100 }))
    expect(ofA({ now: 1700 }).parts).toEqual([part(500, 0, 0), part(200, 0, 300)])
  })

  test("the tenant's unknown times have no data, also when they overlap or are open", () => {
    calls.page(pageOf([fact('a')], { at: 100 }))
    seen('a', 1200, false)
    unseen(500, 1050)
    unseen(1150, 1250)
    unseen(1180, 1300)
    unseen(1900, null)
    unseen(1000, 2000, 'https%3A%2F%2Fservice.test/other')
    expect(ofA().parts).toEqual([part(100, 200, 200), part(0, 400, 100)])
  })

  test('a clock that was set back does not turn time round', () => {
    calls.page(pageOf([fact('a')], { at: 100 }))
    seen('a', 1600, false)
    seen('a', 1400, true)
    expect(ofA()).toEqual({ devices: 1, drops: 1, parts: [part(500, 0, 0), part(500, 0, 0)], reportedSince: null })
  })

  test('an unknown device has no data', () => {
    expect(strip({ device: key('nobody') })).toEqual({
      devices: 1,
      drops: 0,
      parts: [part(0, 0, 500), part(0, 0, 500)],
      reportedSince: null,
    })
  })
})

describe('the strip of a node', () => {
  const other = { id: 'other', name: 'Other', region: 'EU-1' }
  beforeEach(() => {
    calls.tenants({ service, connection, tenants: [acme, other], at: 0 })
    calls.page(
      pageOf([fact('a'), fact('b', { site: { id: 's2', name: 'Paris' } }), fact('c', { connected: null })], {
        at: 100,
      }),
    )
    calls.page(pageOf([fact('a')], { at: 100, tenant: 'other' }))
    seen('a', 1200, false)
    seen('b', 1500, false)
    calls.events({ service, events: [event('a', { tenant: 'other', connected: false, at: 1900, order: ++order })] })
  })
  const tenant = 'https%3A%2F%2Fservice.test/acme'

  test.each<[string, number, number, ReturnType<typeof part>[]]>([
    ['all', 4, 3, [part(1200, 300, 500), part(400, 1100, 500)]],
    ['r:https%3A%2F%2Fservice.test/EU-1', 4, 3, [part(1200, 300, 500), part(400, 1100, 500)]],
    ['r:EU-1', 4, 3, [part(1200, 300, 500), part(400, 1100, 500)]],
    [`t:${tenant}`, 3, 2, [part(700, 300, 500), part(0, 1000, 500)]],
    [`s:${tenant}/s2`, 1, 1, [part(500, 0, 0), part(0, 500, 0)]],
    [`m:${tenant}/s1/r1`, 2, 1, [part(200, 300, 500), part(0, 500, 500)]],
    [`d:${key('a')}`, 1, 1, [part(200, 300, 0), part(0, 500, 0)]],
    ['s:gone/gone/gone', 0, 0, [part(0, 0, 0), part(0, 0, 0)]],
  ])('%s', (node, devices, drops, parts) => {
    expect(strip({ node })).toEqual({ devices, drops, parts, reportedSince: null })
  })

  test('each tenant has its own unknown times', () => {
    unseen(1000, 2000, 'https%3A%2F%2Fservice.test/other')
    expect(strip({ node: 'all' }).parts).toEqual([part(700, 300, 1000), part(0, 1000, 1000)])
  })
})

/** A day of random life, computed minute by minute beside the strip. */
describe('many devices, at random', () => {
  const random = (seed: number) => {
    let state = seed
    return (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
  }

  test.each([
    [1, 5],
    [2, 30],
    [3, 600],
    [4, 600],
  ])(
    'seed %i, %i devices: the strip equals a plain computation',
    (seed, devices) => {
      const below = random(seed)
      const ids = Array.from({ length: devices }, (_, n) => `d${n}`)
      // -1 unseen, 0 down, 1 up, by millisecond.
      const worlds = ids.map(() => new Int8Array(1000).fill(-1))
      const first = ids.map(() => below(300))
      calls.page(pageOf(ids.map((id) => fact(id, { connected: null }))))
      const entries = ids.map((id, n): JournalEntry => ({
        key: key(id),
        state: { connected: true, at: first[n] as number, notBefore: null, since: null },
        transition: null,
      }))
      const drops = { within: 0 }
      ids.forEach((id, n) => {
        const world = worlds[n] as Int8Array
        let time = first[n] as number
        let is = true
        for (let turn = below(6); turn > 0; turn -= 1) {
          const until = time + below(200)
          const at = until + (below(2) === 0 ? 0 : below(80))
          if (at >= 990) break
          world.fill(Number(is), time, until)
          is = !is
          entries.push(missing(id, until, at, is))
          if (!is && at >= 400 && at < 900) drops.within += 1
          time = at
        }
        world.fill(Number(is), time, 1000)
      })
      store.journal.enter(entries)
      const gaps = Array.from({ length: 5 }, () => ({ from: below(1000), long: below(60) }))
      for (const { from, long } of gaps) {
        unseen(from, from + long)
        for (const world of worlds) world.fill(-1, from, from + long)
      }
      const answer = strip({ node: 'all' }, { from: 400, until: 900, parts: 7, now: 1000 })
      const durationOf = (want: number, from: number, until: number) =>
        worlds.reduce((sum, world) => sum + [...world.subarray(from, until)].filter((is) => is === want).length, 0)
      const whole = answer.parts.reduce((sum, { up, down }) => part(sum.up + up, sum.down + down, 0), part(0, 0, 0))
      expect(whole.up).toBeCloseTo(durationOf(1, 400, 900), 3)
      expect(whole.down).toBeCloseTo(durationOf(0, 400, 900), 3)
      expect(answer.drops).toBe(drops.within)
      for (const { up, down, unseen } of answer.parts) expect(up + down + unseen).toBeCloseTo(devices * (500 / 7), 3)
      const even = strip({ node: 'all' }, { from: 400, until: 900, parts: 10, now: 1000 })
      expect(even.parts).toEqual(
        even.parts.map((_, n) =>
          part(
            durationOf(1, 400 + n * 50, 450 + n * 50),
            durationOf(0, 400 + n * 50, 450 + n * 50),
            durationOf(-1, 400 + n * 50, 450 + n * 50),
          ),
        ),
      )
    },
    60_000,
  )
})
