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
  note(id: string, mark: Partial<LastSeen>): void
  /** Removes the times from the settings before it returns, unless these cannot be written. */
  forget(ids: readonly string[]): void
  /** Writes pending changes. Nothing is recorded afterwards. */
  stop(): void
}

const settingsKey = 'readings'
/** Delay of a write after a sync, ms: a sync takes minutes, so its time should survive a crash soon after. */
const readingWithinMs = 3_000
/** Delay of a write for the other times, ms, which change with each Pong. */
const heardWithinMs = 60_000

const none: LastSeen = { lastReadingAt: null, lastEventAt: null, heardAt: null, columns: {} }
const time = z.number().nullable().catch(null)
const columns = z.record(z.string(), z.number()).catch({})
const mark = z.object({ lastReadingAt: time, lastEventAt: time, heardAt: time, columns })
const stored = z.record(z.string(), mark.catch(none)).catch({})

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
    note(id, news) {
      const before = known(id)
      const now = { ...before, ...news }
      const heard = before.heardAt !== now.heardAt || before.lastEventAt !== now.lastEventAt
      const read = before.lastReadingAt !== now.lastReadingAt || before.columns !== now.columns
      if (!(heard || read)) return
      lastSeen.set(id, now)
      write.within(read ? readingWithinMs : heardWithinMs)
    },
    forget(ids) {
      if (ids.filter((id) => lastSeen.delete(id)).length > 0) write.now()
    },
    stop: write.stop,
  }
}
