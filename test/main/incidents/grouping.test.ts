import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import type { Notification } from '../../../src-shared/model/inventory.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, openWorld, usual, type World } from './world.ts'
import type { Plan } from './world-devices.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (plan: Plan = usual, over?: Parameters<typeof openWorld>[2]): Promise<World> =>
  openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

/** Many sites of ten devices each: one device down explains none of them. */
const wide = (sites: number): Plan => ({
  acme: Object.fromEntries([...Array(sites).keys()].map((n) => [`site${n}`, { a: 10 }])),
})
const firstsOf = (from: number, before: number): string[] =>
  [...Array(before).keys()].slice(from).map((n) => `site${n}-a-1`)

/** The ids of the devices that a click on it lists. */
function opened({ calls, clock }: World, { open: { scope, filter, device } }: Notification): string[] {
  if (device !== null) return [device.slice(device.lastIndexOf('/') + 1)]
  return calls()
    .rows({ query: { scope, filter, sort: [] }, offset: 0, limit: 500, now: clock.now() })
    .rows.map(({ id }) => id)
    .toSorted()
}

function lastOf({ sent }: World): Notification {
  const last = sent.at(-1)
  if (last === undefined) throw new Error('nothing was told')
  return last
}

describe('an incident without a common place', () => {
  test('is notified with the sites, names and start of the devices down now', async () => {
    const it = await world(wide(20))
    await it.drop(...firstsOf(0, 10))
    await it.clock.advance(3 * minute)
    await it.back(...firstsOf(0, 8))
    await it.clock.advance(3 * minute)
    it.lines()
    await it.drop('site8-a-2', 'site9-a-2')
    await it.clock.advance(3 * minute)
    expect(it.lines()).toEqual([
      '4 devices offline in 2 sites | Acme. Studio site8-a-2, Studio site9-a-2, Studio site8-a-1 and 1 more. Since 03:00 UTC.',
    ])
    await it.back('site8-a-1', 'site8-a-2', 'site9-a-1')
    await it.drop('site9-a-3')
    await it.clock.advance(3 * minute)
    expect(it.lines()[1]).toBe(
      '2 devices offline in Room a | Site9, Acme. Studio site9-a-3 and Studio site9-a-2. Since 03:06 UTC.',
    )
  })

  test('ends although some of it is always down: a later drop begins a new one', async () => {
    const it = await world(wide(60))
    for (let n = 0; n < 40; n += 1) {
      await it.drop(`site${n}-a-1`)
      if (n >= 5) await it.back(`site${n - 5}-a-1`)
      await it.clock.advance(minute)
    }
    const offline = it.sent.filter(({ kind }) => kind === 'offline')
    const ids = Map.groupBy(
      offline.filter(({ devices }) => devices > 1),
      ({ id }) => id,
    )
    for (const notifications of ids.values())
      expect((notifications.at(-1)?.at ?? 0) - (notifications[0]?.at ?? 0)).toBeLessThanOrEqual(10 * minute)
    expect(ids.size).toBeGreaterThanOrEqual(3)
    // Never more alone than three in ten minutes.
    const alone = offline.filter(({ devices, id }) => devices === 1 && !ids.has(id)).map(({ at }) => at)
    for (const from of alone)
      expect(alone.filter((at) => at >= from && at < from + 10 * minute).length).toBeLessThanOrEqual(3)
    for (const title of it.sent.map(titleOf)) {
      const [, devices, sites] = /^(\d+) devices .* in (\d+) sites$/u.exec(title) ?? []
      if (sites !== undefined) expect(Number(sites), title).toBeLessThanOrEqual(Number(devices))
    }
  })

  test('counts each device once at its end, also one that dropped again, with its sites', async () => {
    const it = await world(wide(20))
    await it.drop(...firstsOf(0, 6))
    await it.clock.advance(2 * minute)
    await it.back('site0-a-1', 'site1-a-1')
    await it.clock.advance(2 * minute)
    await it.drop('site0-a-1')
    await it.clock.advance(2 * minute)
    it.lines()
    await it.back('site0-a-1', 'site2-a-1')
    await it.clock.advance(2 * minute)
    expect(it.lines()).toEqual([
      '3 devices are back in 3 sites | Acme. Studio site2-a-1, Studio site0-a-1 and Studio site1-a-1. From the same notification: 3 still offline.',
    ])
    expect(opened(it, lastOf(it))).toEqual(firstsOf(0, 3))
  })
})

describe('an unknown device', () => {
  const plan: Plan = { acme: { berlin: { a: 5 } }, beta: { york: { a: 3 } } }
  const region = ['berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4', 'york-a-1', 'york-a-2', 'york-a-3']

  test('is not called offline when others of its incident recover', async () => {
    const it = await world(plan, { notifyMonitoringLost: false })
    await it.drop(...region)
    await it.clock.advance(3 * minute)
    await it.blind('beta')
    await it.back('berlin-a-1', 'berlin-a-2')
    it.lines()
    await it.clock.advance(3 * minute)
    expect(it.lines()).toEqual([
      '2 devices are back in EU-1 | Studio berlin-a-1 and Studio berlin-a-2. From the same notification: 2 still offline, 3 with no data since.',
    ])
    await it.back('berlin-a-3', 'berlin-a-4')
    await it.clock.advance(3 * minute)
    expect(it.lines()).toEqual([
      '4 devices are back in EU-1 | Studio berlin-a-3, Studio berlin-a-4, Studio berlin-a-1 and 1 more. From the same notification: 3 with no data since.',
    ])
  })

  test('is not called offline when others of its incident drop', async () => {
    const it = await world(plan, { notifyMonitoringLost: false })
    await it.drop(...region)
    await it.clock.advance(3 * minute)
    await it.blind('beta')
    await it.drop('berlin-a-5')
    it.lines()
    await it.clock.advance(3 * minute)
    expect(it.lines()).toEqual([
      '5 devices offline in EU-1 | Studio berlin-a-5, Studio berlin-a-1, Studio berlin-a-2 and 2 more. Since 03:00 UTC. 3 more with no data since.',
    ])
    expect(lastOf(it).devices).toBe(5)
  })
})

describe('a click', () => {
  test('lists exactly the notified devices, whatever else is down or up there', async () => {
    const it = await world(wide(20))
    await it.drop('site19-a-1')
    await it.clock.advance(20 * minute)
    await it.drop(...firstsOf(0, 6))
    await it.clock.advance(3 * minute)
    expect(titleOf(lastOf(it))).toBe('6 devices offline in 6 sites')
    expect(opened(it, lastOf(it))).toEqual(firstsOf(0, 6))
    await it.back(...firstsOf(0, 6))
    await it.clock.advance(3 * minute)
    expect(titleOf(lastOf(it))).toBe('6 devices are back in 6 sites')
    expect(opened(it, lastOf(it))).toEqual(firstsOf(0, 6))
  })

  test('on one that recovered opens its detail', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(2 * minute)
    expect(lastOf(it).open).toMatchObject({ scope: 'all', filter: '', device: keyOf('acme', 'rome-a-1') })
  })

  test('opens its whole place when it has more devices than a filter can name', async () => {
    const it = await world(wide(200))
    const many = firstsOf(0, 160)
    await it.drop(...many)
    await it.clock.advance(2 * minute)
    expect(lastOf(it).open).toMatchObject({ scope: 't:test/acme', filter: 'connected:no', device: null })
    expect(opened(it, lastOf(it))).toEqual(many.toSorted())
    await it.back(...many)
    await it.clock.advance(3 * minute)
    expect(lastOf(it).open).toMatchObject({ scope: 't:test/acme', filter: 'up:<1d', device: null })
    expect(opened(it, lastOf(it))).toEqual(many.toSorted())
  })

  test('names devices whose ids a filter and a key write differently', async () => {
    const odd: Plan = {
      acme: Object.fromEntries(['a b', 'c,d', 'none', 'e*f', 'g/h'].map((site) => [site, { 'x"y': 10 }])),
    }
    const it = await world(odd)
    const ids = ['a b', 'c,d', 'none', 'e*f', 'g/h'].map((site) => `${site}-x"y-1`)
    await it.drop(...ids)
    await it.clock.advance(2 * minute)
    expect(lastOf(it).open.filter).toMatch(/^id:/u)
    const found = it.calls().rows({
      query: { scope: lastOf(it).open.scope, filter: lastOf(it).open.filter, sort: [] },
      offset: 0,
      limit: 9,
      now: it.clock.now(),
    })
    expect(found.rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })
})

test("the operator's thresholds are merged once per evaluation", async () => {
  const it = await world(usual, { holdOffSeconds: 0, groupingSeconds: 0 })
  const before = { ...it.requests }
  await it.drop('rome-a-1')
  await it.clock.advance(40)
  expect([it.requests.locations - before.locations, it.requests.settings - before.settings]).toEqual([1, 1])
  expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
})
