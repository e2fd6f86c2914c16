import { assertNever } from '../../../src-shared/model/fault.ts'
import { isEnd } from '../../../src-shared/notifications/desktop-notification.ts'
import { applyTransitions } from './drops/transitions.ts'
import { withReboots } from './drops/reboots.ts'
import { assignThresholds } from './evaluate.ts'
import type { AlertRules } from './rules.ts'
import { updated, type Incident } from './incident.ts'
import { noNotes, type Input, type OperatorChange, type Notes, type State, type Step } from './state.ts'

/**
 * Returns the next state for a state, an input and a time (ms), as a pure function (design, section 8). `due.ts` says
 * when to evaluate and which devices to ask for.
 */
export function reduce(state: State, input: Input, now: number, rules: AlertRules): Step {
  switch (input.kind) {
    case 'transitions':
      return transitionsStep(state, input.transitions, now, rules)
    case 'reboots':
      return { state: withReboots(state, input.reboots, now), outgoing: [], notes: noNotes }
    case 'thresholds':
      return assignThresholds(state, input.found, rules)
    case 'pause':
      return { state: pause(state, input.until, now), outgoing: [], notes: noNotes }
    case 'operator':
      return mark(state, input.changes, now)
    case 'delivery':
      return { state: confirmDelivery(state, input), outgoing: [], notes: noNotes }
    default:
      return assertNever(input)
  }
}

function transitionsStep(
  before: State,
  transitions: Extract<Input, { kind: 'transitions' }>['transitions'],
  now: number,
  rules: AlertRules,
): Step {
  const { state, uncounted } = applyTransitions(before, transitions, now, rules)
  return { state, outgoing: [], notes: { ...noNotes, uncounted } }
}

/** Starts, extends or ends a pause. After its end the next evaluation notifies of what it suppressed. */
function pause(state: State, until: number | null, now: number): State {
  if (until === null)
    return state.pause === null
      ? state
      : { ...state, pause: { ...state.pause, until: Math.min(state.pause.until, now) } }
  return { ...state, pause: { since: state.pause?.since ?? now, until } }
}

/** Notes whether a notification was delivered. A later notification under the same id is left unconfirmed. */
function confirmDelivery(state: State, { id, at, delivered }: Extract<Input, { kind: 'delivery' }>): State {
  const notification = state.notifications.get(id)
  if (notification === undefined || isEnd(notification.content)) return state
  const changed = notification.incidentIds.flatMap((of): [string, Incident][] => {
    const incident = state.incidents.get(of)
    const reason = incident?.delivery.reason
    return incident !== undefined && reason?.at === at && reason.delivered !== delivered
      ? [[of, updated(incident, 'delivery', { reason: { ...reason, delivered } })]]
      : []
  })
  return changed.length === 0 ? state : { ...state, incidents: new Map([...state.incidents, ...changed]) }
}

/** Acknowledges, snoozes, unacknowledges, assigns or unassigns open incidents. */
function mark(state: State, changes: readonly OperatorChange[], now: number): Step {
  const incidents = new Map(state.incidents)
  const events: Notes['events'] = []
  for (const { id, ...change } of changes) {
    const incident = incidents.get(id)
    if (incident === undefined || incident.closedAt !== null) continue
    const after = { ...updated(incident, 'operator', change), changedAt: now }
    incidents.set(id, after)
    for (const { what, detail } of eventsOf(incident.operator, after.operator))
      events.push({ incident: id, at: now, what, detail })
  }
  return { state: { ...state, incidents }, outgoing: [], notes: { ...noNotes, events } }
}

const byOf = ({ by }: { by?: string | undefined }) => (by === undefined ? {} : { by })

type MarkEvent = Pick<Notes['events'][number], 'what' | 'detail'>

function eventsOf(before: Incident['operator'], after: Incident['operator']): MarkEvent[] {
  return [...silenceEvents(before, after), ...assignmentEvents(before, after)]
}

function silenceEvents(before: Incident['operator'], { acknowledged, snoozed }: Incident['operator']): MarkEvent[] {
  if (acknowledged !== null && acknowledged !== before.acknowledged)
    return [{ what: 'acknowledged', detail: { kind: 'reason', reason: acknowledged.reason, ...byOf(acknowledged) } }]
  if (snoozed !== null && snoozed !== before.snoozed)
    return [{ what: 'snoozed', detail: { kind: 'until', until: snoozed.until, ...byOf(snoozed) } }]
  const isReleased =
    (before.acknowledged !== null && acknowledged === null) || (before.snoozed !== null && snoozed === null)
  return isReleased ? [{ what: 'unacknowledged', detail: { kind: 'none' } }] : []
}

function assignmentEvents(before: Incident['operator'], { assigned }: Incident['operator']): MarkEvent[] {
  if (assigned === before.assigned) return []
  if (assigned === null) return [{ what: 'unassigned', detail: { kind: 'none' } }]
  return [{ what: 'assigned', detail: { kind: 'assignee', to: assigned.to, by: assigned.by } }]
}
