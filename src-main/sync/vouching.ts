import type { Fault } from '../../src-shared/fault.ts'
import { traitsOf } from '../../src-shared/fault-traits.ts'
import type { Running } from './running.ts'
import { sight } from './sight.ts'
import { failsToAnswer, isByReadings } from './stand-in.ts'
import { unheard } from './watch.ts'
import { watchPaceMs } from './watched.ts'

/** Beyond twice the time between two readings. */
const overdueMs = 60_000

/** A query was answered: what was read since readings stand in, is seen. */
export function answers(estate: Running): void {
  const { standIn } = estate
  if (standIn.since === null || estate.readableSince !== null) return
  estate.readableSince = standIn.since
  estate.downSince = null
  estate.options.onState()
  void sight(estate)
}

/** All tenants that were asked for failed, and none by what it answered: there is nothing to read in the place of the live connection. */
export function noteFailed(estate: Running, asked: number, failed: ReadonlyMap<string, Fault>): void {
  if (
    !isByReadings(estate) ||
    failed.size === 0 ||
    failed.size < asked ||
    [...failed.values()].some(({ kind }) => traitsOf(kind).answered)
  )
    return
  failsToAnswer(estate)
  estate.downSince ??= estate.options.clock.now()
  estate.options.onState()
  void sight(estate)
}

/** A reading vouches for what it read until the next one is overdue. While a full one is under way the next one waits for it, but not for ever. */
export function lookForOverdue(estate: Running): void {
  const {
    standIn,
    readableSince,
    sync,
    options: { clock, refreshMs },
    member,
    tenants,
  } = estate
  if (!isByReadings(estate) || readableSince === null) return
  const isReading = sync.state === 'reading' && sync.what === 'inventory'
  standIn.paceMs ??= watchPaceMs(estate)
  const most = 2 * standIn.paceMs + overdueMs + (isReading ? refreshMs() : 0)
  for (const { id } of tenants?.list ?? []) {
    const at = Math.max(standIn.readAt.get(id) ?? 0, readableSince)
    if (!member.reads(id) || standIn.lapsed.has(id) || clock.now() - at <= most) continue
    standIn.lapsed.add(id)
    void unheard(estate, estate.ids.get(id) ?? new Set())
  }
}
