import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Log, Settings } from '../../ports.ts'
import { startDeferredWrite } from './deferred-write.ts'

/**
 * The times of a connection that survive a restart, in ms since the epoch, so that old data looks old and not unknown.
 */
export interface LastSeen {
  lastReadingAt: number | null
  lastEventAt: number | null
  heardAt: number | null
  /** When each extra column was read, by its name. */
  columns: Record<string, number>
}

/** The times of all connections in one settings key, written rarely because the file is written whole. */
export interface LastSeenStore {
  of(id: string): LastSeen
  /** Sets the named times and keeps the others. */
  note(id: string, times: Partial<LastSeen>): void
  /** Removes the times from the settings before it returns, unless these cannot be written. */
  forget(ids: readonly string[]): void
  /** Writes pending changes. Nothing is recorded afterwards. */
  stop(): void
}

const settingsKey = 'readings'
/** Delay of a write after a sync, ms: a sync takes minutes, so its time should survive a crash soon after. */
const syncDelayMs = 3_000
/** Delay of a write for the other times, ms, which change with each Pong. */
const eventDelayMs = 60_000

const none: LastSeen = { lastReadingAt: null, lastEventAt: null, heardAt: null, columns: {} }
const time = z.number().nullable().catch(null)
const columns = z.record(z.string(), z.number()).catch({})
const times = z.object({ lastReadingAt: time, lastEventAt: time, heardAt: time, columns })
const stored = z.record(z.string(), times.catch(none)).catch({})

export function openLastSeen(settings: Settings, clock: Clock, log: Log): LastSeenStore {
  const lastSeen = new Map(Object.entries(stored.parse(settings.get(settingsKey) ?? {})))
  const write = startDeferredWrite({
    settings,
    clock,
    log,
    key: settingsKey,
    value: () => Object.fromEntries(lastSeen),
    // Without them only the ages are unknown after a restart.
    unwritten: 'the times of the readings could not be kept',
  })
  const known = (id: string): LastSeen => lastSeen.get(id) ?? none

  return {
    of: known,
    note(id, changes) {
      const before = known(id)
      const now = { ...before, ...changes }
      const hasEvent = before.heardAt !== now.heardAt || before.lastEventAt !== now.lastEventAt
      const hasSync = before.lastReadingAt !== now.lastReadingAt || before.columns !== now.columns
      if (!(hasEvent || hasSync)) return
      lastSeen.set(id, now)
      write.within(hasSync ? syncDelayMs : eventDelayMs)
    },
    forget(ids) {
      if (ids.filter((id) => lastSeen.delete(id)).length > 0) write.now()
    },
    stop: write.stop,
  }
}
