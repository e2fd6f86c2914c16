import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { isMonitoringLost } from '../lib/format/connection-status.ts'
import { clockTime, span, type Times } from '../lib/format/time.ts'
import type { Reach } from '../lib/session.ts'

/** An answer of the core that is older than this (ms) is missed; one comes every five seconds. */
const missedAfter = 15_000

interface Given {
  reach: Reach
  /** When the core last answered (ms); null before the first answer. */
  answeredAt: number | null
  connections: readonly Pick<ConnectionState, 'name' | 'link' | 'paused' | 'heardAt' | 'lastReadingAt'>[]
}

/** What is not as it is now, a line each, the oldest first; none while the picture is live. */
export function oldLines({ reach, answeredAt, connections }: Given, now: number, times: Times): readonly string[] {
  if (reach.state === 'lost') return [`Muster’s core is not running: no answer for ${span(now - reach.at)}`]
  if (answeredAt !== null && now - answeredAt > missedAfter)
    return [`Muster has not answered since ${clockTime(answeredAt, now, times)}, ${span(now - answeredAt)} ago`]
  if (connections.length === 0) return ['There is no connection']
  return connections
    .filter(isMonitoringLost)
    .toSorted((one, other) => (one.heardAt ?? 0) - (other.heardAt ?? 0))
    .map((connection) => lineOf(connection, now, times))
}

function lineOf({ name, paused, heardAt }: Given['connections'][number], now: number, times: Times): string {
  const heard =
    heardAt === null ? 'never heard' : `last heard ${clockTime(heardAt, now, times)}, ${span(now - heardAt)} ago`
  return `${name}: ${paused ? 'paused, ' : ''}${heard}`
}
