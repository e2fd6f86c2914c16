import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { LoopDelay } from '../../../src-shared/contract/diagnostics.ts'

/** How late this thread's event loop is. */
export interface LoopMonitor {
  /** Of the last minute; null before the first measurement. */
  delay(): LoopDelay | null
  stop(): void
}

/**
 * Between two measurements. Each is a wake-up of the processor, and ten in a second cost a twentieth of a per cent of it; a
 * delay that is shorter than this may fall between two of them.
 */
const everyMs = 100
const slices = 6
const sliceMs = 60_000 / slices

/** Measures the thread that it runs in, by real time, because that is what is measured. Neither keeps the process alive. */
export function startLoopMonitor(): LoopMonitor {
  const histogram = monitorEventLoopDelay({ resolution: everyMs })
  histogram.enable()
  let past: number[][] = []
  const timer = setInterval(() => {
    past = [...past, lateIn(histogram)].slice(-(slices - 1))
    histogram.reset()
  }, sliceMs)
  timer.unref()
  return {
    delay: () => delayOf([...past.flat(), ...lateIn(histogram)]),
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** The measurements of a histogram one by one, ms: what is longer than the time between two of them is delay. */
function lateIn(histogram: { count: number; percentile(share: number): number }): number[] {
  return Array.from({ length: histogram.count }, (_, at) =>
    Math.max(0, histogram.percentile(((at + 1) / histogram.count) * 100) / 1e6 - everyMs),
  )
}

export function delayOf(late: readonly number[]): LoopDelay | null {
  if (late.length === 0) return null
  const sorted = late.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
