import { at, textAt } from '../../engine/columns/columns.ts'
import { slotsBelow, slotsOf } from '../../engine/inventory.ts'
import type { Place } from '../../engine/places.ts'
import type { Store } from '../../store.ts'

/** The devices of a walk, as they were known at its start. */
export interface Walked {
  /** Keys of the devices, and the index of each device's tenant in `tenants`. */
  keys: readonly string[]
  /** The index of each key. */
  indexOf: ReadonlyMap<string, number>
  tenantOf: Int32Array
  /** Keys of the tenants that have devices. */
  tenants: readonly string[]
  /** A few devices of a larger fleet: their transitions are read device by device, and not those of all others. */
  isFew: boolean
}

/** Receives what the journal knows of devices, by their index in `Walked.keys`. */
export interface Visitor {
  /** A time (ms) in which a device was online or offline as far as Muster knows; the present state has no end (Infinity). */
  state(device: number, connected: boolean, from: number, until: number): void
  /** A device went offline at this time, or it was found then. */
  drop(device: number, at: number): void
}

/** Devices or transitions that are read at a time: some ms of the thread. */
const keysAtOnce = 5000
const statesAtOnce = 1200
const statesOfOneRead = 400
const transitionsAtOnce = 3000
/** Devices that are read device by device, and how many at a time. */
const [few, fewAtOnce] = [400, 20]
const devicesAtOnce = 10_000

/** Returns all devices of the fleet, part by part. */
export function* walkedDevices({ inventory }: Pick<Store, 'inventory'>): Generator<undefined, Walked> {
  const { rows, tenants } = inventory
  const keys: string[] = []
  const owners: number[] = []
  const named: string[] = []
  const indexOf = new Map<string, number>()
  for (const tenant of tenants.values()) {
    const slots = slotsOf(inventory, tenant)
    if (slots.length === 0) continue
    for (const slot of slots) {
      indexOf.set(textAt(rows.key, slot), keys.length)
      keys.push(textAt(rows.key, slot))
      owners.push(named.length)
    }
    named.push(tenant.key)
    if (keys.length % keysAtOnce < slots.length) yield undefined
  }
  return { keys, indexOf, tenantOf: Int32Array.from(owners), tenants: named, isFew: false }
}

/** Returns the devices at or below a place of one tenant. */
export function walkedBelow({ inventory }: Pick<Store, 'inventory'>, place: Place): Walked {
  const keys: string[] = []
  slotsBelow(inventory, place, (slot) => keys.push(textAt(inventory.rows.key, slot)))
  return {
    keys,
    indexOf: new Map(keys.map((key, device) => [key, device])),
    tenantOf: new Int32Array(keys.length),
    tenants: place.tenant === null ? [] : [place.tenant.key],
    isFew: keys.length <= few,
  }
}

/**
 * Walks the journal's transitions of all these devices since `from` (ms), part by part. The same rules as for a strip
 * (availability.ts): a device's state before a transition is the other one, and within the span of a missed one it is unknown.
 */
export function* walkTimelines(
  store: Store,
  { keys, indexOf, isFew }: Walked,
  from: number,
  visitor: Visitor,
): Generator<undefined> {
  const { history } = store.journal
  const count = keys.length
  const { connected, since, apply: applyTo } = newTimelines(count, visitor)
  for (let start = 0; start < count; start += statesAtOnce) {
    yield undefined
    for (let part = start; part < Math.min(count, start + statesAtOnce); part += statesOfOneRead) {
      const read = keys.slice(part, Math.min(count, part + statesOfOneRead))
      history.states(read).forEach((state, place) => {
        const device = part + place
        since[device] = Math.max(from, state?.knownSince ?? from)
        if (state !== null) connected[device] = Number(state.connected)
      })
    }
  }
  const apply = (key: string, time: number, notBefore: number | null, isConnected: boolean) => {
    const device = indexOf.get(key)
    if (device !== undefined) applyTo(device, time, notBefore, isConnected)
  }
  let after: number | null = null
  if (isFew)
    for (let start = 0; start < count; start += fewAtOnce) {
      yield undefined
      const read = keys.slice(start, start + fewAtOnce)
      history.since(read, from, (place, ...transition) => apply(textAt(read, place), ...transition))
    }
  else
    do {
      yield undefined
      after = history.page(from, after, transitionsAtOnce, apply)
    } while (after !== null)
  for (let device = 0; device < count; device += 1) {
    if (device % devicesAtOnce === 0) yield undefined
    if (connected[device] !== -1) visitor.state(device, connected[device] === 1, at(since, device), Infinity)
  }
}

/** The states of devices while their transitions are applied, each device's in the order of entry. */
export interface Timelines {
  /** -1: not known. */
  readonly connected: Int8Array
  /** Since when it holds, ms. */
  readonly since: Float64Array
  apply(device: number, time: number, notBefore: number | null, isConnected: boolean): void
}

export function newTimelines(count: number, visitor: Visitor): Timelines {
  const connected = new Int8Array(count).fill(-1)
  const since = new Float64Array(count)
  const hasTransition = new Uint8Array(count)
  return {
    connected,
    since,
    apply(device, time, notBefore, isConnected) {
      const begin = at(since, device)
      const before = hasTransition[device] === 1 ? at(connected, device) === 1 : !isConnected
      const now = Math.max(begin, time)
      if (hasTransition[device] === 0 || at(connected, device) !== -1)
        visitor.state(device, before, begin, Math.max(begin, Math.min(now, notBefore ?? now)))
      if (!isConnected) visitor.drop(device, time)
      connected[device] = Number(isConnected)
      since[device] = now
      hasTransition[device] = 1
    },
  }
}
