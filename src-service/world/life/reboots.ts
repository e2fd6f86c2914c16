import { startRandom } from '../random.ts'
import { startTick } from './tick.ts'
import type { World } from '../world.ts'

const SECOND = 1000
const TICK = 250

/** Reboots in progress: a device is offline for 20 to 60 seconds of the service's clock, then recovers. */
export type Reboots = {
  /** Begins reboots; returns the devices that were connected, and now are offline. */
  begin(deviceIds: readonly string[]): string[]
  /** Ends all due reboots at once; this also runs four times a second. */
  turn(): void
  stop(): void
}

type RebootOptions = {
  world: World
  /** The same seed gives the same durations. */
  seed: number
  /** Milliseconds since 1970. */
  now: () => number
}

export function startReboots({ world, seed, now }: RebootOptions): Reboots {
  const random = startRandom(seed ^ 0x2eb007)
  const stop = startTick('Devices that reboot do not come back', TICK, () => world.endReboots())
  return {
    begin: (deviceIds) => deviceIds.filter((id) => world.beginReboot(id, now() + random.int(20 * SECOND, 60 * SECOND))),
    turn: () => world.endReboots(),
    stop,
  }
}
