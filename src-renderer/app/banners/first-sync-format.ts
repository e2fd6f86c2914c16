import { smallest } from '../../../src-shared/lib/extremes.ts'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { isPausedByOperator } from '../../lib/format/connection-status.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { countdown } from '../../lib/format/time.ts'

/**
 * The progress of the first syncs, over all connections that have not completed one. `expected` is null when a total is
 * unknown.
 */
export interface FirstSyncState {
  read: number
  expected: number | null
}

const isFirst = ({ lastReadingAt, paused, sync }: ConnectionState) =>
  lastReadingAt === null && !paused && sync.state !== 'idle' && sync.what === 'inventory'

/** Returns the progress; null when no connection runs its first sync. */
export function firstSync(connections: readonly ConnectionState[]): FirstSyncState | null {
  const first = connections.filter(isFirst).flatMap(({ sync }) => (sync.state === 'idle' ? [] : [sync]))
  if (first.length === 0) return null
  const totals = first.map(({ expected }) => expected)
  return {
    read: first.reduce((sum, { read }) => sum + read, 0),
    expected: totals.includes(null) ? null : totals.reduce<number>((sum, expected) => sum + (expected ?? 0), 0),
  }
}

/**
 * Returns for example "15,284 of 62,000 devices. Counts are incomplete until it ends.", with the reason when all first
 * syncs are on hold.
 */
export function firstSyncText(
  { read, expected }: FirstSyncState,
  connections: readonly ConnectionState[],
  now: number,
  gauges: readonly Gauge[],
): string {
  const far =
    expected === null ? `${many(read, 'device')} so far` : `${numberText(read)} of ${many(expected, 'device')}`
  return `${far}. ${holdUp(connections.filter(isFirst), now, gauges)}Counts are incomplete until it ends.`
}

function holdUp(first: readonly ConnectionState[], now: number, gauges: readonly Gauge[]): string {
  if (first.every((connection) => isPausedByOperator(connection, gauges))) return 'Background work is paused. '
  const waits = first.map(({ sync }) => (sync.state === 'holding' ? sync.until : null))
  const forService = first.every(({ sync }) => sync.state === 'holding' && sync.why === 'service')
  const why = forService ? 'The service is unavailable, it asks to wait' : 'Waiting for points'
  if (waits.includes(null)) return ''
  const until = smallest(waits.map((at) => at ?? Infinity))
  return until <= now ? `${why}. ` : `${why}, ${countdown(until, now)}. `
}
