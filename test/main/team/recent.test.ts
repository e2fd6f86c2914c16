import { expect, test } from 'vitest'
import { entriesOf } from '../../../src-main/team/log/writer.ts'
import { createRecentRows } from '../../../src-main/team/recent.ts'
import { manualClock } from '../../support/clock.ts'

const minute = 60_000
const rowOf = (size: number) => entriesOf([new Uint8Array(size)])

test('rows are known for five minutes, each call’s together and in order', async () => {
  const clock = manualClock()
  const recent = createRecentRows(clock)
  const [first, second] = [rowOf(1), entriesOf([new Uint8Array(1), new Uint8Array(2)])]
  recent.add(first)
  await clock.advance(3 * minute)
  recent.add(second)
  expect(recent.all()).toEqual([first, second])
  await clock.advance(2 * minute)
  expect(recent.all()).toEqual([second])
  await clock.advance(3 * minute)
  expect(recent.all()).toEqual([])
})

test('the newest stay where they are long', () => {
  const recent = createRecentRows(manualClock())
  const calls = Array.from({ length: 20 }, () => rowOf(1 << 20))
  for (const each of calls) recent.add(each)
  expect(recent.all()).toEqual(calls.slice(4))
})
