import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Journal, openJournal } from '../../../../src-main/storage/journal/journal.ts'
import { retentionMs } from '../../../../src-main/storage/journal/pruning.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'

const dayMs = 86_400_000
const leftovers = createLeftovers()
let profile: string
let journal: Journal

beforeEach(() => {
  profile = temporaryProfile(leftovers)
  journal = openJournal(profile, 0)
  leftovers.push(() => journal.close())
})
/** As at the next start. */
const reopen = () => {
  journal.close()
  journal = openJournal(profile, 0)
}
afterEach(() => leftovers.clean())

const enter = (key: string, at: number, notBefore: number | null = null) =>
  journal.enter([
    { key, state: { connected: true, at, notBefore, since: null }, transition: { at, notBefore, connected: true } },
  ])
const devices = () => {
  const found: [number, string][] = []
  journal.days.devices(0, 100, (position, key) => found.push([position, key]))
  return found
}

it('every device has a position, which no other gets after it was erased', () => {
  for (const key of ['s/t/a', 's/t/b', 's/u/c']) enter(key, 5 * dayMs)
  journal.days.assign(5)
  journal.days.assign(5)
  expect(devices()).toEqual([
    [1, 's/t/a'],
    [2, 's/t/b'],
    [3, 's/u/c'],
  ])
  journal.forget(['s/u/'], [])
  journal.forget([], ['s/t/a'])
  enter('s/t/a', 6 * dayMs)
  journal.days.assign(6)
  expect(devices().map(([, key]) => key)).toEqual(['s/t/b', 's/t/a'])
  expect(devices()[1]?.[0]).toBeGreaterThan(3)
  const positions: number[] = []
  expect(journal.days.devices(2, 1, (position) => positions.push(position))).toBe(positions[0])
})

it('days are read as they were written, also after a start; one that cannot be told is known', () => {
  const states = Uint8Array.from([0, 1, 2, 3, 3, 2, 1, 0, 2])
  journal.days.write([
    { day: 7, states },
    { day: 8, states: null },
  ])
  reopen()
  expect(journal.days.read(7)?.slice(0, 9)).toEqual(states)
  // Four devices share a byte.
  expect([...(journal.days.read(7)?.slice(9) ?? [])]).toEqual([0, 0, 0])
  expect([journal.days.has(8), journal.days.read(8)]).toEqual([true, null])
  expect([journal.days.has(9), journal.days.read(9)]).toEqual([false, null])
})

it('what is entered of an earlier time removes the days after it, and those only', () => {
  const states = Uint8Array.from([1])
  const write = () => journal.days.write([5, 6, 7].map((day) => ({ day, states })))
  const kept = () => [5, 6, 7].filter((day) => journal.days.has(day))
  write()
  enter('s/t/a', 7 * dayMs)
  expect([kept(), journal.days.removals()]).toEqual([[5, 6, 7], 0])
  enter('s/t/a', 8 * dayMs, 6 * dayMs - 1)
  expect([kept(), journal.days.removals()]).toEqual([[5], 1])
  write()
  enter('s/t/a', 5 * dayMs)
  expect(kept()).toEqual([5])
  // A reader that has begun with a day counts on everything before it.
  journal.days.assign(9)
  enter('s/t/a', 9 * dayMs - 1)
  expect(journal.days.removals()).toBe(3)
  reopen()
  write()
  enter('s/t/a', 6 * dayMs)
  expect(kept()).toEqual([5, 6])
})

it('days older than the retention are pruned, and a made-up past removes all', () => {
  const now = 500 * dayMs
  const oldest = (now - retentionMs) / dayMs
  journal.days.write([oldest - 2, oldest, 499].map((day) => ({ day, states: Uint8Array.from([1]) })))
  while (journal.prune(now) > 0);
  expect([oldest - 2, oldest, 499].map((day) => journal.days.has(day))).toEqual([false, true, true])
  enter('s/t/a', now)
  journal.madeUpPast.write([{ key: 's/t/a', at: 400 * dayMs, connected: false }], 300 * dayMs)
  expect(journal.days.has(499)).toBe(false)
})
