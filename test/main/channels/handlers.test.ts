import { afterEach, describe, expect, test } from 'vitest'
import { mailChannel, webhookChannel } from '../../support/channels.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { usual } from '../incidents/world.ts'
import { openChannelWorld } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000
const slack = webhookChannel({ id: 'slack', name: 'Slack', format: 'slack' })
const world = () => openChannelWorld(leftovers, usual, [slack, mailChannel({ from: 'mail@example.com' })])
const rowsOf = (it: Awaited<ReturnType<typeof world>>, state: string | null = null) =>
  it.calls().deliveries({ state, incident: null, offset: 0, limit: 100 }).rows as { channel: string; state: string }[]

/** The answer of a webhook that is held until a test lets it go. */
function held(it: Awaited<ReturnType<typeof world>>) {
  const { promise, resolve } = Promise.withResolvers<Response>()
  it.answers.webhook = () => promise
  return (status: number) => resolve(new Response('', { status }))
}

describe('the test button', () => {
  test('sends with the stored secret, tells who accepted it and stores nothing', async () => {
    const it = await world()
    const { handlers } = it.channels()
    expect(await handlers['channels.test']({ channel: slack, secret: null })).toEqual({
      ok: true,
      to: ['hooks.example.com'],
      reason: '',
    })
    expect(it.lines('slack')).toEqual(['Test of the channel Slack'])
    expect([rowsOf(it), (await handlers['channels.read']({})).channels.length]).toEqual([[], 2])
  })

  test('tells the reason when it is refused', async () => {
    const it = await world()
    it.answers.webhook = async () => new Response('no_team', { status: 404 })
    const { handlers } = it.channels()
    expect(await handlers['channels.test']({ channel: slack, secret: null })).toEqual({
      ok: false,
      to: [],
      reason: 'The server answered 404: no_team.',
    })
    expect([...it.banners]).toEqual([])
  })
})

describe('a message that is being sent', () => {
  test('when its channel is removed is no failure, and leaves no banner', async () => {
    const it = await world()
    const answer = held(it)
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.channels().handlers['channels.remove']({ id: 'slack' })
    answer(503)
    await it.clock.advance(10 * minute)
    expect([...it.banners]).toEqual([])
    expect(rowsOf(it, 'failed')).toEqual([])
  })

  test('when its channel is switched off is not tried again', async () => {
    const it = await world()
    const answer = held(it)
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.channels().handlers['channels.save']({ channel: { ...slack, on: false }, secret: null })
    answer(503)
    await it.clock.advance(10 * minute)
    expect(it.lines('slack')).toHaveLength(1)
  })
})

test('a channel is read with what waits and failed, and without its secret', async () => {
  const it = await world()
  it.answers.webhook = async () => new Response('verysecret', { status: 503 })
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  const { channels, unread } = await it.channels().handlers['channels.read']({})
  expect(unread).toBe(0)
  expect(
    channels.map(({ channel, hasSecret, waiting, failed, sentAt }) => [
      channel.id,
      hasSecret,
      waiting,
      failed,
      sentAt !== null,
    ]),
  ).toEqual([
    ['mail', true, 0, 0, true],
    ['slack', true, 1, 0, false],
  ])
  expect(JSON.stringify(channels)).not.toMatch(/a key|hooks\.example\.com\/slack/u)
})

test('what failed is dismissed, and is then no failure any more', async () => {
  const it = await world()
  it.answers.webhook = async () => new Response('', { status: 404 })
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  const { handlers } = it.channels()
  expect([...it.banners.keys()]).toEqual(['channels'])
  expect(await handlers['channels.dismiss']({ id: null })).toEqual({ count: 1 })
  expect([[...it.banners], rowsOf(it, 'failed')]).toEqual([[], []])
  expect(await handlers['channels.retry']({ id: null })).toEqual({ count: 0 })
})

test('an erasure of a customer takes its messages with it', async () => {
  const it = await world()
  it.answers.webhook = async () => new Response('', { status: 503 })
  await it.drop('rome-a-1', 'york-a-1')
  await it.clock.advance(2 * minute)
  const before = rowsOf(it).length
  await it.channels().whileErasing(async () => void it.calls().forget({ connection: 'c' }))
  const sent = it.arrivals.length
  await it.clock.advance(30 * minute)
  expect([before > 0, rowsOf(it), it.arrivals.length]).toEqual([true, [], sent])
})

test('a channel with a rota says who is on shift', async () => {
  const it = await world()
  const people = [
    { name: 'Ann Lee', address: 'ann@example.com' },
    { name: 'Ben', address: 'ben@example.com' },
  ]
  const rota = { people, every: 'day' as const, at: '09:00', from: '2026-11-20' }
  await it.channels().handlers['channels.save']({ channel: mailChannel({ rota }), secret: null })
  const shift = async () =>
    (await it.channels().handlers['channels.read']({})).channels.map(({ channel, onShift }) => [channel.id, onShift])
  // 03:00 on the 21st: the shift of the 20th goes on until 09:00.
  expect(await shift()).toEqual([
    ['mail', 'Ann Lee'],
    ['slack', null],
  ])
  await it.clock.advance(7 * 60 * minute)
  expect(await shift()).toContainEqual(['mail', 'Ben'])
})
