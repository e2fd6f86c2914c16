import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Log, Settings } from '../../ports.ts'

/** A key of the settings that is written a while after it has changed: the file is written whole, and forty connections change it together. */
export interface DeferredWrite {
  /** Writes what the value is by then, in `ms` or sooner. */
  within(ms: number): void
  now(): void
  /** Writes what waits; nothing is written afterwards. */
  stop(): void
}

export interface DeferredWriteOptions {
  settings: Settings
  clock: Clock
  log: Log
  key: string
  value: () => unknown
  /** Logged when it cannot be written: a full disk ends nothing here. */
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
