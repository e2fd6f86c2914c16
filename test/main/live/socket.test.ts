import { describe, expect, onTestFinished, test } from 'vitest'
import { startLive } from '../../../src-main/live/socket.ts'
import { FaultError, type FaultKind } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { dialled, type Far } from './dialled.ts'
import { acknowledge, deviceDocument, event, pass, start } from './started.ts'

test.each<[FaultKind, string[]]>([
  ['token', ['t1']],
  ['forbidden', ['t1']],
  ['http', []],
  ['not-found', []],
])('an upgrade rejected as %s drops %j', async (kind, expected) => {
  const { far, live, dropped } = await start(new FaultError(kind, 'api.test'))
  far.fail()
  await settle()
  expect(live.state().state).toBe('waiting')
  expect(dropped).toEqual(expected)
})

test('the log has each move with its attempt, and the code and the reason of each close', async () => {
  const { clock, far, fars, log } = await start()
  await acknowledge(far)
  far.close(1011, 'upstream\u0007 is gone, Bearer abcdef')
  await settle()
  await clock.advance(5_000)
  fars[1]?.close(1006)
  await settle()
  expect(log).toEqual([
    'live: off -> connecting, attempt 1',
    'live: connecting -> live, attempt 1',
    'live: the connection was closed by the service with 1011 (upstream is gone, Bearer [hidden])',
    'live: live -> waiting, attempt 2 (socket: closed with 1011: the service met an error)',
    'live: waiting -> connecting, attempt 2',
    'live: connecting -> waiting, attempt 3 (reset: live connection)',
  ])
})

test('a restart drops the socket with its late messages, and opens another at once', async () => {
  const { far, live, fars } = await start()
  await acknowledge(far)
  expect(live.state().state).toBe('live')
  live.restart({ kind: 'reset', detail: 'the computer slept' })
  await settle()
  expect(fars).toHaveLength(2)
  expect(far.isClosed()).toBe(true)
  expect(live.state().state).toBe('connecting')
  const [, subscribeAgain] = fars
  if (subscribeAgain !== undefined) await acknowledge(subscribeAgain)
  expect(live.state().state).toBe('live')
})

/** Live, and its one subscription (`old`) is being replaced, because another device is wanted as well. */
async function startChanging() {
  const started = await start()
  const { clock, far, live } = started
  await acknowledge(far)
  await clock.advance(0)
  far.say({ type: 'pong' })
  const [old] = far.subscriptions()
  live.setDevices(
    new Map([
      ['d1', 't'],
      ['d2', 't'],
    ]),
  )
  await settle()
  return { ...started, old }
}

test('a changed shard ends once its successor is confirmed, and its late events count', async () => {
  const { clock, far, events, old } = await startChanging()
  far.say({ ...event('a'), id: old })
  expect(events).toMatchObject([{ deviceStream: { id: 'a' } }])
  expect(far.sent.filter(({ type }) => type === 'complete')).toEqual([])
  await clock.advance(0)
  far.say({ type: 'pong' })
  await settle()
  expect(far.sent.filter(({ type }) => type === 'complete')).toMatchObject([{ id: old }])
})

test('the proven time is that of the answered Ping, and stands while a shard is missing', async () => {
  const { clock, far, live } = await start()
  await acknowledge(far)
  await clock.advance(0)
  const pinged = clock.now()
  await clock.advance(3_000)
  expect([live.covers(), live.provenAt()]).toEqual([false, null])
  far.say({ type: 'pong' })
  expect([live.covers(), live.provenAt()]).toEqual([true, pinged])
  far.say({ type: 'complete', id: far.subscriptions()[0] })
  await clock.advance(100)
  expect([live.covers(), live.provenAt()]).toEqual([false, pinged])
})

test('where the next connection cannot take over, it is retried while the first one lives', async () => {
  const { clock, far, fars, live } = await start(undefined, 60_000)
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  fars[1]?.fail()
  await pass(clock, 30_000, fars)
  expect(live.state().state).toBe('live')
  expect(fars).toHaveLength(3)
  expect(far.isClosed()).toBe(false)
})

test('a subscription that ends on the next connection before the takeover is repeated there', async () => {
  const { clock, far, fars, unheard: lost } = await start(undefined, 60_000)
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  const [, second] = fars
  if (second === undefined) throw new Error('no second connection')
  await acknowledge(second)
  second.say({ type: 'complete', id: second.subscriptions()[0] })
  await pass(clock, 5_000, fars)
  expect(second.subscriptions()).toHaveLength(2)
  await pass(clock, 10_000, fars)
  expect(far.isClosed()).toBe(true)
  expect(lost).toEqual([])
})

test('when the first one ends before the next has taken over, both are dropped', async () => {
  const { clock, far, fars, live } = await start(undefined, 60_000)
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  const [, second] = fars
  if (second !== undefined) await acknowledge(second)
  far.fail()
  await settle()
  expect(second?.isClosed()).toBe(true)
  expect(live.state().state).toBe('waiting')
  await clock.advance(2_000)
  expect(fars).toHaveLength(3)
})

test('without a secret it does not connect by itself, and at once when it is asked', async () => {
  const clock = manualClock()
  const { link, fars } = dialled()
  let secret: string | null = null
  let asked = 0
  const get = async () => {
    asked += 1
    if (secret === null) throw new FaultError('no-secret')
    return secret
  }
  const faults: (string | undefined)[] = []
  const live = startLive({
    link,
    clock,
    tokens: {
      get,
      renew: async () => 't2',
      drop: () => {},
      prove: () => {},
      problem: () => null,
      renewsAt: () => Infinity,
      redact: (text) => text,
      stop: () => {},
    },
    random: () => 1,
    log: () => {},
    url: 'wss://api.test/graphql',
    document: deviceDocument,
    onState: (_state, fault) => faults.push(fault?.kind),
    onEvent: () => {},
    onSubscribed: () => {},
    onSubscriptionLost: () => {},
    onParked: () => {},
    onDoubt: () => {},
  })
  onTestFinished(() => live.stop())
  await clock.advance(3_600_000)
  expect([live.state().state, asked, faults.at(-1)]).toEqual(['off', 1, 'no-secret'])
  secret = 't1'
  live.retry()
  await settle()
  expect(fars).toHaveLength(1)
})

test('a forbidden subscription costs no token', async () => {
  const { far, live, dropped } = await start()
  await acknowledge(far)
  far.say({
    type: 'error',
    id: far.subscriptions()[0],
    payload: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }],
  })
  await settle()
  expect([live.state().state, live.covers()]).toEqual(['live', true])
  expect(dropped).toEqual([])
})

test('a shard that ends repeatedly is retried less often, and from the start once it held', async () => {
  const { clock, far } = await start()
  await acknowledge(far)
  const complete = async () => {
    far.say({ type: 'complete', id: far.subscriptions().at(-1) })
    await settle()
  }
  // The heartbeat is answered, so that the connection itself stays.
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      await clock.advance(Math.min(left, 500))
      far.say({ type: 'pong' })
    }
  }
  for (const [round, delay] of [1_000, 2_000, 4_000, 8_000].entries()) {
    await complete()
    await pass(delay - 1)
    expect(far.subscriptions()).toHaveLength(round + 1)
    await pass(1)
    expect(far.subscriptions()).toHaveLength(round + 2)
  }
  await pass(60_001)
  await complete()
  await pass(1_000)
  expect(far.subscriptions()).toHaveLength(6)
})

test('a dial that hangs, and a service that never acknowledges, time out', async () => {
  const { clock, far, fars, faults } = await start()
  await clock.advance(29_999)
  expect(faults).toEqual([])
  await clock.advance(1)
  expect(faults).toEqual([{ kind: 'timeout', detail: 'the live connection did not open' }])
  expect(far.isClosed()).toBe(true)
  await clock.advance(1_000)
  fars[1]?.open()
  await clock.advance(10_000)
  expect(faults[1]).toEqual({ kind: 'timeout', detail: 'the service did not acknowledge the live connection' })
  expect(fars[1]?.isClosed()).toBe(true)
})

test('a silent socket is late after four seconds and closed after eight; an event is proof', async () => {
  const { clock, far, live, doubts, faults } = await start()
  await acknowledge(far)
  await clock.advance(0)
  far.say({ type: 'pong' })
  await clock.advance(12_000)
  const asked = clock.now()
  await clock.advance(3_999)
  expect(live.lateSince()).toBeNull()
  await clock.advance(1)
  expect(live.lateSince()).toBe(asked)
  far.say({ ...event('a'), id: far.subscriptions()[0] })
  expect(live.lateSince()).toBeNull()
  far.say({ type: 'pong' })
  await clock.advance(12_000)
  await clock.advance(8_000)
  expect(faults).toEqual([{ kind: 'timeout', detail: 'the live connection stopped answering' }])
  expect([live.state().state, live.lateSince()]).toEqual(['waiting', null])
  expect(doubts.map(([late]) => late)).toEqual([asked, null, expect.any(Number)])
})

test('a late Pong is no end', async () => {
  const { clock, far, live, doubts } = await start()
  await acknowledge(far)
  await clock.advance(7_999)
  expect(live.lateSince()).not.toBeNull()
  far.say({ type: 'pong' })
  await clock.advance(1)
  expect([live.state().state, live.lateSince()]).toEqual(['live', null])
  expect(doubts).toHaveLength(2)
})

test('an ended subscription names the devices that it lost, until it is confirmed again', async () => {
  const { clock, far, live, unheard: lost, subscribed, log } = await start()
  await acknowledge(far)
  await clock.advance(0)
  far.say({ type: 'pong' })
  const endedAt = clock.now()
  far.say({ type: 'complete', id: far.subscriptions()[0] })
  await settle()
  expect(lost).toEqual([['d1']])
  expect(live.subscriptionLostSince()).toBe(endedAt)
  expect(log.at(-1)).toBe('live: the service ended a subscription of 1 devices')
  await clock.advance(1_000)
  expect(live.subscriptionLostSince()).toBe(endedAt)
  far.say({ type: 'pong' })
  await settle()
  expect(live.subscriptionLostSince()).toBeNull()
  expect(subscribed).toEqual([['d1'], ['d1']])
})

test('a shard that ended and is no longer wanted is no doubt', async () => {
  const { far, live } = await start()
  await acknowledge(far)
  far.say({ type: 'complete', id: far.subscriptions()[0] })
  await settle()
  expect(live.subscriptionLostSince()).not.toBeNull()
  live.setDevices(new Map([['d2', 't']]))
  expect(live.subscriptionLostSince()).toBeNull()
})

test('an ended shard that was to be replaced is not repeated: its devices wait for the successor', async () => {
  const { clock, far, live, unheard: lost, subscribed, old } = await startChanging()
  far.say({ type: 'complete', id: old })
  await settle()
  expect([lost, live.subscriptionLostSince(), live.covers()]).toEqual([[['d1']], null, false])
  await clock.advance(0)
  far.say({ type: 'pong' })
  await clock.advance(5_000)
  expect([live.covers(), subscribed, far.subscriptions().length]).toEqual([true, [['d1'], ['d1', 'd2']], 2])
})

test('a token that a connection was acknowledged with is proven', async () => {
  const { far, proved } = await start()
  expect(proved).toEqual([])
  await acknowledge(far)
  expect(proved).toEqual(['t1'])
})

test('nothing is left running when it has stopped', async () => {
  const { clock, far, live } = await start(undefined, 60_000)
  await acknowledge(far)
  far.say({ type: 'complete', id: far.subscriptions()[0] })
  await settle()
  live.stop()
  await settle()
  expect(clock.pending()).toBe(0)
})

describe('a service without such a stream', () => {
  const refuse = async (far: Far) => {
    far.say({ type: 'error', id: far.subscriptions().at(-1), payload: [{ message: 'Cannot query field' }] })
    await settle()
  }

  test('a service without a stream is asked for it now and then, without a state change', async () => {
    const { clock, far, fars, live, states } = await start()
    await acknowledge(far)
    await refuse(far)
    for (const round of [2, 3, 4]) {
      await clock.advance(45 * 60_000)
      expect(fars).toHaveLength(round)
      const trial = fars.at(-1)
      if (round === 3) trial?.fail()
      else if (trial !== undefined) {
        await acknowledge(trial)
        await refuse(trial)
      }
    }
    expect(states).toEqual(['connecting', 'live', 'polling'])
    live.stop()
    await settle()
    expect(clock.pending()).toBe(0)
  })

  test('and with it later, but smaller limits, is live with what it takes', async () => {
    const { clock, far, fars, live } = await start()
    await acknowledge(far)
    await refuse(far)
    live.setDevices(
      new Map([
        ['d1', 't'],
        ['d2', 't'],
      ]),
    )
    await clock.advance(45 * 60_000)
    const [, trial] = fars
    if (trial === undefined) throw new Error('nothing was tried')
    await acknowledge(trial)
    trial.say({ type: 'error', id: trial.subscriptions()[0], payload: [{ message: 'at most 1 ids' }] })
    await pass(clock, 10_000, [trial])
    expect([live.state().state, live.covers(), trial.subscriptions().length, live.parked().size]).toEqual([
      'live',
      true,
      3,
      0,
    ])
  })

  test('a stream that appears later is live, and subscriptions requested meanwhile are made', async () => {
    const { clock, far, fars, live, states, subscribed } = await start()
    await acknowledge(far)
    await refuse(far)
    await clock.advance(45 * 60_000)
    const [, trial] = fars
    if (trial === undefined) throw new Error('nothing was tried')
    await acknowledge(trial)
    live.setDevices(
      new Map([
        ['d1', 't'],
        ['d2', 't'],
      ]),
    )
    await clock.advance(0)
    trial.say({ type: 'pong' })
    await settle()
    expect(live.state()).toEqual({ state: 'live', since: clock.now() })
    expect(states).toEqual(['connecting', 'live', 'polling', 'live'])
    expect(subscribed).toEqual([['d1']])
    await clock.advance(0)
    trial.say({ type: 'pong' })
    expect(subscribed).toEqual([['d1'], ['d1', 'd2']])
    trial.fail()
    await settle()
    expect(live.state().state).toBe('waiting')
  })
})
