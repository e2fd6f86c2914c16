import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { only, open, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('flapping', () => {
  async function flap(it: World, ids: readonly string[], times: number, everyMs: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      await it[n % 2 === 0 ? 'drop' : 'back'](...ids)
      await it.clock.advance(everyMs)
    }
  }

  test('five changes in half an hour are notified once, and the end of flapping once', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 40, 30 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
    expect(only(it)).toMatchObject({ kind: 'flapping', severity: 'minor' })
    await it.clock.advance(40 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is steady again'])
    expect(open(it)).toEqual([])
  })

  test('two changes in half an hour are not steady: starting takes more changes than going on', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 8, 30 * second)
    await it.clock.advance(24 * minute)
    await flap(it, ['rome-a-1'], 2, 30 * second)
    await it.clock.advance(15 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
    await it.clock.advance(20 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is steady again'])
  })

  test('a flapping device that stays down is notified as offline', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 7, 30 * second)
    await it.clock.advance(60 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping', 'Studio rome-a-1 is offline'])
    expect(only(it)).toMatchObject({ kind: 'outage', extent: { down: 1 } })
  })

  test('four changes are not flapping, and five within an hour are not either', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 4, 10 * second)
    await flap(it, ['york-a-1'], 6, 8 * minute)
    expect(it.titles().filter((title) => title.includes('is flapping'))).toEqual([])
  })

  test('devices that begin to flap within the grouping time are one notification', async () => {
    const it = await world()
    const [first, ...others] = it.ids('rome').filter((id) => id.startsWith('rome-a'))
    await flap(it, [first ?? ''], 4, 20 * second)
    await it.drop(first ?? '')
    await it.clock.advance(5 * second)
    for (let time = 0; time < 5; time += 1) await (time % 2 === 0 ? it.drop(...others) : it.back(...others))
    await it.clock.advance(20 * second)
    expect(it.titles()).toEqual([`${others.length + 1} devices flapping in Room a`])
  })

  test('a room that flaps is one incident', async () => {
    const it = await world()
    await flap(it, ['berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4'], 8, 20 * second)
    expect(it.titles()).toEqual(['4 devices flapping in Room a'])
  })

  test('a flapping device still flaps after a restart', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 6, 20 * second)
    await it.restart()
    await it.see()
    await it.clock.advance(10 * minute)
    await flap(it, ['rome-a-1'], 2, 20 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
  })
})
