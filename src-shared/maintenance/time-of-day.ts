/** By which clock a time of day is meant: this computer's, or UTC. */
type Times = 'local' | 'utc'

/** The next time that it is so late, by that clock; `now` and the answer in ms since the epoch. */
export function nextTime(hours: number, minutes: number, now: number, times: Times): number {
  return turned(hours, minutes, now, times, 1)
}

/** The last time that it was so late, by that clock. */
export function lastTime(hours: number, minutes: number, now: number, times: Times): number {
  return turned(hours, minutes, now, times, -1)
}

/** Day by day: a day is not always 24 hours long. */
function turned(hours: number, minutes: number, now: number, times: Times, step: 1 | -1): number {
  for (let days = 0; ; days += step) {
    const date = new Date(now)
    if (times === 'utc') date.setUTCHours(hours + days * 24, minutes, 0, 0)
    else {
      date.setHours(0, 0, 0, 0)
      date.setDate(date.getDate() + days)
      date.setHours(hours, minutes, 0, 0)
    }
    if (step === 1 ? date.getTime() > now : date.getTime() < now) return date.getTime()
  }
}
