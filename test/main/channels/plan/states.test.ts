import { afterEach, describe, expect, test } from 'vitest'
import { afterChange, isTold, withDeliveries } from '../../../../src-main/channels/alerts.ts'
import { readDelivery } from '../../../../src-main/incidents/stored/delivery.ts'
import type { Channel } from '../../../../src-shared/model/channels.ts'
import { everyRule, mailChannel, webhookChannel } from '../../../support/channels.ts'
import { deliveryOf } from '../../../support/deliveries.ts'
import { createLeftovers } from '../../../support/fleet.ts'
import { usual } from '../../incidents/world.ts'
import { openChannelWorld, type ChannelWorld } from '../world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000
const hour = 60 * minute

const all = (rule = everyRule()): Channel[] => [
  webhookChannel({ id: 'pager', name: 'Pager', format: 'pagerduty', rule }),
  webhookChannel({ id: 'hook', rule }),
  mailChannel({ from: 'mail@example.com', rule }),
]
const world = (channels = all(), plan = usual) => openChannelWorld(leftovers, plan, channels)
const save = (it: ChannelWorld, channel: Channel) => it.channels().handlers['channels.save']({ channel, secret: null })

describe('several incidents in one message', () => {
  test('a storm is one message to each channel, and ends with its last device', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'), ...it.ids('paris'), ...it.ids('oslo'), ...it.ids('rome'), ...it.ids('york'))
    await it.clock.advance(10 * minute)
    expect(it.lines('mail')).toHaveLength(1)
    const [storm, ...more] = it.lines('pager')
    expect([storm, more]).toEqual([expect.stringMatching(/^trigger /u), []])
    await it.back(...it.ids().filter((id) => id !== 'york-a-1'))
    await it.clock.advance(10 * minute)
    expect(it.lines('pager').filter((line) => line === 'resolve')).toEqual([])
    await it.back('york-a-1')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
  })

  test('what was found down after an absence is told, and what came back meanwhile ends', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    for (const channel of ['pager', 'mail']) it.lines(channel)
    await it.restart(() => {
      it.setUnreported(true, 'rome-a-1')
      it.setUnreported(false, 'york-a-1', 'oslo-a-1')
      it.clock.jump(3 * hour)
    })
    await it.see()
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(expect.arrayContaining(['resolve']))
    expect(it.planned.filter(({ channel, action }) => channel === 'pager' && action === 'trigger')).toHaveLength(2)
    await it.back('york-a-1', 'oslo-a-1')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager').at(-1)).toBe('resolve')
  })

  test('what ended and was never triggered is not resolved, after an absence', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.runner().pause(60)
    await it.back('rome-a-1')
    await it.drop('york-a-1', 'oslo-a-1')
    await it.clock.advance(10 * minute)
    await it.back('york-a-1', 'oslo-a-1')
    await it.clock.advance(2 * hour)
    const hook = it.planned.filter(({ channel }) => channel === 'hook')
    const triggered = new Set(hook.filter(({ action }) => action === 'trigger').map(({ alert }) => alert))
    const resolved = hook.filter(({ action }) => action === 'resolve').map(({ alert }) => alert)
    expect(resolved.filter((alert) => !triggered.has(alert))).toEqual([])
    expect(new Set(resolved).size).toBe(resolved.length)
  })

  test('an incident in maintenance is told at the end of the window, if it is still open', async () => {
    const it = await world()
    const until = it.clock.now() + hour
    const holds = (now: number) => (now < until ? until : null)
    it.policies.maintenanceUntil = (id, now) => (id === 'q' ? holds(now) : null)
    it.policies.maintenanceAt = (path, now) =>
      path.includes('s:test/acme/berlin') && holds(now) !== null
        ? { id: 'q', name: 'Patching', node: 's:test/acme/berlin', until }
        : null
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    await it.back(...it.ids('berlin').filter((id) => id !== 'berlin-c-4'))
    await it.clock.advance(50 * minute)
    expect(it.arrivals).toEqual([])
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(['trigger Patching is over: 1 device did not come back'])
    await it.back('berlin-c-4')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
  })
})

describe('lost monitoring', () => {
  test('is told and ends as an alert of its own', async () => {
    const it = await world()
    await it.blind('beta')
    await it.clock.advance(15 * minute)
    expect(it.lines('pager')).toEqual([expect.stringMatching(/^trigger Monitoring lost for Beta/u)])
    await it.see('beta')
    await it.clock.advance(15 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
    expect(it.lines('hook')).toContain('notification Monitoring restored for Beta')
  })

  test('tells a channel without alerts of its own that it is restored, too', async () => {
    const it = await world()
    await it.blind('beta')
    await it.clock.advance(15 * minute)
    expect(it.lines('mail')).toHaveLength(1)
    await it.see('beta')
    await it.clock.advance(15 * minute)
    expect(it.lines('mail')).toEqual(['Monitoring restored for Beta'])
  })

  test('is not told to a rule for another tenant, or that does not want it', async () => {
    const places = [{ node: 't:test/acme', name: 'Acme' }]
    const it = await world([
      ...all(everyRule({ places })),
      mailChannel({ id: 'no', rule: everyRule({ monitoringLost: false }) }),
    ])
    await it.blind('beta')
    await it.clock.advance(15 * minute)
    await it.see('beta')
    await it.clock.advance(15 * minute)
    expect(it.planned).toEqual([])
  })

  test('is told with what was found meanwhile, which is then an alert of its own', async () => {
    const it = await world()
    await it.blind('beta')
    await it.clock.advance(15 * minute)
    it.setUnreported(false, 'york-a-1', 'london-a-1')
    for (const channel of ['pager', 'mail']) it.lines(channel)
    await it.see('beta')
    await it.clock.advance(20 * minute)
    const begun = it.planned.filter(({ channel, action }) => channel === 'pager' && action === 'trigger').at(-1)
    expect(begun?.incidents).toHaveLength(2)
    expect(it.lines('pager')).toContain('resolve')
    await it.back('york-a-1', 'london-a-1')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
  })
})

describe('a channel that is switched off', () => {
  test('is told nothing, and what waits for it is dropped', async () => {
    const channels = all(everyRule({ afterMinutes: 10 }))
    const it = await world(channels)
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    for (const channel of channels) if (channel.kind === 'email') await save(it, { ...channel, on: false })
    await it.clock.advance(10 * minute)
    await it.drop('york-a-1')
    await it.clock.advance(15 * minute)
    expect([it.lines('mail'), it.lines('pager').length]).toEqual([[], 2])
  })

  test('ends its alerts when it is on again', async () => {
    const it = await world()
    const pager = all()[0]
    if (pager === undefined) throw new Error('no channel')
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await save(it, { ...pager, on: false })
    await it.back('rome-a-1')
    await it.clock.advance(5 * minute)
    await save(it, pager)
    await it.drop('york-a-1')
    await it.clock.advance(5 * minute)
    expect(it.lines('pager').toSorted()).toEqual([
      'resolve',
      'trigger Studio rome-a-1 is offline',
      'trigger Studio york-a-1 is offline',
    ])
  })

  test('ends its alerts after a restart, without another incident', async () => {
    const it = await world()
    const pager = all()[0]
    if (pager === undefined) throw new Error('no channel')
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await save(it, { ...pager, on: false })
    await it.back('rome-a-1')
    await it.clock.advance(5 * minute)
    await save(it, pager)
    it.lines('pager')
    await it.restart()
    await it.see()
    await it.clock.advance(5 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
  })

  test('has no banner any more', async () => {
    const it = await world()
    it.answers.mail = () => Promise.reject(new Error('no'))
    await it.drop('rome-a-1')
    await it.clock.advance(10 * minute)
    expect([...it.banners.keys()]).toEqual(['channels'])
    await save(it, mailChannel({ from: 'mail@example.com', on: false }))
    expect([...it.banners.keys()]).toEqual([])
  })
})

test('a message that some of its addresses have was told, also where others reject it', () => {
  const row = deliveryOf('a', { begins: true, unlessTaken: true })
  const planned = withDeliveries(new Map(), [row])
  const told = (alerts: typeof planned) => [...(alerts.get('hook')?.values() ?? [])].map(isTold)
  expect(told(planned)).toEqual([false])
  const failed = { ...row, state: 'failed' as const, attempts: 1, to: ['a@b'] }
  expect(told(afterChange(planned, failed))).toEqual([true])
  expect(told(afterChange(planned, { ...failed, to: [] }))).toEqual([false])
  expect(told(withDeliveries(new Map(), [failed]))).toEqual([true])
})

describe('a restart', () => {
  const stored = (it: ChannelWorld) => {
    const { told } = it.calls().openDeliveries({ since: 0 })
    return withDeliveries(
      new Map(),
      told.flatMap((row) => readDelivery(row) ?? []),
    )
  }
  const facts = (alerts: ReturnType<typeof withDeliveries>) =>
    [...alerts].flatMap(([channel, its]) =>
      [...its.values()]
        .filter(({ ending }) => ending === null)
        .map((alert) => ({
          channel,
          key: alert.key,
          incidents: alert.incidents.toSorted(),
          about: alert.about.toSorted(),
          severity: alert.severity,
          isAcknowledged: alert.isAcknowledged,
          isTold: isTold(alert),
        })),
    )

  test('reads the same alerts from the journal as the messages made', async () => {
    const it = await world()
    await it.drop('london-a-1', 'london-a-2', 'london-a-3', 'rome-a-1')
    await it.clock.advance(3 * minute)
    await it.drop('london-b-1', 'london-b-2', 'london-b-3')
    await it.clock.advance(3 * minute)
    await it.acknowledge()
    await it.back('rome-a-1')
    await it.blind('beta')
    await it.clock.advance(15 * minute)
    const made = withDeliveries(new Map(), it.planned)
    expect(facts(stored(it))).toEqual(facts(made))
    expect(facts(made).length).toBeGreaterThan(2)
  })

  test('tells nothing again, and the recovery afterwards to who was told before', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    const before = it.arrivals.length
    await it.restart()
    await it.see()
    await it.clock.advance(10 * minute)
    expect(it.arrivals).toHaveLength(before)
    await it.back('rome-a-1')
    await it.clock.advance(10 * minute)
    expect([it.lines('pager').at(-1), it.lines('mail').at(-1)]).toEqual(['resolve', 'Studio rome-a-1 is back'])
  })

  test('before a message is due lets it be due at the same time', async () => {
    const it = await world(all(everyRule({ afterMinutes: 30 })))
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.restart()
    await it.see()
    await it.clock.advance(20 * minute)
    expect(it.arrivals).toEqual([])
    await it.clock.advance(10 * minute)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
  })
})

test('a failed trigger that is sent again after its end leaves no alert open', async () => {
  const it = await world()
  let refuses = true
  it.answers.webhook = async () => new Response('no', { status: refuses ? 400 : 200 })
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  await it.back('rome-a-1')
  await it.clock.advance(5 * minute)
  refuses = false
  it.lines('pager')
  const rows = it.calls().deliveries({ state: 'failed', incident: null, offset: 0, limit: 10 })
  const trigger = rows.rows
    .flatMap((row) => readDelivery(row) ?? [])
    .find((row) => row.channel === 'pager' && row.action === 'trigger')
  await it.channels().handlers['channels.retry']({ id: trigger?.id ?? '' })
  await it.clock.advance(5 * minute)
  expect(it.lines('pager')).toEqual([])
})
