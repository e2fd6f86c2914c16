import { expect, test } from 'vitest'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { startRawSubscription, type RawState } from '../../../../src-main/live/raw/subscription.ts'
import { manualClock, settle } from '../../../support/clock.ts'
import { dialled, type Far } from '../dialled.ts'

async function start(renewsIn = Infinity, fault?: FaultError) {
  const clock = manualClock()
  const { link, fars } = dialled(fault)
  const begun = clock.now()
  const events: string[] = []
  const gaps: [number, number][] = []
  const states: RawState[] = []
  const log: string[] = []
  const dropped: string[] = []
  let token = 1
  const tokens = {
    get: async () => `t${token}`,
    renew: async () => `t${(token += 1)}`,
    drop: (rejected: string) => {
      dropped.push(rejected)
      token += 1
    },
    prove: () => {},
    problem: () => null,
    redact: (text: string) => text,
    redactIn: (text: string) => text.replaceAll('sesame', '[hidden]'),
    renewsAt: () => begun + renewsIn,
    tryNow: () => {},
    stop: () => {},
  }
  const subscription = startRawSubscription({
    link,
    clock,
    random: () => 1,
    log: (_level, text) => log.push(text),
    url: 'wss://api.test/graphql',
    tokens,
    operation: { document: 'subscription { tick }', operationName: null, variables: { word: 'sesame' } },
    onEvent: (text) => events.push(text),
    onGap: (since, at) => gaps.push([since - begun, at - begun]),
    onState: (state) => states.push(state),
  })
  const far = async (at: number): Promise<Far> => {
    await settle()
    const found = fars[at]
    if (found === undefined) throw new Error(`no socket ${at}`)
    return found
  }
  /** Opens a socket and confirms its subscription. */
  const confirm = async (at: number): Promise<Far> => {
    const found = await far(at)
    found.open()
    found.say({ type: 'connection_ack' })
    await settle()
    await clock.advance(0)
    found.say({ type: 'pong' })
    await settle()
    return found
  }
  const next = (of: Far, payload: object) => of.say({ id: of.subscriptions()[0], type: 'next', payload })
  return {
    clock,
    fars,
    subscription,
    events,
    gaps,
    states,
    log,
    dropped,
    far,
    confirm,
    next,
    begun,
    setToken: (to: number) => (token = to),
  }
}

const last = (states: RawState[]) => states.at(-1)

test('it is live when the service has confirmed it, and its events have no registered secret', async () => {
  const { confirm, next, events, states, log } = await start()
  const first = await confirm(0)
  expect(last(states)?.is).toBe('live')
  expect(first.sent).toContainEqual({
    id: expect.any(String),
    type: 'subscribe',
    payload: { query: 'subscription { tick }', variables: { word: 'sesame' } },
  })
  expect(first.sent[0]).toEqual({ type: 'connection_init', payload: { authorization: 'Bearer t1' } })
  next(first, { data: { word: 'open sesame' } })
  expect(events).toEqual(['{"data":{"word":"open [hidden]"}}'])
  expect(log.join('\n')).not.toContain('sesame')
})

test('a cut is followed by another attempt, and a gap since the last proof', async () => {
  const { clock, confirm, states, gaps } = await start()
  const first = await confirm(0)
  await clock.advance(5_000)
  first.close(1006)
  await settle()
  expect(last(states)).toMatchObject({ is: 'waiting', attempt: 1, fault: { kind: 'reset' } })
  await clock.advance(1_000)
  await confirm(1)
  expect(last(states)?.is).toBe('live')
  expect(gaps).toEqual([[0, 6_000]])
})

test('errors of the service and its completion end it, and nothing is tried again', async () => {
  for (const message of [{ type: 'error', payload: [{ message: 'no such field' }] }, { type: 'complete' }] as const) {
    const { clock, confirm, states, fars } = await start()
    const first = await confirm(0)
    first.say({ id: first.subscriptions()[0], ...message })
    await settle()
    await clock.advance(120_000)
    await settle()
    expect([last(states)?.is, fars.length, first.isClosed()]).toEqual(['ended', 1, true])
    expect(last(states)).toMatchObject(
      message.type === 'error'
        ? { end: { is: 'rejected', words: ['no such field'], fault: { kind: 'query' } } }
        : { end: { is: 'completed' } },
    )
  }
})

test('a rejected token is renewed, and after three the service means the operation', async () => {
  const { clock, far, states, dropped } = await start()
  for (let at = 0; at < 3; at += 1) {
    const each = await far(at)
    each.open()
    each.close(4403)
    await settle()
    await clock.advance(2_000)
  }
  expect(dropped).toEqual(['t1', 't2', 't3'])
  expect(last(states)).toMatchObject({ is: 'ended', end: { is: 'rejected', fault: { kind: 'token' } } })
})

test('a service that was never live and does not speak the protocol is not asked again', async () => {
  const { clock, far, states, fars } = await start()
  const first = await far(0)
  first.open()
  first.close(4406)
  await settle()
  await clock.advance(600_000)
  await settle()
  expect([last(states)?.is, fars.length]).toEqual(['ended', 1])
  expect(last(states)).toMatchObject({ end: { is: 'failed', fault: { kind: 'socket' } } })
})

test('the next token takes over without a gap, and an event of both sockets comes once', async () => {
  const { clock, confirm, next, events, gaps, states, setToken } = await start(60_000)
  const first = await confirm(0)
  next(first, { data: 1 })
  setToken(2)
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1_000)
    first.say({ type: 'pong' })
  }
  const second = await confirm(1)
  next(first, { data: 2 })
  next(second, { data: 2 })
  next(second, { data: 3 })
  await clock.advance(0)
  first.say({ type: 'pong' })
  await settle()
  expect(first.isClosed()).toBe(true)
  await clock.advance(0)
  second.say({ type: 'pong' })
  next(second, { data: 3 })
  expect(events).toEqual(['{"data":1}', '{"data":2}', '{"data":3}', '{"data":3}'])
  expect([gaps, last(states)?.is]).toEqual([[], 'live'])
})

test('lost time replaces the socket at once, and a stop ends everything', async () => {
  const { clock, subscription, confirm, far, next, events, gaps, states } = await start()
  const first = await confirm(0)
  subscription.restart()
  await settle()
  expect(first.isClosed()).toBe(true)
  const second = await confirm(1)
  expect(gaps).toHaveLength(1)
  subscription.stop()
  next(second, { data: 1 })
  await clock.advance(600_000)
  await settle()
  expect([last(states), events]).toEqual([expect.objectContaining({ is: 'ended', end: { is: 'stopped' } }), []])
  await expect(far(2)).rejects.toThrow()
})
