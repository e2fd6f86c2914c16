import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('over a restart', () => {
  test('a notified incident is not notified again, and its recovery is', async () => {
    const { drop, back, ids, restart, see, clock, titles, alerts } = await world()
    await drop(...ids('berlin'))
    await clock.advance(5 * minute)
    titles()
    await restart()
    await see()
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
    expect(alerts().notifications().recent.map(titleOf)).toEqual(['12 devices offline in Berlin'])
    await back(...ids('berlin'))
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['12 devices are back in Berlin'])
  })

  test('a drop within its hold-off is notified when its time has come', async () => {
    const { drop, restart, see, clock, titles } = await world()
    await drop('rome-a-1')
    await clock.advance(30 * second)
    await restart()
    await see()
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('a device that recovered and dropped again just before has a new hold-off', async () => {
    const { drop, back, restart, see, clock, titles } = await world()
    await drop('rome-a-1')
    await clock.advance(60 * second)
    await back('rome-a-1')
    await drop('rome-a-1')
    await restart()
    await see()
    await clock.advance(80 * second)
    expect(titles()).toEqual([])
    await clock.advance(30 * second)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('changes while Muster was off come as one notification', async () => {
    const { drop, ids, restart, setUnreported, see, clock, lines } = await world()
    await drop('york-a-1')
    await clock.advance(5 * minute)
    lines()
    await restart(() => {
      void clock.jump(8 * 60 * minute)
      setUnreported(false, ...ids('berlin'), ...ids('oslo'), 'rome-a-1', 'paris-a-1')
    })
    await see()
    await clock.advance(5 * minute)
    expect(lines()).toEqual([
      'While you were away: 2 incidents, still open | 12 devices offline in Berlin. 4 devices went offline while monitoring was lost.',
    ])
  })

  test('a crash right after a transition was committed loses no notification', async () => {
    const { drop, crash, see, clock, titles } = await world()
    await drop('rome-a-1')
    // Not a moment passes: nobody has weighed it yet.
    await crash()
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('a monitoring loss is notified once, and so is its end', async () => {
    const { blind, restart, see, clock, titles } = await world()
    await blind()
    await clock.advance(5 * minute)
    await restart()
    await clock.advance(20 * minute)
    expect(titles()).toEqual(['Monitoring lost since 03:00 UTC'])
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Monitoring restored for 2 tenants'])
  })
})

describe('other cases', () => {
  test('a full disk prevents no notification, and none is repeated once there is space', async () => {
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

  test('a pause that a full disk rejected is stored as soon as there is space', async () => {
    const { alerts, disk, restart, clock } = await world()
    disk.full = true
    await alerts().pause(60)
    await clock.advance(minute)
    disk.full = false
    await clock.advance(minute)
    await restart()
    expect(alerts().notifications().pausedUntil).not.toBeNull()
  })

  test('a device that the service no longer lists is not down', async () => {
    const { drop, remove, clock, titles } = await world()
    await drop('rome-a-1')
    await clock.advance(30 * second)
    await remove('rome-a-1')
    await clock.advance(5 * minute)
    expect(titles()).toEqual([])
  })

  test('the first sync of a new tenant notifies nothing, however much of it is down', async () => {
    const { clock, calls, alerts, titles } = await world()
    const facts = Array.from({ length: 40 }, (_, n) => ({
      id: `new-${n}`,
      name: 'New',
      hardwareModel: 'X',
      connected: false,
      lastDetected: null,
      lastConfigRequestDate: null,
      site: null,
      room: null,
    }))
    alerts().applyChange(
      calls().tenants({
        service: 'new',
        connection: 'n',
        tenants: [{ id: 't', name: 'New', region: null }],
        at: clock.now(),
      }),
    )
    alerts().applyChange(
      calls().visibility({
        service: 'new',
        connection: 'n',
        tenants: null,
        visible: true,
        confirmedAt: clock.now(),
        visibleSince: clock.now(),
      }),
    )
    alerts().applyChange(
      calls().page({
        service: 'new',
        tenant: 't',
        generation: 1,
        requestOrder: 1,
        at: clock.now(),
        devices: facts,
        next: null,
        connection: 'n',
      }),
    )
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
  })

  test('notifications of a removed connection are erased', async () => {
    const { drop, ids, forget, clock, alerts, calls } = await world({}, { acme: { berlin: { a: 4 } } })
    await drop(...ids('berlin'))
    await clock.advance(5 * minute)
    expect(alerts().notifications().recent).toHaveLength(1)
    await forget('acme')
    expect(alerts().notifications().recent).toEqual([])
    await clock.advance(5 * minute)
    expect(calls().alerts({ since: 0 })).toMatchObject({
      outbox: [],
      drops: [],
      incidents: [],
      recent: [],
      notifications: [],
      monitoringLosses: [],
      pause: null,
    })
  })

  test('five thousand drops at once are one evaluation and a few writes', async () => {
    const plan = { acme: Object.fromEntries([...Array(50).keys()].map((n) => [`site${n}`, { a: 50, b: 50 }])) }
    const { drop, ids, clock, titles, requests } = await world({}, plan)
    const before = { ...requests }
    await drop(...ids())
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['5,000 devices offline in Acme'])
    expect(requests.locations - before.locations).toBeLessThanOrEqual(2)
    expect(requests.writes - before.writes).toBeLessThanOrEqual(3)
  })
})
