import { expect, test } from 'vitest'
import { createAdditions } from '../../../src-main/sync/link/additions.ts'

const of = (...ids: string[]) => new Set(ids)

function live() {
  const additions = createAdditions()
  additions.subscribed(of('a', 'b'), true)
  return additions
}

test('a first subscription concerns all devices', () => {
  expect(createAdditions().subscribed(of('a'), true)).toBeNull()
})

test('an expected subscription concerns the added devices alone', () => {
  const additions = live()
  additions.expect(['c'])
  expect(additions.subscribed(of('b', 'c'), true)).toEqual(['c'])
})

test('a subscription without removed devices concerns none', () => {
  const additions = live()
  additions.expect([])
  expect(additions.subscribed(of('a'), true)).toEqual([])
})

test('one that nobody expected concerns all devices', () => {
  expect(live().subscribed(of('a', 'b'), true)).toBeNull()
})

test('one with other devices than the expected concerns all', () => {
  const additions = live()
  additions.expect(['c'])
  expect(additions.subscribed(of('c', 'd'), true)).toBeNull()
})

test('a device whose subscription was lost meanwhile is compared with all', () => {
  const additions = live()
  additions.expect(['c'])
  additions.lost(of('a'))
  expect(additions.subscribed(of('a', 'c'), true)).toBeNull()
})

test('nothing is expected after all are confirmed, or after the connection was lost', () => {
  const additions = live()
  additions.expect(['c'])
  additions.subscribed(of('c'), true)
  expect(additions.subscribed(of('c'), true)).toBeNull()
  additions.expect(['d'])
  additions.clear()
  expect(additions.subscribed(of('d'), true)).toBeNull()
})
