import { seeded } from '../../../../bench/inventory/world.ts'

/** True time of a made-up world, in ms. Nothing happens by itself: `run` lets it pass. */
export interface World {
  now(): number
  /** Calls `run` once after `ms` of true time. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
  /** Lets time pass up to a moment; `onStep` is called after each thing that happens. */
  run(until: number, onStep: () => void): Promise<void>
  /** A random number from 0 to below 1, the same ones for a seed. */
  random(): number
}

interface Planned {
  at: number
  order: number
  run: () => void
}

export function createWorld(seed: number): World {
  let now = 0
  let order = 0
  let planned: Planned[] = []
  const random = seeded(seed)
  return {
    now: () => now,
    after(ms, run) {
      order += 1
      const one = { at: now + Math.max(0, ms), order, run }
      planned.push(one)
      return () => {
        planned = planned.filter((other) => other !== one)
      }
    },
    async run(until, onStep) {
      for (;;) {
        await settled()
        onStep()
        const next = nextOf(planned)
        if (next === undefined || next.at > until) break
        planned = planned.filter((other) => other !== next)
        now = next.at
        next.run()
      }
      now = until
    },
    random,
  }
}

function nextOf(planned: readonly Planned[]): Planned | undefined {
  let next = planned[0]
  for (const one of planned)
    if (next === undefined || one.at < next.at || (one.at === next.at && one.order < next.order)) next = one
  return next
}

/** Lets every promise go on that can. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** A computer of the world: its clock drifts, its wall clock is off, and it may stand still. */
export interface Computer {
  clock: { now(): number; monotonic(): number; after(ms: number, run: () => void): () => void }
  /** Runs something now; when it stands still, as soon as it goes on. */
  deliver(run: () => void): void
  isStill(): boolean
  /** Stands still for `ms`. Asleep, its monotonic clock stands still as well. */
  still(ms: number, asleep: boolean): void
  /** Nothing runs on it any more. */
  kill(): void
}

/** `rate`: how fast its clock runs; `offsetMs`: how far its wall clock is off. */
export function createComputer(world: World, rate: number, offsetMs: number): Computer {
  let isDead = false
  let stillUntil = 0
  let sleptFrom: number | null = null
  let slept = 0
  let due: (() => void)[] = []
  const monotonic = () => {
    const asleep = sleptFrom === null ? 0 : world.now() - sleptFrom
    return (world.now() - slept - asleep) * rate
  }
  const wake = () => {
    if (world.now() < stillUntil) return
    if (sleptFrom !== null) slept += world.now() - sleptFrom
    sleptFrom = null
    for (const run of due.splice(0)) run()
  }
  const isStill = () => world.now() < stillUntil
  const deliver = (run: () => void) => {
    if (isDead) return
    if (isStill()) due.push(() => deliver(run))
    else run()
  }
  const after = (ms: number, run: () => void) => {
    const target = monotonic() + ms
    let cancelled = false
    let cancel = () => {}
    const plan = () => {
      cancel = world.after((target - monotonic()) / rate, () =>
        deliver(() => {
          if (cancelled) return
          if (monotonic() < target - 1e-6) plan()
          else run()
        }),
      )
    }
    plan()
    return () => {
      cancelled = true
      cancel()
    }
  }
  return {
    clock: { now: () => world.now() * rate + offsetMs, monotonic, after },
    deliver,
    isStill,
    still(ms, asleep) {
      if (isDead || isStill()) return
      stillUntil = world.now() + ms
      if (asleep) sleptFrom = world.now()
      world.after(ms, wake)
    },
    kill() {
      isDead = true
      due = []
    },
  }
}
