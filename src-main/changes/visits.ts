import { z } from 'zod'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { startDeferredWrite } from '../connections/stored/deferred-write.ts'
import type { Log, Settings } from '../ports.ts'

/** When the operator was here. */
export interface Visits {
  /** Returns when the visit before the present one ended (ms); null: not known. `used`: the operator uses the window now, which is noted. */
  last(used: boolean): number | null
  /** Writes what is not written yet. */
  stop(): void
}

const settingsKey = 'visits'
/** A visit ends when the window was not used for this long, ms. */
const endsAfterMs = 30 * 60_000
/** Delay of a write, ms: the file is written whole. */
const delayMs = 60_000

const time = z.number().nullable().catch(null)
/** `usedAt`: the last use. `endedAt`: the end of the visit before the present one. Times in ms. */
const stored = z.object({ usedAt: time, endedAt: time }).catch({ usedAt: null, endedAt: null })

export function openVisits({ settings, clock, log }: { settings: Settings; clock: Clock; log: Log }): Visits {
  let visits = stored.parse(settings.get(settingsKey) ?? {})
  const write = startDeferredWrite({
    settings,
    clock,
    log,
    key: settingsKey,
    value: () => visits,
    unwritten: 'the time of this visit could not be kept',
  })
  return {
    last(used) {
      const now = clock.now()
      const { usedAt } = visits
      // A clock that was set back does not begin a visit.
      const endedAt = usedAt !== null && now - usedAt >= endsAfterMs ? usedAt : visits.endedAt
      if (used) {
        visits = { usedAt: now, endedAt }
        write.within(delayMs)
      }
      return endedAt
    },
    stop: write.stop,
  }
}
