import { textAt, timeAt } from '../engine/columns/columns.ts'
import { slotsBelow, type Inventory } from '../engine/inventory.ts'
import { type Place, placeAt } from '../engine/places.ts'
import { deviceOfNode, everything } from '../keys.ts'
import type { KnownState } from '../../storage/journal/history.ts'
import type { IncidentData } from '../thread/incident-protocol.ts'
import { newTally, type Tally, stripParts } from './availability-tally.ts'
import type { Store } from '../store.ts'

type Request = Parameters<IncidentData['availability']>[0]
type Answer = Awaited<ReturnType<IncidentData['availability']>>

/**
 * The availability of devices (incident-protocol.ts). A device's state before a transition is the other one, so the
 * transitions since `from` and the last known state are enough: nothing older is read.
 */
export function availability({ inventory, journal: { history } }: Store, request: Request): Answer {
  const keys = keysOf(inventory, request.subject)
  const states = history.states(keys)
  const tallies = new Map<string, Tally>()
  const tallyOf = (key: string) => {
    const tenant = key.slice(0, key.lastIndexOf('/'))
    const known = tallies.get(tenant)
    if (known) return known
    const tally = newTally(request, history.unseen(tenant, request.from))
    tallies.set(tenant, tally)
    return tally
  }
  const timelines = keys.map((key, place) => timelineOf(tallyOf(key), states[place] ?? null, request.from))
  let drops = 0
  history.since(keys, request.from, (place, time, notBefore, connected) => {
    if (!connected && time < request.until) drops += 1
    applyTransition(timelines[place] as Timeline, time, notBefore, connected)
  })
  for (const timeline of timelines)
    if (timeline.connected !== null) timeline.tally.add(timeline.connected, timeline.from, Infinity)
  const reported = keys.map((key, place) =>
    addReportedOutage(timelines[place] as Timeline, reportedOutage(inventory, key, states[place] ?? null)),
  )
  return {
    devices: timelines.length,
    parts: stripParts(request, [...tallies.values()]),
    drops,
    reportedSince: reported.length === 1 ? (reported[0] ?? null) : null,
  }
}

/** The state of a device up to the last applied transition; `connected` is null when it is not known. */
interface Timeline {
  readonly tally: Tally
  connected: boolean | null
  from: number
  hasTransition: boolean
}

function timelineOf(tally: Tally, state: KnownState | null, from: number): Timeline {
  tally.devices += 1
  return {
    tally,
    connected: state?.connected ?? null,
    from: Math.max(from, state?.knownSince ?? from),
    hasTransition: false,
  }
}

/**
 * Ends the state before a transition. When the transition was missed, the state within its span is unknown (invariant
 * 4).
 */
function applyTransition(timeline: Timeline, time: number, notBefore: number | null, connected: boolean): void {
  const before = timeline.hasTransition ? timeline.connected : !connected
  const now = Math.max(timeline.from, time)
  if (before !== null)
    timeline.tally.add(before, timeline.from, Math.max(timeline.from, Math.min(now, notBefore ?? now)))
  timeline.connected = connected
  timeline.from = now
  timeline.hasTransition = true
}

/**
 * The outage that only the service reports, of a device that Muster has never seen online: since `lastDetected`; else
 * null.
 */
function reportedOutage(
  { rows }: Inventory,
  key: string,
  state: KnownState | null,
): { from: number; until: number } | null {
  const slot = rows.slotOf.get(key)
  const from = slot === undefined ? null : timeAt(rows.times.lastDetected, slot)
  return state === null || state.connected || from === null || from >= state.knownSince
    ? null
    : { from, until: state.knownSince }
}

/** Adds a reported outage; returns its start, or null when there is none. */
function addReportedOutage(
  { tally, hasTransition }: Timeline,
  reported: { from: number; until: number } | null,
): number | null {
  if (reported === null || hasTransition) return null
  tally.report(reported.from, reported.until)
  return reported.from
}

/** Keys of the devices of a subject. A device that left the inventory still has a history. */
function keysOf(inventory: Inventory, subject: Request['subject']): string[] {
  if ('device' in subject) return [subject.device]
  const device = deviceOfNode(subject.node)
  if (device !== null) return [device]
  const { places, rows } = inventory
  const place = placeAt(places, subject.node)
  const roots: Place[] = subject.node === everything ? places.roots : place ? [place] : []
  const keys: string[] = []
  for (const root of roots) {
    slotsBelow(inventory, root, (slot) => keys.push(textAt(rows.key, slot)))
  }
  return keys
}
