import type { StoredTransition } from '../../../storage/journal/alerts.ts'
import { expectedFor, isBackInTime } from './reboots.ts'
import {
  downFrom,
  eventTimeOf,
  recoveredSuspect,
  recoveringFrom,
  suspectDrop,
  type Drop,
  type EventTime,
  type Expected,
  type RecoveredDrop,
} from './drop.ts'
import { extraTimes } from './due.ts'
import type { AlertRules } from '../rules.ts'
import type { Notes, State } from '../state.ts'

/**
 * Applies transitions in the order in which they happened. Returns the next state, and the transitions of reboots, which
 * do not count as flapping.
 */
export function applyTransitions(
  state: State,
  transitions: readonly StoredTransition[],
  now: number,
  rules: AlertRules,
): { state: State; uncounted: Notes['uncounted'] } {
  if (transitions.length === 0) return { state, uncounted: [] }
  const uncounted: Notes['uncounted'] = []
  const drops = new Map(state.drops)
  const flaps = new Map(state.flaps)
  const max = maxTimes(rules) + extraTimes
  for (const given of transitions) {
    // A clock that was set back must not delay anything for hours.
    const transition = { ...given, at: Math.min(given.at, now) }
    const known = drops.get(transition.key)
    const expected = transition.connected ? null : expectedFor(state.reboots, transition)
    const after = transition.connected
      ? applyRecovery(known, eventTimeOf(transition))
      : applyDrop(known, transition, expected, state)
    if (after === null) drops.delete(transition.key)
    else drops.set(transition.key, after)
    // A missed transition has no exact time to count.
    if (transition.notBefore !== null) continue
    if (expected !== null || (transition.connected && isBackInTime(known, transition.at)))
      uncounted.push({ key: given.key, at: given.at })
    else {
      // The longest flap threshold bounds the number of kept times.
      const before = flaps.get(transition.key) ?? { times: [], thresholds: null }
      flaps.set(transition.key, { ...before, times: [...before.times, transition.at].slice(-max) })
    }
  }
  return { state: { ...state, drops, flaps }, uncounted }
}

function maxTimes({ defaults, nodes }: AlertRules): number {
  return [...nodes.values()].reduce(
    (max, { flapTransitions }) => Math.max(max, flapTransitions ?? 0),
    defaults.flapTransitions,
  )
}

/**
 * Returns the drop after a device went down. A member that drops before its recovery was notified stays a member. A
 * suspect must have recovered in between, even if the outbox, which keeps only the last transition, lacks that: its
 * hold-off begins anew. `expected`: the reboot in whose time it went down.
 */
function applyDrop(
  known: Drop | undefined,
  transition: StoredTransition,
  expected: Expected | null,
  state: Pick<State, 'incidents'>,
): Drop {
  const lastDrop = eventTimeOf(transition)
  switch (known?.kind) {
    case undefined:
      return suspectDrop(transition, null, expected)
    case 'suspect':
      return suspectDrop(transition, known.pendingRecovery, expected)
    case 'down':
      return { ...known, lastDrop, expected: expected ?? known.expected }
    case 'recovering':
      return downFrom({ ...known, lastDrop, expected: expected ?? known.expected })
    case 'flapping':
      return { ...known, lastDrop, expected, back: null, isBlocked: known.back === null && known.isBlocked }
    case 'recovered':
      return droppedAgain(known, transition, expected, state)
  }
}

function droppedAgain(
  known: RecoveredDrop,
  transition: StoredTransition,
  expected: Expected | null,
  { incidents }: Pick<State, 'incidents'>,
): Drop {
  // It was steady again, which was not notified yet. Now it is down like any other device. A reboot does not reopen an
  // incident either.
  if (expected !== null || incidents.get(known.incident)?.kind === 'flapping')
    return suspectDrop(transition, known.incident, expected)
  const { key, thresholds, incident } = known
  const time = eventTimeOf(transition)
  return {
    kind: 'down',
    key,
    ...time,
    thresholds,
    incident,
    lastDrop: time,
    notified: true,
    droppedAgain: true,
    expected: null,
  }
}

function applyRecovery(known: Drop | undefined, time: EventTime): Drop | null {
  switch (known?.kind) {
    case undefined:
      return null
    case 'suspect':
      return recoveredSuspect(known, time)
    case 'down':
      return recoveringFrom(known, time)
    case 'flapping':
      if (known.back === null) return { ...known, back: time, isBlocked: false }
      return isBetter(time, known.back) ? { ...known, back: time } : known
    case 'recovering':
      return isBetter(time, known.back) ? { ...known, back: time } : known
    case 'recovered':
      return known
  }
}

/**
 * Returns whether a transition is more precise than the known time. An evaluation may find a device up before its
 * transition comes, and then knows only that it was down before.
 */
const isBetter = (time: EventTime, known: EventTime): boolean =>
  known.notBefore !== null && (time.notBefore === null || time.notBefore > known.notBefore)
