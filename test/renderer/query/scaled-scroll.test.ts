import { expect, test } from 'vitest'
import { maxHeight, scrollScale } from '../../../src-renderer/query/answer/scaled-scroll.ts'

test('a list within the limit is scrolled as it is drawn', () => {
  const { height, isScaled, topOf, scrollOf } = scrollScale(20_000, 600)
  expect([height, isScaled, topOf(1234), scrollOf(1234)]).toEqual([20_000, false, 1234, 1234])
  expect([topOf(-5), topOf(99_999), scrollOf(99_999)]).toEqual([0, 19_400, 19_400])
})

test('each of five million lines can be scrolled to, and the last is at the end of the bar', () => {
  const [lines, line, view] = [5_000_000, 20, 600]
  const { height, isScaled, topOf, scrollOf } = scrollScale(lines * line, view)
  expect([height, isScaled]).toEqual([maxHeight, true])
  expect([topOf(0), topOf(maxHeight - view)]).toEqual([0, lines * line - view])
  for (const place of [0, 1, 2, 1_600_000, 3_333_333, 4_999_970]) {
    const scroll = scrollOf(place * line)
    expect(scroll).toBeLessThanOrEqual(maxHeight - view)
    expect(Math.round(topOf(scroll) / line)).toBe(place)
  }
})

test('a list that is not higher than its box does not scroll', () => {
  const { topOf, scrollOf } = scrollScale(100, 600)
  expect([topOf(50), scrollOf(50)]).toEqual([0, 0])
})
