import { expect, test } from 'vitest'
import { settle } from '../../support/clock.ts'
import { acknowledge, start } from './started.ts'

test.each([
  [4400, 'socket', 'closed with 4400: the service did not understand Muster', 4_000],
  [4401, 'token', 'live connection closed with 4401', 1_000],
  [4403, 'token', 'live connection closed with 4403', 1_000],
  [4429, 'socket', 'closed with 4429: too many connections or requests for the service', 25_000],
  [4500, 'socket', 'closed with 4500: the service failed internally', 4_000],
  [1006, 'reset', 'live connection', 1_000],
  [1011, 'socket', 'closed with 1011: the service met an error', 1_000],
  [1012, 'socket', 'closed with 1012: the service restarts', 1_000],
  [1000, 'socket', 'closed with 1000', 1_000],
] as const)('a socket closed with %i has its fault and its delay', async (code, kind, detail, ms) => {
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

/** Closes every connection as soon as it is open, and returns the delay of the next one. */
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

test('retries never end, however often the socket was closed', async () => {
  expect(new Set((await closeAgainAndAgain(1006, 200)).slice(5))).toEqual(new Set([25_000]))
})

test.each([1001, 1006, 1011, 1012, 1013, 4400, 4401, 4403, 4406, 4408, 4409, 4429, 4500])(
  'a service that closes with %i each time is retried within half a minute for ever',
  async (code) => {
    const delays = await closeAgainAndAgain(code, 30)
    expect(Math.max(...delays)).toBe(25_000)
    expect(delays.slice(-15)).toEqual(Array.from({ length: 15 }, () => 25_000))
  },
)

test.each([1013, 4429])('with %i a service asks for a pause, and gets ten seconds at least', async (code) => {
  expect(Math.min(...(await closeAgainAndAgain(code, 12)))).toBeGreaterThanOrEqual(10_000)
})

test('the close reason of a service is shown, without tokens or secrets', async () => {
  const { far, faults } = await start()
  await acknowledge(far)
  far.close(4321, 'the tenant is being moved')
  await settle()
  expect(faults).toEqual([{ kind: 'socket', detail: 'closed with 4321: the tenant is being moved' }])
})

test('an invalid protocol message ends the connection, with a reason', async () => {
  const { far, faults, live } = await start()
  await acknowledge(far)
  far.say({ type: 'hello' })
  await settle()
  expect(faults).toEqual([{ kind: 'socket', detail: 'the service sent a message that Muster cannot read' }])
  expect(live.state().state).toBe('waiting')
})
