import type { PlaceThresholds, AlertRules } from './rules.ts'
import { isBlocked, type Drop } from './drop.ts'
import type { Flaps, State } from './state.ts'

export const isPaused = ({ pause }: Pick<State, 'pause'>, now: number): boolean => pause !== null && now < pause.until

/** Null while they have to be asked for: only where some node has figures of its own. */
export function thresholdsOf(
  { thresholds }: { thresholds: PlaceThresholds | null },
  rules: AlertRules,
): PlaceThresholds | null {
  return thresholds ?? (rules.nodes.size === 0 ? rules.defaults : null)
}

/** When a device has been down, or back, for the hold-off; null when nothing is to be weighed of it. */
export function pendingUntil(drop: Drop, { holdOffMs, recoveryMs }: PlaceThresholds): number | null {
  if (drop.kind === 'suspect') return drop.at + holdOffMs
  return drop.kind === 'recovering' ? drop.back.at + recoveryMs : null
}

/** A drop that is within its hold-off: nobody knows yet whether it lasts. */
export function isPending(drop: Drop, rules: AlertRules, now: number): boolean {
  return drop.kind === 'suspect' && (pendingUntil(drop, drop.thresholds ?? rules.defaults) ?? now) > now
}

/** Transitions within the time that makes a device flap. */
export const recentTransitions = ({ times }: Flaps, { flapPeriodMs }: PlaceThresholds, now: number): number =>
  times.filter((at) => at > now - flapPeriodMs).length
/** A device that flaps is steady again when it has changed at most once in that time: it takes more to begin than to go on. */
export const maxWhileSteady = 1

/** When one that flaps is steady again, if nothing more comes. */
function steadyAt(flaps: Flaps | undefined, { flapPeriodMs }: PlaceThresholds): number {
  const last = flaps?.times.at(-1 - maxWhileSteady)
  return last === undefined ? -Infinity : last + flapPeriodMs
}

/** Devices of which is to be asked by which figures they are weighed. */
export function keysWithoutThresholds({ drops, flaps }: State, rules: AlertRules): string[] {
  if (rules.nodes.size === 0) return []
  const pending = [...drops.values()].filter(({ thresholds }) => thresholds === null).map(({ key }) => key)
  const minDevices = [...rules.nodes.values()].reduce(
    (fewest, node) => Math.min(fewest, node.flapTransitions ?? Infinity),
    rules.defaults.flapTransitions,
  )
  const often = [...flaps]
    .filter(([, { times, thresholds }]) => thresholds === null && times.length >= minDevices)
    .map(([key]) => key)
  return [...new Set([...pending, ...often])]
}

/** Transitions of a device that are kept beyond those that make it flap: by them it is known since when it does. */
export const extraTimes = 20

/** Devices that changed as often as makes them flap, and are not known to; and when they are gathered, as drops are (`gatheredAt`). */
export function startingToFlap(
  { flaps, drops }: Pick<State, 'flaps' | 'drops'>,
  rules: AlertRules,
  now: number,
): { keys: string[]; at: number } {
  const found = [...flaps].flatMap(([key, one]) => {
    const thresholds = thresholdsOf(one, rules)
    if (
      thresholds === null ||
      one.times.length < thresholds.flapTransitions ||
      drops.get(key)?.kind === 'flapping' ||
      recentTransitions(one, thresholds, now) < thresholds.flapTransitions
    )
      return []
    return [
      { key, at: (flappingSince(one, thresholds) ?? now) + Math.min(thresholds.groupingMs, thresholds.holdOffMs) },
    ]
  })
  return { keys: found.map(({ key }) => key), at: found.reduce((first, { at }) => Math.min(first, at), Infinity) }
}

/** When a device had changed as often as makes it flap, as far back as its transitions are kept. */
export function flappingSince(
  { times }: Flaps,
  { flapTransitions, flapPeriodMs }: PlaceThresholds,
): number | undefined {
  return times.find(
    (at, index) =>
      index >= flapTransitions - 1 && at - (times[index - flapTransitions + 1] ?? -Infinity) < flapPeriodMs,
  )
}

/**
 * When the first group of hold-offs ends. What ends its hold-off within the gather window of the first is waited for, and
 * no longer. `counts`: which devices wait for nothing else.
 */
export function groupedAt(drops: Iterable<Drop>, rules: AlertRules): number | null {
  const ends = [...drops].flatMap((drop) => {
    const thresholds = thresholdsOf(drop, rules)
    const due = thresholds === null || isBlocked(drop) ? null : pendingUntil(drop, thresholds)
    return due === null || thresholds === null
      ? []
      : [{ due, groupingMs: Math.min(thresholds.groupingMs, thresholds.holdOffMs) }]
  })
  const first = ends.reduce<{ due: number; groupingMs: number } | null>(
    (least, one) => (least === null || one.due < least.due ? one : least),
    null,
  )
  if (first === null) return null
  return ends.reduce((last, { due }) => (due <= first.due + first.groupingMs ? Math.max(last, due) : last), first.due)
}

/**
 * Devices whose hold-off is over, or that begin or cease to flap, and with them all that are in incidents: how these stand
 * is told with them, and what is not asked for counts as not seen. With `all` also those that wait for something else.
 */
export function keysToAsk(state: State, rules: AlertRules, now: number, all: boolean): string[] {
  const every = all || [...state.monitoringLost.values()].some(({ restoredAt }) => restoredAt !== null)
  const due = [...state.drops.values()].filter((drop) => isDue(state, drop, rules, now, every)).map(({ key }) => key)
  const flapping = startingToFlap(state, rules, now)
  const begin = flapping.at <= now ? flapping.keys : []
  const members = [...state.drops.values()].filter(({ kind }) => kind !== 'suspect').map(({ key }) => key)
  const recovered = [...state.incidents.values()].flatMap(({ recovered }) => recovered)
  return [...new Set([...due, ...begin, ...members, ...recovered])]
}

function isDue({ flaps }: State, drop: Drop, rules: AlertRules, now: number, every: boolean): boolean {
  const thresholds = thresholdsOf(drop, rules)
  if (thresholds === null || (!every && isBlocked(drop))) return false
  const due = drop.kind === 'flapping' ? steadyAt(flaps.get(drop.key), thresholds) : pendingUntil(drop, thresholds)
  return due !== null && due <= now
}

/** When to look next; null when nothing waits. */
export function nextEvaluation(state: State, rules: AlertRules, now: number): number | null {
  const gathered = groupedAt(state.drops.values(), rules)
  const flapping = [...state.drops.values()].flatMap((drop) => {
    const thresholds = thresholdsOf(drop, rules)
    return drop.kind === 'flapping' && thresholds !== null && !drop.isBlocked
      ? [steadyAt(state.flaps.get(drop.key), thresholds)]
      : []
  })
  const begin = startingToFlap(state, rules, now).at
  const times = [
    ...flapping,
    ...(begin === Infinity ? [] : [Math.max(begin, now)]),
    ...visibilityTimes(state, rules),
    ...[gathered, nextNotificationAt(state)].filter((at) => at !== null),
  ]
  return times.length === 0 ? null : times.reduce((least, at) => Math.min(least, at), Infinity)
}

function visibilityTimes({ monitoringLost, pause }: State, { defaults, notifyMonitoringLost }: AlertRules): number[] {
  const until = pause?.until ?? -Infinity
  return [...monitoringLost.values()].flatMap(({ notificationId, noticedAt, restoredAt, waitUntil }) => {
    if (notificationId !== null)
      return restoredAt === null ? [] : [Math.max(restoredAt + defaults.holdOffMs, waitUntil, until)]
    return notifyMonitoringLost ? [Math.max(noticedAt + defaults.holdOffMs, waitUntil, until)] : []
  })
}

/** When something may be said that is known already: after a pause, a maintenance window, a snooze, or a minute after the last time. */
export function nextNotificationAt({ incidents, maintenanceRuns, pause, deferredUntil }: State): number | null {
  const snoozes = [...incidents.values()].flatMap(({ snoozed, closedAt }) =>
    closedAt === null && snoozed?.until != null ? [snoozed.until] : [],
  )
  const times = [
    ...snoozes,
    ...[...maintenanceRuns.values()].map(({ until }) => until),
    ...(deferredUntil === null ? [] : [deferredUntil]),
  ]
  // Nothing is said before the end of a pause, and at its end whatever it held back.
  const next = pause?.until ?? times.reduce((least, at) => Math.min(least, at), Infinity)
  return Number.isFinite(next) ? next : null
}
