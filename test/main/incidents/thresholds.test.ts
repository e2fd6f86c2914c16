import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('thresholds of a node', () => {
  test('the nearest node with a threshold decides, and the others hold elsewhere', async () => {
    const it = await world()
    it.policies.nodes = new Map([
      ['t:test/acme', { holdOffSeconds: 600 }],
      ['s:test/acme/rome', { holdOffSeconds: 10 }],
      ['s:test/beta/york', { siteDownPercent: 30 }],
    ])
    it.alerts().recheck()
    await it.clock.advance(second)
    await it.drop('rome-a-1', 'paris-a-1', 'york-a-1', 'york-a-2', 'york-a-3')
    await it.clock.advance(15 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
    await it.clock.advance(90 * second)
    expect(it.titles()).toEqual([expect.stringMatching(/^3 devices offline in (Room a|York)$/u)])
    await it.clock.advance(10 * minute)
    expect(it.titles()).toEqual(['Studio paris-a-1 is offline'])
  })

  test('flapping uses them as well, also when all its changes come at once', async () => {
    const it = await world()
    it.policies.nodes = new Map([['s:test/acme/rome', { flapTransitions: 3 }]])
    for (const change of ['drop', 'back', 'drop'] as const) await it[change]('rome-a-1', 'york-a-1')
    await it.clock.advance(30 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
  })

  test('flapping uses them as well', async () => {
    const it = await world()
    it.policies.nodes = new Map([['s:test/acme/rome', { flapTransitions: 3 }]])
    for (const [do_, id] of [
      ['drop', 'rome-a-1'],
      ['back', 'rome-a-1'],
      ['drop', 'rome-a-1'],
      ['drop', 'york-a-1'],
      ['back', 'york-a-1'],
      ['drop', 'york-a-1'],
    ] as const) {
      await it[do_](id)
      await it.clock.advance(5 * second)
    }
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
  })
})
