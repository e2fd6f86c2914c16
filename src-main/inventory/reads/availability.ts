import { at, textAt, timeAt } from '../engine/columns/columns.ts'
import type { Inventory } from '../engine/inventory.ts'
import { type Place, placeAt, roomsBelow } from '../engine/places.ts'
import { deviceOfNode, everything } from '../keys.ts'
import type { KnownState } from '../../storage/journal/history.ts'
import type { IncidentData } from '../thread/incident-protocol.ts'
import { newTally, type Tally, tallied } from './availability-tally.ts'
import type { Store } from '../store.ts'

type Asked = Parameters<IncidentData['availability']>[0]
type Answer = Awaited<ReturnType<IncidentData['availability']>>

/**
 * How devices were over a time (incident-protocol.ts, `strip`). A device's state before a transition is the other one, so
 * that what happened since `from` and the last known word tell all of it: nothing older is looked for.
 */
export function availability({ inventory, journal: { history } }: Store, asked: Asked): Answer {
  const keys = keysOf(inventory, asked.subject)
  const states = history.states(keys)
  const tallies = new Map<string, Tally>()
  const tallyOf = (key: string) => {
    const tenant = key.slice(0, key.lastIndexOf('/'))
    const known = tallies.get(tenant)
    if (known) return known
    const tally = newTally(asked, history.unseen(tenant, asked.from))
    tallies.set(tenant, tally)
    return tally
  }
  const lines = keys.map((key, place) => lineOf(tallyOf(key), states[place] ?? null, asked.from))
  let drops = 0
  history.since(keys, asked.from, (place, time, notBefore, connected) => {
    if (!connected && time < asked.until) drops += 1
    turn(lines[place] as Line, time, notBefore, connected)
  })
  for (const line of lines) if (line.connected !== null) line.tally.add(line.connected, line.from, Infinity)
  const reported = keys.map((key, place) =>
    report(lines[place] as Line, reportOf(inventory, key, states[place] ?? null)),
  )
  return {
    devices: lines.length,
    parts: tallied(asked, [...tallies.values()]),
    drops,
    reportedSince: reported.length === 1 ? (reported[0] ?? null) : null,
  }
}

/** What is known of a device up to where its transitions were followed; `connected` null: nothing yet. */
interface Line {
  readonly tally: Tally
  connected: boolean | null
  from: number
  turned: boolean
}

function lineOf(tally: Tally, state: KnownState | null, from: number): Line {
  tally.devices += 1
  return { tally, connected: state?.connected ?? null, from: Math.max(from, state?.knownSince ?? from), turned: false }
}

/** Ends what held before a transition. When that was missed, nobody knows what held in its span (invariant 4). */
function turn(line: Line, time: number, notBefore: number | null, connected: boolean): void {
  const before = line.turned ? line.connected : !connected
  const now = Math.max(line.from, time)
  if (before !== null) line.tally.add(before, line.from, Math.max(line.from, Math.min(now, notBefore ?? now)))
  line.connected = connected
  line.from = now
  line.turned = true
}

/** Between these moments the service alone knows of a device that Muster has never seen online: it was offline since it was last detected. */
function reportOf({ rows }: Inventory, key: string, state: KnownState | null): { from: number; until: number } | null {
  const slot = rows.slotOf.get(key)
  const from = slot === undefined ? null : timeAt(rows.times.lastDetected, slot)
  return state === null || state.connected || from === null || from >= state.knownSince
    ? null
    : { from, until: state.knownSince }
}

/** Answers since when that is. */
function report({ tally, turned }: Line, reported: { from: number; until: number } | null): number | null {
  if (reported === null || turned) return null
  tally.report(reported.from, reported.until)
  return reported.from
}

/** A device that is gone from the inventory has its history still. */
function keysOf(inventory: Inventory, subject: Asked['subject']): string[] {
  if ('device' in subject) return [subject.device]
  const device = deviceOfNode(subject.node)
  if (device !== null) return [device]
  const { places, rows } = inventory
  const place = placeAt(places, subject.node)
  const tops: Place[] = subject.node === everything ? places.roots : place ? [place] : []
  const keys: string[] = []
  for (const top of tops) {
    roomsBelow(top, (room) => {
      for (let slot = room.firstRow; slot !== -1; slot = at(rows.next, slot)) keys.push(textAt(rows.key, slot))
    })
  }
  return keys
}
