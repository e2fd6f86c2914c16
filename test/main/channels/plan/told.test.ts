import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../../support/fleet.ts'
import { everyRule, mailChannel, webhookChannel } from '../../../support/channels.ts'
import { usual } from '../../incidents/world.ts'
import { openChannelWorld } from '../world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

const all = (rule = everyRule()) => [
  webhookChannel({ id: 'pager', name: 'Pager', format: 'pagerduty', rule }),
  webhookChannel({ id: 'hook', rule }),
  webhookChannel({ id: 'slack', name: 'Slack', format: 'slack', rule }),
  mailChannel({ from: 'mail@example.com', rule }),
]
const world = (channels = all(), plan = usual, over = {}) => openChannelWorld(leftovers, plan, channels, over)

describe('an incident and its end', () => {
  test('each channel hears what its system can hold', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    expect(['pager', 'hook', 'slack', 'mail'].map(it.lines)).toEqual([
      ['trigger Studio rome-a-1 is offline'],
      ['alert.triggered Studio rome-a-1 is offline'],
      ['Studio rome-a-1 is offline'],
      ['Studio rome-a-1 is offline'],
    ])
    await it.back('rome-a-1')
    await it.clock.advance(5 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
    expect(it.lines('hook').toSorted()).toEqual([
      'alert.resolved Studio rome-a-1 is offline',
      'notification Studio rome-a-1 is back',
    ])
    expect([it.lines('slack'), it.lines('mail')]).toEqual([['Studio rome-a-1 is back'], ['Studio rome-a-1 is back']])
  })

  test('all messages of an alert have its key, and each an id of its own', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(5 * minute)
    const pager = it.arrivals.filter(({ channel }) => channel === 'pager').map(({ body }) => body['dedup_key'])
    expect([pager.length, new Set(pager).size]).toEqual([2, 1])
    expect(new Set(it.planned.map(({ id }) => id)).size).toBe(it.planned.length)
  })

  test('an alert ends when the last device is back, and not before', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.lines('pager')).toEqual(['trigger 12 devices offline in Berlin'])
    const [last, ...others] = it.ids('berlin')
    await it.back(...others)
    await it.clock.advance(10 * minute)
    expect(it.lines('pager').filter((line) => line === 'resolve')).toEqual([])
    await it.back(last ?? '')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
  })

  test('the parts of a split incident keep the alert open until the last one ends', async () => {
    const it = await world(all(), { acme: { rome: { a: 4, b: 4, c: 20 } } })
    await it.drop(...it.ids('rome'))
    await it.clock.advance(2 * minute)
    await it.back(...it.ids('rome').filter((id) => id.startsWith('rome-c')))
    await it.clock.advance(2 * minute)
    expect(it.open()).toHaveLength(2)
    await it.back('rome-a-1', 'rome-a-2', 'rome-a-3', 'rome-a-4')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager').filter((line) => line === 'resolve')).toEqual([])
    await it.restart()
    await it.see()
    await it.clock.advance(10 * minute)
    expect(it.lines('pager').filter((line) => line === 'resolve')).toEqual([])
    await it.back('rome-b-1', 'rome-b-2', 'rome-b-3', 'rome-b-4')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
    expect(new Set(it.planned.filter(({ channel }) => channel === 'pager').map(({ alert }) => alert)).size).toBe(1)
  })

  test('a new drop after the end triggers again, and ends again', async () => {
    const it = await world()
    for (let round = 0; round < 2; round += 1) {
      await it.drop('rome-a-1')
      await it.clock.advance(5 * minute)
      await it.back('rome-a-1')
      await it.clock.advance(60 * minute)
    }
    expect(it.lines('pager')).toEqual([
      'trigger Studio rome-a-1 is offline',
      'resolve',
      'trigger Studio rome-a-1 is offline',
      'resolve',
    ])
  })
})

describe('growth and severity', () => {
  test('an incident that grows keeps its alert, and its end ends it', async () => {
    const it = await world()
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(3 * minute)
    await it.drop('london-b-1', 'london-b-2', 'london-b-3')
    await it.clock.advance(5 * minute)
    const pager = it.planned.filter(({ channel }) => channel === 'pager')
    expect(pager.map(({ action }) => action)).not.toContain('resolve')
    expect(new Set(pager.map(({ alert }) => alert)).size).toBe(1)
    expect(pager.at(-1)).toMatchObject({ severity: 'critical', places: expect.arrayContaining(['London']) })
    await it.back(...it.ids('london'))
    await it.clock.advance(5 * minute)
    expect(it.lines('pager').at(-1)).toBe('resolve')
  })

  test('a rule for critical incidents hears of one when it becomes critical', async () => {
    const it = await world(all(everyRule({ severities: ['critical'] })))
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(3 * minute)
    expect(it.planned).toEqual([])
    await it.drop('london-b-1', 'london-b-2', 'london-b-3')
    await it.clock.advance(5 * minute)
    expect(it.lines('pager')).toEqual(['trigger 6 devices offline in London'])
    expect(it.lines('mail')).toEqual(['6 devices offline in London'])
  })

  test('an incident that becomes worse without growing is told again', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    it.lines('pager')
    it.settings.watched = ['test/acme/rome-a-1']
    it.runner().recheck()
    await it.clock.advance(5 * minute)
    expect(it.open()[0]?.severity).toBe('critical')
    expect(it.lines('pager')).toEqual(['trigger Studio rome-a-1 is offline'])
    expect(it.planned.at(-1)?.severity).toBe('critical')
  })

  test('a recovery is told only to who was told of the drop', async () => {
    const it = await world(all(everyRule({ severities: ['critical'] })))
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(5 * minute)
    expect(it.planned).toEqual([])
  })

  test('no recovery is told where the rule has none, and alerts end all the same', async () => {
    const it = await world(all(everyRule({ recoveries: false })))
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(5 * minute)
    expect([it.lines('mail'), it.lines('pager')]).toEqual([
      ['Studio rome-a-1 is offline'],
      ['trigger Studio rome-a-1 is offline', 'resolve'],
    ])
  })
})

describe('acknowledgement', () => {
  test('is told to a system that keeps alerts, once, and to no other', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    for (const channel of ['pager', 'slack', 'mail']) it.lines(channel)
    await it.acknowledge()
    await it.clock.advance(10 * minute)
    await it.acknowledge()
    await it.clock.advance(10 * minute)
    expect(['pager', 'slack', 'mail'].map(it.lines)).toEqual([['acknowledge'], [], []])
    await it.back('rome-a-1')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
  })

  test('of a part of an alert is not told until all of it is acknowledged', async () => {
    const it = await world(all(), { acme: { rome: { a: 4, b: 4, c: 20 } } })
    await it.drop(...it.ids('rome'))
    await it.clock.advance(2 * minute)
    await it.back(...it.ids('rome').filter((id) => id.startsWith('rome-c')))
    await it.clock.advance(2 * minute)
    it.lines('pager')
    const [one] = it.open()
    const acknowledged = { at: it.clock.now(), reason: 'Known' }
    await it.runner().mark([{ id: one?.id ?? '', acknowledged }])
    await it.clock.advance(minute)
    expect(it.lines('pager')).toEqual([])
    await it.acknowledge()
    await it.clock.advance(minute)
    expect(it.lines('pager')).toEqual(['acknowledge'])
  })

  test('is not handed to ServiceNow, which knows none', async () => {
    const it = await world([webhookChannel({ id: 'now', format: 'servicenow' })])
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.acknowledge()
    await it.clock.advance(5 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(5 * minute)
    expect(it.lines('now')).toEqual(['3 Studio rome-a-1 is offline', '0 Studio rome-a-1 is offline'])
    expect(it.planned.map(({ action }) => action)).toEqual(['trigger', 'resolve'])
  })
})
