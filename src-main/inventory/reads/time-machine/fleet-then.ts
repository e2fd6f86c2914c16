import type { CallInput, CallOutput } from '../../../../src-shared/contract/contract.ts'
import { dayStates } from '../../../storage/journal/day-states.ts'
import { at, textAt } from '../../engine/columns/columns.ts'
import { slotsBelow } from '../../engine/inventory.ts'
import { placeAt } from '../../engine/places.ts'
import type { Store } from '../../store.ts'
import { type FleetMaps, fleetTiles } from '../overview/fleet-map.ts'
import { createScan, type Scan } from '../overview/scan.ts'
import { pastDevice } from './past-device.ts'
import { dayOf, type PastDay, readPastDay } from './past-day.ts'

type Input = CallInput<'overview.then'>
type Answer = CallOutput<'overview.then'>

/** How long a day holds, ms, and how many are kept. */
const [maxAge, maxDays] = [10 * 60_000, 4]
/** Offline devices that are listed. */
const maxListed = 100

/** The past days of a data thread: the last ones are kept. */
export interface PastDays {
  /** Reads a part of the day of a time. Null while it is not done; to be repeated. Times in ms. */
  step(time: number, now: number): PastDay | null
}

export function newPastDays(store: Store): PastDays {
  const days = new Map<number, { scan: Scan<PastDay>; begun: number }>()
  return {
    step(time, now) {
      const day = dayOf(time)
      const kept = days.get(day)
      // What a day says of the time after it was read is not known to it.
      const present =
        kept !== undefined && time <= kept.begun
          ? kept
          : { scan: createScan((begun) => readPastDay(store, day, begun), maxAge), begun: now }
      days.delete(day)
      days.set(day, present)
      for (const oldest of days.keys()) {
        if (days.size <= maxDays) break
        days.delete(oldest)
      }
      return present.scan.step(now)
    },
  }
}

/** Answers `overview.then` for a time of this day. */
export function fleetThen(store: Store, maps: FleetMaps, day: PastDay, input: Input): Omit<Answer, 'rev'> {
  const { inventory } = store
  const states = statesOfSlots(store, day, input.at)
  const stateOf = (slot: number): number => states[slot] ?? dayStates.none
  const { layout, places, tiles } = fleetTiles(inventory, maps, input.tiles)
  const counts: number[] = []
  let uncertain = 0
  for (const tile of tiles) {
    const sums = [0, 0, 0, 0]
    slotsBelow(inventory, tile, (slot) => {
      const state = stateOf(slot)
      sums[state] = (sums[state] ?? 0) + 1
    })
    const [none = 0, offline = 0, online = 0, unclear = 0] = sums
    uncertain += unclear
    counts.push(offline, none + unclear, online)
  }
  const { total, devices } = offlineDevices(store, stateOf, input)
  return {
    at: input.at,
    knownSince: day.knownSince,
    layout,
    places: input.layout === layout ? null : places,
    counts,
    uncertain,
    offline: total,
    devices,
  }
}

/** Returns the states by slot. A device whose slot has become another since then is looked up. */
export function statesOfSlots(store: Store, day: PastDay, time: number): Uint8Array {
  const { key, slotOf, top } = store.inventory.rows
  const bySlot = new Uint8Array(top)
  const { keys } = day.walked
  day.statesAt(store, time).forEach((state, index) => {
    const before = at(day.slots, index)
    const slot = key[before] === keys[index] ? before : slotOf.get(textAt(keys, index))
    if (slot !== undefined) bySlot[slot] = state
  })
  return bySlot
}

/** Returns the first devices of a place that were offline, with names and places as they were, and their number. */
function offlineDevices(
  store: Store,
  stateOf: (slot: number) => number,
  { at: time, place }: Input,
): { total: number; devices: Answer['devices'] } {
  const { inventory } = store
  const root = place === null ? undefined : placeAt(inventory.places, place)
  const roots = place === null ? inventory.places.roots : root === undefined ? [] : [root]
  let total = 0
  const devices: Answer['devices'] = []
  for (const each of roots)
    slotsBelow(inventory, each, (slot) => {
      if (stateOf(slot) !== dayStates.offline) return
      total += 1
      if (devices.length >= maxListed) return
      devices.push(pastDevice(store, slot, time))
    })
  return { total, devices }
}
