import { getCallSites } from 'node:util'

/**
 * Makes the time of this process run `factor` times as fast from `start` (ms) on, as `acceleratedClock` does: the built main takes no
 * clock. Timers of undici keep their time: what they bound is real sockets.
 */
export function runFaster(start: number, factor: number): void {
  const [now, monotonic, after] = [Date.now, performance.now.bind(performance), setTimeout]
  Date.now = () => Math.round(start + (now() - start) * factor)
  performance.now = () => monotonic() * factor
  const isOfUndici = () => getCallSites(3)[2]?.scriptName.includes('/undici/') ?? false
  globalThis.setTimeout = Object.assign(
    (run: () => void, ms = 0, ...args: []) => after(run, isOfUndici() ? ms : ms / factor, ...args),
    after,
  )
}
