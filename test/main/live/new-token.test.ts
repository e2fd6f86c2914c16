import { expect, test } from 'vitest'
import { settle } from '../../support/clock.ts'
import { acknowledge, start } from './started.ts'

/** The connection is cut, and so many tries to open another one are. */
async function tried(times: number) {
  const started = await start()
  const { clock, far, fars } = started
  await acknowledge(far)
  for (let left = times; left > 0; left -= 1) {
    fars.at(-1)?.close(1006)
    await settle()
    await clock.advance(25_000)
  }
  return started
}

const waitsFor = ({ live, clock }: Awaited<ReturnType<typeof tried>>): number | null => {
  const state = live.state()
  return state.state === 'waiting' ? state.retryAt - clock.now() : null
}

test('a dropped token restarts the delays; a newer one that is rejected does not', async () => {
  const started = await tried(6)
  const { clock, fars, dropped } = started
  const refuse = async () => {
    fars.at(-1)?.open()
    await settle()
    fars.at(-1)?.close(4403)
    await settle()
  }
  await refuse()
  expect([dropped, waitsFor(started)]).toEqual([['t1'], 1_000])
  await clock.advance(1_000)
  await refuse()
  expect(waitsFor(started)).toBe(2_000)
  await clock.advance(2_000)
  await refuse()
  expect(waitsFor(started)).toBe(4_000)
})

test('a token granted meanwhile is tried at once, unless the last one was rejected', async () => {
  const started = await tried(6)
  const { fars, live } = started
  fars.at(-1)?.close(1006)
  await settle()
  expect(waitsFor(started)).toBe(25_000)
  const before = fars.length
  live.newToken()
  await settle()
  expect([live.state(), fars.length]).toEqual([{ state: 'connecting', attempt: 0 }, before + 1])
  live.newToken()
  fars.at(-1)?.close(4403)
  await settle()
  live.newToken()
  await settle()
  expect([waitsFor(started), fars.length]).toEqual([1_000, before + 1])
})
