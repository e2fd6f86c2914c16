import type { DevicePlace } from '../../../storage/journal/device-places.ts'
import type { Store } from '../../store.ts'

/** A change of a device's name or place, or of its being listed, between two times. Times in ms. */
export interface PlaceChange {
  kind: 'appeared' | 'gone' | 'moved' | 'renamed'
  key: string
  at: number
  /** Its name and place at the end; of one that is gone the last ones. */
  last: DevicePlace
  /** At the beginning; null for one that appeared. */
  first: DevicePlace | null
}

/** Intervals that are read at a time: some ms of the thread. */
const rowsAtOnce = 4000
/** Devices that a tenant's first sync reads have not appeared: it takes up to this long, ms. */
const firstSyncMs = 3_600_000

/**
 * Compares names and places at two times, part by part. `recordedSince`: the beginning of the first interval; null without one.
 */
export function* placeChanges(
  { journal }: Pick<Store, 'journal'>,
  { from, until }: { from: number; until: number },
): Generator<undefined, { changes: PlaceChange[]; recordedSince: number | null }> {
  const changes: PlaceChange[] = []
  /** When the records of each tenant begin, by the prefix of its keys. */
  const began = new Map<string, number>()
  const device = (key: string, intervals: readonly DevicePlace[]) => {
    const [earliest] = intervals
    if (earliest === undefined) return
    const tenant = key.slice(0, key.lastIndexOf('/'))
    began.set(tenant, Math.min(began.get(tenant) ?? Infinity, earliest.from))
    for (const change of changesOf(key, intervals, from, until)) changes.push(change)
  }
  let open: { key: string; intervals: DevicePlace[] } | null = null
  let after: { key: string; position: number } | null = null
  do {
    yield undefined
    after = journal.history.placesPage(after, rowsAtOnce, (key, interval) => {
      if (open?.key !== key) {
        if (open !== null) device(open.key, open.intervals)
        open = { key, intervals: [] }
      }
      open.intervals.push(interval)
    })
  } while (after !== null)
  const last = open as { key: string; intervals: DevicePlace[] } | null
  if (last !== null) device(last.key, last.intervals)
  const isFirstSync = ({ kind, key, at }: PlaceChange) =>
    kind === 'appeared' && at < (began.get(key.slice(0, key.lastIndexOf('/'))) ?? 0) + firstSyncMs
  const recordedSince = began.size === 0 ? null : [...began.values()].reduce((one, other) => Math.min(one, other))
  return { changes: changes.filter((change) => !isFirstSync(change)), recordedSince }
}

/** Returns the changes of one device, whose intervals are in order. */
function changesOf(key: string, intervals: readonly DevicePlace[], from: number, until: number): PlaceChange[] {
  const first = intervalAt(intervals, from)
  const last = intervalAt(intervals, until)
  if (first === last) return []
  if (first === null) return last === null ? [] : [{ kind: 'appeared', key, at: beginOf(intervals, last), last, first }]
  if (last === null) {
    const end = intervals.findLast((interval) => interval.from <= until) ?? first
    return [{ kind: 'gone', key, at: end.until ?? until, last: end, first }]
  }
  const changes: PlaceChange[] = []
  if (first.name !== last.name)
    changes.push({ kind: 'renamed', key, at: sinceOf(intervals, last, ({ name }) => name), last, first })
  if (placeOf(first) !== placeOf(last))
    changes.push({ kind: 'moved', key, at: sinceOf(intervals, last, placeOf), last, first })
  return changes
}

const placeOf = ({ site, room }: DevicePlace): string => JSON.stringify([site?.id ?? null, room?.id ?? null])

const intervalAt = (intervals: readonly DevicePlace[], time: number): DevicePlace | null =>
  intervals.findLast(({ from, until }) => from <= time && (until === null || until > time)) ?? null

/** Returns since when it has been listed without a gap. */
function beginOf(intervals: readonly DevicePlace[], last: DevicePlace): number {
  let begin = last.from
  for (const { from, until } of intervals.slice(0, intervals.indexOf(last)).toReversed()) {
    if (until !== begin) break
    begin = from
  }
  return begin
}

/** Returns since when a value has been what it is in `last`. */
function sinceOf(intervals: readonly DevicePlace[], last: DevicePlace, value: (of: DevicePlace) => string): number {
  let since = last.from
  for (const interval of intervals.slice(0, intervals.indexOf(last)).toReversed()) {
    if (value(interval) !== value(last)) break
    since = interval.from
  }
  return since
}
