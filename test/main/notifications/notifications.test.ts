import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, openWorld, usual, type World } from '../incidents/world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('the hold-off', () => {
  test('a device is notified after it was down for the hold-off, and not before', async () => {
    const { drop, clock, lines, sent } = await world()
    await drop('berlin-a-1')
    await clock.advance(89 * second)
    expect(lines()).toEqual([])
    await clock.advance(2 * second)
    expect(lines()).toEqual(['Studio berlin-a-1 is offline | Room a, Berlin, Acme. Since 03:00 UTC.'])
    expect(sent[0]).toMatchObject({ kind: 'offline', devices: 1, open: { device: keyOf('acme', 'berlin-a-1') } })
    await clock.advance(60 * minute)
    expect(lines()).toEqual([])
  })

  test('a shorter drop is never notified, and neither is its recovery', async () => {
    const { drop, back, clock, lines } = await world()
    await drop('berlin-a-1')
    await clock.advance(85 * second)
    await back('berlin-a-1')
    await clock.advance(10 * minute)
    expect(lines()).toEqual([])
  })

  test('the setting counts, also for a device within its hold-off', async () => {
    const { drop, clock, lines, settings, alerts } = await world({ holdOffSeconds: 600 })
    await drop('berlin-a-1')
    await clock.advance(5 * minute)
    expect(lines()).toEqual([])
    settings.holdOffSeconds = 5
    alerts().recheck()
    await clock.advance(second)
    expect(lines()).toHaveLength(1)
  })

  test('a hold-off of zero notifies at once', async () => {
    const { drop, clock, lines } = await world({ holdOffSeconds: 0 })
    await drop('berlin-a-1')
    await clock.advance(second)
    expect(lines()).toHaveLength(1)
  })

  test('a drop while notifications are switched off is never notified', async () => {
    const { drop, clock, lines, settings, alerts } = await world({ notifyOffline: false })
    await drop('berlin-a-1')
    await clock.advance(5 * minute)
    settings.notifyOffline = true
    alerts().recheck()
    await clock.advance(5 * minute)
    expect(lines()).toEqual([])
  })

  test('a clock that is set back delays nothing for long', async () => {
    const { drop, clock, lines } = await world()
    clock.jump(3 * 60 * minute)
    await drop('berlin-a-1')
    clock.jump(-3 * 60 * minute)
    await drop('berlin-b-1')
    await clock.advance(2 * minute)
    expect(lines()).toHaveLength(2)
  })
})

describe('grouping', () => {
  test('twelve devices of a site are one notification at the site', async () => {
    const { drop, ids, clock, lines, sent } = await world()
    await drop(...ids('berlin'))
    await clock.advance(2 * minute)
    expect(lines()).toEqual([
      '12 devices offline in Berlin | Acme. Studio berlin-a-1, Studio berlin-a-2, Studio berlin-a-3 and 9 more. Since 03:00 UTC.',
    ])
    expect(sent[0]).toMatchObject({
      devices: 12,
      open: { scope: 's:test/acme/berlin', filter: 'connected:no', device: null },
    })
  })

  test('a drop whose hold-off ends within the grouping time of the first joins it', async () => {
    const { drop, ids, clock, titles } = await world()
    const [first = '', ...rest] = ids('berlin')
    await drop(first)
    for (const id of rest) {
      await clock.advance(second)
      await drop(id)
    }
    await clock.advance(90 * second)
    expect(titles()).toEqual(['12 devices offline in Berlin'])
  })

  test('three of four in a room are the room; three of twelve in a site are not the site', async () => {
    const { drop, clock, titles } = await world()
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await drop('rome-a-1', 'rome-a-2', 'rome-b-1')
    await clock.advance(2 * minute)
    expect(titles()).toEqual([
      '3 devices offline in Room a',
      'Studio rome-a-1 is offline',
      'Studio rome-a-2 is offline',
      'Studio rome-b-1 is offline',
    ])
  })

  test('two of two are named: a place is down from three on', async () => {
    const { drop, ids, clock, titles } = await world()
    await drop(...ids('oslo'))
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['Studio oslo-a-1 is offline', 'Studio oslo-a-2 is offline'])
  })

  test('the deepest place that holds all of them', async () => {
    const { drop, clock, sent } = await world({}, { acme: { berlin: { a: 5 } } })
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await clock.advance(2 * minute)
    expect(sent.map((one) => [titleOf(one), one.open.scope])).toEqual([
      ['3 devices offline in Room a', 'm:test/acme/berlin/a'],
    ])
  })

  test('a whole tenant is the tenant; a region is down when two of its tenants are', async () => {
    const one = await world()
    await one.drop(...one.ids('london'), ...one.ids('york'))
    await one.clock.advance(2 * minute)
    expect(one.titles()).toEqual(['16 devices offline in Beta'])
    const both = await world()
    await both.drop(...both.ids())
    await both.clock.advance(2 * minute)
    expect(both.titles()).toEqual(['60 devices offline in EU-1'])
  })

  test('more than three without a common place are one', async () => {
    const { drop, clock, lines, sent } = await world()
    await drop('berlin-a-1', 'berlin-b-1', 'paris-a-1', 'paris-b-1', 'rome-a-1', 'rome-b-2', 'rome-b-3')
    await clock.advance(2 * minute)
    expect(lines()).toEqual([
      '7 devices offline in 3 sites | Acme. Studio berlin-a-1, Studio berlin-b-1, Studio paris-a-1 and 4 more. Since 03:00 UTC.',
    ])
    expect(sent[0]?.open).toMatchObject({
      scope: 't:test/acme',
      filter: 'id:berlin-a-1,berlin-b-1,paris-a-1,paris-b-1,rome-a-1,rome-b-2,rome-b-3',
      device: null,
    })
  })

  test('a slow series without a common place becomes one as well, under an id notified before', async () => {
    const { drop, clock, sent } = await world()
    for (const id of ['berlin-a-1', 'paris-a-1', 'rome-a-1', 'rome-b-2', 'paris-b-1', 'oslo-a-1']) {
      await drop(id)
      await clock.advance(70 * second)
    }
    await clock.advance(3 * minute)
    expect(sent.map(titleOf)).toEqual([
      'Studio berlin-a-1 is offline',
      'Studio paris-a-1 is offline',
      'Studio rome-a-1 is offline',
      '4 devices offline in 3 sites',
      '5 devices offline in 3 sites',
      '6 devices offline in 4 sites',
    ])
    expect(new Set(sent.slice(3).map(({ id }) => id)).size).toBe(1)
    expect(sent.slice(0, 3).map(({ id }) => id)).toContain(sent[3]?.id)
  })

  test('one that is notified anew keeps its earlier devices, also over a restart', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await it.clock.advance(2 * 60 * second)
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(3 * 60 * second)
    await it.restart()
    const [last] = it.alerts().notifications().recent
    expect([titleOf(last), last?.times, last?.earlier?.map(titleOf)]).toEqual([
      '12 devices offline in Berlin',
      2,
      ['4 devices offline in Room a'],
    ])
  })

  test('many places at a time are one', async () => {
    const plan = { acme: Object.fromEntries([...Array(30).keys()].map((n) => [`site${n}`, { a: 4 }])) }
    const { drop, ids, clock, titles } = await world({}, plan)
    await drop(...[...Array(10).keys()].flatMap((n) => ids(`site${n}`)))
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['40 devices offline in 10 sites'])
  })
})

describe('an outage that grows', () => {
  test('updates its notification, under its id, at most once a minute', async () => {
    const { drop, clock, sent } = await world()
    await drop(
      'berlin-a-1',
      'berlin-a-2',
      'berlin-a-3',
      'berlin-a-4',
      'berlin-b-1',
      'berlin-b-2',
      'berlin-b-3',
      'berlin-b-4',
    )
    await clock.advance(20 * second)
    await drop('berlin-c-1')
    await clock.advance(20 * second)
    await drop('berlin-c-2')
    await clock.advance(60 * second)
    expect(sent.map(titleOf)).toEqual(['8 devices offline in Berlin'])
    await clock.advance(10 * minute)
    expect(sent.map(titleOf)).toEqual(['8 devices offline in Berlin', '10 devices offline in Berlin'])
    expect(sent[1]).toMatchObject({ id: sent[0]?.id, devices: 10 })
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(minute)
  })

  test('a device that joins and recovers before its minute is not notified', async () => {
    const { drop, back, ids, clock, titles } = await world({ holdOffSeconds: 5 })
    const [first = '', second_ = '', ...rest] = ids('berlin')
    await drop(...rest)
    await clock.advance(6 * second)
    await drop(first, second_)
    await clock.advance(20 * second)
    await back(second_)
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['10 devices offline in Berlin', '11 devices offline in Berlin'])
  })

  test('from a room to its site: one id, and the room is not notified again', async () => {
    const { drop, ids, clock, sent, alerts } = await world()
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await clock.advance(2 * minute)
    await drop(...ids('berlin'))
    await clock.advance(4 * minute)
    expect(sent.map(titleOf)).toEqual(['4 devices offline in Room a', '12 devices offline in Berlin'])
    expect(sent[1]?.id).toBe(sent[0]?.id)
    expect(alerts().notifications().recent.map(titleOf)).toEqual(['12 devices offline in Berlin'])
  })

  test('devices that were notified alone become a part of it', async () => {
    const { drop, clock, titles, sent } = await world()
    await drop('berlin-a-1', 'berlin-a-2')
    await clock.advance(3 * minute)
    await drop('berlin-a-3')
    await clock.advance(3 * minute)
    expect(titles()).toEqual([
      'Studio berlin-a-1 is offline',
      'Studio berlin-a-2 is offline',
      '3 devices offline in Room a',
    ])
    expect(sent.slice(0, 2).map(({ id }) => id)).toContain(sent[2]?.id)
  })
})

describe('recovery', () => {
  test('is notified when the drop was, after the hold-off, grouped', async () => {
    const { drop, back, ids, clock, lines, sent } = await world()
    await drop(...ids('berlin'))
    await clock.advance(2 * minute)
    lines()
    for (const id of ids('berlin')) {
      await back(id)
      await clock.advance(second)
    }
    await clock.advance(50 * second)
    expect(lines()).toEqual([])
    await clock.advance(20 * second)
    expect(lines()).toEqual([
      '12 devices are back in Berlin | Acme. Studio berlin-a-1, Studio berlin-a-2, Studio berlin-a-3 and 9 more.',
    ])
    expect(sent.at(-1)).toMatchObject({ kind: 'recovered', devices: 12, open: { scope: 's:test/acme/berlin' } })
  })

  test('counts the devices still down, and grows under its id', async () => {
    const { drop, back, ids, clock, lines, sent } = await world()
    const all = ids('berlin')
    await drop(...all)
    await clock.advance(2 * minute)
    await back(...all.slice(0, 9))
    await clock.advance(2 * minute)
    await back(...all.slice(9))
    await clock.advance(3 * minute)
    expect(lines().slice(1)).toEqual([
      '9 devices are back in Berlin | Acme. Studio berlin-a-1, Studio berlin-a-2, Studio berlin-a-3 and 6 more. From the same notification: 3 still offline.',
      '12 devices are back in Berlin | Acme. Studio berlin-c-2, Studio berlin-c-3, Studio berlin-c-4 and 9 more.',
    ])
    expect(sent.at(-1)?.id).toBe(sent.at(-2)?.id)
  })

  test('a device down again within the hold-off never recovered, and is not notified twice', async () => {
    const { drop, back, clock, titles } = await world()
    await drop('berlin-a-1')
    await clock.advance(2 * minute)
    await back('berlin-a-1')
    await clock.advance(30 * second)
    await drop('berlin-a-1')
    await clock.advance(10 * minute)
    expect(titles()).toEqual(['Studio berlin-a-1 is offline'])
  })

  test('many outages that end at a time are one', async () => {
    const { drop, back, clock, titles } = await world()
    const four = ['berlin-a-1', 'paris-a-1', 'rome-a-1']
    await drop(...four)
    await clock.advance(20 * minute)
    await drop('york-a-1')
    await clock.advance(20 * minute)
    await back(...four, 'york-a-1')
    await clock.advance(3 * minute)
    expect(titles().slice(4)).toEqual(['4 devices are back'])
  })

  test('is not notified when that is switched off', async () => {
    const { drop, back, clock, titles } = await world({ notifyRecovered: false })
    await drop('berlin-a-1')
    await clock.advance(2 * minute)
    await back('berlin-a-1')
    await clock.advance(5 * minute)
    await drop('berlin-a-1')
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio berlin-a-1 is offline', 'Studio berlin-a-1 is offline'])
  })
})
