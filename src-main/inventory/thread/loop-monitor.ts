import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { LoopDelay } from '../../../src-shared/contract/diagnostics.ts'

/** The event loop delay of this thread. */
export interface LoopMonitor {
  /** The delays of the last minute; null before the first measurement. */
  delay(): LoopDelay | null
  stop(): void
}

/**
 * Between two measurements. Each is a wake-up of the processor, and ten in a second cost a twentieth of a per cent of
 * it; a delay that is shorter than this may fall between two of them.
 */
const resolutionMs = 100
const periods = 6
const periodMs = 60_000 / periods

/**
 * Measures the thread that it runs in, by real time, because that is what is measured. Neither keeps the process alive.
 */
export function startLoopMonitor(): LoopMonitor {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let periodDelays: number[][] = []
  const timer = setInterval(() => {
    periodDelays = [...periodDelays, delaysIn(histogram)].slice(-(periods - 1))
    histogram.reset()
  }, periodMs)
  timer.unref()
  return {
    delay: () => delayOf([...periodDelays.flat(), ...delaysIn(histogram)]),
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** The measurements of a histogram one by one, ms: what is longer than the time between two of them is delay. */
function delaysIn(histogram: { count: number; percentile(share: number): number }): number[] {
  return Array.from({ length: histogram.count }, (_, at) =>
    Math.max(0, histogram.percentile(((at + 1) / histogram.count) * 100) / 1e6 - resolutionMs),
  )
}

export function delayOf(delays: readonly number[]): LoopDelay | null {
  if (delays.length === 0) return null
  const sorted = delays.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
