import { startRandom } from '../random.ts'
import { startRebootOutcomes } from './reboot-outcomes.ts'
import type { RebootOptions, RebootOutcomes } from './reboot-outcomes.ts'
import { startTick } from './tick.ts'
import type { World } from '../world.ts'

const SECOND = 1000
const TICK = 250

/** Reboots in progress: a device is offline for a while of the service's clock, by default 20 to 60 s. */
export type Reboots = {
  /** Begins reboots; returns the devices that took the order: those that were connected and did not refuse. */
  begin(deviceIds: readonly string[]): string[]
  outcomes: RebootOutcomes
  /** Ends all due reboots at once; this also runs four times a second. */
  turn(): void
  stop(): void
}

type RebootsOptions = {
  world: World
  /** The same seed gives the same durations. */
  seed: number
  /** Milliseconds since 1970. */
  now: () => number
  options?: RebootOptions
}

export function startReboots({ world, seed, now, options = {} }: RebootsOptions): Reboots {
  const random = startRandom(seed ^ 0x2eb007)
  const outcomes = startRebootOutcomes(options, seed)
  const [least, most] = options.seconds ?? [20, 60]
  const stop = startTick('Devices that reboot do not come back', TICK, () => world.endReboots())
  const backAt = (id: string): number =>
    outcomes.of(id) === 'lost' ? Number.MAX_SAFE_INTEGER : now() + random.int(least * SECOND, most * SECOND)
  const begin = (id: string): boolean => {
    const outcome = outcomes.of(id)
    if (outcome === 'unseen') return world.rebootUnseen(id)
    return outcome === 'ignored' || (outcome !== 'refused' && world.beginReboot(id, backAt(id)))
  }
  return {
    begin: (ids) => ids.filter(begin),
    outcomes,
    turn: () => world.endReboots(),
    stop,
  }
}
