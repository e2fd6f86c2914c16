import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import { at, statusCodes, textAt } from '../../engine/columns/columns.ts'
import { isSpare } from '../../engine/filter/spares.ts'
import { roomsBelow } from '../../engine/places.ts'
import { rowAt } from '../../engine/view.ts'
import { tenantNode } from '../../keys.ts'
import type { Store } from '../../store.ts'
import { newTally, type Span, visibleTimeOver } from '../availability-tally.ts'
import { createScan, type Scan } from './scan.ts'
import { type Walked, walkedDevices, walkTimelines } from './timelines.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Parts of a day: quarters of an hour. */
const dayParts = 96
const monthDays = 30
const weekDays = 7
/** Length of the lists of the worst. */
const most = 10
const [dayMaxAge, monthMaxAge] = [30_000, 10 * 60_000]

/** The history of the fleet for the overview, which is read part by part. */
export interface FleetHistory {
  day: Scan<CallOutput<'overview.day'>>
  month: Scan<Month>
}

export const newFleetHistory = (store: Store): FleetHistory => ({
  day: createScan((now) => readDay(store, now), dayMaxAge),
  month: createScan((now) => readMonth(store, now), monthMaxAge),
})

const spanOf = (from: number, until: number, parts: number, now: number): Span => ({ from, until, parts, now })

/** Returns device-ms of each part as numbers of devices, with two decimals. */
const devicesOf = (sums: Float64Array, { from, until, parts }: Span): number[] =>
  Array.from(sums, (ms) => Math.round((ms / ((until - from) / parts)) * 100) / 100)

function* readDay(store: Store, now: number): Generator<undefined, CallOutput<'overview.day'>> {
  const walked = yield* walkedDevices(store)
  const span = spanOf(now - dayMs, now, dayParts, now)
  const tallies = walked.tenants.map((tenant) => newTally(span, store.journal.history.unseen(tenant, span.from)))
  for (const tenant of walked.tenantOf) {
    const tally = tallies[tenant]
    if (tally !== undefined) tally.devices += 1
  }
  yield* walkTimelines(store, walked, span.from, {
    state: (device, connected, from, until) => tallies[at(walked.tenantOf, device)]?.add(connected, from, until),
    drop: () => undefined,
  })
  return {
    from: span.from,
    until: now,
    tenants: walked.tenants.map((tenant, index) => {
      const sums = tallies[index]?.read()
      return {
        id: tenantNode(tenant),
        devices: tallies[index]?.devices ?? 0,
        up: devicesOf(sums?.up ?? new Float64Array(), span),
        down: devicesOf(sums?.down ?? new Float64Array(), span),
      }
    }),
  }
}

/** What 30 days have shown. */
export interface Month {
  from: number
  until: number
  lastWeek: CallOutput<'overview.month'>['lastWeek']
  /** Devices with disconnects, the most first: more than are shown, as some may be gone by then. */
  disconnects: readonly { key: string; count: number }[]
  /** Sites in 30 days without spares, the most offline time first; and places in 7 days. */
  worstSites: readonly PlaceSums[]
  week: { site: readonly PlaceSums[]; room: readonly PlaceSums[] }
}

/** Sums of the devices of a place; `id`: its node. */
interface PlaceSums {
  id: string
  up: number
  down: number
  disconnects: number
}

/** By device. Times in ms. */
interface Sums {
  drops: Uint32Array
  up: Float64Array
  down: Float64Array
}

const newSums = (devices: number): Sums => ({
  drops: new Uint32Array(devices),
  up: new Float64Array(devices),
  down: new Float64Array(devices),
})

function* readMonth(store: Store, now: number): Generator<undefined, Month> {
  const walked = yield* walkedDevices(store)
  const { history } = store.journal
  const [from, weekFrom] = [now - monthDays * dayMs, now - weekDays * dayMs]
  const [whole, before] = [spanOf(from, now, 1, now), spanOf(weekFrom - dayMs, weekFrom, dayParts, now)]
  const gaps = walked.tenants.map((tenant) => history.unseen(tenant, from))
  const visible = gaps.map((unseen) => visibleTimeOver(whole, unseen))
  const tallies = gaps.map((unseen) => newTally(before, unseen))
  const [month, week] = [newSums(walked.keys.length), newSums(walked.keys.length)]
  yield* walkTimelines(store, walked, from, {
    state(device, connected, since, until) {
      const tenant = at(walked.tenantOf, device)
      const seen = visible[tenant]
      if (seen === undefined || until <= since) return
      tallies[tenant]?.add(connected, since, until)
      const end = Math.min(until, now)
      addTime(month, device, connected, seen(Math.max(end, since)) - seen(since))
      if (end > weekFrom) addTime(week, device, connected, seen(end) - seen(Math.max(since, weekFrom)))
    },
    drop(device, time) {
      if (time > now) return
      month.drops[device] = at(month.drops, device) + 1
      if (time >= weekFrom) week.drops[device] = at(week.drops, device) + 1
    },
  })
  const sums = tallies.map((tally) => tally.read())
  return {
    from,
    until: now,
    lastWeek: {
      from: before.from,
      until: before.until,
      up: devicesOf(added(sums.map(({ up }) => up)), before),
      down: devicesOf(added(sums.map(({ down }) => down)), before),
    },
    disconnects: mostDisconnects(walked, month),
    worstSites: (yield* worstSites(store, walked, month, now)).slice(0, most * spareLength),
    week: {
      site: yield* placeSums(store, 'site', walked, week, () => true),
      room: yield* placeSums(store, 'room', walked, week, () => true),
    },
  }
}

function addTime(sums: Sums, device: number, connected: boolean, ms: number): void {
  const column = connected ? sums.up : sums.down
  column[device] = at(column, device) + Math.max(0, ms)
}

function added(all: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(dayParts)
  for (const each of all) each.forEach((value, part) => (sum[part] = at(sum, part) + value))
  return sum
}

/** How many times as long as shown the lists are. */
const spareLength = 5

function mostDisconnects({ keys }: Walked, { drops }: Sums): Month['disconnects'] {
  const order = Array.from(keys, (_, device) => device).filter((device) => at(drops, device) > 0)
  return order
    .sort((one, other) => at(drops, other) - at(drops, one) || one - other)
    .slice(0, most * spareLength)
    .map((device) => ({ key: textAt(keys, device), count: at(drops, device) }))
}

function* worstSites(store: Store, walked: Walked, month: Sums, now: number): Generator<undefined, PlaceSums[]> {
  const { inventory } = store
  const { rows, filters, places } = inventory
  const isCounted = (slot: number) =>
    at(rows.status, slot) !== statusCodes.disconnected || !isSpare(inventory, filters.spareRule.get(), now)(slot)
  const sums = yield* placeSums(store, 'site', walked, month, isCounted)
  const isSite = ({ id }: PlaceSums) => places.byId.get(id)?.ref != null
  return sums.filter((site) => site.down > 0 && isSite(site)).sort((one, other) => other.down - one.down)
}

/** The most places that an answer has, as many as a map has tiles; and devices that are summed up at a time. */
const maxPlaces = 20_000
const sumsAtOnce = 10_000

/** Returns the places that have data. */
function* placeSums(
  { inventory }: Store,
  kind: 'site' | 'room',
  { indexOf }: Walked,
  sums: Sums,
  isCounted: (slot: number) => boolean,
): Generator<undefined, PlaceSums[]> {
  const { rows, places } = inventory
  const found: PlaceSums[] = []
  let summed = 0
  for (let index = 0; index < places.byIndex.length && found.length < maxPlaces; index += 1) {
    const place = places.byIndex[index]
    if (place?.kind !== kind) continue
    const sum = { id: place.id, up: 0, down: 0, disconnects: 0 }
    roomsBelow(place, (room) => {
      for (let slot = room.firstRow; slot !== -1; slot = at(rows.next, slot)) {
        summed += 1
        const device = indexOf.get(textAt(rows.key, slot))
        if (device === undefined || !isCounted(slot)) continue
        sum.up += at(sums.up, device)
        sum.down += at(sums.down, device)
        sum.disconnects += at(sums.drops, device)
      }
    })
    if (sum.up + sum.down > 0) found.push({ ...sum, up: Math.round(sum.up), down: Math.round(sum.down) })
    if (summed >= sumsAtOnce) {
      summed = 0
      yield undefined
    }
  }
  return found
}

/** Answers `overview.month`, with present names. What is gone by now is left out. */
export function monthOf({ inventory }: Store, read: Month): CallOutput<'overview.month'> {
  const { from, until, lastWeek } = read
  return {
    from,
    until,
    lastWeek,
    disconnects: read.disconnects
      .flatMap(({ key, count }) => {
        const slot = inventory.rows.slotOf.get(key)
        if (slot === undefined) return []
        const { name, tenant, site } = rowAt(inventory, slot)
        return [{ key, name, tenant: tenant.name, site: site?.name ?? null, count }]
      })
      .slice(0, most),
    sites: read.worstSites
      .flatMap(({ id, up, down }) => {
        const place = inventory.places.byId.get(id)
        return place === undefined ? [] : [{ id, name: place.name, tenant: place.tenant?.name ?? '', up, down }]
      })
      .slice(0, most),
  }
}

/** Answers `overview.places`. What is gone by now is left out. */
export function placesHistory(
  { inventory }: Store,
  { until, week }: Month,
  kind: 'site' | 'room',
): CallOutput<'overview.places'> {
  return {
    from: until - weekDays * dayMs,
    until,
    places: week[kind].filter(({ id }) => inventory.places.byId.has(id)),
  }
}
