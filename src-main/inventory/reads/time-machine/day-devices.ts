import { dayMs, dayStates } from '../../../storage/journal/day-states.ts'
import { at, textAt } from '../../engine/columns/columns.ts'
import { roomOf } from '../../engine/inventory.ts'
import type { Store } from '../../store.ts'
import { newTimelines, type Visitor, type Walked } from '../overview/timelines.ts'

/** Devices that are read in one part. */
const [devicesAtOnce, statesAtOnce] = [20_000, 400]

/** The present devices as they were at the beginning of a day and of the next one. */
export interface DayDevices {
  begin: number
  walked: Pick<Walked, 'keys' | 'tenants' | 'tenantOf'>
  slots: Int32Array
  /** The device of each slot; -1 for none. */
  deviceOf: Int32Array
  /** By device (journal/day-states.ts). `next`: null for today. */
  states: Uint8Array
  next: Uint8Array | null
}

/** Returns the devices of a day whose beginning and end are known; null where they are not. */
export function* readDayDevices(store: Store, begin: number, now: number): Generator<undefined, DayDevices | null> {
  const { inventory, journal } = store
  const day = Math.floor(begin / dayMs)
  const isToday = day === Math.floor(now / dayMs)
  const [states, after] = [journal.days.read(day), isToday ? null : journal.days.read(day + 1)]
  if (states === null || (!isToday && after === null)) return null
  const { rows } = inventory
  const keys: string[] = []
  const slots: number[] = []
  const positions: number[] = []
  const deviceOf = new Int32Array(rows.top).fill(-1)
  const add = (key: string, slot: number, position: number) => {
    deviceOf[slot] = keys.length
    keys.push(key)
    slots.push(slot)
    positions.push(position)
  }
  let last: number | null = 0
  while (last !== null) {
    last = journal.days.devices(last, devicesAtOnce, (position, key) => {
      const slot = rows.slotOf.get(key)
      if (slot !== undefined && slot < deviceOf.length) add(key, slot, position)
    })
    yield undefined
  }
  // Devices that have come since the last day was written.
  for (let slot = 0; slot < deviceOf.length; slot += 1) {
    const key = textAt(rows.key, slot)
    if (at(deviceOf, slot) === -1 && key !== '' && rows.slotOf.get(key) === slot) add(key, slot, Infinity)
  }
  const tenants: string[] = []
  const indexOf = new Map<string, number>()
  const tenantOf = Int32Array.from(slots, (slot) => {
    const tenant = roomOf(inventory, slot).tenant?.key ?? ''
    const known = indexOf.get(tenant)
    if (known !== undefined) return known
    indexOf.set(tenant, tenants.length)
    return tenants.push(tenant) - 1
  })
  const of = (all: Uint8Array) => Uint8Array.from(positions, (position) => all[position] ?? dayStates.none)
  return {
    begin,
    walked: { keys, tenants, tenantOf },
    slots: Int32Array.from(slots),
    deviceOf,
    states: of(states),
    next: after === null ? null : of(after),
  }
}

/** Walks the transitions of a day: the same states as `walkTimelines` tells of it (timelines.ts). */
export function* walkDay(store: Store, devices: DayDevices, visitor: Visitor): Generator<undefined> {
  const { inventory, journal } = store
  const { begin, walked, deviceOf, next } = devices
  const end = begin + dayMs
  const timelines = newTimelines(walked.keys.length, visitor)
  yield* beginAt(store, devices, timelines)
  journal.history.between(begin, end, (key, ...transition) => {
    const slot = inventory.rows.slotOf.get(key)
    const device = slot === undefined ? -1 : (deviceOf[slot] ?? -1)
    if (walked.keys[device] === key) timelines.apply(device, ...transition)
  })
  yield undefined
  for (let device = 0; device < walked.keys.length; device += 1) {
    const since = at(timelines.since, device)
    const isUnclear = next !== null && at(next, device) === dayStates.uncertain
    if (!isUnclear) {
      if (timelines.connected[device] !== -1) visitor.state(device, timelines.connected[device] === 1, since, Infinity)
      continue
    }
    // A change that nobody saw goes over the end of the day.
    const following = journal.history.nextOf(textAt(walked.keys, device), end)
    if (following === null) continue
    const until = Math.max(since, Math.min(end, following.notBefore ?? end))
    const before = timelines.connected[device] === -1 ? !following.connected : timelines.connected[device] === 1
    visitor.state(device, before, since, until)
  }
}

/** Sets what each device was when the day began, and since when those are known that became known within it. */
function* beginAt(
  { journal }: Store,
  { begin, walked, states, next }: DayDevices,
  timelines: ReturnType<typeof newTimelines>,
): Generator<undefined> {
  const unknown: number[] = []
  states.forEach((state, device) => {
    const isKnown = state !== dayStates.none || next === null || at(next, device) !== dayStates.none
    // A change may be told with a time before the device came: the day knows nothing of it.
    timelines.since[device] = isKnown ? begin : Infinity
    if (state === dayStates.online || state === dayStates.offline)
      timelines.connected[device] = Number(state === dayStates.online)
    else if (state === dayStates.none && isKnown) unknown.push(device)
  })
  for (let start = 0; start < unknown.length; start += statesAtOnce) {
    const part = unknown.slice(start, start + statesAtOnce)
    const known = journal.history.states(part.map((device) => textAt(walked.keys, device)))
    known.forEach((state, index) => {
      const device = at(part, index)
      if (state === null) return
      timelines.since[device] = Math.max(begin, state.knownSince)
      const after = next === null ? null : at(next, device)
      if (after === dayStates.uncertain) return
      timelines.connected[device] = Number(after === null ? state.connected : after === dayStates.online)
    })
    yield undefined
  }
}
