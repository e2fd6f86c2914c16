import { expect, test } from 'vitest'
import type { CostReport } from '../../../src-main/pacing/balance/ledger.ts'
import { startPacer, type Sent } from '../../../src-main/pacing/pacer.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { longestWaitMs } from '../../../src-shared/lib/retry-after.ts'
import { manualClock, settle } from '../../support/clock.ts'

function setup() {
  const clock = manualClock()
  const pacer = startPacer({
    clock,
    random: () => 0,
    policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  const sentAt: number[] = []
  const begun = clock.now()
  const ask = (...answers: (Sent<string> | FaultError)[]) =>
    pacer
      .run({
        name: 'Devices',
        lane: 'background',
        size: 1,
        signal: new AbortController().signal,
        shape: { key: 'd', once: 0, each: 500 },
        async send() {
          sentAt.push(clock.now() - begun)
          const answer = answers.length > 1 ? answers.shift() : answers[0]
          if (answer === undefined || answer instanceof FaultError) throw answer ?? new Error('no answer')
          return answer
        },
      })
      .catch((error: unknown) => error)
  return { clock, pacer, sentAt, ask }
}

const none: CostReport = { source: null, cost: null, limit: null, remaining: null, resetIn: null }
const told = (remaining: number): CostReport => ({
  source: 'headers',
  cost: 0,
  limit: 100_000,
  remaining,
  resetIn: 40_000,
})
const good = (remaining = 90_000): Sent<string> => ({
  report: { ...told(remaining), cost: 500 },
  result: { value: 'ok' },
})
const away = (status: number, seconds: number | null, report = none): Sent<string> => ({
  report,
  result: {
    error: new FaultError('unavailable', `HTTP ${status}`, {
      status,
      ...(seconds !== null && { retryAfter: seconds * 1000 }),
    }),
  },
})

test.each([
  ['without figures', none],
  ['with headers of a high balance', told(80_000)],
])('a service that is away %s holds requests until then', async (_name, report) => {
  const { clock, pacer, sentAt, ask } = setup()
  await ask(good())
  const waiting = ask(away(503, 120, report), good(89_000))
  await settle()
  expect(pacer.waitsForService()).toBe(clock.now() + 120_000)
  expect(pacer.gauge()).toMatchObject({ remaining: 90_000, rejections: { count: 0 }, waits: [{ why: 'service' }] })
  await clock.advance(119_999)
  expect(sentAt).toEqual([0, 0])
  await clock.advance(1_000)
  expect([await waiting, pacer.waitsForService()]).toEqual(['ok', null])
})

test('everything else waits with it, whatever its points', async () => {
  const { clock, sentAt, ask } = setup()
  await ask(good())
  const first = ask(away(502, 60), good(89_000))
  await settle()
  const second = ask(good(88_000))
  await clock.advance(59_000)
  expect(sentAt).toHaveLength(2)
  await clock.advance(2_000)
  expect(await Promise.all([first, second])).toEqual(['ok', 'ok'])
})

test('no service is waited for longer than five minutes', async () => {
  const { clock, pacer, ask } = setup()
  const waiting = ask(away(503, 86_400), good())
  await settle()
  expect(pacer.waitsForService()).toBe(clock.now() + longestWaitMs)
  await clock.advance(longestWaitMs + 1_000)
  expect(await waiting).toBe('ok')
})

test('a manual retry tries it at once', async () => {
  const { pacer, ask } = setup()
  const waiting = ask(away(503, 120), good())
  await settle()
  pacer.tryNow()
  expect(await waiting).toBe('ok')
})

test('a time that is too short grows, and after five tries it is reported', async () => {
  const { clock, sentAt, ask } = setup()
  const waiting = ask(away(503, 0))
  await settle()
  await clock.advance(60_000)
  expect(((await waiting) as FaultError).fault.kind).toBe('unavailable')
  const waits = sentAt.slice(1).map((at, index) => Math.floor((at - (sentAt[index] ?? 0)) / 1000))
  expect(waits).toEqual([2, 4, 8, 16])
})

test.each<[string, Sent<string>]>([
  ['too many requests, and no points left', away(429, 30, told(0))],
  ['too many requests, and fewer points than it costs', away(429, null, told(300))],
  ['a service that is away, and no points left', away(503, 30, told(0))],
])('%s: it is for the points', async (_name, answer) => {
  const { clock, pacer, ask } = setup()
  await ask(good())
  const waiting = ask(answer, good(99_000))
  await settle()
  expect(pacer.waitsForService()).toBeNull()
  expect(pacer.gauge()).toMatchObject({ rejections: { count: 1 }, waits: [{ why: 'points' }] })
  await clock.advance(61_000)
  expect(await waiting).toBe('ok')
})

test('too many requests without any balance count as too many points', async () => {
  const { pacer, ask } = setup()
  void ask(away(429, 30), good())
  await settle()
  expect([pacer.gauge().rejections.count, pacer.waitsForService()]).toEqual([1, null])
})

test.each([
  ['with the time', 20, 20_000],
  ['without the time: until the reset', null, 41_000],
])('too many requests, %s, are not too many points', async (_name, seconds, ms) => {
  const { clock, pacer, ask } = setup()
  await ask(good())
  const waiting = ask(away(429, seconds, told(80_000)), good(79_000))
  await settle()
  expect(pacer.waitsForService()).toBe(clock.now() + ms)
  expect(pacer.gauge()).toMatchObject({ remaining: 90_000, rejections: { count: 0 } })
  await clock.advance(ms + 1_000)
  expect(await waiting).toBe('ok')
})

test('a request without points to the end is reported as that', async () => {
  const { clock, ask } = setup()
  const waiting = ask(away(429, 1, told(0)))
  for (let times = 0; times < 6; times += 1) await clock.advance(61_000)
  expect(((await waiting) as FaultError).fault.kind).toBe('exhausted')
})

test('a token endpoint that says until when holds requests that need a token', async () => {
  const { clock, pacer, ask } = setup()
  const waiting = ask(new FaultError('unavailable', 'token endpoint, HTTP 503', { retryAfter: 40_000 }), good())
  await settle()
  expect([pacer.waitsForService(), pacer.gauge().rejections.count]).toEqual([clock.now() + 40_000, 0])
  await clock.advance(41_000)
  expect(await waiting).toBe('ok')
})
