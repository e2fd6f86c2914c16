import type { Policy } from '../../../src-main/pacing/admission.ts'
import type { CostReport } from '../../../src-main/pacing/balance/ledger.ts'
import { type Sent, startPacer } from '../../../src-main/pacing/pacer.ts'
import type { Shape } from '../../../src-main/pacing/cost/shape.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import { manualClock } from '../../support/clock.ts'

export function setup(reservePercent = 0, more: Partial<Policy> = {}) {
  const clock = manualClock()
  let told = 0
  const policy: Policy = { reservePercent, backgroundLimitPercent: 100, backgroundPaused: false, ...more }
  const pacer = startPacer({
    clock,
    random: () => 0,
    policy: () => policy,
    onChange: () => {
      told += 1
    },
  })
  const sent: string[] = []
  const never = new AbortController().signal
  const ask = (
    name: string,
    answer: () => Sent<string> | Promise<Sent<string>>,
    more: { lane?: Lane; size?: number; signal?: AbortSignal } = {},
  ) =>
    pacer.run({
      name,
      lane: more.lane ?? 'background',
      size: more.size ?? 1,
      signal: more.signal ?? never,
      shape: shape(name),
      async send() {
        sent.push(name)
        return answer()
      },
    })
  return { clock, pacer, policy, sent, ask, told: () => told }
}

/** The highest cost of an operation, as long as nothing was charged. */
export const shape = (name: string): Shape => ({ key: name, once: 0, each: 10_000 })

export const figures = (cost: number, remaining: number, reset = 60): CostReport => ({
  source: 'headers',
  cost,
  limit: 100_000,
  remaining,
  resetIn: reset * 1000,
})
export const good = (cost: number, remaining: number, reset = 60): Sent<string> => ({
  report: figures(cost, remaining, reset),
  result: { value: 'ok' },
})
export const rejectedSize = (retryAfter?: number): Sent<string> => ({
  report: figures(0, 0, (retryAfter ?? 30_000) / 1000),
  result: { error: new FaultError('exhausted', '', retryAfter === undefined ? {} : { retryAfter }) },
})
