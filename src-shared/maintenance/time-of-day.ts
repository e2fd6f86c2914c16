/** The clock of a time of day: this computer's, or UTC. */
type Times = 'local' | 'utc'

/** Returns the next moment with this time of day; `now` and the result are ms since the epoch. */
export function nextTime(hours: number, minutes: number, now: number, times: Times): number {
  return turned(hours, minutes, now, times, 1)
}

/** Returns the last moment with this time of day, in ms since the epoch. */
export function lastTime(hours: number, minutes: number, now: number, times: Times): number {
  return turned(hours, minutes, now, times, -1)
}

/** Searches day by day, because not every day has 24 hours. */
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
