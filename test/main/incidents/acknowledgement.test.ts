import { entryOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import type { Incident } from '../../../src-main/incidents/engine/incident.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { only, openWorld, stored, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

const mark = (it: World, change: Partial<Incident['operator']>) => it.alerts().mark([{ id: only(it).id, ...change }])

describe('acknowledged', () => {
  test('growth in its place is not notified, its recovery is, and the reason is kept', async () => {
    const it = await world()
    await it.drop(
      'berlin-a-1',
      'berlin-a-2',
      'berlin-a-3',
      'berlin-a-4',
      'berlin-b-1',
      'berlin-b-2',
      'berlin-b-3',
      'berlin-b-4',
    )
    await it.clock.advance(2 * minute)
    it.lines()
    const { id } = only(it)
    await mark(it, { acknowledged: { at: it.clock.now(), reason: 'Power cut, on it' } })
    await it.drop('berlin-c-1')
    await it.clock.advance(10 * minute)
    expect(it.lines()).toEqual([])
    expect(only(it)).toMatchObject({
      extent: { down: 9 },
      operator: { acknowledged: { reason: 'Power cut, on it' } },
    })
    await it.restart()
    await it.see()
    await it.back(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['8 devices are back in Berlin'])
    expect(stored(it, id)?.events.map(entryOf)).toContainEqual(['acknowledged', 'Power cut, on it'])
    expect(stored(it, id)?.incident.closedAt).not.toBeNull()
  })

  test('a device that recovers and drops again joins it while most of its place is down', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await mark(it, { acknowledged: { at: it.clock.now(), reason: 'On it' } })
    const { id, extent } = only(it)
    await it.back('berlin-a-1')
    await it.clock.advance(5 * minute)
    expect(only(it).extent.down).toBe(extent.down - 1)
    await it.drop('berlin-a-1')
    await it.clock.advance(2 * minute)
    expect(only(it).extent.down).toBe(extent.down)
    const { rows } = it.calls().incidentMembers({ id, offset: 0, limit: 100 })
    expect(rows.find(({ key }) => key.endsWith('berlin-a-1'))).toMatchObject({
      recoveredAt: null,
      at: it.clock.now() - 2 * minute,
    })
    it.lines()
    await it.back(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['12 devices are back in Berlin'])
  })

  test.each([
    ['acknowledged', { acknowledged: { at: 0, reason: 'Power' } }],
    ['snoozed until it recovers', { snoozed: { at: 0, until: null } }],
  ])('a drop long after a recovery is notified, though it is %s', async (_how, marks) => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    await mark(it, marks)
    const others = it.ids('berlin').filter((each) => each !== 'berlin-a-1')
    await it.back(...others)
    await it.clock.advance(60 * minute)
    expect(it.alerts().state().drops.size).toBe(1)
    it.lines()
    await it.drop(...others)
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['11 devices offline in Berlin'])
    await it.back(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Studio berlin-a-1 is back', '11 devices are back in Berlin'])
    expect(stored(it, id)?.incident.closedAt).not.toBeNull()
  })

  test('growth beyond its place is notified, and has to be acknowledged again', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await it.clock.advance(2 * minute)
    await mark(it, { acknowledged: { at: it.clock.now(), reason: 'Known' } })
    it.lines()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(3 * minute)
    expect(it.titles()).toEqual(['12 devices offline in Berlin'])
    expect(only(it).operator.acknowledged).toBeNull()
  })
})
