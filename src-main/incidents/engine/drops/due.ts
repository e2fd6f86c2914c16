import type { Change } from '../../../inventory/thread/change.ts'
import type { StoredTransition } from '../../../storage/journal/alerts.ts'
import type { PlaceThresholds, AlertRules } from '../rules.ts'
import { incidentIdOf, isBlocked, type Drop, type FlappingDrop } from './drop.ts'
import { isAwaited } from './reboots.ts'
import type { Flaps, State } from '../state.ts'

export const isPaused = ({ pause }: Pick<State, 'pause'>, now: number): boolean => pause !== null && now < pause.until

/**
 * Returns the thresholds of a device's place; null when they must be asked for, which happens only when some node has
 * its own.
 */
export function thresholdsOf(
  { thresholds }: { thresholds: PlaceThresholds | null },
  rules: AlertRules,
): PlaceThresholds | null {
  return thresholds ?? (rules.nodes.size === 0 ? rules.defaults : null)
}

/**
 * Returns when the hold-off or recovery hold-off of a drop ends (ms); null when it has none. The hold-off of an expected
 * drop ends with the time of its reboot at the earliest.
 */
export function pendingUntil(drop: Drop, { holdOffMs, recoveryMs }: PlaceThresholds): number | null {
  if (drop.kind === 'suspect') return Math.max(drop.at + holdOffMs, drop.expected?.until ?? -Infinity)
  return drop.kind === 'recovering' ? drop.back.at + recoveryMs : null
}

/** Returns whether a drop is within its hold-off. */
export function isPending(drop: Drop, rules: AlertRules, now: number): boolean {
  return drop.kind === 'suspect' && (pendingUntil(drop, drop.thresholds ?? rules.defaults) ?? now) > now
}

/** Returns the number of transitions within the flap period. */
export const recentTransitions = ({ times }: Flaps, { flapPeriodMs }: PlaceThresholds, now: number): number =>
  times.filter((at) => at > now - flapPeriodMs).length
/**
 * A flapping device is steady again at this many transitions or fewer in the flap period, far below the threshold to
 * begin.
 */
export const maxWhileSteady = 1

/**
 * Returns when a flapping device becomes steady if no transition comes (ms). One that is rebooting does not before its
 * time is over.
 */
function steadyAt(drop: FlappingDrop, flaps: Flaps | undefined, { flapPeriodMs }: PlaceThresholds): number {
  const last = flaps?.times.at(-1 - maxWhileSteady)
  const awaited = drop.back === null ? (drop.expected?.until ?? -Infinity) : -Infinity
  return last === undefined ? awaited : Math.max(awaited, last + flapPeriodMs)
}

/** Returns the keys of the devices whose thresholds must be asked for. */
export function keysWithoutThresholds({ drops, flaps }: State, rules: AlertRules): string[] {
  if (rules.nodes.size === 0) return []
  const pending = [...drops.values()].filter(({ thresholds }) => thresholds === null).map(({ key }) => key)
  const minTransitions = [...rules.nodes.values()].reduce(
    (fewest, node) => Math.min(fewest, node.flapTransitions ?? Infinity),
    rules.defaults.flapTransitions,
  )
  const changing = [...flaps]
    .filter(([, { times, thresholds }]) => thresholds === null && times.length >= minTransitions)
    .map(([key]) => key)
  return [...new Set([...pending, ...changing])]
}

/** Number of transitions kept for a device beyond the flap threshold. They show when the flapping began. */
export const extraTimes = 20

/**
 * Returns the keys of the devices that begin to flap, and when they are grouped (ms), as `groupedAt` does for drops.
 */
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

/**
 * Returns when a device first reached the flap threshold (ms), as far back as its transitions are kept; undefined when
 * it did not.
 */
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
 * Returns when the first group of hold-offs is complete (ms): those that end within the grouping time of the first one.
 * Returns null when no hold-off runs.
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
 * Returns the keys of the devices to ask for: those whose hold-off is over, those that begin or stop to flap, and all
 * that are in incidents, because a device that is not asked for counts as not visible. `all` includes blocked ones.
 */
export function keysToAsk(state: State, rules: AlertRules, now: number, all: boolean): string[] {
  const every = all || [...state.monitoringLost.values()].some(({ restoredAt }) => restoredAt !== null)
  const due = [...state.drops.values()].filter((drop) => isDue(state, drop, rules, now, every)).map(({ key }) => key)
  const flapping = startingToFlap(state, rules, now)
  const starting = flapping.at <= now ? flapping.keys : []
  const members = [...state.drops.values()].filter(({ kind }) => kind !== 'suspect').map(({ key }) => key)
  const recovered = [...state.incidents.values()].flatMap(({ recovery }) => recovery.recovered)
  return [...new Set([...due, ...starting, ...members, ...recovered])]
}

function isDue({ flaps }: State, drop: Drop, rules: AlertRules, now: number, every: boolean): boolean {
  const thresholds = thresholdsOf(drop, rules)
  if (thresholds === null || (!every && isBlocked(drop))) return false
  const due =
    drop.kind === 'flapping' ? steadyAt(drop, flaps.get(drop.key), thresholds) : pendingUntil(drop, thresholds)
  return due !== null && due <= now
}

/** Returns when to evaluate next (ms); null when nothing is pending. */
export function nextEvaluation(state: State, rules: AlertRules, now: number): number | null {
  const grouped = groupedAt(state.drops.values(), rules)
  const flapping = [...state.drops.values()].flatMap((drop) => {
    const thresholds = thresholdsOf(drop, rules)
    return drop.kind === 'flapping' && thresholds !== null && !drop.isBlocked
      ? [steadyAt(drop, state.flaps.get(drop.key), thresholds)]
      : []
  })
  const starting = startingToFlap(state, rules, now).at
  const times = [
    ...flapping,
    ...rebootTimes(state, now),
    ...(starting === Infinity ? [] : [Math.max(starting, now)]),
    ...visibilityTimes(state, rules),
    ...[grouped, nextNotificationAt(state)].filter((at) => at !== null),
  ]
  return times.length === 0 ? null : times.reduce((least, at) => Math.min(least, at), Infinity)
}

/** Returns when the times of reboots end whose devices are down in an incident (ms). Suspects have their hold-off. */
const rebootTimes = ({ drops }: State, now: number): number[] =>
  [...drops.values()].flatMap((drop) =>
    drop.kind === 'down' && drop.expected !== null && isAwaited(drop, now) ? [drop.expected.until] : [],
  )

function visibilityTimes({ monitoringLost, pause }: State, { defaults, notifyMonitoringLost }: AlertRules): number[] {
  const until = pause?.until ?? -Infinity
  return [...monitoringLost.values()].flatMap(({ notificationId, noticedAt, restoredAt, waitUntil }) => {
    if (notificationId !== null)
      return restoredAt === null ? [] : [Math.max(restoredAt + defaults.holdOffMs, waitUntil, until)]
    return notifyMonitoringLost ? [Math.max(noticedAt + defaults.holdOffMs, waitUntil, until)] : []
  })
}

/**
 * Returns when the operator may be notified of pending changes (ms): after a pause, a maintenance window, a snooze or
 * the rate limit. Returns null when nothing is pending.
 */
export function nextNotificationAt({ incidents, maintenanceRuns, pause, deferredUntil }: State): number | null {
  const snoozes = [...incidents.values()].flatMap(({ operator: { snoozed }, closedAt }) =>
    closedAt === null && snoozed?.until != null ? [snoozed.until] : [],
  )
  const times = [
    ...snoozes,
    ...[...maintenanceRuns.values()].map(({ until }) => until),
    ...(deferredUntil === null ? [] : [deferredUntil]),
  ]
  // A pause suppresses every notification until its end.
  const next = pause?.until ?? times.reduce((least, at) => Math.min(least, at), Infinity)
  return Number.isFinite(next) ? next : null
}

/** Returns whether a change may have removed or moved devices that are down. */
export const mayHaveMoved = (state: State, { structure }: Pick<Change, 'structure'>): boolean =>
  structure && state.drops.size > 0

/**
 * Returns whether a device may have recovered that an incident counts in `othersDown`. No other signal reports that.
 */
export const recoversBesideIncident = (state: State, transitions: readonly StoredTransition[]): boolean =>
  transitions.some(({ key, connected }) => connected && incidentIdOf(state.drops.get(key)) === null) &&
  [...state.incidents.values()].some(({ extent }) => extent.othersDown > 0)

/**
 * Returns whether a device whose recovery is not notified yet goes down or comes up again. No hold-off of it ends then:
 * it stays in its incident, or, after a reboot or flapping, its recovery is notified.
 */
export const changesAgain = (state: State, transitions: readonly StoredTransition[]): boolean =>
  transitions.some(({ key, connected }) => {
    const drop = state.drops.get(key)
    return connected ? drop?.kind === 'suspect' && drop.pendingRecovery !== null : hasRecovered(drop?.kind)
  })

const hasRecovered = (kind: Drop['kind'] | undefined): boolean => kind === 'recovering' || kind === 'recovered'

/** Returns the state without thresholds, for when devices may have moved or thresholds may have changed. */
export function withoutThresholds(state: State): State {
  if (![...state.drops.values(), ...state.flaps.values()].some(({ thresholds }) => thresholds !== null)) return state
  const without = <T extends object>(all: ReadonlyMap<string, T>) =>
    new Map([...all].map(([key, one]) => [key, { ...one, thresholds: null }]))
  return { ...state, drops: without(state.drops), flaps: without(state.flaps) }
}

/** Returns whether incidents, or their suppression, have changed. */
export function haveIncidentsChanged(before: State, after: State): boolean {
  const { incidents } = after
  return (
    before.pause !== after.pause ||
    before.monitoringLost.size !== after.monitoringLost.size ||
    incidents.size !== before.incidents.size ||
    [...incidents].some(([id, incident]) => before.incidents.get(id) !== incident)
  )
}
