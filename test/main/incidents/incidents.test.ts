import { afterEach, describe, expect, test } from 'vitest'
import type { Incident } from '../../../src-main/incidents/engine/state.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, only, open, openWorld, usual, type World } from './world.ts'

export const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
export const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> =>
  openWorld(leftovers, plan, over)
export const second = 1_000
export const minute = 60 * second

export const openTitles = (it: World): string[] =>
  open(it)
    .map(({ message: words }) => words.title)
    .toSorted()
export const mark = (it: World, change: Partial<Pick<Incident, 'acknowledged' | 'snoozed'>>) =>
  it.alerts().mark([{ id: only(it).id, ...change }])

describe('severity', () => {
  test('a device alone is minor, a room major, a site critical', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(2 * minute)
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ message: words, severity }) => [words.title, severity])).toEqual([
      ['Studio rome-a-1 is offline', 'minor'],
      ['3 devices offline in Room a', 'major'],
      ['12 devices offline in Berlin', 'critical'],
    ])
  })

  test('a site of which less than half is down is major, where figures of its own make that one incident, and critical from half on', async () => {
    const it = await world()
    it.laid.nodes = new Map([['s:test/acme/rome', { siteDownPercent: 20 }]])
    await it.drop('rome-a-1', 'rome-a-2', 'rome-a-3', 'rome-b-1', 'rome-b-2', 'rome-b-3')
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ shape: 'node', where: 'in Rome', severity: 'major' })
    await it.drop('rome-a-4', 'rome-a-5', 'rome-b-4', 'rome-b-5')
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ down: 10, severity: 'critical' })
  })

  test('a device on the watch list is critical, and so is one in a room on it', async () => {
    const it = await world({ watched: [keyOf('acme', 'rome-a-1'), 'm:test/beta/york/a'] })
    await it.drop('rome-a-1', 'york-a-1')
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ severity, marked }) => [severity, marked])).toEqual([
      ['critical', 1],
      ['critical', 1],
    ])
  })
})

describe('what is on the watch list, and what is muted', () => {
  test('what is put on the watch list while it is down, of a kind that is muted, is told', async () => {
    const it = await world({ mutedModels: ['X50'] })
    await it.drop('rome-a-1', 'york-a-1')
    await it.clock.advance(10 * minute)
    expect([it.lines(), open(it)]).toEqual([[], []])
    it.settings.watched = [keyOf('acme', 'rome-a-1')]
    it.alerts().recheck()
    await it.clock.advance(minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
    await it.back('rome-a-1', 'york-a-1')
    await it.clock.advance(5 * minute)
    expect([it.titles(), it.alerts().state().drops.size]).toEqual([['Studio rome-a-1 is back'], 0])
  })

  test('a kind that is muted is no incident, unless the device is marked', async () => {
    const it = await world({ mutedModels: ['X50'], watched: [keyOf('acme', 'rome-a-1')] })
    await it.drop('rome-a-1', ...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
    expect(open(it)).toHaveLength(1)
  })
})

describe('unfolding', () => {
  test('a place of which most is back takes nothing more that drops later', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await it.back(
      ...it
        .ids('berlin')
        .filter((id) => !['berlin-a-1', 'berlin-a-2', 'berlin-b-1', 'berlin-b-2', 'berlin-c-1'].includes(id)),
    )
    await it.clock.advance(40 * minute)
    it.titles()
    await it.drop('berlin-c-4')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Studio berlin-c-4 is offline'])
  })

  test('a place of which most is back gives way to the rooms that are still down, without a word', async () => {
    const it = await world()
    await it.drop(...it.ids('rome'))
    await it.clock.advance(2 * minute)
    const before = only(it)
    it.lines()
    await it.back(
      ...it.ids('rome').filter((id) => id.startsWith('rome-b') || id === 'rome-a-10' || Number(id.slice(7)) > 7),
    )
    await it.clock.advance(3 * minute)
    await it.back('rome-a-7')
    await it.clock.advance(5 * minute)
    const after = only(it)
    expect([before.message.title, after.message.title]).toEqual([
      '20 devices offline in Rome',
      '6 devices offline in Room a',
    ])
    expect([after.id, after.severity]).toEqual([before.id, 'major'])
    expect(it.titles().every((title) => title.includes('back'))).toBe(true)
  })

  test('parts that stand for themselves have incidents of their own, told already; each ends by itself', async () => {
    const it = await world({}, { acme: { rome: { a: 4, b: 4, c: 20 } } })
    await it.drop(...it.ids('rome'))
    await it.clock.advance(2 * minute)
    await it.back(...it.ids('rome').filter((id) => id.startsWith('rome-c')))
    await it.clock.advance(2 * minute)
    expect(openTitles(it)).toEqual(['4 devices offline in Room a', '4 devices offline in Room b'])
    expect(open(it).every(({ notifiedAt }) => notifiedAt !== null)).toBe(true)
    it.lines()
    await it.back('rome-a-1', 'rome-a-2', 'rome-a-3', 'rome-a-4')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toHaveLength(1)
    expect(openTitles(it)).toEqual(['4 devices offline in Room b'])
  })

  test('it goes on as the largest of what is left; what parts from it was told with it, and is counted with it', async () => {
    const rooms = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']
    const it = await world({}, { acme: { rome: { a: 4, ...Object.fromEntries(rooms.map((room) => [room, 4])) } } })
    await it.drop(...it.ids('rome'))
    await it.clock.advance(2 * minute)
    const before = only(it)
    it.lines()
    const left = new Set(['rome-a-1', 'rome-a-2', 'rome-a-3', ...rooms.map((room) => `rome-${room}-1`)])
    await it.back(...it.ids('rome').filter((id) => !left.has(id)))
    await it.clock.advance(2 * minute)
    expect(openTitles(it)).toEqual(['10 devices offline in Rome', '3 devices offline in Room a'])
    const [several, room] = open(it)
    expect([several?.id, several?.peak, room?.splitFrom, room?.notifiedAt]).toEqual([
      before.id,
      10,
      { id: before.id, where: 'in Rome' },
      before.notifiedAt,
    ])
    expect(it.lines()).toEqual([
      expect.stringMatching(/^31 devices are back in Rome .*From the same notification: 13 still offline\.$/u),
    ])
    await it.back('rome-a-1')
    await it.clock.advance(2 * minute)
    expect(it.lines()).toEqual([
      expect.stringMatching(/^Studio rome-a-1 is back .*From the same notification: 12 still offline\.$/u),
    ])
  })

  test('while some of it is not seen it stays as it is', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await it.drop(...it.ids('london'), ...it.ids('york'))
    await it.clock.advance(2 * minute)
    await it.blind('beta')
    await it.clock.advance(30 * minute)
    expect(only(it)).toMatchObject({ shape: 'node', down: 0, unseen: 16 })
  })
})

describe('snoozed', () => {
  test('for a time: nothing is told of it till then, and it is told again when it is still there', async () => {
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
    expect(only(it).snoozed).toBeNull()
  })

  test('until it recovers: its end is told', async () => {
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

describe('flapping', () => {
  async function flap(it: World, ids: readonly string[], times: number, everyMs: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      await it[n % 2 === 0 ? 'drop' : 'back'](...ids)
      await it.clock.advance(everyMs)
    }
  }

  test('five changes in half an hour are told once, and its steadiness once', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 40, 30 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
    expect(only(it)).toMatchObject({ kind: 'flapping', severity: 'minor' })
    await it.clock.advance(40 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is steady again'])
    expect(open(it)).toEqual([])
  })

  test('two changes in half an hour are not steady yet: it takes more to begin than to go on', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 8, 30 * second)
    await it.clock.advance(24 * minute)
    await flap(it, ['rome-a-1'], 2, 30 * second)
    await it.clock.advance(15 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
    await it.clock.advance(20 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is steady again'])
  })

  test('one that stays down in the end is told to be down', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 7, 30 * second)
    await it.clock.advance(60 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping', 'Studio rome-a-1 is offline'])
    expect(only(it)).toMatchObject({ kind: 'outage', down: 1 })
  })

  test('four changes are not flapping, and five within an hour are not either', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 4, 10 * second)
    await flap(it, ['york-a-1'], 6, 8 * minute)
    expect(it.titles().filter((title) => title.includes('is flapping'))).toEqual([])
  })

  test('what begins to flap within the gather window is one notice', async () => {
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

  test('what flapped before a restart still does', async () => {
    const it = await world()
    await flap(it, ['rome-a-1'], 6, 20 * second)
    await it.restart()
    await it.see()
    await it.clock.advance(10 * minute)
    await flap(it, ['rome-a-1'], 2, 20 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
  })
})

describe('figures of a node', () => {
  test('the nearest node that lays one down decides, and the others hold elsewhere', async () => {
    const it = await world()
    it.laid.nodes = new Map([
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

  test('flapping as well, also when all its changes come at once', async () => {
    const it = await world()
    it.laid.nodes = new Map([['s:test/acme/rome', { flapTransitions: 3 }]])
    for (const change of ['drop', 'back', 'drop'] as const) await it[change]('rome-a-1', 'york-a-1')
    await it.clock.advance(30 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
  })

  test('flapping as well', async () => {
    const it = await world()
    it.laid.nodes = new Map([['s:test/acme/rome', { flapTransitions: 3 }]])
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
