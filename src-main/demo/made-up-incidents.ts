import { isPending, keysToAsk, nextEvaluation } from '../incidents/engine/drops/due.ts'
import { evaluate, type Notify } from '../incidents/engine/evaluate.ts'
import { reduce } from '../incidents/engine/reduce.ts'
import type { AlertRules } from '../incidents/engine/rules.ts'
import { emptyState, type Notes, type Observation, type State, type Step } from '../incidents/engine/state.ts'
import { runInSlices, type Slices } from '../incidents/cooperative.ts'
import { deltaOf } from '../incidents/stored/state.ts'
import type { DeviceLocations, InventoryData } from '../inventory/thread/protocol.ts'
import type { PastTransition } from '../storage/journal/made-up-past.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'

/** What is still due after an evaluation is evaluated again after this time, as by the runner (ms). */
const restMs = 10_000
/** How long after the last transition the engine still runs (ms). */
const afterLastMs = 3_600_000

export interface MadeUpIncidentsOptions {
  data: Pick<InventoryData, 'locations' | 'saveAlerts'>
  clock: Pick<Clock, 'now' | 'monotonic'>
  /** The present alert rules; those of nodes are left out, because a new demo has none. */
  rules: AlertRules
  notify: Notify
}

/**
 * Gives the made-up past of a demo the incidents that Muster would have opened and closed in it: these transitions go through the incident
 * engine at the times that they have. Returns the number of incidents. None of them was notified. Devices that are offline at the end are in
 * none from then on: they were so before this Muster's first start.
 */
export async function makeUpIncidents(
  { data, clock, rules, notify }: MadeUpIncidentsOptions,
  transitions: readonly PastTransition[],
): Promise<number> {
  const found = await data.locations({ keys: [...new Set(transitions.map(({ key }) => key))], paused: [] })
  const silent = {
    ...rules,
    nodes: new Map(),
    notifyOffline: false,
    notifyRecovered: false,
    notifyMonitoringLost: false,
  }
  const notes = await runInSlices(replay(withoutLastDrops(transitions), found, silent, notify), clock)
  const closed = new Set(notes.closed.map(({ id }) => id))
  const ofClosed = ({ incident }: { incident: string }) => closed.has(incident)
  const delta = deltaOf(
    emptyState,
    emptyState,
    { ...notes, members: notes.members.filter(ofClosed), events: notes.events.filter(ofClosed) },
    clock.now(),
    rules.utc,
  )
  if (delta !== null) await data.saveAlerts({ ...delta, taken: [] })
  return closed.size
}

function withoutLastDrops(transitions: readonly PastTransition[]): PastTransition[] {
  const last = new Map(transitions.map((transition) => [transition.key, transition]))
  return transitions.filter((transition) => transition.connected || last.get(transition.key) !== transition)
}

/** Runs the engine over transitions, evaluating whenever it would have. Returns what it notes for the journal. */
function* replay(
  transitions: readonly PastTransition[],
  found: DeviceLocations,
  rules: AlertRules,
  notify: Notify,
): Slices<Notes> {
  const fleet = fleetThen(found)
  const notes: Notes = { members: [], events: [], closed: [], uncounted: [] }
  const keep = (more: Notes) => {
    for (const member of more.members) notes.members.push(member)
    for (const event of more.events) notes.events.push(event)
    for (const incident of more.closed) notes.closed.push(incident)
  }
  let state: State = emptyState
  for (const [index, transition] of transitions.entries()) {
    const { key, at, connected } = transition
    fleet.set(key, connected)
    const seen = { key, at, notBefore: null, connected }
    state = reduce(state, { kind: 'transitions', transitions: [seen] }, at, rules).state
    const until = transitions[index + 1]?.at ?? at + afterLastMs
    let [now, evaluatedAt] = [at, -Infinity]
    for (;;) {
      const next = nextEvaluation(state, rules, now)
      if (next === null) break
      now = next <= now && evaluatedAt === now ? now + restMs : Math.max(next, now)
      if (now > until) break
      const observed = fleet.observe(state, rules, now)
      const evaluated: Step = yield* evaluate(state, observed, now, rules, notify)
      keep(evaluated.notes)
      state = evaluated.state
      evaluatedAt = now
    }
    yield
  }
  return notes
}

/** The fleet at a time of the past: all devices online but those that a transition has taken offline. */
function fleetThen(found: DeviceLocations) {
  const devices = new Map(found.devices.map((device) => [device.key, device]))
  const offline = new Set<string>()
  const tenants = found.tenants.map((tenant) => ({ ...tenant, seen: true, unseen: 0, outdated: 0, seenSince: 0 }))
  return {
    set(key: string, connected: boolean): void {
      const device = devices.get(key)
      if (device === undefined || offline.has(key) !== connected) return
      if (connected) offline.delete(key)
      else offline.add(key)
    },
    /** What the data thread would have answered at this time (ms). */
    observe(state: State, rules: AlertRules, now: number): Observation {
      const pending = [...state.drops.values()].filter((drop) => isPending(drop, rules, now)).map(({ key }) => key)
      const asked = keysToAsk(state, rules, now, true)
      const nodes: DeviceLocations['nodes'] = []
      const known = new Map<number, number>()
      // Only the places around these devices: there are thousands of others. All that is offline then is in an incident, or soon will
      // be: nothing else is offline in a place.
      const nodeAt = (at: number): number => {
        const before = known.get(at)
        const node = found.nodes[at]
        if (before !== undefined || node === undefined) return before ?? 0
        const parent = node.parent === null ? null : nodeAt(node.parent)
        known.set(at, nodes.push({ ...node, parent, offline: 0 }) - 1)
        return nodes.length - 1
      }
      return {
        asked,
        devices: [...new Set([...asked, ...pending])].flatMap((key) => {
          const device = devices.get(key)
          if (device === undefined) return []
          const connected = !offline.has(key)
          const status = connected ? ('connected' as const) : ('disconnected' as const)
          return { ...device, connected, status, node: nodeAt(device.node) }
        }),
        nodes,
        tenants: tenants.map((tenant) => ({ ...tenant, lastSeen: now, lastMessages: [now] })),
        unlistedTenants: new Set(),
        withdrawn: [],
      }
    },
  }
}
