import { at, textAt } from '../../engine/columns/columns.ts'
import type { Store } from '../../store.ts'
import type { FlapRule } from '../../thread/changes-protocol.ts'
import { type Walked, walkTimelines } from '../overview/timelines.ts'

/** A change of a device's status between two times. Times in ms. */
export interface StatusChange {
  kind: 'offline' | 'back' | 'flapped'
  key: string
  at: number
}

export interface StatusChanges {
  changes: StatusChange[]
  /** The first moment of the time at which the status of any device is known, ms; null: none is. */
  since: number | null
  /** Disconnects of each device, where there were any. */
  disconnects: ReadonlyMap<string, number>
}

const unseen = -1
/** Devices that are compared at a time: some ms of the thread. */
const devicesAtOnce = 10_000

/** Compares the status of devices at two times by the journal, part by part. Where it has nothing, nothing has changed. */
export function* statusChanges(
  store: Store,
  walked: Walked,
  { from, until, flap }: { from: number; until: number; flap: FlapRule },
): Generator<undefined, StatusChanges> {
  const count = walked.keys.length
  const [first, last] = [new Int8Array(count).fill(unseen), new Int8Array(count).fill(unseen)]
  const since = new Float64Array(count)
  const drops = new Uint32Array(count)
  const transitions = new Map<number, number[]>()
  let known = Infinity
  yield* walkTimelines(store, walked, from, {
    state(device, connected, begin, end) {
      if (end <= begin) return
      known = Math.min(known, begin)
      if (begin <= from && end > from) first[device] = Number(connected)
      if (begin <= until && end > until) {
        last[device] = Number(connected)
        since[device] = begin
      }
      if (begin > from && begin <= until) transitions.set(device, [...(transitions.get(device) ?? []), begin])
    },
    drop(device, time) {
      if (time > from && time <= until) drops[device] = at(drops, device) + 1
    },
  })
  const changes: StatusChange[] = []
  const disconnects = new Map<string, number>()
  for (let device = 0; device < count; device += 1) {
    if (device % devicesAtOnce === 0) yield undefined
    const key = textAt(walked.keys, device)
    const [before, after] = [at(first, device), at(last, device)]
    if (at(drops, device) > 0) disconnects.set(key, at(drops, device))
    if (after === 0 && before !== 0 && at(drops, device) > 0)
      changes.push({ kind: 'offline', key, at: at(since, device) })
    if (after === 1 && before === 0) changes.push({ kind: 'back', key, at: at(since, device) })
    const flapped = lastFlap(transitions.get(device) ?? [], flap)
    if (flapped !== null) changes.push({ kind: 'flapped', key, at: flapped })
  }
  return { changes, since: known > until ? null : known, disconnects }
}

/** Returns the last transition that belongs to as many within as short a time as the rule says; null: there is none. */
function lastFlap(times: readonly number[], { transitions, ms }: FlapRule): number | null {
  for (let end = times.length - 1; end >= transitions - 1; end -= 1) {
    const [begin, last] = [times[end - transitions + 1], times[end]]
    if (begin !== undefined && last !== undefined && last - begin <= ms) return last
  }
  return null
}
