import { expect, test } from 'vitest'
import { createPrices, operationLimit } from '../../../src-main/api/prices.ts'

test('an unknown shape is taken as dear as can be, never as free', () => {
  expect(createPrices().expect('Devices', 1)).toBe(operationLimit)
  expect(createPrices().largestPage('Devices', operationLimit)).toBeNull()
})

test('two sizes give the line', () => {
  const prices = createPrices()
  prices.learn('Devices', 1, 31)
  prices.learn('Devices', 2, 50)
  expect(prices.expect('Devices', 500)).toBe(12 + 19 * 500)
  expect(prices.largestPage('Devices', operationLimit)).toBe(Math.floor((operationLimit * 0.98 - 12) / 19))
})

test('one size alone errs on the dear side', () => {
  const prices = createPrices()
  prices.learn('Devices', 10, 202)
  expect(prices.expect('Devices', 100)).toBe(2_020)
})

test('a changed price is learned', () => {
  const prices = createPrices()
  prices.learn('Devices', 100, 1_000)
  prices.learn('Devices', 100, 2_000)
  expect(prices.expect('Devices', 100)).toBe(2_000)
})

test('the largest page is at least one', () => {
  const prices = createPrices()
  prices.learn('Devices', 1, 50_000)
  expect(prices.largestPage('Devices', operationLimit)).toBe(1)
})
