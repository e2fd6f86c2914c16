import { months, type Times } from '../../lib/format/time.ts'

/** A moment between the ends of a strip, with the word that stands under it. `share`: how far from the beginning, 0 to 1. */
export interface Tick {
  share: number
  word: string
}

const hour = 3_600_000
const day = 24 * hour
/** So near to an end the words of both would touch in the narrowest strip, which is 330 px wide; a word stands behind its tick. */
const apart = { first: 0.14, last: 0.21 }
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Times of day under a strip of a day, days under one of a week, Mondays under a longer one: by the operator's clock, so that a drop can be dated at a glance. */
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

/** Clocks that are not set by whole hours have no whole hour at a whole hour of UTC: there the hour counts that has just begun. */
function read(moment: number, times: Times): { hours: number; weekday: number; date: number; month: number } {
  const at = new Date(moment)
  if (times === 'utc')
    return { hours: at.getUTCHours(), weekday: at.getUTCDay(), date: at.getUTCDate(), month: at.getUTCMonth() }
  return { hours: at.getHours(), weekday: at.getDay(), date: at.getDate(), month: at.getMonth() }
}
