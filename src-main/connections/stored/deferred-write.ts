import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Log, Settings } from '../../ports.ts'

/**
 * Writes a settings key some time after its change: the file is always written whole, and forty connections change it
 * together.
 */
export interface DeferredWrite {
  /** Writes the value at that time, within `ms` or sooner. */
  within(ms: number): void
  now(): void
  /** Writes a pending value; nothing is written afterwards. */
  stop(): void
}

export interface DeferredWriteOptions {
  settings: Settings
  clock: Clock
  log: Log
  key: string
  value: () => unknown
  /** Logged when the write fails, for example on a full disk. */
  unwritten: string
}

export function startDeferredWrite({
  settings,
  clock,
  log,
  key,
  value,
  unwritten,
}: DeferredWriteOptions): DeferredWrite {
  let planned: { at: number; cancel: () => void } | null = null
  let stopped = false
  const now = () => {
    planned?.cancel()
    planned = null
    if (stopped) return
    try {
      settings.set(key, value())
    } catch {
      log('warn', unwritten)
    }
  }
  return {
    within(ms) {
      const at = clock.monotonic() + ms
      if (stopped || (planned !== null && planned.at <= at)) return
      planned?.cancel()
      planned = { at, cancel: clock.after(ms, now) }
    },
    now,
    stop() {
      if (planned !== null) now()
      stopped = true
    },
  }
}
