import { expect, onTestFinished, test } from 'vitest'
import { startLive } from '../../../src-main/live/socket.ts'
import { FaultError, type FaultKind } from '../../../src-shared/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { dialled, type Far } from './dialled.ts'

async function start(fault?: FaultError) {
  const clock = manualClock()
  const { link, fars } = dialled(fault)
  const dropped: string[] = []
  const tokens = { get: async () => 't1', drop: (token: string) => dropped.push(token), hide: (text: string) => text, stop: () => {} }
  const live = startLive({
    link, clock, tokens, random: () => 1, log: () => {}, url: 'wss://api.test/graphql', document: 'subscription { device { id } }',
    onState: () => {}, onEvent: () => {}, onSubscribed: () => {},
  })
  onTestFinished(() => live.stop())
  live.want(new Set(['d1']))
  await settle()
  const far = fars[0]
  if (far === undefined) throw new Error('nothing was dialled')
  return { clock, far, fars, live, dropped }
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
    link, clock, tokens: { get, drop: () => {}, hide: (text) => text, stop: () => {} }, random: () => 1, log: () => {}, url: 'wss://api.test/graphql', document: 'subscription { device { id } }',
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
