import { expect, test } from 'vitest'
import { untilLoaded } from '../../../src-renderer/app/screens/lazy-screens.ts'
import { manualClock } from '../../support/clock.ts'

function loading(failures: number) {
  const clock = manualClock()
  const loaded: string[] = []
  let tries = 0
  const stop = untilLoaded(
    async () => {
      tries += 1
      if (tries <= failures) throw new TypeError('Failed to fetch dynamically imported module')
      return 'rooms'
    },
    clock,
    (each) => loaded.push(each),
  )
  return { clock, loaded, stop, tries: () => tries }
}

test('screens that load late are retried until they are there, less and less often', async () => {
  const { clock, loaded, tries } = loading(8)
  const seen: number[] = []
  for (const wait of [0, 499, 1, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]) {
    await clock.advance(wait)
    seen.push(tries())
  }
  expect([seen, loaded, clock.pending()]).toEqual([[1, 1, 2, 3, 4, 5, 6, 7, 8, 9], ['rooms'], 0])
})

test('a closed window requests nothing more', async () => {
  const { clock, loaded, stop, tries } = loading(1)
  await clock.advance(100)
  stop()
  await clock.advance(60_000)
  expect([tries(), loaded, clock.pending()]).toEqual([1, [], 0])
})
