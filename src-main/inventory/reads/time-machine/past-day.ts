import { dayMs, dayStates } from '../../../storage/journal/day-states.ts'
import { at } from '../../engine/columns/columns.ts'
import type { Store } from '../../store.ts'
import { type Visitor, type Walked, walkedDevices, walkTimelines } from '../overview/timelines.ts'
import { readDayDevices, walkDay } from './day-devices.ts'

/** What the journal has of each device within one day (UTC). */
export interface PastDay {
  walked: Pick<Walked, 'keys' | 'tenants' | 'tenantOf'>
  /** The slot that each device had when the day was read. */
  slots: Int32Array
  /** Returns the state of each device (index in `walked.keys`) at a time (ms) of that day. */
  statesAt(store: Pick<Store, 'journal'>, time: number): Uint8Array
  /** The first moment of the day at which the state of any device is known, ms; null: none is. */
  knownSince: number | null
}

/** Returns the beginning of the day (UTC) of a time, ms. */
export const dayOf = (time: number): number => Math.floor(time / dayMs) * dayMs

/** Times in which devices were online or offline, as columns. */
interface Intervals {
  device: Int32Array
  from: Float64Array
  until: Float64Array
  connected: Uint8Array
}

/**
 * Reads a day, part by part: where its beginning and its end are known (journal/day-states.ts), the transitions between them; otherwise those from
 * its beginning to now, by the same rules as a strip (timelines.ts). Devices that are gone now are not in it. `now` in ms.
 */
export function* readPastDay(store: Store, begin: number, now: number): Generator<undefined, PastDay> {
  const devices = yield* readDayDevices(store, begin, now)
  if (devices !== null) {
    const gathered = gather(devices.walked.keys.length, begin + dayMs)
    yield* walkDay(store, devices, gathered.visitor)
    return gathered.day(devices.walked, devices.slots)
  }
  const walked = yield* walkedDevices(store)
  const slots = Int32Array.from(walked.keys, (key) => store.inventory.rows.slotOf.get(key) ?? -1)
  const gathered = gather(walked.keys.length, begin + dayMs)
  yield* walkTimelines(store, walked, begin, gathered.visitor)
  return gathered.day(walked, slots)
}

/** Gathers the states of devices up to the end of a day. */
function gather(count: number, end: number) {
  const device: number[] = []
  const froms: number[] = []
  const untils: number[] = []
  const online: number[] = []
  const knownSince = new Float64Array(count).fill(Infinity)
  const visitor: Visitor = {
    state(one, connected, from, until) {
      if (from >= end) return
      // Also one without length: where a missed change began before the day, the device is known from the day's beginning.
      knownSince[one] = Math.min(at(knownSince, one), from)
      if (until <= from) return
      device.push(one)
      froms.push(from)
      untils.push(until)
      online.push(Number(connected))
    },
    drop: () => undefined,
  }
  const day = (walked: PastDay['walked'], slots: Int32Array): PastDay => {
    const columns: Intervals = {
      device: Int32Array.from(device),
      from: Float64Array.from(froms),
      until: Float64Array.from(untils),
      connected: Uint8Array.from(online),
    }
    const first = knownSince.reduce((one, other) => Math.min(one, other), Infinity)
    return {
      walked,
      knownSince: Number.isFinite(first) ? first : null,
      slots,
      statesAt: ({ journal }, time) => statesAt(journal, walked, columns, knownSince, time),
    }
  }
  return { visitor, day }
}

function statesAt(
  { history }: Store['journal'],
  { keys, tenants, tenantOf }: PastDay['walked'],
  { device, from, until, connected }: Intervals,
  knownSince: Float64Array,
  time: number,
): Uint8Array {
  const states = new Uint8Array(keys.length)
  // Between two times of a device, nobody saw which of them held.
  knownSince.forEach((since, index) => (states[index] = since <= time ? dayStates.uncertain : dayStates.none))
  for (let index = 0; index < device.length; index += 1)
    if (at(from, index) <= time && at(until, index) > time)
      states[at(device, index)] = at(connected, index) === 1 ? dayStates.online : dayStates.offline
  const isUnseen = tenants.map((tenant) =>
    history.unseen(tenant, time).some((span) => span.from <= time && (span.until === null || span.until > time)),
  )
  tenantOf.forEach((tenant, index) => {
    if (isUnseen[tenant] === true) states[index] = dayStates.none
  })
  return states
}
