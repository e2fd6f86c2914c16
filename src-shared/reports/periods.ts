import type { Zones } from '../maintenance/zones.ts'

const dayMs = 86_400_000

/** A whole week, from Monday, or month. Times in ms. */
export interface Period {
  /** "2026-W47" (ISO 8601), or "2026-10". */
  name: string
  from: number
  until: number
}

/** Returns the last whole week or month before a time, in a zone. */
export function lastPeriod(every: 'week' | 'month', zones: Zones, zone: string, now: number): Period {
  const today = Math.floor((now + zones.offsetAt(zone, now)) / dayMs)
  const midnight = (day: number) => zones.firstAt(zone, day * dayMs)
  if (every === 'week') {
    const monday = today - ((today + 3) % 7)
    return { name: weekName(monday - 7), from: midnight(monday - 7), until: midnight(monday) }
  }
  const date = new Date(today * dayMs)
  const firstOf = (month: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + month, 1)
  return {
    name: new Date(firstOf(-1)).toISOString().slice(0, 7),
    from: midnight(firstOf(-1) / dayMs),
    until: midnight(firstOf(0) / dayMs),
  }
}

/** Returns the ISO 8601 name of the week of a Monday: it belongs to the year of its Thursday. */
function weekName(monday: number): string {
  const year = new Date((monday + 3) * dayMs).getUTCFullYear()
  const first = Date.UTC(year, 0, 4) / dayMs
  const firstMonday = first - ((first + 3) % 7)
  return `${year}-W${String((monday - firstMonday) / 7 + 1).padStart(2, '0')}`
}
