import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { nameText } from '../../../src-shared/text/names.ts'
import { textItem, type Entry } from './entry.ts'
import { numberText } from './status.ts'

/** Returns the credential set with the lowest share of points left; undefined before any is known. */
export function lowestBalance(gauges: readonly Gauge[]): Gauge | undefined {
  const share = ({ remaining, limit }: Gauge) => (limit <= 0 ? 0 : remaining / limit)
  return gauges.filter(({ resetAt }) => resetAt !== null).toSorted((one, other) => share(one) - share(other))[0]
}

/**
 * Returns the line "Points: 84,200 of 100,000 left, reset at 02:11:30", with a name where there are several sets. It
 * shows the time of the reset, because an open menu is not updated.
 */
export function balanceEntry(gauges: readonly Gauge[], now: number, utc: boolean): Entry[] {
  const gauge = lowestBalance(gauges)
  if (gauge === undefined) return []
  const { remaining, limit, resetAt, known, name } = gauge
  const whose = gauges.length > 1 ? ` of ${nameText(name)}` : ''
  const guess = known ? '' : ', a guess'
  return [
    textItem(
      'points',
      `Points${whose}: ${numberText(remaining)} of ${numberText(limit)} left${guess}, ${resetText(resetAt ?? now, now, utc)}`,
    ),
  ]
}

function resetText(resetAt: number, now: number, utc: boolean): string {
  const at = `${new Intl.DateTimeFormat('en-GB', { ...(utc ? { timeZone: 'UTC' } : {}), hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(resetAt)}${utc ? ' UTC' : ''}`
  return resetAt > now ? `reset at ${at}` : `reset since, at ${at}`
}
