import { startRandom } from '../random.ts'
import { startTick } from './tick.ts'
import type { World } from '../world.ts'

const SECOND = 1000
const TICK = 250

/** Reboots that are under way: a device is offline for 20 to 60 seconds of the service's clock, then comes back. */
export type Reboots = {
  /** Those of these devices that were connected, and now are not. */
  begin(deviceIds: readonly string[]): string[]
  /** Brings back at once whoever is due. It happens by itself four times a second. */
  turn(): void
  stop(): void
}

type RebootOptions = {
  world: World
  /** The same seed draws the same times. */
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
