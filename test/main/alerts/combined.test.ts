import { afterEach, describe, expect, test } from 'vitest'
import type { Incident } from '../../../src-main/alerts/state.ts'
import { createLeftovers } from '../../support/estate.ts'
import { only, open, openWorld, usual, type World } from './world.ts'

/** Two or three things at a time: what was said of an incident, where it stands, and whether anybody looks. */

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const mark = (it: World, change: Partial<Pick<Incident, 'acknowledged' | 'snoozed'>>) => it.alerts().mark(open(it).map(({ id }) => ({ id, ...change })))
const known = (it: World) => ({ acknowledged: { at: it.clock.now(), reason: 'Known' } })
const openTitles = (it: World): string[] => open(it).map(({ words }) => words.title).toSorted()
function quiet(it: World, node: string, from: number, until: number): void {
  const holds = (now: number) => from <= now && now < until
  it.laid.quietAt = (path, now) => (holds(now) && path.includes(node) ? { id: 'q', name: 'Patching', node, until } : null)
  it.laid.quietUntil = (id, now) => (id === 'q' && holds(now) ? until : null)
  it.alerts().recheck()
}

describe('what somebody has taken on', () => {
  test('and gives way to a part of its place tells all that came back at its end', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await mark(it, known(it))
    it.lines()
    await it.back(...it.ids('berlin').slice(0, 6))
    await it.clock.advance(5 * minute)
    await it.back(...it.ids('berlin').slice(6, 9))
    await it.clock.advance(5 * minute)
    expect([openTitles(it), it.lines()]).toEqual([['3 devices offline in Room c'], []])
    await it.back(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['12 devices are back in Berlin'])
  })

  test.each(['acknowledged', 'snoozed'] as const)('and was over in a pause is told when it is there again after that: %s', async (how) => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await mark(it, how === 'acknowledged' ? known(it) : { snoozed: { at: it.clock.now(), until: null } })
    it.lines()
    await it.alerts().pause(480)
    await it.back('rome-a-1')
    await it.clock.advance(6 * hour)
    await it.drop('rome-a-1')
    await it.clock.advance(3 * hour)
    expect(only(it)).toMatchObject({ acknowledged: null, snoozed: null, down: 1 })
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })
})

describe('a place', () => {
  test('gives way to nothing while what came back may not stay', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    it.lines()
    await it.back(...it.ids('berlin').slice(3))
    await it.clock.advance(20 * second)
    it.alerts().recheck()
    await it.clock.advance(10 * second)
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect([openTitles(it), it.lines()]).toEqual([['12 devices offline in Berlin'], []])
  })

  test('does not go on with devices that were moved out of it: they stand where they are by now', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await it.clock.advance(2 * minute)
    it.lines()
    const before = only(it)
    await it.move('paris', 'b', 'berlin-a-1')
    await it.clock.advance(2 * minute)
    expect(openTitles(it)).toEqual(['3 devices offline in Room a', 'Studio berlin-a-1 is offline'])
    expect(open(it).find(({ shape }) => shape === 'device')).toMatchObject({ path: [{ name: 'Room b' }, { name: 'Paris' }, {}, {}], parted: { id: before.id }, toldAt: before.toldAt })
    await it.move('paris', 'b', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ where }) => where)).not.toContain('in Room a')
    expect(it.lines()).toEqual([])
    await it.back(...it.ids('paris'))
    await it.clock.advance(5 * minute)
    expect(open(it)).toEqual([])
  })

  test('of one device is where that is by now', async () => {
    const it = await world()
    await it.drop('berlin-a-1')
    await it.clock.advance(2 * minute)
    await it.move('oslo', 'a', 'berlin-a-1')
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ path: [{ name: 'Room a' }, { name: 'Oslo' }, {}, {}], words: { title: 'Studio berlin-a-1 is offline', body: expect.stringContaining('Oslo') } })
  })
})

test('one that came and went, was out of sight and is found down dropped between its last word and now, also over a restart', async () => {
  for (const restarts of [false, true]) {
    const it = await world()
    for (let n = 0; n < 6; n += 1) {
      await it[n % 2 === 0 ? 'drop' : 'back']('rome-a-1')
      await it.clock.advance(minute)
    }
    await it.blind()
    await it.clock.advance(hour)
    it.secretly(false, 'rome-a-1')
    await it.clock.advance(hour)
    it.lines()
    await it.see()
    if (restarts) await it.restart()
    if (restarts) await it.see()
    await it.clock.advance(40 * minute)
    expect(only(it)).toMatchObject({ kind: 'outage', since: null, words: { title: 'Studio rome-a-1 is offline' } })
    expect(it.alerts().state().drops.values().next().value?.notBefore).not.toBeNull()
  }
})

describe('a quiet window', () => {
  test('does not say of a device that is gone that it came back', async () => {
    const it = await world()
    quiet(it, 's:test/acme/berlin', it.clock.now(), it.clock.now() + hour)
    await it.drop('berlin-a-1', 'berlin-b-1')
    await it.clock.advance(10 * minute)
    await it.remove('berlin-a-1')
    await it.back('berlin-b-1')
    await it.clock.advance(2 * hour)
    expect(it.lines()).toEqual([expect.stringMatching(/1 device went offline in this quiet window, 1 came back/u)])
  })

  test('keeps what begins to come and go in it, though its first changes were before', async () => {
    const it = await world()
    quiet(it, 's:test/acme/berlin', it.clock.now() + 5 * minute, it.clock.now() + hour)
    await it.drop('berlin-a-1')
    await it.clock.advance(30 * second)
    await it.back('berlin-a-1')
    await it.clock.advance(6 * minute)
    for (let n = 0; n < 5; n += 1) {
      await it[n % 2 === 0 ? 'drop' : 'back']('berlin-a-1')
      await it.clock.advance(20 * second)
    }
    await it.clock.advance(10 * minute)
    expect(it.lines()).toEqual([])
    expect(only(it)).toMatchObject({ kind: 'flapping', quiet: { id: 'q' } })
  })
})
