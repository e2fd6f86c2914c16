import { expect, test } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { settle, type ManualClock } from '../../support/clock.ts'
import type { Far } from './dialled.ts'
import { acknowledge, event, pass, start } from './started.ts'

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
  // The first one answers once more: it has told everything until the second one listened.
  await clock.advance(0)
  far.say({ type: 'pong' })
  await settle()
  expect(far.isClosed()).toBe(true)
  second.say({ ...event('b'), id: second.subscriptions()[0] })
  expect(events).toMatchObject([{ deviceStream: { id: 'a' } }, { deviceStream: { id: 'b' } }])
  live.setDevices(
    new Map([
      ['d1', 't'],
      ['d2', 't'],
    ]),
  )
  await settle()
  expect(second.subscriptions()).toHaveLength(2)
  // Whoever looks on has seen one live connection, and nothing has to be compared.
  expect(states).toEqual(['connecting', 'live'])
  expect(subscribed).toEqual([['d1']])
})

/** It gets the Ping that is on its way to it, and answers. */
async function answered(clock: ManualClock, far: Far): Promise<void> {
  await clock.advance(10)
  far.say({ type: 'pong' })
  await settle()
}

test('events may overlap from the second connection’s opening until it has caught up', async () => {
  const { clock, far, fars, renewsAt, sources } = await start(undefined, 60_000)
  const tell = (each: Far | undefined) => each?.say({ ...event('a'), id: each.subscriptions()[0] })
  await acknowledge(far)
  tell(far)
  await pass(clock, 60_000, fars)
  const [, second] = fars
  if (second === undefined) throw new Error('no second connection')
  renewsAt.at = Infinity
  await acknowledge(second)
  await clock.advance(10)
  tell(far)
  tell(second)
  await answered(clock, second)
  tell(far)
  tell(second)
  await answered(clock, far)
  expect(far.isClosed()).toBe(true)
  tell(second)
  await answered(clock, second)
  tell(second)
  // It takes over under a new number: what it told before may have begun in the middle of what the first one told.
  const takenOver = sources[4]?.[1] ?? 0
  expect(takenOver).toBeGreaterThan(60_000)
  expect(sources).toEqual([
    [1, 0, false],
    [1, 0, true],
    [2, 60_000, true],
    [1, 0, true],
    [3, takenOver, true],
    [3, takenOver, true],
    [3, takenOver, false],
  ])
})

test('a second connection that fails leaves the first one alone', async () => {
  const { clock, far, fars, sources } = await start(undefined, 60_000)
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  fars[1]?.close(1006)
  await settle()
  far.say({ ...event('a'), id: far.subscriptions()[0] })
  expect(sources).toEqual([[1, 0, false]])
})

test('a first connection that was dead unnoticed leaves a gap, which is read', async () => {
  const { clock, far, fars, live, renewsAt, states, subscribed } = await start(undefined, 60_000)
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  const [, second] = fars
  if (second === undefined) throw new Error('no second connection')
  renewsAt.at = Infinity
  await acknowledge(second)
  await clock.advance(0)
  second.say({ type: 'pong' })
  await clock.advance(5_000)
  expect([live.covers(), subscribed]).toEqual([false, [['d1']]])
  await pass(clock, 20_000, [second])
  expect(far.isClosed()).toBe(true)
  expect([live.covers(), subscribed]).toEqual([true, [['d1'], ['d1']]])
  expect(states).toEqual(['connecting', 'live'])
})

test('a limit search that runs at the takeover is continued on the next connection', async () => {
  const { clock, far, fars, live, renewsAt } = await start(undefined, 60_000)
  await acknowledge(far)
  await pass(clock, 55_000, fars)
  live.setDevices(
    new Map([
      ['d1', 't'],
      ['d2', 't'],
      ['d3', 't'],
    ]),
  )
  await settle()
  far.say({ type: 'error', id: far.subscriptions().at(-1), payload: [{ message: 'no' }] })
  await answered(clock, far)
  await answered(clock, far)
  await clock.advance(5_000)
  const [, second] = fars
  if (second === undefined) throw new Error('no second connection')
  renewsAt.at = Infinity
  await acknowledge(second)
  for (let round = 0; round < 4; round += 1) {
    await answered(clock, second)
    await answered(clock, far)
  }
  const told = second.sent
    .filter(({ type }) => type === 'subscribe')
    .flatMap(({ payload }) => (payload as { variables: { deviceIds: string[] } }).variables.deviceIds)
  expect([far.isClosed(), new Set(told), live.parked().size, live.covers()]).toEqual([
    true,
    new Set(['d1', 'd2', 'd3']),
    0,
    true,
  ])
})

/** The second socket: it is dialled with the next token, which only the socket rejects. */
async function refusedNext(refuse: (second: Far) => Promise<void> | void) {
  const started = await start(new FaultError('forbidden', 'HTTP 403'), 60_000)
  const { clock, far, fars } = started
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  started.renewsAt.at = Infinity
  const [, second] = fars
  if (second === undefined) throw new Error('no second connection')
  await refuse(second)
  await settle()
  return started
}

test.each<[string, (second: Far) => Promise<void> | void]>([
  [
    'by a code',
    async (second) => {
      second.open()
      await settle()
      second.close(4403)
    },
  ],
  ['by the upgrade', (second) => second.fail()],
])('a next token that only the socket rejects, %s, is renewed', async (_name, refuse) => {
  const { clock, fars, live, dropped, renewed, states, subscribed } = await refusedNext(refuse)
  await pass(clock, 5_000, fars)
  expect([renewed, fars.length]).toEqual([['t2'], 3])
  const third = fars[2]
  if (third === undefined) throw new Error('no third connection')
  await acknowledge(third)
  await answered(clock, third)
  await answered(clock, fars[0] as Far)
  expect([fars[0]?.isClosed(), live.covers()]).toEqual([true, true])
  // The queries take it: nobody who looks on has anything to worry about.
  expect([dropped, states, subscribed]).toEqual([[], ['connecting', 'live'], [['d1']]])
})

test('rejected next tokens are renewed ever more slowly, and the first connection works on', async () => {
  const { clock, fars, renewed, events } = await refusedNext((second) => second.fail())
  for (let gone = 0; gone < 240_000; gone += 5_000) {
    await pass(clock, 5_000, fars.slice(0, 1))
    for (const each of fars.slice(2)) if (!each.isClosed()) each.fail()
    await settle()
  }
  expect(renewed).toEqual(['t2', 't3', 't4', 't5', 't6'])
  fars[0]?.say({ ...event('a'), id: fars[0].subscriptions()[0] })
  expect(events).toMatchObject([{ deviceStream: { id: 'a' } }])
})

test('an upgrade of the next connection that has to wait is not tried before', async () => {
  const { clock, far, fars } = await start(new FaultError('unavailable', 'HTTP 503', { retryAfter: 120_000 }), 60_000)
  await acknowledge(far)
  await pass(clock, 60_000, fars)
  fars[1]?.fail()
  await settle()
  await pass(clock, 115_000, fars)
  expect(fars).toHaveLength(2)
  await pass(clock, 10_000, fars)
  expect(fars).toHaveLength(3)
})
