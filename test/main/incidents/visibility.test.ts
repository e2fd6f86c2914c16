import { bodyOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld, usual, type World } from './world.ts'

export const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
export const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> =>
  openWorld(leftovers, plan, over)
export const second = 1_000
export const minute = 60 * second

describe('during a monitoring loss', () => {
  test('no device is notified, and the loss is once', async () => {
    const { drop, blind, clock, lines, sent } = await world()
    await drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await clock.advance(30 * second)
    await blind('acme')
    await clock.advance(60 * minute)
    expect(lines()).toEqual([
      'Monitoring lost for Acme since 03:00 UTC | No alerts for these devices until monitoring is restored.',
    ])
    expect(sent[0]).toMatchObject({ kind: 'monitoring-lost', devices: 44, open: { scope: 't:test/acme' } })
  })

  test('a loss shorter than the hold-off is not notified', async () => {
    const { blind, see, clock, titles } = await world()
    await blind()
    await clock.advance(80 * second)
    await see()
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
  })

  test("its start is the service's last message, not the last proof before that", async () => {
    const { alerts, calls, clock, lastMessage, titles } = await world()
    await clock.advance(10 * minute)
    lastMessage.set('c', clock.now() - 5 * second)
    alerts().applyChange(
      calls().visibility({
        service: 'test',
        connection: 'c',
        tenants: ['acme'],
        visible: false,
        confirmedAt: clock.now() - 3 * minute,
      }),
    )
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['Monitoring lost for Acme since 03:09 UTC'])
    // What was not proven by then may have been missed.
    expect(alerts().state().monitoringLost.get('test/acme')?.lostAt).toBe(clock.now() - 5 * minute)
  })

  test('of everything there is one notification', async () => {
    const { blind, clock, titles } = await world()
    await blind()
    await clock.advance(2 * minute)
    expect(titles()).toEqual(['Monitoring lost since 03:00 UTC'])
  })

  test('tenants lost one after the other extend one notification', async () => {
    const plan = Object.fromEntries(['a', 'b', 'c', 'd'].map((tenant) => [tenant, { [`s${tenant}`]: { r: 4 } }]))
    const { blind, clock, lines, sent } = await world({}, plan)
    await blind('a')
    await clock.advance(20 * second)
    await blind('b')
    await clock.advance(3 * minute)
    await blind('c')
    await clock.advance(3 * minute)
    expect(lines().map((line) => line.split(' since')[0])).toEqual([
      'Monitoring lost for A',
      'Monitoring lost for 2 tenants',
      'Monitoring lost for 3 tenants',
    ])
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
  })

  test('a suppressed drop is dropped when it is up again, and notified when it is not', async () => {
    const { drop, blind, see, setUnreported, clock, titles } = await world({ notifyMonitoringLost: false })
    await drop('berlin-a-1', 'paris-a-1')
    await clock.advance(30 * second)
    await blind()
    await clock.advance(10 * minute)
    setUnreported(true, 'berlin-a-1')
    await see()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio paris-a-1 is offline'])
  })

  test('restored monitoring is notified once, with the drops it found', async () => {
    const { blind, see, setUnreported, ids, clock, lines, sent } = await world()
    await blind('acme')
    await clock.advance(10 * minute)
    lines()
    setUnreported(false, ...ids('oslo'), 'rome-a-1', 'rome-b-1')
    await see('acme')
    await clock.advance(60 * second)
    expect(lines()).toEqual([])
    await clock.advance(4 * minute)
    expect(lines()).toEqual([
      'Monitoring restored for Acme | Meanwhile: 1 incident, still open. 4 devices went offline while monitoring was lost.',
    ])
    expect(sent.at(-1)).toMatchObject({
      kind: 'monitoring-restored',
      devices: 4,
      open: { scope: 't:test/acme', filter: 'id:oslo-a-1,oslo-a-2,rome-a-1,rome-b-1' },
    })
    await clock.advance(60 * minute)
    expect(lines()).toEqual([])
  })

  test('without drops it says so, and a loss within the hold-off is not notified', async () => {
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
    expect(lines()).toEqual(['Monitoring restored for 2 tenants | Acme and Beta. No device went offline meanwhile.'])
  })
})

describe('a second monitoring loss', () => {
  const plan = { acme: { berlin: { a: 4 }, paris: { a: 20 } }, beta: { york: { a: 3 } } }
  const absence = async (it: World, meanwhile: () => void) => {
    await it.blind('acme')
    await it.clock.advance(5 * minute)
    meanwhile()
    await it.see('acme')
    await it.clock.advance(5 * minute)
  }

  test('has its own summary of its own drops, and the first summary stays as notified', async () => {
    const it = await world({}, plan)
    await absence(it, () => it.setUnreported(false, ...it.ids('berlin'), 'paris-a-1'))
    const first = it.sent.at(-1)
    expect(bodyOf(first)).toMatch(/^Meanwhile: 2 incidents, still open\./u)
    it.lines()
    await absence(it, () => it.setUnreported(true, ...it.ids('berlin')))
    expect(it.lines()).toEqual([
      expect.stringMatching(/^Monitoring lost for Acme since/u),
      'Monitoring restored for Acme | Meanwhile: 1 incident, which is over. 4 devices are back in Room a.',
    ])
    expect(it.sent.at(-1)?.id).not.toBe(first?.id)
    expect(
      it
        .alerts()
        .notifications()
        .recent.find(({ id }) => id === first?.id),
    ).toEqual(first)
  })

  test('the same after a restart', async () => {
    const it = await world({ notifyMonitoringLost: false }, plan)
    await it.restart(() => it.setUnreported(false, ...it.ids('berlin'), 'paris-a-1'))
    await it.clock.advance(5 * minute)
    await it.see()
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['While you were away: 2 incidents, still open'])
    await it.restart(() => it.setUnreported(false, 'paris-a-3', ...it.ids('york')))
    await it.clock.advance(5 * minute)
    await it.see()
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['While you were away: 2 incidents, still open'])
    expect(new Set(it.sent.map(({ id }) => id)).size).toBe(2)
  })

  test('a tenant of the first loss that is restored only now still joins that', async () => {
    const it = await world({}, plan)
    await it.blind()
    await it.clock.advance(5 * minute)
    it.lines()
    await it.see('acme')
    await it.clock.advance(4 * minute)
    await it.see('beta')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Monitoring restored for Acme', 'Monitoring restored for 2 tenants'])
    expect(it.sent.at(-1)?.id).toBe(it.sent.at(-2)?.id)
  })
})

describe('a monitoring loss for a part of a tenant that only one of its connections sees', () => {
  const plan = { acme: { berlin: { a: 4 } }, beta: { york: { a: 3 } } }
  /** Another connection sees five devices of Acme that the first one does not. */
  async function apart() {
    const given = await world({}, plan)
    const { calls, alerts, clock } = given
    const tenant = { service: 'test', tenant: 'acme', connection: 'other' }
    const sees = (seen: boolean, confirmedAt = clock.now()) =>
      alerts().applyChange(
        calls().visibility({
          service: 'test',
          connection: 'other',
          tenants: null,
          visible: seen,
          confirmedAt,
          visibleSince: clock.now(),
        }),
      )
    const read = (connected: boolean) => {
      const generation = calls().nextGeneration(tenant)
      const devices = [1, 2, 3, 4, 5].map((n) => ({
        id: `oslo-${n}`,
        name: `Studio oslo-${n}`,
        hardwareModel: 'X50',
        connected,
        lastDetected: null,
        lastConfigRequestDate: null,
        site: { id: 'oslo', name: 'Oslo' },
        room: null,
      }))
      alerts().applyChange(
        calls().page({ ...tenant, generation, requestOrder: 1_000 + generation, at: clock.now(), devices, next: null }),
      )
      alerts().applyChange(calls().finish({ ...tenant, generation, at: clock.now() }))
    }
    alerts().applyChange(
      calls().tenants({
        service: 'test',
        connection: 'other',
        tenants: [{ id: 'acme', name: 'Acme', region: 'EU-1' }],
        at: clock.now(),
      }),
    )
    sees(true)
    read(true)
    await clock.advance(10 * second)
    return { ...given, sees, read }
  }

  test('that part is notified, none of its devices are, and all of the others are', async () => {
    const { sees, read, drop, clock, lines, titles, sent } = await apart()
    sees(false)
    await clock.advance(5 * minute)
    expect(lines()).toEqual([
      'Monitoring lost for a part of Acme since 03:00 UTC | No alerts for these devices until monitoring is restored.',
    ])
    expect(sent[0]).toMatchObject({ kind: 'monitoring-lost', devices: 5 })
    await drop('berlin-a-1')
    await clock.advance(3 * minute)
    expect(titles()).toEqual(['Studio berlin-a-1 is offline'])
    read(false)
    await clock.advance(30 * minute)
    expect(titles()).toEqual([])
    sees(true)
    read(false)
    await clock.advance(60 * second)
    expect(titles()).toEqual([])
    await clock.advance(4 * minute)
    expect(lines()).toEqual([
      'Monitoring restored for Acme | Meanwhile: 1 incident, still open. 5 devices offline in Oslo, without a room.',
    ])
  })

  test('it starts at the last message of the connection that was lost first', async () => {
    const { sees, clock, lastMessage, lines } = await apart()
    await clock.advance(10 * minute)
    lastMessage.set('c', clock.now())
    lastMessage.set('other', clock.now() - 3 * minute)
    sees(false, clock.now() - 5 * minute)
    await clock.advance(5 * minute)
    expect(lines()).toEqual([expect.stringMatching(/^Monitoring lost for a part of Acme since 03:07 UTC/u)])
  })

  test('after the operator paused one of them, only the rest counts as a monitoring loss', async () => {
    const { sees, paused, blind, see, clock, titles } = await apart()
    paused.add('other')
    sees(false)
    await clock.advance(30 * minute)
    expect(titles()).toEqual([])
    await blind('acme')
    await clock.advance(5 * minute)
    expect(titles().map((title) => title.split(' since')[0])).toEqual(['Monitoring lost for a part of Acme'])
    await see('acme')
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Monitoring restored for Acme'])
  })

  test('while one tenant is partly visible, it is not everything', async () => {
    const { sees, blind, clock, lines } = await apart()
    sees(false)
    await blind('beta')
    await clock.advance(5 * minute)
    expect(lines().map((line) => line.replace(/ since \S+ UTC/u, ''))).toEqual([
      'Monitoring lost for 2 tenants | a part of Acme and Beta. No alerts for these devices until monitoring is restored.',
    ])
  })
})
