import { afterEach, expect, test } from 'vitest'
import type { Channel } from '../../../../src-shared/model/channels.ts'
import { everyRule, mailChannel, webhookChannel } from '../../../support/channels.ts'
import { createLeftovers } from '../../../support/fleet.ts'
import { usual } from '../../incidents/world.ts'
import { openChannelWorld, type ChannelWorld } from '../world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

const acme = everyRule({ places: [{ node: 't:test/acme', name: 'Acme' }] })
const beta = everyRule({ places: [{ node: 't:test/beta', name: 'Beta' }] })
const world = (channels: readonly Channel[]) => openChannelWorld(leftovers, usual, channels)
const letters = (it: ChannelWorld) => it.arrivals.map(({ letter }) => letter?.text ?? '')

test('of an incident over two customers each hears its own devices, named and counted', async () => {
  const it = await world([
    mailChannel({ id: 'a', from: 'a@example.com', rule: acme }),
    mailChannel({ id: 'b', from: 'b@example.com', rule: beta }),
  ])
  await it.drop(...it.ids('berlin'), ...it.ids('paris'), ...it.ids('oslo'), ...it.ids('rome'))
  await it.clock.advance(2_000)
  await it.drop(...it.ids('york'))
  await it.clock.advance(10 * minute)
  const toAcme = it.arrivals.filter(({ channel }) => channel === 'a').map(({ letter }) => letter?.text ?? '')
  const toBeta = it.arrivals.filter(({ channel }) => channel === 'b').map(({ letter }) => letter?.text ?? '')
  expect(toAcme.join('\n')).toMatch(/^44 devices offline in Acme$/mu)
  expect(toAcme.join('\n')).not.toMatch(/york|beta/iu)
  expect(toBeta.join('\n')).toMatch(/^10 devices offline in (?:Beta|York)$/mu)
  expect(toBeta.join('\n')).not.toMatch(/berlin|paris|oslo|rome|acme/iu)
  for (const { channel, about } of it.planned)
    expect(about.filter((key) => !key.startsWith(channel === 'a' ? 'test/acme/' : 'test/beta/'))).toEqual([])
  it.arrivals.splice(0)
  await it.back(...it.ids())
  await it.clock.advance(10 * minute)
  for (const { channel, letter } of it.arrivals)
    expect(letter?.text).not.toMatch(channel === 'a' ? /york|beta|54/iu : /berlin|paris|oslo|rome|acme|54/iu)
})

test('a channel that is given to another customer is told nothing of the one before', async () => {
  const slack = webhookChannel({ id: 'slack', format: 'slack', rule: acme })
  const it = await world([slack])
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  it.answers.webhook = async () => new Response('', { status: 503 })
  await it.drop('oslo-a-1')
  await it.clock.advance(5 * minute)
  it.lines('slack')
  it.answers.webhook = async () => new Response('ok')
  const secret = { address: 'https://beta.example.com/slack', key: 'another key' }
  await it.channels().handlers['channels.save']({ channel: { ...slack, rule: beta }, secret })
  await it.clock.advance(30 * minute)
  await it.back('rome-a-1', 'oslo-a-1')
  await it.clock.advance(10 * minute)
  expect(it.lines('slack')).toEqual([])
  const { rows } = await it
    .channels()
    .handlers['channels.deliveries']({ state: 'dropped', incident: null, offset: 0, limit: 9 })
  expect(rows.map(({ reason }) => reason)).toEqual(['The places of the channel have changed.'])
})

test('what was told as critical is told as over, whatever its severity is then', async () => {
  const it = await world([mailChannel({ from: 'mail@example.com', rule: everyRule({ severities: ['critical'] }) })])
  Object.assign(it.settings, { watched: ['test/acme/rome-a-1'] })
  it.runner().recheck()
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  Object.assign(it.settings, { watched: [] })
  it.runner().recheck()
  await it.clock.advance(2 * minute)
  await it.back('rome-a-1')
  await it.clock.advance(10 * minute)
  expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline', 'Studio rome-a-1 is back'])
})

test.each(['a pause', 'an acknowledgement'] as const)(
  'what becomes critical during %s is told to who wants to know, afterwards',
  async (during) => {
    const it = await world([mailChannel({ from: 'mail@example.com', rule: everyRule({ severities: ['critical'] }) })])
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    if (during === 'a pause') await it.runner().pause(60)
    else await it.acknowledge()
    Object.assign(it.settings, { watched: ['test/acme/rome-a-1'] })
    it.runner().recheck()
    await it.clock.advance(30 * minute)
    expect(it.lines('mail')).toEqual([])
    if (during === 'an acknowledgement') await it.unacknowledge()
    await it.clock.advance(60 * minute)
    expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
    expect(letters(it)[0]).toContain('Critical')
  },
)

test('an end that was owed when a channel was switched off is sent when it is on again', async () => {
  const pager = webhookChannel({ id: 'pager', format: 'pagerduty' })
  const it = await world([pager])
  const save = (on: boolean) => it.channels().handlers['channels.save']({ channel: { ...pager, on }, secret: null })
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  it.answers.webhook = async () => new Response('', { status: 503 })
  await it.back('rome-a-1')
  await it.clock.advance(5 * minute)
  await save(false)
  await it.clock.advance(30 * minute)
  it.lines('pager')
  it.answers.webhook = async () => new Response('ok')
  await save(true)
  await it.clock.advance(5 * minute)
  expect(it.lines('pager')).toEqual(['resolve'])
  await it.clock.advance(60 * minute)
  expect(it.lines('pager')).toEqual([])
})

test('a failed message is not sent again after a newer one about the same was accepted', async () => {
  const it = await world([webhookChannel({ id: 'slack', format: 'slack' })])
  it.answers.webhook = async () => new Response('', { status: 404 })
  await it.drop('london-a-1', 'london-a-2', 'london-a-3')
  await it.clock.advance(5 * minute)
  it.answers.webhook = async () => new Response('ok')
  await it.drop('london-b-1', 'london-b-2', 'london-b-3')
  await it.clock.advance(5 * minute)
  it.lines('slack')
  expect(await it.channels().handlers['channels.retry']({ id: null })).toEqual({ count: 0 })
  await it.clock.advance(5 * minute)
  expect(it.lines('slack')).toEqual([])
})

test('what is tried again during an erasure is neither sent nor written, where it is erased', async () => {
  const it = await world([webhookChannel({ id: 'slack', format: 'slack' })])
  it.answers.webhook = async () => new Response('', { status: 404 })
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  it.lines('slack')
  it.answers.webhook = async () => new Response('ok')
  const gate = Promise.withResolvers<void>()
  const erasing = it.channels().whileErasing(() =>
    it.runner().whileErasing(async () => {
      await gate.promise
      it.calls().forget({ connection: 'c' })
    }),
  )
  await it.clock.advance(0)
  const retry = it.channels().handlers['channels.retry']({ id: null })
  await it.clock.advance(0)
  gate.resolve()
  await erasing
  await retry
  await it.clock.advance(minute)
  expect(it.lines('slack')).toEqual([])
  expect(it.calls().deliveries({ state: null, incident: null, offset: 0, limit: 9 }).total).toBe(0)
})

test('a channel is switched off while the keychain is locked', async () => {
  const slack = webhookChannel({ id: 'slack', format: 'slack' })
  const it = await world([slack])
  it.secrets.get = () => Promise.reject(new Error('locked'))
  await it.channels().handlers['channels.save']({ channel: { ...slack, on: false }, secret: null })
  const { channels } = await it.channels().handlers['channels.read']({})
  expect(channels.map(({ channel, hasSecret }) => [channel.on, hasSecret])).toEqual([[false, null]])
})

test('an escalation is told at its time although the clock was set back', async () => {
  const it = await world([mailChannel({ from: 'mail@example.com', rule: everyRule({ afterMinutes: 10 }) })])
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  it.clock.jump(-24 * 60 * minute)
  await it.clock.advance(20 * minute)
  expect(it.lines('mail')).toEqual(['Studio rome-a-1 is offline'])
})
