import { afterEach, describe, expect, test } from 'vitest'
import type { Incident } from '../../../src-main/incidents/engine/incident.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { only, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second
const mark = (it: World, change: Partial<Incident['operator']>) => it.alerts().mark([{ id: only(it).id, ...change }])

describe('snoozed', () => {
  test('for a time: nothing is notified until then, and it is notified again if still open', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    it.lines()
    await mark(it, { snoozed: { at: it.clock.now(), until: it.clock.now() + 15 * minute } })
    await it.clock.advance(14 * minute)
    expect(it.lines()).toEqual([])
    await it.clock.advance(2 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
    await it.clock.advance(60 * minute)
    expect(it.lines()).toEqual([])
    expect(only(it).operator.snoozed).toBeNull()
  })

  test('until it recovers: its recovery is notified', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await it.clock.advance(2 * minute)
    it.lines()
    await mark(it, { snoozed: { at: it.clock.now(), until: null } })
    await it.drop('berlin-a-4')
    await it.back('berlin-a-1')
    await it.clock.advance(5 * 60 * minute)
    expect(it.lines()).toEqual([])
    await it.back(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['3 devices are back in Room a'])
  })
})
