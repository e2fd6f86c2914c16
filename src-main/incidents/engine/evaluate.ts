import type { PlaceNode, DeviceLocations } from '../../inventory/thread/protocol.ts'
import { draftOf, finished, idsOf, type Draft, type LocatedDevice } from './draft.ts'
import { isPending } from './drops/due.ts'
import { pathOf } from '../grouping/group.ts'
import { assignDevices } from '../grouping/assign.ts'
import { refresh } from './refresh.ts'
import { noteVisibility } from './monitoring-loss.ts'
import type { Slices } from '../cooperative.ts'
import { thresholdsAt, type AlertRules } from './rules.ts'
import { noNotes, type Observation, type State, type Step } from './state.ts'
import { evaluateHoldOff } from './drops/hold-off.ts'

/** Adds the notifications to a step. The notifications layer provides it. */
export type Notify = (draft: Draft, found: Observation) => Slices<void>

/**
 * Returns the next state from the observed devices (design, section 8), in slices, because ten thousand devices take
 * longer than one turn of the event loop may.
 */
export function* evaluate(
  state: State,
  given: Observation,
  now: number,
  rules: AlertRules,
  notify: Notify,
): Slices<Step> {
  const found = yield* withoutPending(given, state, now, rules)
  const known = yield* locateDevices(found)
  const draft: Draft = draftOf(state, now, rules, known, new Map(found.nodes.map((node) => [node.id, node])))
  noteVisibility(draft, found.tenants)
  const { down, missed, flapping } = yield* evaluateHoldOff(draft, found)
  yield* assignDevices(draft, 'outage', 'absence', missed)
  yield* assignDevices(draft, 'outage', 'now', down)
  yield* assignDevices(draft, 'flapping', 'now', flapping)
  yield* refresh(draft)
  endSnoozes(draft)
  yield* notify(draft, found)
  yield
  return finished(draft)
}

/** Counts a device within its hold-off as up in its places, because most such devices recover. */
function* withoutPending(found: Observation, { drops }: State, now: number, rules: AlertRules): Slices<Observation> {
  const counts = new Map<number, number>()
  for (const { key, status, node } of found.devices) {
    yield
    const drop = drops.get(key)
    if (drop === undefined || status !== 'disconnected' || !isPending(drop, rules, now)) continue
    for (let at: number | null | undefined = node; at != null; at = found.nodes[at]?.parent)
      counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  return counts.size === 0
    ? found
    : { ...found, nodes: found.nodes.map((node, at) => ({ ...node, offline: node.offline - (counts.get(at) ?? 0) })) }
}

/** Ends the snoozes that are over. An open incident that was notified before is notified again. */
function endSnoozes({ incidents, now, rules }: Draft): void {
  for (const incident of incidents.values()) {
    const { operator, delivery } = incident
    if (operator.snoozed?.until == null || operator.snoozed.until > now) continue
    incidents.set(incident.id, {
      ...incident,
      operator: { ...operator, snoozed: null },
      delivery: { ...delivery, renotify: delivery.notifiedAt !== null && rules.notifyOffline },
    })
  }
}

function* locateDevices(found: DeviceLocations): Slices<Draft['found']> {
  const paths = new Map<number, PlaceNode[]>()
  const pathAt = (node: number) => {
    const path = paths.get(node) ?? pathOf(found, node)
    paths.set(node, path)
    return path
  }
  const known = new Map<string, LocatedDevice>()
  for (const device of found.devices) {
    known.set(device.key, { ...device, path: pathAt(device.node) })
    yield
  }
  return known
}

/** Sets the thresholds of drops and flaps by the places of their devices. */
export function assignThresholds(state: State, found: DeviceLocations, rules: AlertRules): Step {
  const drops = new Map(state.drops)
  const flaps = new Map(state.flaps)
  for (const { key, node } of found.devices) {
    const thresholds = thresholdsAt(rules, idsOf(pathOf(found, node)))
    const drop = drops.get(key)
    const times = flaps.get(key)
    if (drop !== undefined) drops.set(key, { ...drop, thresholds })
    if (times !== undefined) flaps.set(key, { ...times, thresholds })
  }
  return { state: { ...state, drops, flaps }, outgoing: [], notes: noNotes }
}
