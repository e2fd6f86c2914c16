import { afterEach, describe, expect, test } from 'vitest'
import { sendWebhook } from '../../../src-main/channels/send-webhook.ts'
import { openNetwork } from '../../../src-main/platform/web/network/network.ts'
import type { ChannelSecret, WebhookChannel } from '../../../src-shared/model/channels.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { webhookChannel } from '../../support/channels.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { startReceiver, type Behaviour } from '../../support/receivers.ts'
import { contentWith } from './formats/content-of.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const now = Date.parse('2026-11-27T13:00:00Z')

/** Sends one message to a receiver that behaves in this way. */
async function send(
  behaviour: Behaviour,
  channel: Partial<WebhookChannel> = {},
  more: { secret?: ChannelSecret; path?: string; signal?: AbortSignal; isTest?: boolean } = {},
) {
  const receiver = await startReceiver(leftovers, more.path)
  receiver.behaviour = () => behaviour
  const outcome = await sendWebhook(contentWith({ isTest: more.isTest ?? false }), {
    network: openNetwork({}),
    channel: webhookChannel({ host: 'shown.example', ...channel }),
    secret: { address: receiver.address, ...more.secret },
    now,
    signal: more.signal ?? AbortSignal.timeout(10_000),
  })
  return { outcome, received: receiver.received, receiver }
}

test.each([200, 201, 202, 204, 299])('%i is an acceptance, by the host that may be shown', async (status) => {
  const { outcome, received } = await send({ status })
  expect(outcome).toEqual({ is: 'sent', to: ['shown.example'], reason: '' })
  expect(received).toHaveLength(1)
})

test.each(['hang', 'cut'] as const)('an acceptance is one whatever becomes of its text: %s', async (after) => {
  const signal = AbortSignal.timeout(5_000)
  const { outcome } = await send({ status: 200, text: 'o', after }, {}, { signal })
  expect([outcome.is, signal.aborted]).toEqual(['sent', false])
})

test.each([408, 425, 429, 500, 502, 503, 599])('%i may be accepted later', async (status) => {
  expect((await send({ status, text: 'Busy' })).outcome).toEqual({
    is: 'later',
    to: [],
    reason: `The server answered ${status}: Busy.`,
    waitMs: null,
  })
})

test.each([400, 401, 403, 404, 410, 413, 422])('%i would be rejected again', async (status) => {
  expect((await send({ status })).outcome).toEqual({ is: 'never', to: [], reason: `The server answered ${status}.` })
})

test('a redirect is not followed, and would be one again', async () => {
  const { outcome, receiver } = await send({ status: 302, headers: { location: '/other' } })
  expect(outcome).toEqual({
    is: 'never',
    to: [],
    reason: 'The server sends Muster to another address. Enter that one.',
  })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

test.each([
  ['120', 120_000],
  ['Fri, 27 Nov 2026 13:00:30 GMT', 30_000],
  ['soon', null],
])('a retry-after of %s is observed', async (header, waitMs) => {
  const headers = { 'retry-after': header, date: 'Fri, 27 Nov 2026 13:00:00 GMT' }
  expect((await send({ status: 429, headers })).outcome).toMatchObject({ is: 'later', waitMs })
})

test('a connection that is cut or hangs may be better later', async () => {
  expect((await send('cut')).outcome).toMatchObject({ is: 'later', waitMs: null })
  const controller = new AbortController()
  const sending = send('hang', {}, { signal: controller.signal })
  controller.abort(new FaultError('timeout', 'shown.example'))
  expect((await sending).outcome).toMatchObject({ is: 'later', reason: expect.stringContaining('shown.example') })
})

test('a CA that cannot be read would not be read later', async () => {
  expect((await send({ status: 200 }, { ca: 'nothing' })).outcome.is).toBe('never')
})

describe('the two requests of a test', () => {
  test('are sent in their order, and both must be accepted', async () => {
    const { received, outcome } = await send({ status: 202 }, { format: 'pagerduty' }, { isTest: true })
    expect(received.map(({ text }) => (JSON.parse(text) as { event_action: string }).event_action)).toEqual([
      'trigger',
      'resolve',
    ])
    expect(outcome.is).toBe('sent')
  })

  test('end with the first that is refused', async () => {
    const { received, outcome } = await send({ status: 400 }, { format: 'servicenow' }, { isTest: true })
    expect([received.length, outcome.is]).toEqual([1, 'never'])
  })
})

describe('a reason has none of the secrets', () => {
  const secret = { key: 'verysecretkey', user: 'muster' }

  test('neither the address, nor its path or query, nor the key', async () => {
    const path = '/services/T0/verysecretpath?token=verysecrettoken'
    for (const text of [
      path,
      `http://x${path}`,
      '/services/T0/verysecretpath',
      '?token=verysecrettoken',
      'verysecretkey',
    ]) {
      const { outcome } = await send({ status: 404, text: `no ${text} here` }, {}, { path, secret })
      expect([text, outcome.reason.includes('verysecret')]).toEqual([text, false])
    }
  })

  test('nor a part of the path or the value of the query alone', async () => {
    const path = '/services/T0/verysecretpath?token=verysecrettoken'
    for (const text of ['invalid token verysecrettoken', 'no hook verysecretpath']) {
      const { outcome } = await send({ status: 401, text }, {}, { path })
      expect([text, outcome.reason.includes('verysecret')]).toEqual([text, false])
    }
  })

  test('nor the address with the slashes that PHP writes', async () => {
    const path = '/services/T0/verysecretpath'
    const { outcome } = await send({ status: 404, text: JSON.stringify({ path }).replaceAll('/', '\\/') }, {}, { path })
    expect(outcome.reason).not.toContain('verysecretpath')
  })

  test('is one short line, and no page of HTML', async () => {
    const lines = await send({ status: 500, text: `a\r\nb\u0000\u001Bc ${'x'.repeat(10_000)}` })
    expect(lines.outcome.reason).toMatch(/^The server answered 500: a b c x{190,}…$/u)
    expect(lines.outcome.reason.length).toBeLessThan(250)
    expect((await send({ status: 500, text: ' <html>x' })).outcome.reason).toBe('The server answered 500.')
  })
})
