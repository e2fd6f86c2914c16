import { afterEach, describe, expect, test } from 'vitest'
import type { Channel } from '../../../../src-shared/model/channels.ts'
import { everyRule, mailChannel, webhookChannel } from '../../../support/channels.ts'
import { createLeftovers } from '../../../support/fleet.ts'
import { usual } from '../../incidents/world.ts'
import { openChannelWorld, type ChannelWorld } from '../world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000
const hour = 60 * minute

const acme = everyRule({ places: [{ node: 't:test/acme', name: 'Acme' }] })
const both = (rule = everyRule()): Channel[] => [
  webhookChannel({ id: 'pager', name: 'Pager', format: 'pagerduty', rule }),
  mailChannel({ from: 'mail@example.com', rule }),
]
const world = (channels = both()) => openChannelWorld(leftovers, usual, channels)
const texts = (it: ChannelWorld) => it.arrivals.map(({ body, letter }) => letter?.text ?? JSON.stringify(body))

describe('a message of several incidents to a channel for one customer', () => {
  test('names nothing of another customer in a storm', async () => {
    const it = await world(both(acme))
    await it.drop(...it.ids('berlin'), ...it.ids('paris'), ...it.ids('oslo'), ...it.ids('rome'), ...it.ids('york'))
    await it.clock.advance(10 * minute)
    expect(it.arrivals).toHaveLength(2)
    for (const text of texts(it)) expect(text).not.toMatch(/York|Beta|beta/u)
  })

  test('names nothing of another customer after an absence', async () => {
    const it = await world(both(acme))
    await it.restart(() => {
      it.setUnreported(false, 'oslo-a-1', 'york-a-1')
      it.clock.jump(3 * hour)
    })
    await it.see()
    await it.clock.advance(10 * minute)
    expect(it.arrivals).toHaveLength(2)
    for (const text of texts(it)) expect(text).not.toMatch(/york|Beta|beta/u)
  })

  test('names nothing of another customer after a pause', async () => {
    const it = await world(both(acme))
    await it.runner().pause(60)
    await it.drop('oslo-a-1', 'york-a-1')
    await it.clock.advance(61 * minute)
    expect(it.arrivals).toHaveLength(2)
    for (const text of texts(it)) expect(text).not.toMatch(/york|Beta|beta/u)
  })

  test('has the severity and the incidents of that customer alone', async () => {
    const it = await world(both(acme))
    await it.runner().pause(60)
    await it.drop('oslo-a-1', ...it.ids('york'))
    await it.clock.advance(61 * minute)
    expect(it.planned.map(({ severity, incidents }) => [severity, incidents.length])).toEqual([
      ['minor', 1],
      ['minor', 1],
    ])
  })

  test('ends when what is of that customer is over, whatever else is open', async () => {
    const it = await world(both(acme))
    await it.runner().pause(60)
    await it.drop('oslo-a-1', 'york-a-1')
    await it.clock.advance(61 * minute)
    it.lines('pager')
    await it.back('oslo-a-1')
    await it.clock.advance(10 * minute)
    expect(it.lines('pager')).toEqual(['resolve'])
  })

  test('is not sent when nothing of it is of that customer', async () => {
    const it = await world(both(acme))
    await it.runner().pause(60)
    await it.drop('london-a-1', 'york-a-1')
    await it.clock.advance(61 * minute)
    expect(it.planned).toEqual([])
  })
})

describe('a pause of the notifications', () => {
  test('is one for channels, too', async () => {
    const it = await world()
    await it.runner().pause(60)
    await it.drop('rome-a-1', 'york-a-1')
    await it.clock.advance(59 * minute)
    expect(it.arrivals).toEqual([])
    await it.clock.advance(2 * minute)
    expect([it.lines('pager').length, it.lines('mail').length]).toEqual([1, 1])
  })

  test('in which an incident became worse lets that be told at its end', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.runner().pause(60)
    await it.clock.advance(minute)
    it.settings.watched = ['test/acme/rome-a-1']
    it.runner().recheck()
    await it.clock.advance(minute)
    expect(it.open()[0]?.severity).toBe('critical')
    await it.clock.advance(2 * hour)
    expect(it.planned.at(-1)?.severity).toBe('critical')
  })
})

test('a recovery is not told where the drop was refused for ever', async () => {
  const it = await openChannelWorld(leftovers, usual, [webhookChannel({ id: 'slack', format: 'slack' })])
  it.answers.webhook = async () => new Response('no', { status: 404 })
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  it.lines('slack')
  it.answers.webhook = async () => new Response('ok')
  await it.back('rome-a-1')
  await it.clock.advance(5 * minute)
  expect(it.lines('slack')).toEqual([])
})

test('a channel whose login is removed has no password in the keychain any more', async () => {
  const channel = mailChannel({ from: 'mail@example.com', user: 'ops' })
  const it = await world([channel])
  const save = it.channels().handlers['channels.save']
  await save({ channel, secret: { password: 'pw' } })
  expect(await it.secrets.get('channel:mail')).toContain('pw')
  await save({ channel: { ...channel, user: '' }, secret: null })
  expect((await it.secrets.get('channel:mail')) ?? '').not.toContain('pw')
})
