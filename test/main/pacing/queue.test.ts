import { expect, test } from 'vitest'
import { queueOrder } from '../../../src-main/pacing/queue.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'

const minute = 60_000
const entry = (lane: Lane, since: number) => ({ lane, since })

test('by lane, and within one the oldest first', () => {
  const waiting = [
    entry('background', 1),
    entry('person', 4),
    entry('visible', 3),
    entry('reconcile', 5),
    entry('person', 2),
    entry('background', 0),
  ]
  expect(queueOrder(waiting, 10)).toEqual([
    entry('person', 2),
    entry('person', 4),
    entry('reconcile', 5),
    entry('visible', 3),
    entry('background', 0),
    entry('background', 1),
  ])
})

test("a request that waited two rate windows moves up a lane, but never before an operator's", () => {
  const now = 10 * minute
  const [old, visible, person] = [
    entry('background', now - 2 * minute),
    entry('visible', now - minute),
    entry('person', now),
  ]
  expect(queueOrder([visible, old, person], now)).toEqual([person, old, visible])
  expect(queueOrder([visible, old, person], now - 1)).toEqual([person, visible, old])
  const ancient = entry('background', 0)
  expect(queueOrder([person, ancient, entry('reconcile', now)], now)).toEqual([
    person,
    ancient,
    entry('reconcile', now),
  ])
})
