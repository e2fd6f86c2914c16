import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { only, open, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

const openTitles = (it: World): string[] => open(it).map(titleOf).toSorted()

describe('an incident of a place splits', () => {
  test('a mostly recovered place takes no later drops', async () => {
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

  test('a mostly recovered place splits into the rooms still down, without a notification', async () => {
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
    expect([titleOf(before), titleOf(after)]).toEqual(['20 devices offline in Rome', '6 devices offline in Room a'])
    expect([after.id, after.severity]).toEqual([before.id, 'major'])
    expect(it.titles().every((title) => title.includes('back'))).toBe(true)
  })

  test('parts become incidents of their own, already notified, and each ends by itself', async () => {
    const it = await world({}, { acme: { rome: { a: 4, b: 4, c: 20 } } })
    await it.drop(...it.ids('rome'))
    await it.clock.advance(2 * minute)
    await it.back(...it.ids('rome').filter((id) => id.startsWith('rome-c')))
    await it.clock.advance(2 * minute)
    expect(openTitles(it)).toEqual(['4 devices offline in Room a', '4 devices offline in Room b'])
    expect(open(it).every(({ delivery }) => delivery.notifiedAt !== null)).toBe(true)
    it.lines()
    await it.back('rome-a-1', 'rome-a-2', 'rome-a-3', 'rome-a-4')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toHaveLength(1)
    expect(openTitles(it)).toEqual(['4 devices offline in Room b'])
  })

  test('it continues as its largest part; the other parts link to it and share its notification', async () => {
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
    expect([several?.id, several?.extent.peak, room?.splitFrom, room?.delivery.notifiedAt]).toEqual([
      before.id,
      10,
      { id: before.id, where: { kind: 'place', name: 'Rome' } },
      before.delivery.notifiedAt,
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

  test('while a part of it is unknown it stays as it is', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await it.drop(...it.ids('london'), ...it.ids('york'))
    await it.clock.advance(2 * minute)
    await it.blind('beta')
    await it.clock.advance(30 * minute)
    expect(only(it)).toMatchObject({ scope: { shape: 'node' }, extent: { down: 0, unseen: 16 } })
  })
})
