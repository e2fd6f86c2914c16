import { expect, test } from 'vitest'
import { createOverlap } from '../../../../src-main/live/raw/overlap.ts'

test('outside of an overlap every event is new', () => {
  const overlap = createOverlap()
  expect([overlap.isNew(1, 'a'), overlap.isNew(1, 'a')]).toEqual([true, true])
})

test('an event that both sockets deliver is passed on once, whichever comes first', () => {
  const overlap = createOverlap()
  overlap.begin(2)
  overlap.align()
  expect([overlap.isNew(1, 'a'), overlap.isNew(2, 'a')]).toEqual([true, false])
  expect([overlap.isNew(2, 'b'), overlap.isNew(1, 'b')]).toEqual([true, false])
  // The same event again is another one.
  expect([overlap.isNew(1, 'a'), overlap.isNew(1, 'a'), overlap.isNew(2, 'a'), overlap.isNew(2, 'a')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('what the first socket delivered before the second one was confirmed hides nothing later', () => {
  const overlap = createOverlap()
  overlap.begin(2)
  expect(overlap.isNew(1, 'a')).toBe(true)
  overlap.align()
  expect([overlap.isNew(2, 'a'), overlap.isNew(1, 'a')]).toEqual([true, false])
  overlap.end(1)
  expect(overlap.isNew(1, 'a')).toBe(true)
  expect(overlap.isNew(2, 'a')).toBe(false)
  overlap.end(2)
  expect(overlap.isNew(2, 'a')).toBe(true)
})
