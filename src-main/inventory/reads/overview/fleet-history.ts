import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import { at, statusCodes, textAt } from '../../engine/columns/columns.ts'
import { isSpare } from '../../engine/filter/spares.ts'
import { isPlaceless, type Place, roomsBelow } from '../../engine/places.ts'
import { rowAt } from '../../engine/view.ts'
import { tenantNode } from '../../keys.ts'
import type { Store } from '../../store.ts'
import { newTally, type Span, visibleTimeOver } from '../availability-tally.ts'
import { createScan, type Scan } from './scan.ts'
import { walkedDevices, walkTimelines } from './timelines.ts'

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
  const walked = walkedDevices(store)
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

/** What 30 days have shown of each device: its disconnects and device-ms, and those of the last 7 days. */
export interface Month {
  from: number
  until: number
  lastWeek: CallOutput<'overview.month'>['lastWeek']
  indexOf: ReadonlyMap<string, number>
  month: Sums
  week: Sums
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
  const walked = walkedDevices(store)
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
    indexOf: new Map(walked.keys.map((key, index) => [key, index])),
    month,
    week,
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

/** Answers `overview.month`, with present names. Devices that are gone by now are left out. */
export function monthOf(store: Store, read: Month, now: number): CallOutput<'overview.month'> {
  const { from, until, lastWeek } = read
  return { from, until, lastWeek, disconnects: mostDisconnects(store, read), sites: worstSites(store, read, now) }
}

function mostDisconnects({ inventory }: Store, { indexOf, month }: Month): CallOutput<'overview.month'>['disconnects'] {
  const found: { slot: number; count: number }[] = []
  for (const [key, index] of indexOf) {
    const slot = inventory.rows.slotOf.get(key)
    const count = at(month.drops, index)
    if (slot !== undefined && count > 0) found.push({ slot, count })
  }
  return found
    .sort((one, other) => other.count - one.count || one.slot - other.slot)
    .slice(0, most)
    .map(({ slot, count }) => {
      const { key, name, tenant, site } = rowAt(inventory, slot)
      return { key, name, tenant: tenant.name, site: site?.name ?? null, count }
    })
}

function worstSites(store: Store, read: Month, now: number): CallOutput<'overview.month'>['sites'] {
  const { rows, filters } = store.inventory
  const rule = filters.spareRule.get()
  const isCounted = (slot: number) =>
    at(rows.status, slot) !== statusCodes.disconnected || !isSpare(rows, slot, rule, now)
  return placesOf(store, 'site')
    .filter((place) => !isPlaceless(place))
    .map((place) => ({ place, ...sumsBelow(store, place, read.indexOf, read.month, isCounted) }))
    .filter(({ down }) => down > 0)
    .sort((one, other) => other.down - one.down || one.place.index - other.place.index)
    .slice(0, most)
    .map(({ place, up, down }) => ({ id: place.id, name: place.name, tenant: place.tenant?.name ?? '', up, down }))
}

/** Answers `overview.places`. */
export function placesHistory(store: Store, read: Month, kind: 'site' | 'room'): CallOutput<'overview.places'> {
  return {
    from: read.until - weekDays * dayMs,
    until: read.until,
    places: placesOf(store, kind).flatMap((place) => {
      const { up, down, drops } = sumsBelow(store, place, read.indexOf, read.week, () => true)
      return up + down === 0 ? [] : [{ id: place.id, up: Math.round(up), down: Math.round(down), disconnects: drops }]
    }),
  }
}

/** The most places that an answer has, as many as a map has tiles. */
const maxPlaces = 20_000

function placesOf({ inventory: { places } }: Store, kind: 'site' | 'room'): Place[] {
  const found: Place[] = []
  for (const place of places.byIndex) {
    if (place?.kind !== kind) continue
    if (found.length >= maxPlaces) break
    found.push(place)
  }
  return found
}

function sumsBelow(
  { inventory }: Store,
  place: Place,
  indexOf: ReadonlyMap<string, number>,
  sums: Sums,
  isCounted: (slot: number) => boolean,
): { up: number; down: number; drops: number } {
  const { rows } = inventory
  let [up, down, drops] = [0, 0, 0]
  roomsBelow(place, (room) => {
    for (let slot = room.firstRow; slot !== -1; slot = at(rows.next, slot)) {
      const index = indexOf.get(textAt(rows.key, slot))
      if (index === undefined || !isCounted(slot)) continue
      up += at(sums.up, index)
      down += at(sums.down, index)
      drops += at(sums.drops, index)
    }
  })
  return { up, down, drops }
}
