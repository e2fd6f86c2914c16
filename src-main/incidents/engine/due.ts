import type { Drop, PlaceThresholds, Flaps, Thresholds, State } from './state.ts'

export const isPaused = ({ pause }: Pick<State, 'pause'>, now: number): boolean => pause !== null && now < pause.until

/** Null while they have to be asked for: only where some node has figures of its own. */
export function thresholdsOf(
  { figures }: { figures: PlaceThresholds | null },
  rules: Thresholds,
): PlaceThresholds | null {
  return figures ?? (rules.nodes.size === 0 ? rules.own : null)
}

/** When a device has been down, or back, for the hold-off; null when nothing is to be weighed of it. */
export function holdsUntil(drop: Drop, { holdOffMs, recoveryMs }: PlaceThresholds): number | null {
  if (drop.flapping || drop.returned) return null
  if (drop.incident === null) return drop.at + holdOffMs
  return drop.backAt === null ? null : drop.backAt + recoveryMs
}

/** A drop that is within its hold-off: nobody knows yet whether it lasts. */
export function isHeld(drop: Drop, rules: Thresholds, now: number): boolean {
  return drop.incident === null && (holdsUntil(drop, drop.figures ?? rules.own) ?? now) > now
}

/** Transitions within the time that makes a device flap. */
export const lately = ({ times }: Flaps, { flapMs }: PlaceThresholds, now: number): number =>
  times.filter((at) => at > now - flapMs).length
/** A device that flaps is steady again when it has changed at most once in that time: it takes more to begin than to go on. */
export const mostWhileSteady = 1

/** When one that flaps is steady again, if nothing more comes. */
function steadyAt(flaps: Flaps | undefined, { flapMs }: PlaceThresholds): number {
  const last = flaps?.times.at(-1 - mostWhileSteady)
  return last === undefined ? -Infinity : last + flapMs
}

/** Devices of which is to be asked by which figures they are weighed. */
export function keysWithoutThresholds({ drops, flaps }: State, rules: Thresholds): string[] {
  if (rules.nodes.size === 0) return []
  const held = [...drops.values()].filter(({ figures }) => figures === null).map(({ key }) => key)
  const least = [...rules.nodes.values()].reduce(
    (fewest, node) => Math.min(fewest, node.flaps ?? Infinity),
    rules.own.flaps,
  )
  const often = [...flaps]
    .filter(([, { times, figures }]) => figures === null && times.length >= least)
    .map(([key]) => key)
  return [...new Set([...held, ...often])]
}

/** Transitions of a device that are kept beyond those that make it flap: by them it is known since when it does. */
export const timesBeyond = 20

/** Devices that changed as often as makes them flap, and are not known to; and when they are gathered, as drops are (`gatheredAt`). */
export function beginToFlap(
  { flaps, drops }: Pick<State, 'flaps' | 'drops'>,
  rules: Thresholds,
  now: number,
): { keys: string[]; at: number } {
  const found = [...flaps].flatMap(([key, one]) => {
    const figures = thresholdsOf(one, rules)
    if (
      figures === null ||
      one.times.length < figures.flaps ||
      drops.get(key)?.flapping === true ||
      lately(one, figures, now) < figures.flaps
    )
      return []
    return [{ key, at: (flapsSince(one, figures) ?? now) + Math.min(figures.gatherMs, figures.holdOffMs) }]
  })
  return { keys: found.map(({ key }) => key), at: found.reduce((first, { at }) => Math.min(first, at), Infinity) }
}

/** When a device had changed as often as makes it flap, as far back as its transitions are kept. */
export function flapsSince({ times }: Flaps, { flaps, flapMs }: PlaceThresholds): number | undefined {
  return times.find((at, index) => index >= flaps - 1 && at - (times[index - flaps + 1] ?? -Infinity) < flapMs)
}

/**
 * When the first group of hold-offs ends. What ends its hold-off within the gather window of the first is waited for, and
 * no longer. `counts`: which devices wait for nothing else.
 */
export function groupedAt(drops: Iterable<Drop>, rules: Thresholds, counts: (drop: Drop) => boolean): number | null {
  const ends = [...drops].flatMap((drop) => {
    const figures = thresholdsOf(drop, rules)
    const due = figures === null || !counts(drop) ? null : holdsUntil(drop, figures)
    return due === null || figures === null
      ? []
      : [
          {
            due: drop.waitUntil === Infinity ? due : Math.max(due, drop.waitUntil),
            gatherMs: Math.min(figures.gatherMs, figures.holdOffMs),
          },
        ]
  })
  const first = ends.reduce<{ due: number; gatherMs: number } | null>(
    (least, one) => (least === null || one.due < least.due ? one : least),
    null,
  )
  if (first === null) return null
  return ends.reduce((last, { due }) => (due <= first.due + first.gatherMs ? Math.max(last, due) : last), first.due)
}

/**
 * Devices whose hold-off is over, or that begin or cease to flap, and with them all that are in incidents: how these stand
 * is told with them, and what is not asked for counts as not seen. With `all` also those that wait for something else.
 */
export function keysToAsk(state: State, rules: Thresholds, now: number, all: boolean): string[] {
  const every = all || [...state.blind.values()].some(({ sightedAt }) => sightedAt !== null)
  const due = [...state.drops.values()].filter((drop) => isDue(state, drop, rules, now, every)).map(({ key }) => key)
  const flapping = beginToFlap(state, rules, now)
  const begin = flapping.at <= now ? flapping.keys : []
  const inside = [...state.drops.values()].filter(({ incident }) => incident !== null).map(({ key }) => key)
  const backs = [...state.incidents.values()].flatMap(({ backs }) => backs)
  return [...new Set([...due, ...begin, ...inside, ...backs])]
}

function isDue({ flaps }: State, drop: Drop, rules: Thresholds, now: number, every: boolean): boolean {
  const figures = thresholdsOf(drop, rules)
  if (figures === null || (!every && drop.waitUntil > now)) return false
  const due = drop.flapping ? steadyAt(flaps.get(drop.key), figures) : holdsUntil(drop, figures)
  return due !== null && due <= now
}

/** When to look next; null when nothing waits. */
export function nextEvaluation(state: State, rules: Thresholds, now: number): number | null {
  const gathered = groupedAt(state.drops.values(), rules, ({ waitUntil }) => waitUntil !== Infinity)
  const flapping = [...state.drops.values()].flatMap((drop) => {
    const figures = thresholdsOf(drop, rules)
    return drop.flapping && figures !== null && drop.waitUntil !== Infinity
      ? [Math.max(steadyAt(state.flaps.get(drop.key), figures), drop.waitUntil)]
      : []
  })
  const begin = beginToFlap(state, rules, now).at
  const times = [
    ...flapping,
    ...(begin === Infinity ? [] : [Math.max(begin, now)]),
    ...sightTimes(state, rules),
    ...[gathered, notifiesAt(state)].filter((at) => at !== null),
  ]
  return times.length === 0 ? null : times.reduce((least, at) => Math.min(least, at), Infinity)
}

function sightTimes({ blind, pause }: State, { own, blind: tells }: Thresholds): number[] {
  const until = pause?.until ?? -Infinity
  return [...blind.values()].flatMap(({ telling, noticedAt, sightedAt, waitUntil }) => {
    if (telling !== null) return sightedAt === null ? [] : [Math.max(sightedAt + own.holdOffMs, waitUntil, until)]
    return tells ? [Math.max(noticedAt + own.holdOffMs, waitUntil, until)] : []
  })
}

/** When something may be said that is known already: after a pause, a maintenance window, a snooze, or a minute after the last time. */
export function notifiesAt({ incidents, held, pause, waits }: State): number | null {
  const snoozes = [...incidents.values()].flatMap(({ snoozed, closedAt }) =>
    closedAt === null && snoozed?.until != null ? [snoozed.until] : [],
  )
  const times = [...snoozes, ...[...held.values()].map(({ until }) => until), ...(waits === null ? [] : [waits])]
  // Nothing is said before the end of a pause, and at its end whatever it held back.
  const next = pause?.until ?? times.reduce((least, at) => Math.min(least, at), Infinity)
  return Number.isFinite(next) ? next : null
}
