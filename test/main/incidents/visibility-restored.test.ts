import { createLeftovers } from '../../support/fleet.ts'
import { openWorld, usual, type World } from './world.ts'
import { afterEach, describe, expect, test } from 'vitest'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('when monitoring is restored', () => {
  test('tenants restored together are one notification, which a late one joins', async () => {
    const { blind, see, setUnreported, clock, lines, sent } = await world()
    await blind()
    await clock.advance(5 * minute)
    lines()
    setUnreported(false, 'oslo-a-1', 'york-a-1')
    await see('acme')
    await clock.advance(30 * second)
    await see('beta')
    await clock.advance(5 * minute)
    expect(lines()).toEqual([
      'Monitoring restored for 2 tenants | Acme and Beta. Meanwhile: 2 incidents, still open. Studio oslo-a-1 is offline. Studio york-a-1 is offline.',
    ])
    await blind()
    await clock.advance(60 * minute)
    lines()
    await see('acme')
    await clock.advance(5 * minute)
    await see('beta')
    await clock.advance(5 * minute)
    expect(lines()).toEqual([
      'Monitoring restored for Acme | No device went offline meanwhile.',
      'Monitoring restored for 2 tenants | Acme and Beta. No device went offline meanwhile.',
    ])
    expect(sent.at(-1)?.id).toBe(sent.at(-2)?.id)
  })

  test('the notification comes once the last tenant has been visible for the hold-off', async () => {
    const { blind, see, clock, titles } = await world()
    await blind()
    await clock.advance(5 * minute)
    titles()
    await see('acme')
    await clock.advance(10 * second)
    await see('beta')
    await clock.advance(88 * second)
    expect(titles()).toEqual([])
    await clock.advance(3 * second)
    expect(titles()).toEqual(['Monitoring restored for 2 tenants'])
  })

  test('the notification waits until every tenant has been synced again', async () => {
    const { blind, clock, calls, alerts, read, lines } = await world()
    await blind('acme')
    await clock.advance(5 * minute)
    lines()
    alerts().applyChange(
      calls().visibility({
        service: 'test',
        connection: 'c',
        tenants: ['acme', 'beta'],
        visible: true,
        confirmedAt: clock.now(),
        visibleSince: clock.now(),
      }),
    )
    await clock.advance(4 * minute)
    expect(lines()).toEqual([])
    await read('acme')
    await clock.advance(2 * second)
    expect(lines()).toEqual(['Monitoring restored for Acme | No device went offline meanwhile.'])
  })

  test('a drop found late joins the notification', async () => {
    const { blind, see, setUnreported, read, clock, lines, sent } = await world()
    await blind('acme')
    await clock.advance(5 * minute)
    setUnreported(false, 'oslo-a-1')
    await see('acme')
    await clock.advance(5 * minute)
    await read('acme')
    expect(lines().slice(1)).toEqual([
      'Monitoring restored for Acme | Meanwhile: 1 incident, still open. Studio oslo-a-1 is offline.',
    ])
    expect(sent).toHaveLength(2)
  })

  test('a late tenant joins the notification, after a minute at the earliest', async () => {
    const { blind, see, clock, lines, sent } = await world({ holdOffSeconds: 0 })
    await blind()
    await clock.advance(5 * minute)
    lines()
    await see('acme')
    await clock.advance(10 * second)
    expect(lines()).toEqual(['Monitoring restored for Acme | No device went offline meanwhile.'])
    await see('beta')
    await clock.advance(45 * second)
    expect(lines()).toEqual([])
    await clock.advance(10 * second)
    expect(lines()).toEqual(['Monitoring restored for 2 tenants | Acme and Beta. No device went offline meanwhile.'])
    expect(sent.at(-1)?.id).toBe(sent.at(-2)?.id)
  })

  test('a recovery that waits for its minute leaves out tenants that are lost by then', async () => {
    const { drop, back, blind, see, clock, titles } = await world({ notifyMonitoringLost: false })
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await clock.advance(2 * minute)
    titles()
    await back('berlin-a-1')
    await clock.advance(20 * second)
    await back('berlin-a-2')
    await clock.advance(62 * second)
    expect(titles()).toEqual(['Studio berlin-a-1 is back'])
    await blind('acme')
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
    await see('acme')
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['2 devices are back in Room a'])
  })

  test('a connection that the operator paused is no monitoring loss', async () => {
    const { blind, clock, paused, titles } = await world()
    paused.add('c')
    await blind()
    await clock.advance(60 * minute)
    expect(titles()).toEqual([])
  })

  test('drops missed in a short monitoring loss are one notification', async () => {
    const { blind, see, setUnreported, clock, titles } = await world()
    await blind()
    await clock.advance(5 * second)
    setUnreported(false, 'berlin-a-1', 'berlin-b-1', 'paris-a-1', 'oslo-a-1', 'rome-a-1')
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['5 devices went offline while monitoring was lost'])
  })

  test('a site missed in a short monitoring loss is that site', async () => {
    const { blind, see, setUnreported, ids, clock, titles } = await world()
    await blind()
    await clock.advance(5 * second)
    setUnreported(false, ...ids('berlin'))
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['12 devices offline in Berlin'])
  })

  test('a polled service has no monitoring losses: its drops are grouped as all others', async () => {
    const { setUnreported, read, ids, clock, titles } = await world()
    await clock.advance(30 * minute)
    setUnreported(false, ...ids('berlin'), 'rome-a-1')
    await read('acme')
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['12 devices offline in Berlin', 'Studio rome-a-1 is offline'])
  })
})

test('an incident notified before is not listed as new, though some of it recovered', async () => {
  const { drop, blind, see, setUnreported, ids, clock, lines } = await world()
  await drop(...ids('berlin'))
  await clock.advance(2 * minute)
  await blind('acme')
  await clock.advance(10 * minute)
  lines()
  setUnreported(true, 'berlin-a-1', 'berlin-a-2')
  setUnreported(false, ...ids('oslo'))
  await see('acme')
  await clock.advance(5 * minute)
  expect(lines()).toEqual([
    'Monitoring restored for Acme | Meanwhile: 2 incidents, still open. Studio oslo-a-1 is offline. Studio oslo-a-2 is offline. 2 devices are back in Room a.',
  ])
})
