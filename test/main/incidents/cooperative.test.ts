import { afterEach, describe, expect, test } from 'vitest'
import { runInSlices, type Slices } from '../../../src-main/incidents/cooperative.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

/** A clock by which each look at it takes a millisecond. */
function slowed(): { monotonic: () => number } {
  let now = 0
  return { monotonic: () => (now += 1) }
}

function* counting(parts: number): Slices<number> {
  for (let part = 0; part < parts; part += 1) yield
  return parts
}

/** How often the loop comes round until `work` is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, done] = [0, false]
  const next = () => {
    turns += 1
    if (!done) setImmediate(next)
  }
  setImmediate(next)
  await work
  done = true
  return turns
}

describe('work in slices', () => {
  test('gives the result of the work', async () => {
    expect(await runInSlices(counting(100), slowed())).toBe(100)
  })

  test('yields to the event loop again and again, but not between parts that take no time', async () => {
    expect(await turnsDuring(runInSlices(counting(1_000), slowed()))).toBeGreaterThan(50)
    expect(await turnsDuring(runInSlices(counting(1_000), { monotonic: () => 0 }))).toBeLessThan(5)
  })

  test('ends as the work does', async () => {
    const failing = function* (): Slices<void> {
      yield
      throw new Error('nothing is left')
    }
    await expect(runInSlices(failing(), slowed())).rejects.toThrow('nothing is left')
  })
})

/** All 400 devices of 40 sites are down and being weighed, by a clock that goes on with each look at it until `monotonic` is put back; one site of another tenant is up. */
async function openStorm() {
  const sites = Object.fromEntries([...Array(40).keys()].map((n) => [`site${n}`, { a: 10 }]))
  const news = Promise.withResolvers<void>()
  const it = await openWorld(leftovers, { acme: sites, other: { rome: { a: 10 } } }, {}, () => news.resolve())
  await it.drop(...it.ids().filter((id) => id.startsWith('site')))
  const { monotonic } = it.clock
  let looks = 0
  it.clock.monotonic = () => monotonic() + (looks += 1)
  await it.clock.advance(2 * minute)
  return { it, news, monotonic }
}

test('a storm is evaluated in many slices, and a later drop after it', async () => {
  const { it, news, monotonic } = await openStorm()
  expect(it.sent).toEqual([])
  await it.drop('rome-a-1')
  expect(await turnsDuring(news.promise)).toBeGreaterThan(50)
  it.clock.monotonic = monotonic
  expect(it.titles()).toEqual(['400 devices offline in Acme'])
  await it.clock.advance(3 * minute)
  expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
})

test("repeated changes during a storm's evaluation cost one evaluation after it", async () => {
  const { it, news, monotonic } = await openStorm()
  for (let times = 0; times < 20; times += 1) {
    await it.drop('rome-a-1')
    await it.clock.advance(1_000)
    await it.back('rome-a-1')
    await it.clock.advance(1_000)
  }
  expect(it.sent).toEqual([])
  const before = it.requests.settings
  await news.promise
  it.clock.monotonic = monotonic
  await it.clock.advance(0)
  expect(it.requests.settings - before).toBeLessThan(10)
})
