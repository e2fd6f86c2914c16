import { expect, onTestFinished, test } from 'vitest'
import { startLive } from '../../../src-main/live/socket.ts'
import { FaultError, type FaultKind } from '../../../src-shared/fault.ts'
import { manualClock, settle, type ManualClock } from '../../support/clock.ts'
import { dialled, type Far } from './dialled.ts'

async function start(fault?: FaultError, renewsIn = Infinity) {
  const clock = manualClock()
  const { link, fars } = dialled(fault)
  const events: unknown[] = []
  const states: string[] = []
  const subscribed: string[][] = []
  const dropped: string[] = []
  const renewsAt = { at: clock.now() + renewsIn }
  const tokens = { get: async () => (clock.now() < renewsAt.at ? 't1' : 't2'), drop: (token: string) => dropped.push(token), hide: (text: string) => text, renewsAt: () => renewsAt.at, stop: () => {} }
  const live = startLive({
    link, clock, tokens, random: () => 1, log: () => {}, url: 'wss://api.test/graphql', document: 'subscription { device { id } }',
    onState: ({ state }) => states.push(state), onEvent: (event) => events.push(event), onSubscribed: (devices) => subscribed.push([...devices]),
  })
  onTestFinished(() => live.stop())
  live.want(new Set(['d1']))
  await settle()
  const far = fars[0]
  if (far === undefined) throw new Error('nothing was dialled')
  return { clock, far, fars, live, dropped, renewsAt, events, states, subscribed }
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
    link, clock, tokens: { get, drop: () => {}, renewsAt: () => Infinity, hide: (text) => text, stop: () => {} }, random: () => 1, log: () => {}, url: 'wss://api.test/graphql', document: 'subscription { device { id } }',
    onState: (_state, fault) => faults.push(fault?.kind), onEvent: () => {}, onSubscribed: () => {},
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
