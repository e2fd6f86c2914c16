import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/estate.ts'
import { keyOf, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('the hold-off', () => {
  test('a device is told after it was down for the hold-off, and not before', async () => {
    const { drop, clock, lines, told } = await world()
    await drop('berlin-a-1')
    await clock.advance(89 * second)
    expect(lines()).toEqual([])
    await clock.advance(2 * second)
    expect(lines()).toEqual(['Studio berlin-a-1 is offline | Room a, Berlin, Acme. Since 03:00 UTC.'])
    expect(told[0]).toMatchObject({ kind: 'offline', devices: 1, open: { device: keyOf('acme', 'berlin-a-1') } })
    await clock.advance(60 * minute)
    expect(lines()).toEqual([])
  })

  test('a drop that is shorter is never told, and neither is its end', async () => {
    const { drop, back, clock, lines } = await world()
    await drop('berlin-a-1')
    await clock.advance(85 * second)
    await back('berlin-a-1')
    await clock.advance(10 * minute)
    expect(lines()).toEqual([])
  })

  test('the setting counts, also while a device is held', async () => {
    const { drop, clock, lines, settings, alerts } = await world({ holdOffSeconds: 600 })
    await drop('berlin-a-1')
    await clock.advance(5 * minute)
    expect(lines()).toEqual([])
    settings.holdOffSeconds = 5
    alerts().recheck()
    await clock.advance(second)
    expect(lines()).toHaveLength(1)
  })

  test('a hold-off of nothing tells at once', async () => {
    const { drop, clock, lines } = await world({ holdOffSeconds: 0 })
    await drop('berlin-a-1')
    await clock.advance(second)
    expect(lines()).toHaveLength(1)
  })

  test('what is switched off is not told, also not later', async () => {
    const { drop, clock, lines, settings, alerts } = await world({ tellOffline: false })
    await drop('berlin-a-1')
    await clock.advance(5 * minute)
    settings.tellOffline = true
    alerts().recheck()
    await clock.advance(5 * minute)
    expect(lines()).toEqual([])
  })

  test('a clock that is set back holds nothing for long', async () => {
    const { drop, clock, lines } = await world()
    clock.jump(3 * 60 * minute)
    await drop('berlin-a-1')
    clock.jump(-3 * 60 * minute)
    await drop('berlin-b-1')
    await clock.advance(2 * minute)
    expect(lines()).toHaveLength(2)
  })
})

describe('folding', () => {
  test('twelve devices of a site are one telling at the site', async () => {
    const { drop, ids, clock, lines, told } = await world()
    await drop(...ids('berlin'))
    await clock.advance(2 * minute)
    expect(lines()).toEqual(['12 devices offline in Berlin | Acme. Studio berlin-a-1, Studio berlin-a-2, Studio berlin-a-3 and 9 more. Since 03:00 UTC.'])
    expect(told[0]).toMatchObject({ devices: 12, open: { scope: 's:test/acme/berlin', filter: 'connected:no', device: null } })
  })

  test('what ends its hold-off within the gather window of the first is told with it', async () => {
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
    expect(titles()).toEqual(['3 devices offline in Room a', 'Studio rome-a-1 is offline', 'Studio rome-a-2 is offline', 'Studio rome-b-1 is offline'])
  })

  test('two of two are told by name: a place is down from three on', async () => {
    const { drop, ids, clock, titles } = await world()
    await drop(...ids('oslo'))
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['Studio oslo-a-1 is offline', 'Studio oslo-a-2 is offline'])
  })

  test('the deepest place that holds all of them', async () => {
    const { drop, clock, told } = await world({}, { acme: { berlin: { a: 5 } } })
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await clock.advance(2 * minute)
    expect(told.map(({ title, open }) => [title, open.scope])).toEqual([['3 devices offline in Room a', 'm:test/acme/berlin/a']])
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

  test('more than three that no place explains are one', async () => {
    const { drop, clock, lines, told } = await world()
    await drop('berlin-a-1', 'berlin-b-1', 'paris-a-1', 'paris-b-1', 'rome-a-1', 'rome-b-2', 'rome-b-3')
    await clock.advance(2 * minute)
    expect(lines()).toEqual(['7 devices offline in 3 sites | Acme. Studio berlin-a-1, Studio berlin-b-1, Studio paris-a-1 and 4 more. Since 03:00 UTC.'])
    expect(told[0]?.open).toEqual({ scope: 't:test/acme', filter: 'connected:no', device: null })
  })

  test('a trickle that no place explains becomes one as well, under an id that was told', async () => {
    const { drop, clock, told } = await world()
    for (const id of ['berlin-a-1', 'paris-a-1', 'rome-a-1', 'rome-b-2', 'york-a-1', 'london-a-1']) {
      await drop(id)
      await clock.advance(70 * second)
    }
    await clock.advance(3 * minute)
    expect(told.map(({ title }) => title)).toEqual([
      'Studio berlin-a-1 is offline', 'Studio paris-a-1 is offline', 'Studio rome-a-1 is offline',
      '4 devices offline in 3 sites', '5 devices offline in 4 sites', '6 devices offline in 5 sites',
    ])
    expect(new Set(told.slice(2).map(({ id }) => id)).size).toBe(1)
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
  test('updates what was told, under its id, at most once a minute', async () => {
    const { drop, clock, told } = await world()
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4', 'berlin-b-1', 'berlin-b-2', 'berlin-b-3', 'berlin-b-4')
    await clock.advance(20 * second)
    await drop('berlin-c-1')
    await clock.advance(20 * second)
    await drop('berlin-c-2')
    await clock.advance(60 * second)
    expect(told.map(({ title }) => title)).toEqual(['8 devices offline in Berlin'])
    await clock.advance(10 * minute)
    expect(told.map(({ title }) => title)).toEqual(['8 devices offline in Berlin', '10 devices offline in Berlin'])
    expect(told[1]).toMatchObject({ id: told[0]?.id, devices: 10 })
    expect((told[1]?.at ?? 0) - (told[0]?.at ?? 0)).toBeGreaterThanOrEqual(minute)
  })

  test('what joins and comes back before its minute is not told', async () => {
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

  test('from a room to its site: one id, and the room is not told again', async () => {
    const { drop, ids, clock, told, alerts } = await world()
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await clock.advance(2 * minute)
    await drop(...ids('berlin'))
    await clock.advance(4 * minute)
    expect(told.map(({ title }) => title)).toEqual(['4 devices offline in Room a', '12 devices offline in Berlin'])
    expect(told[1]?.id).toBe(told[0]?.id)
    expect(alerts().tellings().recent.map(({ title }) => title)).toEqual(['12 devices offline in Berlin'])
  })

  test('devices that were told alone become a part of it', async () => {
    const { drop, clock, titles, told } = await world()
    await drop('berlin-a-1', 'berlin-a-2')
    await clock.advance(3 * minute)
    await drop('berlin-a-3')
    await clock.advance(3 * minute)
    expect(titles()).toEqual(['Studio berlin-a-1 is offline', 'Studio berlin-a-2 is offline', '3 devices offline in Room a'])
    expect(told.slice(0, 2).map(({ id }) => id)).toContain(told[2]?.id)
  })
})

describe('recovery', () => {
  test('is told when the drop was, after the hold-off, gathered', async () => {
    const { drop, back, ids, clock, lines, told } = await world()
    await drop(...ids('berlin'))
    await clock.advance(2 * minute)
    lines()
    for (const id of ids('berlin')) {
      await back(id)
      await clock.advance(second)
    }
    await clock.advance(70 * second)
    expect(lines()).toEqual([])
    await clock.advance(30 * second)
    expect(lines()).toEqual(['12 devices are back in Berlin | Acme. Studio berlin-a-1, Studio berlin-a-2, Studio berlin-a-3 and 9 more.'])
    expect(told.at(-1)).toMatchObject({ kind: 'recovered', devices: 12, open: { scope: 's:test/acme/berlin' } })
  })

  test('says what is still down, and grows under its id', async () => {
    const { drop, back, ids, clock, lines, told } = await world()
    const all = ids('berlin')
    await drop(...all)
    await clock.advance(2 * minute)
    await back(...all.slice(0, 9))
    await clock.advance(2 * minute)
    await back(...all.slice(9))
    await clock.advance(3 * minute)
    expect(lines().slice(1)).toEqual([
      '9 devices are back in Berlin | Acme. Studio berlin-a-1, Studio berlin-a-2, Studio berlin-a-3 and 6 more. 3 devices still offline.',
      '12 devices are back in Berlin | Acme. Studio berlin-c-2, Studio berlin-c-3, Studio berlin-c-4 and 9 more.',
    ])
    expect(told.at(-1)?.id).toBe(told.at(-2)?.id)
  })

  test('one that comes down again within the hold-off was never back, and is not told twice', async () => {
    const { drop, back, clock, titles } = await world()
    await drop('berlin-a-1')
    await clock.advance(2 * minute)
    for (let round = 0; round < 5; round += 1) {
      await back('berlin-a-1')
      await clock.advance(30 * second)
      await drop('berlin-a-1')
      await clock.advance(30 * second)
    }
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

  test('is not told when that is switched off', async () => {
    const { drop, back, clock, titles } = await world({ tellRecovered: false })
    await drop('berlin-a-1')
    await clock.advance(2 * minute)
    await back('berlin-a-1')
    await clock.advance(5 * minute)
    await drop('berlin-a-1')
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio berlin-a-1 is offline', 'Studio berlin-a-1 is offline'])
  })
})

describe('while Muster is blind', () => {
  test('nothing is told about devices, and one thing about Muster itself', async () => {
    const { drop, blind, clock, lines, told } = await world()
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await clock.advance(30 * second)
    await blind('acme')
    await clock.advance(60 * minute)
    expect(lines()).toEqual(['Muster cannot see Acme since 03:00 UTC | Nothing is told of devices there until it sees them again.'])
    expect(told[0]).toMatchObject({ kind: 'blind', devices: 44, open: { scope: 't:test/acme' } })
  })

  test('shorter than the hold-off it is not told', async () => {
    const { blind, see, clock, titles } = await world()
    await blind()
    await clock.advance(80 * second)
    await see()
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
  })

  test('on everything it is one telling', async () => {
    const { blind, clock, titles } = await world()
    await blind()
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['Muster cannot see anything since 03:00 UTC'])
  })

  test('tenants that go out of sight one after the other grow one telling', async () => {
    const plan = Object.fromEntries(['a', 'b', 'c', 'd'].map((tenant) => [tenant, { [`s${tenant}`]: { r: 4 } }]))
    const { blind, clock, lines, told } = await world({}, plan)
    await blind('a')
    await clock.advance(20 * second)
    await blind('b')
    await clock.advance(3 * minute)
    await blind('c')
    await clock.advance(3 * minute)
    expect(lines().map((line) => line.split(' since')[0])).toEqual(['Muster cannot see A', 'Muster cannot see 2 tenants', 'Muster cannot see 3 tenants'])
    expect(new Set(told.map(({ id }) => id)).size).toBe(1)
  })

  test('what was held is dropped when it is up again, and told when it is not', async () => {
    const { drop, blind, see, secretly, clock, titles } = await world({ tellBlind: false })
    await drop('berlin-a-1', 'paris-a-1')
    await clock.advance(30 * second)
    await blind()
    await clock.advance(10 * minute)
    secretly(true, 'berlin-a-1')
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio paris-a-1 is offline'])
  })

  test('sight that comes back is told with what it found, once', async () => {
    const { blind, see, secretly, ids, clock, lines, told } = await world()
    await blind('acme')
    await clock.advance(10 * minute)
    lines()
    secretly(false, ...ids('oslo'), 'rome-a-1', 'rome-b-1')
    await see('acme')
    await clock.advance(60 * second)
    expect(lines()).toEqual([])
    await clock.advance(4 * minute)
    expect(lines()).toEqual(['Muster sees Acme again | 4 devices went offline meanwhile: Studio oslo-a-1, Studio oslo-a-2, Studio rome-a-1 and 1 more.'])
    expect(told.at(-1)).toMatchObject({ kind: 'sighted', devices: 4, open: { scope: 't:test/acme', filter: 'connected:no' } })
    await clock.advance(60 * minute)
    expect(lines()).toEqual([])
  })

  test('with nothing found it says so; it goes blind again within the hold-off: nothing', async () => {
    const { blind, see, clock, lines } = await world()
    await blind()
    await clock.advance(5 * minute)
    lines()
    await see()
    await clock.advance(30 * second)
    await blind()
    await clock.advance(10 * minute)
    expect(lines()).toEqual([])
    await see()
    await clock.advance(3 * minute)
    expect(lines()).toEqual(['Muster sees 2 tenants again | Acme and Beta. No device went offline meanwhile.'])
  })

  test('while not everything has been read again, it waits for that', async () => {
    const { blind, clock, calls, alerts, read, lines } = await world()
    await blind('acme')
    await clock.advance(5 * minute)
    lines()
    alerts().heard(calls().sight({ service: 'test', connection: 'c', tenants: ['acme'], seen: true, confirmedAt: clock.now(), from: clock.now() }))
    await clock.advance(4 * minute)
    expect(lines()).toEqual([])
    await read('acme')
    await clock.advance(2 * second)
    expect(lines()).toEqual(['Muster sees Acme again | No device went offline meanwhile.'])
  })

  test('what is found late joins what was told', async () => {
    const { blind, see, secretly, read, clock, lines, told } = await world()
    await blind('acme')
    await clock.advance(5 * minute)
    secretly(false, 'oslo-a-1')
    await see('acme')
    await clock.advance(5 * minute)
    await read('acme')
    expect(lines().slice(1)).toEqual(['Muster sees Acme again | 1 device went offline meanwhile: Studio oslo-a-1.'])
    expect(told).toHaveLength(2)
  })

  test('what the operator paused is nothing to be blind for', async () => {
    const { blind, clock, paused, titles } = await world()
    paused.add('c')
    await blind()
    await clock.advance(60 * minute)
    expect(titles()).toEqual([])
  })

  test('drops missed in a blink of the link come as one', async () => {
    const { blind, see, secretly, clock, titles } = await world()
    await blind()
    await clock.advance(5 * second)
    secretly(false, 'berlin-a-1', 'berlin-b-1', 'paris-a-1', 'york-a-1', 'rome-a-1')
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['5 devices went offline while Muster could not see them'])
  })

  test('a site missed in a blink is that site', async () => {
    const { blind, see, secretly, ids, clock, titles } = await world()
    await blind()
    await clock.advance(5 * second)
    secretly(false, ...ids('berlin'))
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['12 devices offline in Berlin'])
  })

  test('a service that is read and not listened to has no absences: its drops fold as all others', async () => {
    const { secretly, read, ids, clock, titles } = await world()
    await clock.advance(30 * minute)
    secretly(false, ...ids('berlin'), 'rome-a-1')
    await read('acme')
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['12 devices offline in Berlin', 'Studio rome-a-1 is offline'])
  })
})

describe('a pause', () => {
  test('holds everything, and tells it as one at its end', async () => {
    const { drop, back, ids, alerts, clock, lines, told } = await world()
    await drop('york-a-1')
    await clock.advance(5 * minute)
    lines()
    await alerts().pause(60)
    expect(alerts().tellings().pausedUntil).toBe(clock.now() + 60 * minute)
    await drop(...ids('berlin'), 'rome-a-1', 'oslo-a-1')
    await back('york-a-1')
    await clock.advance(10 * minute)
    await back('oslo-a-1')
    await clock.advance(49 * minute)
    expect(lines()).toEqual([])
    await clock.advance(2 * minute)
    expect(lines()).toEqual([
      '13 devices went offline, 1 device came back while telling was paused | 12 devices offline in Berlin. Studio rome-a-1 is offline. Studio york-a-1 is back.',
    ])
    expect(told.at(-1)).toMatchObject({ kind: 'offline', devices: 14, open: { scope: 'all', filter: 'connected:no' } })
    expect(alerts().tellings().pausedUntil).toBeNull()
    await clock.advance(60 * minute)
    expect(lines()).toEqual([])
  })

  test('ends when it is called off; one thing is told in its own words, and nothing is told of nothing', async () => {
    const { drop, alerts, clock, titles, tellings } = await world()
    await alerts().pause(60)
    await drop('rome-a-1')
    await clock.advance(20 * minute)
    await alerts().pause(0)
    await clock.advance(second)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
    expect(tellings.at(-1)?.pausedUntil).toBeNull()
    await alerts().pause(5)
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
    expect(tellings.at(-1)?.pausedUntil).toBeNull()
  })

  test('outlives a restart, and so does what it holds', async () => {
    const { drop, restart, see, alerts, clock, titles } = await world()
    await alerts().pause(60)
    await drop('rome-a-1', 'paris-a-1')
    await clock.advance(20 * minute)
    await restart()
    await see()
    await clock.advance(39 * minute)
    expect(titles()).toEqual([])
    expect(alerts().tellings().pausedUntil).not.toBeNull()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['2 devices went offline while telling was paused'])
  })
})

describe('over a restart', () => {
  test('what was told is not told again, and its end is', async () => {
    const { drop, back, ids, restart, see, clock, titles, alerts } = await world()
    await drop(...ids('berlin'))
    await clock.advance(5 * minute)
    titles()
    await restart()
    await see()
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
    expect(alerts().tellings().recent.map(({ title }) => title)).toEqual(['12 devices offline in Berlin'])
    await back(...ids('berlin'))
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['12 devices are back in Berlin'])
  })

  test('what was held is told when its time has come', async () => {
    const { drop, restart, see, clock, titles } = await world()
    await drop('rome-a-1')
    await clock.advance(30 * second)
    await restart()
    await see()
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('what changed in the absence comes as one', async () => {
    const { drop, ids, restart, secretly, see, clock, lines } = await world()
    await drop('york-a-1')
    await clock.advance(5 * minute)
    lines()
    await restart(() => {
      void clock.jump(8 * 60 * minute)
      secretly(false, ...ids('berlin'), ...ids('oslo'), 'rome-a-1', 'london-a-1')
    })
    await see()
    await clock.advance(5 * minute)
    expect(lines()).toEqual(['16 devices went offline while Muster could not see them | Studio berlin-a-1, Studio berlin-a-2, Studio berlin-a-3 and 13 more.'])
  })

  test('a crash right after a transition was committed leaves nothing untold', async () => {
    const { drop, crash, see, clock, titles } = await world()
    await drop('rome-a-1')
    // Not a moment passes: nobody has weighed it yet.
    await crash()
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('that Muster cannot see is told once, and that it sees again as well', async () => {
    const { blind, restart, see, clock, titles } = await world()
    await blind()
    await clock.advance(5 * minute)
    await restart()
    await clock.advance(20 * minute)
    expect(titles()).toEqual(['Muster cannot see anything since 03:00 UTC'])
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Muster sees 2 tenants again'])
  })
})

describe('what else may happen', () => {
  test('a full disk keeps nobody from being told, and nothing is told twice when there is room again', async () => {
    const { drop, disk, restart, see, clock, titles } = await world()
    disk.full = true
    await drop('rome-a-1')
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
    disk.full = false
    await drop('paris-a-1')
    await clock.advance(5 * minute)
    await restart()
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio paris-a-1 is offline'])
  })

  test('a device that the service no longer lists is not down', async () => {
    const { drop, remove, clock, titles } = await world()
    await drop('rome-a-1')
    await clock.advance(30 * second)
    await remove('rome-a-1')
    await clock.advance(5 * minute)
    expect(titles()).toEqual([])
  })

  test('the first reading of what is new tells nothing, however much of it is down', async () => {
    const { clock, calls, alerts, titles } = await world()
    const facts = Array.from({ length: 40 }, (_, n) => ({
      id: `new-${n}`, name: 'New', hardwareModel: 'X', connected: false, lastDetected: null, lastConfigRequestDate: null, site: null, room: null, extra: null,
    }))
    alerts().heard(calls().tenants({ service: 'new', connection: 'n', tenants: [{ id: 't', name: 'New', region: null }], at: clock.now() }))
    alerts().heard(calls().sight({ service: 'new', connection: 'n', tenants: null, seen: true, confirmedAt: clock.now(), from: clock.now() }))
    alerts().heard(calls().page({ service: 'new', tenant: 't', generation: 1, asked: 1, at: clock.now(), devices: facts, next: null, connection: 'n' }))
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
  })

  test('what was told of a connection that is removed is forgotten', async () => {
    const { drop, ids, forget, clock, alerts, calls } = await world({}, { acme: { berlin: { a: 4 } } })
    await drop(...ids('berlin'))
    await clock.advance(5 * minute)
    expect(alerts().tellings().recent).toHaveLength(1)
    await forget('acme')
    expect(alerts().tellings().recent).toEqual([])
    await clock.advance(5 * minute)
    expect(calls().alerts(undefined)).toEqual({ fresh: [], drops: [], tellings: [], blind: [], pause: null })
  })

  test('five thousand devices at once are one look and a few writes', async () => {
    const plan = { acme: Object.fromEntries([...Array(50).keys()].map((n) => [`site${n}`, { a: 50, b: 50 }])) }
    const { drop, ids, clock, titles, asked } = await world({}, plan)
    const before = { ...asked }
    await drop(...ids())
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['5,000 devices offline in Acme'])
    expect(asked.looks - before.looks).toBeLessThanOrEqual(2)
    expect(asked.writes - before.writes).toBeLessThanOrEqual(3)
  })
})
