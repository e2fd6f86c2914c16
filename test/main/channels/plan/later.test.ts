import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../../support/fleet.ts'
import { everyRule, mailChannel, webhookChannel } from '../../../support/channels.ts'
import type { ChannelRule } from '../../../../src-shared/model/channels.ts'
import { usual } from '../../incidents/world.ts'
import { openChannelWorld, type ChannelWorld } from '../world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000
const hour = 60 * minute

const pagerAndMail = (over: Partial<ChannelRule>) => [
  webhookChannel({ id: 'pager', name: 'Pager', format: 'pagerduty', rule: everyRule(over) }),
  mailChannel({ from: 'mail@example.com', rule: everyRule(over) }),
]
const world = (over: Partial<ChannelRule>) => openChannelWorld(leftovers, usual, pagerAndMail(over))
const mailText = (it: ChannelWorld) => it.arrivals.findLast(({ letter }) => letter !== null)?.letter?.text ?? ''
const reasons = (it: ChannelWorld) => {
  const { rows } = it.calls().deliveries({ state: 'dropped', incident: null, offset: 0, limit: 100 })
  return rows.map((row) => (row as { reason: string }).reason)
}

const waiting = async (it: ChannelWorld) => {
  const query = { state: 'waiting' as const, incident: null, offset: 0, limit: 100 }
  return (await it.channels().handlers['channels.deliveries'](query)).rows.map(({ reason }) => reason)
}
const over = 'It was over before the channel was due.'
const assign = (it: ChannelWorld, to: string | null) => {
  const assigned = to === null ? null : { at: it.clock.now(), to, by: 'Ben' }
  return it.runner().mark(it.open().map(({ id }) => ({ id, assigned })))
}

describe('a rule that waits some minutes', () => {
  test('is told then, with the words that it is still open', async () => {
    const it = await world({ afterMinutes: 10 })
    const began = it.clock.now()
    await it.drop('rome-a-1')
    await it.clock.advance(9 * minute)
    expect(it.arrivals).toEqual([])
    await it.clock.advance(4 * minute)
    expect([it.lines('pager'), it.lines('mail')]).toEqual([
      ['trigger Studio rome-a-1 is offline'],
      ['Studio rome-a-1 is offline'],
    ])
    expect(it.planned.every(({ at, dueAt }) => dueAt - at === 10 * minute && at - began < 2 * minute)).toBe(true)
    expect(mailText(it)).toMatch(/Since 21 Nov, 03:0[01] UTC\. .*It is still open\./u)
  })

  test('hears nothing of what recovers before, of neither drop nor recovery', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(60 * minute)
    expect(it.arrivals).toEqual([])
    expect(reasons(it)).toEqual(Array(2).fill(over))
  })

  test('hears nothing of what is acknowledged before, nor of its recovery', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.acknowledge()
    await it.clock.advance(10 * minute)
    expect(await waiting(it)).toEqual(Array(2).fill('Somebody has acknowledged, snoozed or taken it.'))
    await it.back('rome-a-1')
    await it.clock.advance(10 * minute)
    expect(it.arrivals).toEqual([])
    expect(reasons(it)).toEqual(Array(2).fill(over))
  })

  test('is told of what is unacknowledged later, as soon as nobody has it any more', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.acknowledge()
    await it.clock.advance(4 * 24 * hour)
    expect(it.arrivals).toEqual([])
    await it.unacknowledge()
    await it.clock.advance(1_000)
    expect([it.lines('pager'), it.lines('mail')]).toEqual([
      ['trigger Studio rome-a-1 is offline'],
      ['Studio rome-a-1 is offline'],
    ])
    await it.back('rome-a-1')
    await it.clock.advance(10 * minute)
    expect([it.lines('pager'), it.lines('mail')]).toEqual([['resolve'], ['Studio rome-a-1 is back']])
  })

  test('hears nothing of what is assigned to somebody before', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await assign(it, 'Ann')
    await it.clock.advance(10 * minute)
    expect(it.arrivals).toEqual([])
    // Becoming worse takes it from nobody.
    it.settings.watched = ['test/acme/rome-a-1']
    it.runner().recheck()
    await it.clock.advance(10 * minute)
    expect([it.planned.at(-1)?.severity, it.arrivals]).toEqual(['critical', []])
    await assign(it, null)
    await it.clock.advance(1_000)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
  })

  test('is told of what was given back while Muster was off, once it has looked', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await assign(it, 'Ann')
    await it.clock.advance(hour)
    await it.restart()
    await assign(it, null)
    await it.clock.advance(9 * minute)
    expect(it.arrivals).toEqual([])
    expect(await waiting(it)).toContain('Muster has started, and has yet to see whether it is still open.')
    await it.clock.advance(2 * minute)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
  })

  test('hears nothing of what is seen to be over after a start', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.restart(() => {
      it.clock.jump(8 * hour)
      it.setUnreported(true, 'rome-a-1')
    })
    await it.clock.advance(5 * minute)
    await it.see()
    await it.clock.advance(hour)
    expect(it.arrivals).toEqual([])
    // So is the loss of monitoring meanwhile.
    expect(reasons(it)).toEqual(Array(4).fill(over))
  })

  test('looks for a minute after a sleep whether it is still open', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    it.clock.jump(8 * hour)
    await it.clock.advance(90_000)
    expect(it.arrivals).toEqual([])
    await it.clock.advance(60_000)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
  })

  test('is told after a pause, and when such notifications are switched on again', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.runner().pause(30)
    await it.clock.advance(20 * minute)
    expect(await waiting(it)).toEqual(Array(2).fill('Notifications are paused.'))
    it.settings.notifyOffline = false
    await it.clock.advance(20 * minute)
    expect(await waiting(it)).toEqual(Array(2).fill('Notifications of this kind are switched off.'))
    expect(it.arrivals).toEqual([])
    it.settings.notifyOffline = true
    it.runner().recheck()
    await it.clock.advance(1_000)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
  })

  test('counts from the beginning and not from the growth', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(3 * minute)
    const due = it.planned[0]?.dueAt
    await it.drop('london-b-1', 'london-b-2', 'london-b-3')
    await it.clock.advance(20 * minute)
    expect(it.planned.length).toBeGreaterThan(2)
    expect(new Set(it.planned.map(({ dueAt }) => dueAt))).toEqual(new Set([due]))
    expect(it.lines('mail')).toEqual(['6 devices offline in London'])
  })

  test('says of what grew meanwhile since when it is down, and not when it grew', async () => {
    const it = await world({ afterMinutes: 30 })
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(20 * minute)
    await it.drop('london-b-1', 'london-b-2', 'london-b-3')
    await it.clock.advance(20 * minute)
    expect(it.lines('mail')).toEqual(['6 devices offline in London'])
    expect(mailText(it)).toMatch(/Since 21 Nov, 03:0[01] UTC\. .*It is still open\./u)
  })

  test('is told at once of what grows after it was told', async () => {
    const it = await world({ afterMinutes: 10 })
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(12 * minute)
    expect(it.lines('mail')).toEqual(['3 devices offline in Room a'])
    await it.drop('london-b-1', 'london-b-2', 'london-b-3')
    await it.clock.advance(3 * minute)
    expect(it.lines('mail')).toEqual(['6 devices offline in London'])
  })

  test('is told once of what became worse meanwhile, as it is then', async () => {
    const it = await world({ afterMinutes: 30 })
    await it.drop('rome-a-1')
    await it.clock.advance(10 * minute)
    it.settings.watched = ['test/acme/rome-a-1']
    it.runner().recheck()
    await it.clock.advance(30 * minute)
    expect(it.planned.at(-1)?.severity).toBe('critical')
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
  })

  test('that is told while the last device comes back hears of the end, too', async () => {
    const it = await openChannelWorld(leftovers, usual, pagerAndMail({ afterMinutes: 10 }), { recoverySeconds: 5 })
    const { promise, resolve } = Promise.withResolvers<void>()
    it.answers.mail = () => promise
    it.answers.webhook = () => promise.then(() => new Response('ok'))
    await it.drop('rome-a-1')
    for (let passed = 0; passed < 900 && it.arrivals.length < 2; passed += 1) await it.clock.advance(1_000)
    await it.back('rome-a-1')
    for (let passed = 0; passed < 40 && it.open().length > 0; passed += 1) await it.clock.advance(1_000)
    expect(it.open()).toEqual([])
    await it.clock.advance(2_000)
    resolve()
    await it.clock.advance(hour)
    expect([it.lines('pager'), it.lines('mail')]).toEqual([
      ['trigger Studio rome-a-1 is offline', 'resolve'],
      ['Studio rome-a-1 is offline', 'Studio rome-a-1 is back'],
    ])
  })
})

describe('hours', () => {
  // The clock begins on Saturday, 2026-11-21, at 04:00 in Berlin.
  const days = [0, 1, 2, 3, 4, 5, 6]
  const office = { hours: { days, from: '08:00', until: '18:00' }, zone: 'Europe/Berlin' }

  test('what is open when they begin is told then', async () => {
    const it = await world(office)
    await it.drop('rome-a-1')
    await it.clock.advance(3 * hour + 55 * minute)
    expect(it.arrivals).toEqual([])
    await it.clock.advance(6 * minute)
    expect([it.lines('pager'), it.lines('mail')]).toEqual([
      ['trigger Studio rome-a-1 is offline'],
      ['Studio rome-a-1 is offline'],
    ])
    expect(mailText(it)).toContain('It is still open.')
  })

  test('what is over when they begin is not told', async () => {
    const it = await world(office)
    await it.drop('rome-a-1')
    await it.clock.advance(hour)
    await it.back('rome-a-1')
    await it.clock.advance(6 * hour)
    expect(it.arrivals).toEqual([])
  })

  test('a recovery outside of them is told when they begin, and does not say that it is open', async () => {
    const it = await world(office)
    await it.clock.advance(13 * hour)
    await it.drop('rome-a-1')
    await it.clock.advance(50 * minute)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
    await it.clock.advance(30 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(hour)
    expect(it.lines('mail')).toEqual([])
    await it.clock.advance(14 * hour)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is back'])
    expect(mailText(it)).not.toContain('Still open')
  })

  test('an alert that grew outside of them ends at once when it is over', async () => {
    const it = await world(office)
    await it.clock.advance(13 * hour + 55 * minute)
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(4 * minute)
    expect(it.lines('pager')).toEqual(['trigger 3 devices offline in Room a'])
    await it.clock.advance(5 * minute)
    await it.drop('london-b-1', 'london-b-2', 'london-b-3')
    await it.clock.advance(10 * minute)
    await it.back(...it.ids('london'))
    await it.clock.advance(10 * minute)
    expect(it.planned.at(-1)).toMatchObject({ channel: 'pager', action: 'resolve' })
    expect(it.lines('pager')).toEqual(['resolve'])
  })

  test('over midnight belong to the day on which they begin', async () => {
    const night = { hours: { days: [5], from: '22:00', until: '06:00' }, zone: 'Europe/Berlin' }
    const it = await world(night)
    await it.drop('rome-a-1')
    await it.clock.advance(17 * hour + 55 * minute)
    expect(it.arrivals).toEqual([])
    await it.clock.advance(6 * minute)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
    await it.clock.advance(7 * hour)
    await it.drop('york-a-1')
    await it.clock.advance(30 * minute)
    expect(it.lines('mail')).toEqual(['Studio york-a-1 is offline'])
    await it.clock.advance(hour)
    await it.drop('oslo-a-1')
    await it.clock.advance(24 * hour)
    expect(it.lines('mail')).toEqual([])
  })

  test('begin by the clocks of the zone after these change', async () => {
    const it = await world(office)
    it.clock.jump(Date.parse('2027-03-27T20:00:00Z') - it.clock.now())
    await it.clock.advance(2 * minute)
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    expect(it.planned.map(({ dueAt }) => new Date(dueAt).toISOString())).toEqual(
      Array(2).fill('2027-03-28T06:00:00.000Z'),
    )
    it.clock.jump(Date.parse('2027-10-30T20:00:00Z') - it.clock.now())
    await it.clock.advance(2 * minute)
    await it.drop('york-a-1')
    await it.clock.advance(5 * minute)
    expect(it.planned.slice(-2).map(({ dueAt }) => new Date(dueAt).toISOString())).toEqual(
      Array(2).fill('2027-10-31T07:00:00.000Z'),
    )
  })

  test('and minutes to wait count together', async () => {
    const it = await world({ ...office, afterMinutes: 30 })
    await it.clock.advance(13 * hour + 45 * minute)
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    expect(it.planned.map(({ dueAt }) => new Date(dueAt).toISOString())).toEqual(
      Array(2).fill('2026-11-22T07:00:00.000Z'),
    )
  })
})
