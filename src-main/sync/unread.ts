import { want, type Running } from './running.ts'

/** What comes within this time is one comparison. */
const gatherMs = 2_000
/** While such events go on coming: twice as long each time. */
const [firstAgainMs, longestAgainMs] = [30_000, 30 * 60_000]

/** Events that cannot be read: they may be of any device that is listened to, so that all are compared soon. */
export interface Unread {
  add(): void
  stop(): void
}

export function startUnread(estate: Running): Unread {
  const { clock, log } = estate.options
  let [count, times, freeAt] = [0, 0, 0]
  let cancel = () => {}
  const compare = () => {
    // None has come for as long as was waited for the next.
    if (clock.monotonic() - freeAt > longestAgainMs) times = 0
    log('warn', `live: ${count} events could not be read, the devices are compared`)
    freeAt = clock.monotonic() + Math.min(longestAgainMs, firstAgainMs * 2 ** times)
    times += 1
    count = 0
    want(estate, 'states')
  }
  return {
    add() {
      count += 1
      if (count === 1) cancel = clock.after(Math.max(gatherMs, freeAt - clock.monotonic()), compare)
    },
    stop: () => cancel(),
  }
}
