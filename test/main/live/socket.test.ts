import { expect, onTestFinished, test } from 'vitest'
import { startLive } from '../../../src-main/live/socket.ts'
import { FaultError, type Fault, type FaultKind } from '../../../src-shared/fault.ts'
import { manualClock, settle, type ManualClock } from '../../support/clock.ts'
import { dialled, type Far } from './dialled.ts'

async function start(fault?: FaultError, renewsIn = Infinity) {
  const clock = manualClock()
  const { link, fars } = dialled(fault)
  const events: unknown[] = []
  const states: string[] = []
  const faults: Fault[] = []
  const subscribed: string[][] = []
  const unheard: string[][] = []
  const doubts: (number | null)[][] = []
  const log: string[] = []
  const dropped: string[] = []
  const proved: string[] = []
  const renewsAt = { at: clock.now() + renewsIn }
  const tokens = { get: async () => (clock.now() < renewsAt.at ? 't1' : 't2'), drop: (token: string) => dropped.push(token), prove: (token: string) => proved.push(token), trouble: () => null, hide: (text: string) => text, renewsAt: () => renewsAt.at, stop: () => {} }
  const live = startLive({
    link, clock, tokens, random: () => 1, log: (_level, text) => log.push(text), url: 'wss://api.test/graphql', document: 'subscription { device { id } }',
    onState: ({ state }, fault) => { states.push(state); if (fault !== null) faults.push(fault) }, onEvent: (event) => events.push(event), onSubscribed: (devices) => subscribed.push([...devices]), onUnheard: (devices) => unheard.push([...devices]), onDoubt: () => doubts.push([live.lateSince(), live.unheardSince()]),
  })
  onTestFinished(() => live.stop())
  live.want(new Set(['d1']))
  await settle()
  const far = fars[0]
  if (far === undefined) throw new Error('nothing was dialled')
  return { clock, far, fars, live, dropped, proved, renewsAt, events, states, faults, subscribed, unheard, doubts, log }
}

async function acknowledge(far: Far): Promise<void> {
  far.open()
  await settle()
  far.say({ type: 'connection_ack' })
  await settle()
}

test.each<[FaultKind, string[]]>([
  ['token', ['t1']],
  ['forbidden', ['t1']],
  ['http', []],
  ['not-found', []],
])('an upgrade refused as %s drops %j', async (kind, expected) => {
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
    'live: off -> connecting, attempt 1', 'live: connecting -> live, attempt 1', 'live: the service closed the connection with 1011 (upstream is gone, Bearer [hidden])',
    'live: live -> waiting, attempt 2 (socket: closed with 1011: the service met an error)', 'live: waiting -> connecting, attempt 2',
    'live: the service closed the connection with 1006', 'live: connecting -> waiting, attempt 3 (reset: live connection)',
  ])
})

test('a restart leaves the socket, whatever it still has to say, and opens another at once', async () => {
  const { far, live, fars } = await start()
  await acknowledge(far)
  expect(live.state().state).toBe('live')
  live.restart({ kind: 'reset', detail: 'the computer slept' })
  await settle()
  expect(fars).toHaveLength(2)
  expect(far.isClosed()).toBe(true)
  expect(live.state().state).toBe('connecting')
  const [, again] = fars
  if (again !== undefined) await acknowledge(again)
  expect(live.state().state).toBe('live')
})

/** Time passes; whoever is asked for a Pong gives one. */
async function pass(clock: ManualClock, ms: number, fars: readonly Far[]): Promise<void> {
  for (let gone = 0; gone < ms; gone += 5_000) {
    await clock.advance(5_000)
    for (const far of fars) far.say({ type: 'pong' })
  }
}

const event = (id: string) => ({ type: 'next', payload: { data: { deviceStream: { id } } } })

test('before its token ends a second connection takes over, and nothing is missed in between', async () => {
  const { clock, far, fars, live, renewsAt, events, states, subscribed } = await start(undefined, 60_000)
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  expect(fars).toHaveLength(2)
  const [, second] = fars
  if (second === undefined) return
  renewsAt.at = Infinity
  await acknowledge(second)
  expect(second.subscriptions()).toHaveLength(1)
  far.say({ ...event('a'), id: far.subscriptions()[0] })
  expect(far.isClosed()).toBe(false)
  await clock.advance(0)
  second.say({ type: 'pong' })
  await settle()
  expect(far.isClosed()).toBe(true)
  second.say({ ...event('b'), id: second.subscriptions()[0] })
  expect(events).toMatchObject([{ deviceStream: { id: 'a' } }, { deviceStream: { id: 'b' } }])
  live.want(new Set(['d1', 'd2']))
  await settle()
  expect(second.subscriptions()).toHaveLength(2)
  // Whoever looks on has seen one live connection, and nothing has to be compared.
  expect(states).toEqual(['connecting', 'live'])
  expect(subscribed).toEqual([['d1']])
})

test('where the next one cannot take over, it is tried again as long as the first one lives', async () => {
  const { clock, far, fars, live } = await start(undefined, 60_000)
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  fars[1]?.fail()
  await pass(clock, 30_000, fars)
  expect(live.state().state).toBe('live')
  expect(fars).toHaveLength(3)
  expect(far.isClosed()).toBe(false)
})

test('when the first one ends before the next has taken over, both are left', async () => {
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

test('without a secret it tries nothing by itself, and at once when it is asked', async () => {
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
    link, clock, tokens: { get, drop: () => {}, prove: () => {}, trouble: () => null, renewsAt: () => Infinity, hide: (text) => text, stop: () => {} }, random: () => 1, log: () => {}, url: 'wss://api.test/graphql', document: 'subscription { device { id } }',
    onState: (_state, fault) => faults.push(fault?.kind), onEvent: () => {}, onSubscribed: () => {}, onUnheard: () => {}, onDoubt: () => {},
  })
  onTestFinished(() => live.stop())
  await clock.advance(3_600_000)
  expect([live.state().state, asked, faults.at(-1)]).toEqual(['off', 1, 'no-secret'])
  secret = 't1'
  live.retry()
  await settle()
  expect(fars).toHaveLength(1)
})

test('what a live connection may not see costs no token', async () => {
  const { far, live, dropped } = await start()
  await acknowledge(far)
  far.say({ type: 'error', id: far.subscriptions()[0], payload: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }] })
  await settle()
  expect(live.state().state).toBe('waiting')
  expect(dropped).toEqual([])
})

test('a shard that the service ends again and again is asked for less and less, and anew once it held', async () => {
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

test.each([
  [4400, 'socket', 'closed with 4400: the service did not understand Muster', 4_000],
  [4401, 'token', 'live connection closed with 4401', 1_000],
  [4403, 'token', 'live connection closed with 4403', 1_000],
  [4429, 'socket', 'closed with 4429: too many connections or requests for the service', 46_000],
  [4500, 'socket', 'closed with 4500: the service failed inside', 4_000],
  [1006, 'reset', 'live connection', 1_000],
  [1011, 'socket', 'closed with 1011: the service met an error', 1_000],
  [1012, 'socket', 'closed with 1012: the service restarts', 1_000],
  [1000, 'socket', 'closed with 1000', 1_000],
] as const)('closed with %i it says %s (%s), and tries again after %i ms at the most', async (code, kind, detail, ms) => {
  const { clock, far, fars, live, faults, dropped } = await start()
  await acknowledge(far)
  far.close(code)
  await settle()
  expect(faults).toEqual([{ kind, detail }])
  expect(live.state()).toEqual({ state: 'waiting', attempt: 1, retryAt: clock.now() + ms })
  expect(dropped).toEqual(kind === 'token' ? ['t1'] : [])
  await clock.advance(ms - 1)
  expect(fars).toHaveLength(1)
  await clock.advance(1)
  expect(fars).toHaveLength(2)
})

/** Closes whatever is opened, as soon as it stands, and tells after how long the next one was. */
async function closeAgainAndAgain(code: number, times: number): Promise<number[]> {
  const { clock, fars } = await start()
  const delays: number[] = []
  for (let round = 0; round < times; round += 1) {
    const far = fars.at(-1)
    if (far === undefined) throw new Error('nothing was dialled')
    await acknowledge(far)
    far.close(code)
    await settle()
    const before = clock.monotonic()
    while (fars.at(-1) === far) await clock.advance(1_000)
    delays.push(clock.monotonic() - before)
  }
  return delays
}

test('it never gives up, however often it was cut', async () => {
  expect(new Set((await closeAgainAndAgain(1006, 200)).slice(5))).toEqual(new Set([30_000]))
})

test.each([4400, 4401, 4403, 4500])('what the service answers with %i each time is tried every five minutes in the end', async (code) => {
  expect((await closeAgainAndAgain(code, 30)).slice(-15)).toEqual(Array.from({ length: 15 }, () => 300_000))
})

test('a service that asks to be left alone is, for half a minute more each time', async () => {
  expect((await closeAgainAndAgain(4429, 12)).at(-1)).toBe(330_000)
})

test('the words with which a service closes are told, without what it was given', async () => {
  const { far, faults } = await start()
  await acknowledge(far)
  far.close(4321, 'the tenant is being moved')
  await settle()
  expect(faults).toEqual([{ kind: 'socket', detail: 'closed with 4321: the tenant is being moved' }])
})

test('what is no message of the protocol ends the connection, in words', async () => {
  const { far, faults, live } = await start()
  await acknowledge(far)
  far.say({ type: 'hello' })
  await settle()
  expect(faults).toEqual([{ kind: 'socket', detail: 'the service said something that Muster does not understand' }])
  expect(live.state().state).toBe('waiting')
})

test('a dial that hangs, and a service that never takes up the connection, are given up in time', async () => {
  const { clock, far, fars, faults } = await start()
  await clock.advance(29_999)
  expect(faults).toEqual([])
  await clock.advance(1)
  expect(faults).toEqual([{ kind: 'timeout', detail: 'the live connection did not open' }])
  expect(far.isClosed()).toBe(true)
  await clock.advance(1_000)
  fars[1]?.open()
  await clock.advance(10_000)
  expect(faults[1]).toEqual({ kind: 'timeout', detail: 'the service did not take up the live connection' })
  expect(fars[1]?.isClosed()).toBe(true)
})

test('a socket that only looks open is in doubt after four seconds and left after eight; a word in between is proof', async () => {
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

test('a Pong that comes late is no end', async () => {
  const { clock, far, live, doubts } = await start()
  await acknowledge(far)
  await clock.advance(7_999)
  expect(live.lateSince()).not.toBeNull()
  far.say({ type: 'pong' })
  await clock.advance(1)
  expect([live.state().state, live.lateSince()]).toEqual(['live', null])
  expect(doubts).toHaveLength(2)
})

test('of a subscription that the service has ended it is said which devices are not heard of, until it stands again', async () => {
  const { clock, far, live, unheard, subscribed, log } = await start()
  await acknowledge(far)
  await clock.advance(0)
  far.say({ type: 'pong' })
  const endedAt = clock.now()
  far.say({ type: 'complete', id: far.subscriptions()[0] })
  await settle()
  expect(unheard).toEqual([['d1']])
  expect(live.unheardSince()).toBe(endedAt)
  expect(log.at(-1)).toBe('live: the service ended a subscription of 1 devices')
  await clock.advance(1_000)
  expect(live.unheardSince()).toBe(endedAt)
  far.say({ type: 'pong' })
  await settle()
  expect(live.unheardSince()).toBeNull()
  expect(subscribed).toEqual([['d1'], ['d1']])
})

test('one that was ended and is not wanted any more is no doubt', async () => {
  const { far, live } = await start()
  await acknowledge(far)
  far.say({ type: 'complete', id: far.subscriptions()[0] })
  await settle()
  expect(live.unheardSince()).not.toBeNull()
  live.want(new Set(['d2']))
  expect(live.unheardSince()).toBeNull()
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
