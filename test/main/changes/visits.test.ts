import { expect, test } from 'vitest'
import { openVisits } from '../../../src-main/changes/visits.ts'
import { manualClock } from '../../support/clock.ts'

const minute = 60_000

function setup(kept: Record<string, unknown> = {}) {
  const clock = manualClock()
  const settings = {
    get: (key: string) => kept[key],
    set: (key: string, value: unknown) => (kept[key] = value),
    damaged: null,
  }
  return { clock, kept, visits: openVisits({ settings, clock, log: () => undefined }) }
}

test('a visit ends when the window was not used for half an hour, also over a restart', async () => {
  const { clock, kept, visits } = setup()
  const first = clock.now()
  expect(visits.last(true)).toBeNull()
  await clock.advance(29 * minute)
  expect(visits.last(true)).toBeNull()
  visits.stop()
  const again = setup(kept)
  await again.clock.advance(first + 29 * minute + 30 * minute - again.clock.now())
  expect(again.visits.last(false)).toBe(first + 29 * minute)
  expect(again.visits.last(true)).toBe(first + 29 * minute)
  await again.clock.advance(minute)
  expect(again.visits.last(true)).toBe(first + 29 * minute)
})

test('a use is written within a minute, and what is not readable counts as none', async () => {
  const { clock, kept, visits } = setup({ visits: 'nonsense' })
  expect(visits.last(true)).toBeNull()
  expect(kept['visits']).toBe('nonsense')
  await clock.advance(minute)
  expect(kept['visits']).toMatchObject({ endedAt: null })
})
