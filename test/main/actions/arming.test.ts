import { expect, test } from 'vitest'
import { createArming } from '../../../src-main/actions/arming.ts'
import { manualClock } from '../../support/clock.ts'

function opened(lockEvents = true) {
  const clock = manualClock()
  let off = false
  let links = new Set<object>([{}])
  let changes = 0
  const arming = createArming({
    clock,
    lockEvents,
    isOff: () => off,
    linksOf: () => links,
    onChange: () => (changes += 1),
  })
  return {
    clock,
    arming,
    changes: () => changes,
    switchOff: () => (off = true),
    restart: () => (links = new Set([{}])),
    remove: () => (links = new Set()),
  }
}

const fault = (kind: string) => expect.objectContaining({ fault: expect.objectContaining({ kind }) })
const thrownBy = (run: () => void) => {
  try {
    run()
  } catch (thrown) {
    return thrown
  }
  return null
}

test('every tenant is locked at the start, and a use is rejected', async () => {
  const { arming } = opened()
  expect(arming.until('a')).toBeNull()
  expect(thrownBy(() => arming.use(['a']))).toEqual(fault('locked'))
})

test('an armed tenant is locked after 15 minutes without a use, and every use extends it', async () => {
  const { arming, clock } = opened()
  arming.arm('a')
  await clock.advance(14 * 60_000)
  arming.use(['a'])
  await clock.advance(14 * 60_000)
  expect(arming.until('a')).not.toBeNull()
  await clock.advance(60_001)
  expect(arming.until('a')).toBeNull()
})

test('without lock events a tenant is locked after 5 idle minutes', async () => {
  const { arming, clock } = opened(false)
  arming.arm('a')
  await clock.advance(5 * 60_000 + 1)
  expect(thrownBy(() => arming.use(['a']))).toEqual(fault('locked'))
})

test('a use of two tenants is rejected while one of them is locked', async () => {
  const { arming } = opened()
  arming.arm('a')
  expect(thrownBy(() => arming.use(['a', 'b']))).toEqual(fault('locked'))
})

test('a restarted connection locks its tenant', async () => {
  const { arming, restart, changes } = opened()
  arming.arm('a')
  const before = changes()
  restart()
  arming.recheck()
  expect(arming.until('a')).toBeNull()
  expect(changes()).toBe(before + 1)
})

test('a tenant without a running connection cannot be armed', async () => {
  const { arming, remove } = opened()
  remove()
  expect(thrownBy(() => arming.arm('a'))).toEqual(fault('locked'))
})

test('actions that are switched off reject arming and every use', async () => {
  const { arming, switchOff } = opened()
  arming.arm('a')
  switchOff()
  expect(thrownBy(() => arming.use(['a']))).toEqual(fault('actions-off'))
  expect(thrownBy(() => arming.arm('a'))).toEqual(fault('actions-off'))
  expect(arming.until('a')).toBeNull()
})

test('a lock without a tenant locks all', async () => {
  const { arming } = opened()
  arming.arm('a')
  arming.arm('b')
  arming.lock()
  expect([arming.until('a'), arming.until('b')]).toEqual([null, null])
})
