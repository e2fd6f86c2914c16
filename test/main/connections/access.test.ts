import { expect, test } from 'vitest'
import { openAccessStore } from '../../../src-main/connections/stored/access.ts'
import type { Settings } from '../../../src-main/ports.ts'
import { manualClock } from '../../support/clock.ts'

const told = { name: 'Night shift', roles: ['user'], scope: { accounts: 2 } }

function open(access?: unknown) {
  const kept = new Map<string, unknown>([['access', access]])
  const settings: Settings = {
    damaged: null,
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, structuredClone(value)),
  }
  const clock = manualClock()
  const again = () => openAccessStore(settings, clock, () => {})
  return { store: again(), again, clock, kept }
}

test('what was told survives a restart with its time', async () => {
  const { store, again, clock } = open()
  const readAt = clock.now()
  store.note('a', 'set', told, false)
  await clock.advance(3_000)
  expect(again().of('a', 'set')).toEqual({ ...told, readAt })
})

test('another credential set of the connection has no known role', () => {
  const { store } = open()
  store.note('a', 'set', told, false)
  expect([store.of('a', 'other'), store.of('b', 'set')]).toEqual([undefined, undefined])
})

test('a partial answer replaces nothing, and counts where nothing is known', async () => {
  const { store, clock } = open()
  const readAt = clock.now()
  const part = { name: '', roles: [], scope: {} }
  store.note('a', 'set', told, false)
  await clock.advance(60_000)
  store.note('a', 'set', part, true)
  store.note('b', 'set', part, true)
  expect(store.of('a', 'set')).toEqual({ ...told, readAt })
  expect(store.of('b', 'set')).toEqual({ ...part, readAt: clock.now() })
})

test('a forgotten connection leaves nothing in the settings', () => {
  const { store, again } = open()
  store.note('a', 'set', told, false)
  store.forget(['a'])
  expect([store.of('a', 'set'), again().of('a', 'set')]).toEqual([undefined, undefined])
})

test('an unreadable entry takes no other with it', () => {
  const good = { ...told, set: 'set', readAt: 5 }
  const { store } = open({ a: good, b: { ...good, roles: 'user' }, c: null })
  expect([store.of('a', 'set'), store.of('b', 'set'), store.of('c', 'set')]).toEqual([
    { ...told, readAt: 5 },
    undefined,
    undefined,
  ])
  expect(open('nonsense').store.of('a', 'set')).toBeUndefined()
})
