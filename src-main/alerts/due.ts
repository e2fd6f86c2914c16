import type { Drop, Rules, State } from './state.ts'

/** When a device has been down, or back, for the hold-off; null when nothing is to be told of it. */
export function holdsUntil({ at, telling, backAt }: Drop, { holdOffMs }: Rules): number | null {
  if (telling === null) return at + holdOffMs
  return backAt === null ? null : backAt + holdOffMs
}

export const isPaused = ({ pause }: State, now: number): boolean => pause !== null && now < pause.until

/**
 * Devices whose hold-off is over, and those that are told about with them: what is down by a telling, and what was told
 * to be back of one that ends.
 */
export function keysToAsk(state: State, rules: Rules, now: number, all: boolean): string[] {
  const due = keysDue(state, rules, now, all)
  const told = [...state.drops.values()].filter(({ telling, backAt }) => telling !== null && backAt === null)
  const returned = due.flatMap((key) => state.drops.get(key) ?? []).filter(({ backAt }) => backAt !== null)
  const ending = new Set(returned.map(({ telling }) => telling))
  const backs = [...state.tellings].flatMap(([id, { open }]) => (ending.has(id) ? (open?.backs ?? []) : []))
  const idle = due.length === 0 && ![...state.blind.values()].some(({ sightedAt }) => sightedAt !== null)
  return idle ? [] : [...new Set([...due, ...told.map(({ key }) => key), ...backs])]
}

/**
 * Their hold-off is over. With `all` also those that wait for something else; and while tenants have
 * come back of which nothing was said yet, because all that was found there is said with it.
 */
function keysDue({ drops, blind }: State, rules: Rules, now: number, all: boolean): string[] {
  const every = all || [...blind.values()].some(({ sightedAt }) => sightedAt !== null)
  return [...drops.values()].flatMap((drop) => {
    const due = holdsUntil(drop, rules)
    return due !== null && due <= now && (every || drop.waitUntil <= now) ? [drop.key] : []
  })
}

/**
 * When to look next; null when nothing waits. What ends its hold-off within the gather window of the first is waited
 * for, and no longer: as the window is no longer than the hold-off, all of it has begun by then.
 */
export function nextLook(state: State, rules: Rules): number | null {
  const times = timesOf(state, rules)
  const first = times.reduce((least, time) => Math.min(least, time), Infinity)
  const last = times.reduce((most, time) => (time <= first + rules.gatherMs ? Math.max(most, time) : most), -Infinity)
  const until = state.pause?.until ?? -Infinity
  const next = Math.max(Number.isFinite(last) ? last : until, until)
  return Number.isFinite(next) ? next : null
}

function timesOf({ drops, blind }: State, rules: Rules): number[] {
  const ofDrops = [...drops.values()].flatMap((drop) => {
    const due = holdsUntil(drop, rules)
    return due === null || drop.waitUntil === Infinity ? [] : [Math.max(due, drop.waitUntil)]
  })
  const ofSight = [...blind.values()].flatMap(({ telling, noticedAt, sightedAt, waitUntil }) => {
    if (telling !== null) return sightedAt === null ? [] : [Math.max(sightedAt + rules.holdOffMs, waitUntil)]
    return rules.blind ? [Math.max(noticedAt + rules.holdOffMs, waitUntil)] : []
  })
  return [...ofDrops, ...ofSight]
}
