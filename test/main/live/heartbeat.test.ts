import { expect, test } from 'vitest'
import { acknowledge, event, start } from './started.ts'

/** Live, with the first Ping answered and the next one sent just now. */
async function startPinged() {
  const started = await start()
  const { clock, far } = started
  await acknowledge(far)
  await clock.advance(0)
  far.say({ type: 'pong' })
  await clock.advance(12_000)
  const say = (message: { type: string }) => far.say({ ...message, id: far.subscriptions()[0] })
  return { ...started, say }
}

test('events extend the deadline of a Pong: the Pong is behind them', async () => {
  const { clock, live, faults, say } = await startPinged()
  for (let gone = 0; gone < 49_000; gone += 7_000) {
    await clock.advance(7_000)
    say(event('a'))
  }
  await clock.advance(7_999)
  expect([live.state().state, faults]).toEqual(['live', []])
  await clock.advance(1)
  expect(faults).toEqual([{ kind: 'timeout', detail: 'the live connection stopped answering' }])
})

test('other messages of the service extend it as well', async () => {
  const { clock, live, say } = await startPinged()
  await clock.advance(7_000)
  say({ type: 'ping' })
  await clock.advance(7_999)
  expect(live.state().state).toBe('live')
  await clock.advance(1)
  expect(live.state().state).toBe('waiting')
})

test('a Ping that is not answered for 60 seconds ends the connection, whatever arrives', async () => {
  const { clock, live, faults, say } = await startPinged()
  for (let gone = 0; gone < 59_000; gone += 1_000) {
    await clock.advance(1_000)
    say(event('a'))
  }
  await clock.advance(999)
  expect([live.state().state, faults]).toEqual(['live', []])
  await clock.advance(1)
  expect(faults).toEqual([{ kind: 'timeout', detail: 'the live connection stopped answering' }])
})

test('an event without an open Ping starts no deadline', async () => {
  const { clock, far, live, say } = await startPinged()
  far.say({ type: 'pong' })
  say(event('a'))
  await clock.advance(11_999)
  expect([live.state().state, live.lateSince()]).toEqual(['live', null])
})
