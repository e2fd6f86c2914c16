import { startRandom } from '../random.ts'
import { startTick } from './tick.ts'
import type { World } from '../world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** One drop every 5 s in a fleet of 5,000, and proportionally more in a larger one. */
const DROPS_PER_DEVICE_AND_MS = 1 / (5000 * 5 * SECOND)

/** Random events of devices as a function of time alone: the same seed and the same world give the same events. */
export type Life = {
  /**
   * Advances the time by `ms`. After an error (the world cannot be written), the next call repeats the failed event
   * first.
   */
  advance(ms: number): void
}

type Due = { at: number; id: string; connected: boolean }

/**
 * Creates random drops. Single devices drop and recover after 20 s to 10 min. Every 3 to 5 minutes (the first time
 * after 90 s) a whole site drops within seconds and recovers within 1 to 3 minutes; only sites of up to 1 % of the
 * fleet, so that about 1 % is offline.
 */
export function createLife(world: World, seed: number): Life {
  const random = startRandom(seed ^ 0x1f1fe)
  const { online, offline, staged } = world.totals()
  const fleet = Math.max(1, online + offline + staged)
  const gap = (): number => -Math.log(1 - random.next()) / (fleet * DROPS_PER_DEVICE_AND_MS)
  const due: Due[] = []
  let [now, end, nextDrop, nextOutage] = [0, 0, gap(), 90 * SECOND]

  const plan = (at: number, id: string, connected: boolean): void => insert(due, { at, id, connected })
  const dropOne = (): void => {
    const id = world.anyConnected(random.next)
    if (id === undefined) return
    plan(now, id, false)
    plan(now + random.log(20 * SECOND, 10 * MINUTE), id, true)
  }
  const dropSite = (): void => {
    const fitting = world.siteSizes().filter(({ devices }) => devices >= 5 && devices <= Math.max(8, fleet / 100))
    if (fitting.length === 0) return
    const back = now + random.int(60, 180) * SECOND
    for (const id of world.connectedAt(random.pick(fitting).siteId)) {
      plan(now + random.int(0, 4000), id, false)
      plan(back + random.int(0, 15_000), id, true)
    }
  }
  // Devices that dropped shortly before the start recover like the others; those offline for long stay offline.
  for (const id of world.awayForLessThan(31 * MINUTE)) plan(random.log(20 * SECOND, 10 * MINUTE), id, true)

  return {
    advance(ms) {
      end += ms
      for (;;) {
        const next = Math.min(nextDrop, nextOutage, due[0]?.at ?? Infinity)
        if (next > end) break
        now = Math.max(now, next)
        if (next === due[0]?.at) applyFirst(world, due)
        else if (next === nextDrop) [nextDrop] = [now + gap(), dropOne()]
        else [nextOutage] = [now + random.int(180, 300) * SECOND, dropSite()]
      }
      now = end
    },
  }
}

/** Applies the first due event; a removed device has none. A failed event stays due. */
function applyFirst(world: World, due: Due[]): void {
  const [first] = due
  if (first && world.device(first.id)) world.setConnected(first.id, first.connected)
  due.shift()
}

function insert(list: Due[], due: Due): void {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.at ?? Infinity) <= due.at) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, due)
}

/** Runs it by the wall clock, four times a second, until stopped; `what` names the subject in error messages. */
export function startLife(what: string, life: Life): () => void {
  let before = performance.now()
  return startTick(what, 250, () => {
    const now = performance.now()
    const ms = now - before
    before = now
    life.advance(ms)
  })
}
