import { expect, test } from 'vitest'
import type { CostReport } from '../../../src-main/pacing/balance/ledger.ts'
import { startPacer, type Sent } from '../../../src-main/pacing/pacer.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

function setup() {
  const clock = manualClock()
  const pacer = startPacer({
    clock,
    random: () => 0,
    policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  const sent: string[] = []
  const ask = (name: string, answer: () => Sent<string>) =>
    pacer.run({
      name,
      lane: 'background',
      size: 1,
      signal: new AbortController().signal,
      shape: { key: name, once: 0, each: 500 },
      async send() {
        return (sent.push(name), answer())
      },
    })
  return { clock, pacer, sent, ask }
}

const report = (cost: number, remaining: number, reset = 60): CostReport => ({
  source: 'headers',
  cost,
  limit: 100_000,
  remaining,
  resetIn: reset * 1000,
})
const good = (cost: number, remaining: number): Sent<string> => ({
  report: report(cost, remaining),
  result: { value: 'ok' },
})
const wordless = (words: string, cost: number, remaining: number, status = 403): Sent<string> => ({
  report: report(cost, remaining, 40),
  result: { error: new FaultError(status === 403 ? 'forbidden' : 'http', '', { status, answerText: words }) },
})

test.each([
  [403, 'Request failed FORBIDDEN', 500, 20],
  [400, '', 0, 0],
  [400, 'Bad request', 500, 499],
])('a rejection with %i and “%s” at a low balance waits for the reset', async (status, words, cost, remaining) => {
  const { clock, pacer, sent, ask } = setup()
  await ask('Devices', () => good(500, 90_000))
  const answers = [wordless(words, cost, remaining, status), good(500, 99_500)]
  const waiting = ask('Devices', () => answers.shift() ?? good(500, 99_000))
  await settle()
  expect([sent.length, pacer.gauge().rejections.count, pacer.holdsUntil()]).toEqual([2, 1, clock.now() + 41_000])
  await clock.advance(42_000)
  expect(await waiting).toBe('ok')
})

test.each([
  ['with points enough', wordless('Request failed', 500, 501)],
  ['with words for something else', wordless('pageSize must be between 1 and 100', 500, 0, 400)],
  ['of a service that has failed', wordless('', 500, 0, 500)],
])('a rejection %s is reported as it is', async (_name, answer) => {
  const { pacer, ask } = setup()
  await ask('Devices', () => good(500, 90_000))
  await expect(ask('Devices', () => answer)).rejects.toBeInstanceOf(FaultError)
  expect(pacer.gauge().rejections.count).toBe(0)
})

test('a request rejected again with a full balance was rejected for another reason', async () => {
  const { clock, sent, ask } = setup()
  await ask('Devices', () => good(500, 90_000))
  const answers = [wordless('', 500, 20), wordless('', 500, 99_000)]
  const waiting = ask('Devices', () => answers.shift() ?? good(1, 1)).catch((error: unknown) => error)
  await settle()
  await clock.advance(42_000)
  expect([((await waiting) as FaultError).fault.kind, sent.length]).toEqual(['forbidden', 3])
})
