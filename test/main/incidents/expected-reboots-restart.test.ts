import { bodyOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { dropOf, reboot, rebootsOf } from './reboots.ts'
import { only, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('over a restart', () => {
  test('a drop stays expected, and is an incident with its reason at the end of its time', async () => {
    const it = await world()
    const reboots = await reboot(it, ['rome-a-1'])
    await it.clock.advance(5 * minute)
    await it.restart()
    it.alerts().expectReboots(reboots)
    await it.see()
    await it.clock.advance(4 * minute)
    expect(it.titles()).toEqual([])
    await it.clock.advance(minute)
    expect(it.lines()).toEqual([
      'Studio rome-a-1 is offline | Room a, Rome, Acme. Since 03:00 UTC. Rebooted 03:00 UTC by Muster, not back for 10 min.',
    ])
  })

  test('a drop stays expected before the reboots are known', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(minute)
    await it.crash()
    await it.see()
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual([])
  })

  test('a drop that nobody evaluated before a crash is expected', async () => {
    const it = await world()
    const reboots = await reboot(it, ['rome-a-1'])
    await it.crash()
    it.alerts().expectReboots(reboots)
    await it.see()
    await it.clock.advance(5 * minute)
    expect([it.titles(), dropOf(it, 'rome-a-1')]).toMatchObject([[], { expected: { job: 'job-1' } }])
  })

  test('a reboot that is no longer awaited is expected no longer', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(3 * minute)
    await it.restart()
    it.alerts().expectReboots([])
    await it.see()
    await it.clock.advance(10 * second)
    expect(it.lines()).toEqual(['Studio rome-a-1 is offline | Room a, Rome, Acme. Since 03:00 UTC.'])
  })

  test('the reason of an incident is stored', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(11 * minute)
    it.titles()
    await it.restart()
    await it.see()
    await it.clock.advance(5 * minute)
    expect([it.titles(), bodyOf(only(it))]).toEqual([
      [],
      expect.stringContaining('Rebooted 03:00 UTC by Muster, not back for 10 min.'),
    ])
  })

  test('of the data thread the awaited reboots are kept', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.alerts().reload()
    await it.clock.advance(minute)
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual([])
  })
})

describe('a clock', () => {
  test('that is set back gives a rebooted device its full time at most', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(minute)
    it.clock.jump(-60 * minute)
    it.alerts().recheck()
    await it.clock.advance(9 * minute)
    expect(it.titles()).toEqual([])
    await it.clock.advance(2 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('that is set back leaves a reason that is known', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(11 * minute)
    it.clock.jump(-60 * minute)
    it.alerts().recheck()
    await it.clock.advance(minute)
    expect(bodyOf(only(it))).toMatch(/Rebooted 02:0\d UTC by Muster, not back for 10 min\.$/u)
  })

  test('that was ahead when a reboot was sent does not expect its drops for longer', async () => {
    const it = await world()
    const ahead = rebootsOf(it, ['rome-a-1']).map((one) => ({
      ...one,
      sentAt: one.sentAt + 60 * minute,
      until: one.until + 60 * minute,
    }))
    it.alerts().expectReboots(ahead)
    await it.clock.advance(second)
    await it.drop('rome-a-1')
    await it.clock.advance(9 * minute)
    expect(it.titles()).toEqual([])
    await it.clock.advance(2 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })
})
