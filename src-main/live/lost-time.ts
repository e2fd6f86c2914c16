import type { Clock } from '../../src-shared/clock.ts'

const lookEveryMs = 5_000
/** The clocks run apart by less, on any computer that is awake and whose clock nobody sets. */
const apartMs = 15_000
/** Where sleep counts for both clocks, this late is no business any more. What is shorter the Pong's deadline finds out. */
const lateMs = 10 * 60_000

/**
 * Hears of time that was lost: the computer slept, or its clock was set. What a socket says after that may have happened at
 * any moment of it. Returns the way off.
 */
export function watchLostTime(clock: Clock, onLost: (ms: number) => void): () => void {
  let cancel = () => {}
  const look = () => {
    const [wall, monotonic] = [clock.now(), clock.monotonic()]
    cancel = clock.after(lookEveryMs, () => {
      const [wallTook, took] = [clock.now() - wall, clock.monotonic() - monotonic]
      look()
      if (Math.abs(wallTook - took) >= apartMs || took - lookEveryMs >= lateMs) onLost(wallTook - lookEveryMs)
    })
  }
  look()
  return () => cancel()
}
