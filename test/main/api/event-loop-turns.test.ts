import { expect, test } from 'vitest'
import { createTurns } from '../../../src-main/api/event-loop-turns.ts'

test('answers that came together pass one at a time, in order, between event loop turns', async () => {
  const turns = createTurns()
  const seen: string[] = []
  const tick = () => {
    seen.push('loop')
    if (seen.length < 12) setImmediate(tick)
  }
  setImmediate(tick)
  await Promise.all(['a', 'b', 'c'].map((name) => turns().then(() => seen.push(name))))
  const order = seen.filter((entry) => entry !== 'loop')
  expect(order).toEqual(['a', 'b', 'c'])
  for (const [one, other] of [
    ['a', 'b'],
    ['b', 'c'],
  ] as const) {
    expect(seen.slice(seen.indexOf(one), seen.indexOf(other))).toContain('loop')
  }
})
