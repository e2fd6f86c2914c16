import { afterEach, expect, test } from 'vitest'
import { delaysOf } from '../../../src-main/incidents/engine/drops/delays.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { reboot } from './reboots.ts'
import { open, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const second = 1000
const rules = { holdOffSeconds: 90, recoverySeconds: 60, groupingSeconds: 1 }

/** What runs now: of which kind, and how long still, ms. */
const delays = (it: World) => {
  const now = it.clock.now()
  return delaysOf(it.alerts().state(), it.alerts().rules(), now).map(({ of, until }) => [of, until - now])
}

test('a device that dropped counts down to its incident, one that is back to its recovery', async () => {
  const it = await openWorld(leftovers, usual, rules)
  expect(delays(it)).toEqual([])
  await it.drop('rome-a-1')
  await it.clock.advance(second)
  expect(delays(it)).toEqual([['alert', 89 * second]])
  await it.clock.advance(88 * second)
  expect([delays(it), open(it)]).toEqual([[['alert', second]], []])
  await it.clock.advance(10 * second)
  expect([delays(it), open(it).length]).toEqual([[], 1])
  await it.back('rome-a-1')
  await it.clock.advance(second)
  expect(delays(it)).toEqual([['recovery', 59 * second]])
  await it.clock.advance(70 * second)
  expect([delays(it), open(it)]).toEqual([[], []])
})

test('a device that comes back within its alert delay is counted down no longer', async () => {
  const it = await openWorld(leftovers, usual, rules)
  await it.drop('rome-a-1', 'rome-a-2')
  await it.clock.advance(second)
  expect(delays(it)).toHaveLength(2)
  await it.back('rome-a-1')
  await it.clock.advance(second)
  expect(delays(it)).toEqual([['alert', 88 * second]])
})

test('where Muster does not see a device, nothing is counted down once its delay is over', async () => {
  const it = await openWorld(leftovers, usual, rules)
  await it.drop('rome-a-1')
  await it.clock.advance(second)
  await it.blind('acme')
  await it.clock.advance(200 * second)
  expect(delays(it)).toEqual([])
})

test('a device in the time of its reboot is counted down to when it is expected back', async () => {
  const it = await openWorld(leftovers, usual, rules)
  await reboot(it, ['rome-a-1'])
  await it.clock.advance(second)
  expect(delays(it)).toEqual([['reboot', 579 * second]])
})
