import { months, type Times } from '../../lib/format/time.ts'

/** A labelled moment on a strip. `share`: its position, 0 to 1. */
export interface Tick {
  share: number
  word: string
}

const hour = 3_600_000
const day = 24 * hour
/**
 * The minimum distance to an end at which the labels do not overlap in the narrowest strip (330 CSS pixels). A label
 * follows its tick.
 */
const apart = { first: 0.14, last: 0.21 }
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/**
 * Returns the ticks of a strip in the operator's zone: times of day for a day, days for a week, Mondays for longer
 * ranges.
 */
export function ticksOf(from: number, until: number, times: Times): readonly Tick[] {
  const length = until - from
  const hourly = length <= 2 * day
  const found: Tick[] = []
  for (let moment = Math.ceil(from / hour) * hour; moment < until; moment += hour) {
    const { hours, weekday, date, month } = read(moment, times)
    const isTick = hourly ? hours % 6 === 0 : hours === 0 && (length <= 8 * day || weekday === 1)
    const share = (moment - from) / length
    if (!isTick || share < apart.first || share > 1 - apart.last) continue
    found.push({
      share,
      word: hourly
        ? `${String(hours).padStart(2, '0')}:00`
        : length <= 8 * day
          ? `${days[weekday]} ${date}`
          : `${date} ${months[month]}`,
    })
  }
  return found
}

/** Reads a moment. In zones with a fraction of an hour, the hour that has just begun counts. */
function read(moment: number, times: Times): { hours: number; weekday: number; date: number; month: number } {
  const at = new Date(moment)
  if (times === 'utc')
    return { hours: at.getUTCHours(), weekday: at.getUTCDay(), date: at.getUTCDate(), month: at.getUTCMonth() }
  return { hours: at.getHours(), weekday: at.getDay(), date: at.getDate(), month: at.getMonth() }
}
