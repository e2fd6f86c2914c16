import { afterEach, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { open, only, openWorld, type World } from './world.ts'
import type { Plan } from './world-devices.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

/** Some devices were down at the first sync: no transition of theirs is known. */
async function world(plan: Plan, ...down: string[]): Promise<World> {
  const it = await openWorld(leftovers, { acme: { base: { x: 40 } }, ...plan }, {}, undefined, down)
  expect(it.lines()).toEqual([])
  return it
}
const numbers = (length: number, from = 1) => Array.from({ length }, (_, n) => n + from)

test('devices down before the first sync count with their place, and are not notified themselves', async () => {
  const it = await world({ beta: { austin: { a: 35 } } }, ...numbers(5).map((n) => `austin-a-${n}`))
  await it.drop(...numbers(30, 6).map((n) => `austin-a-${n}`))
  await it.clock.advance(2 * minute)
  expect(only(it)).toMatchObject({ extent: { down: 30, othersDown: 5, peakInPlace: 35, total: 35, peak: 30 } })
  expect(it.lines()).toEqual([
    expect.stringMatching(/^30 devices offline in Room a \| .* 5 others are offline there\.$/u),
  ])
})

test('they neither make nor hide an outage of a place', async () => {
  const old = numbers(10).map((n) => `york-a-${n}`)
  const it = await world({ beta: { york: { a: 20 } } }, ...old)
  await it.drop('york-a-11', 'york-a-12', 'york-a-13')
  await it.clock.advance(2 * minute)
  expect(open(it).map(({ scope }) => scope.shape)).toEqual(['device', 'device', 'device'])
  await it.drop('york-a-14', 'york-a-15', 'york-a-16')
  await it.clock.advance(2 * minute)
  expect(only(it)).toMatchObject({
    scope: { shape: 'node' },
    extent: { down: 6, othersDown: 10, peakInPlace: 16, total: 20 },
  })
})

test('a recovered device leaves the count of others down, and a device that stays down joins it', async () => {
  const it = await world({ beta: { austin: { a: 10 } } }, 'austin-a-1', 'austin-a-2')
  await it.drop(...numbers(8, 3).map((n) => `austin-a-${n}`))
  await it.clock.advance(2 * minute)
  expect(only(it)).toMatchObject({ extent: { down: 8, othersDown: 2 } })
  await it.back('austin-a-1')
  await it.clock.advance(2_000)
  expect(only(it)).toMatchObject({ extent: { down: 8, othersDown: 1, peakInPlace: 10 } })
  await it.back(...numbers(8, 3).map((n) => `austin-a-${n}`))
  await it.clock.advance(3 * minute)
  expect(open(it)).toEqual([])
})

test('devices within their hold-off neither make an outage of a place nor count in one', async () => {
  const it = await world({ beta: { york: { a: 20 } } })
  await it.drop('york-a-1', 'york-a-2', 'york-a-3')
  await it.clock.advance(60_000)
  await it.drop(...numbers(15, 4).map((n) => `york-a-${n}`))
  await it.clock.advance(40_000)
  expect(open(it).map(({ scope, extent }) => [scope.shape, extent.othersDown])).toEqual([
    ['device', 0],
    ['device', 0],
    ['device', 0],
  ])
  await it.back(...numbers(15, 4).map((n) => `york-a-${n}`))
  await it.clock.advance(10 * minute)
  expect(open(it).map(({ scope }) => scope.shape)).toEqual(['device', 'device', 'device'])
})
