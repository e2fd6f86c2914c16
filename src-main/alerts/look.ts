import type { PlaceNode, Whereabouts } from '../data/protocol.ts'
import { draftOf, finished, type Draft, type Found } from './draft.ts'
import { isHeld } from './due.ts'
import { pathOf } from './fold.ts'
import { place } from './place.ts'
import { refresh } from './refresh.ts'
import { say } from './say.ts'
import { noteSight } from './sight.ts'
import type { Slices } from './slices.ts'
import { figuresAt, noNotes, type Looked, type Rules, type State, type Step } from './state.ts'
import { weigh } from './weigh.ts'

/** What has become of incidents, and what is to be told now, given how things are (design, section 8). */
export function* look(state: State, asked: readonly string[], given: Looked, now: number, rules: Rules): Slices<Step> {
  const found = yield* withoutHeld(given, state, now, rules)
  const known = yield* foundBy(found)
  const draft: Draft = draftOf(state, now, rules, known, new Map(found.nodes.map((node) => [node.id, node])))
  noteSight(draft, found.tenants)
  const { down, missed, flapping } = yield* weigh(draft, asked, found)
  yield* place(draft, 'outage', 'absence', missed)
  yield* place(draft, 'outage', 'now', down)
  yield* place(draft, 'flapping', 'now', flapping)
  yield* refresh(draft)
  endSnoozes(draft)
  yield* say(draft, found)
  yield
  return finished(draft)
}

/** What only may be down counts as up in its places: it is within its hold-off, and most of it comes back. */
function* withoutHeld(found: Looked, { drops }: State, now: number, rules: Rules): Slices<Looked> {
  const counts = new Map<number, number>()
  for (const { key, status, node } of found.devices) {
    yield
    const drop = drops.get(key)
    if (drop === undefined || status !== 'disconnected' || !isHeld(drop, rules, now)) continue
    for (let at: number | null | undefined = node; at != null; at = found.nodes[at]?.parent)
      counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  return counts.size === 0
    ? found
    : { ...found, nodes: found.nodes.map((node, at) => ({ ...node, offline: node.offline - (counts.get(at) ?? 0) })) }
}

/** What was told before and is still there when its snooze is over is told again, as soon as nothing else keeps it from that. */
function endSnoozes({ incidents, now, rules }: Draft): void {
  for (const incident of incidents.values()) {
    if (incident.snoozed?.until == null || incident.snoozed.until > now) continue
    incidents.set(incident.id, { ...incident, snoozed: null, again: incident.toldAt !== null && rules.offline })
  }
}

function* foundBy(found: Whereabouts): Slices<Draft['found']> {
  const paths = new Map<number, PlaceNode[]>()
  const pathAt = (node: number) => {
    const path = paths.get(node) ?? pathOf(found, node)
    paths.set(node, path)
    return path
  }
  const known = new Map<string, Found>()
  for (const device of found.devices) {
    known.set(device.key, { ...device, path: pathAt(device.node) })
    yield
  }
  return known
}

/** By which figures these devices are weighed, now that it is known where they are. */
export function figure(state: State, found: Whereabouts, rules: Rules): Step {
  const drops = new Map(state.drops)
  const flaps = new Map(state.flaps)
  for (const { key, node } of found.devices) {
    const figures = figuresAt(
      rules,
      pathOf(found, node).map(({ id }) => id),
    )
    const drop = drops.get(key)
    const times = flaps.get(key)
    if (drop !== undefined) drops.set(key, { ...drop, figures })
    if (times !== undefined) flaps.set(key, { ...times, figures })
  }
  return { state: { ...state, drops, flaps }, tells: [], notes: noNotes }
}
