import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import type { DeviceRow } from '../../../../src-shared/model/inventory.ts'
import { at, textAt } from '../../engine/columns/columns.ts'
import { slotsBelow } from '../../engine/inventory.ts'
import { type Place, placeAt, rowCount } from '../../engine/places.ts'
import { comparePlaces } from '../../engine/sort/orders.ts'
import { rowAt } from '../../engine/view.ts'
import type { Store } from '../../store.ts'
import { newTally, type Span, type Tally, visibleTimeOver } from '../availability-tally.ts'
import { createScan, type Scan } from './scan.ts'
import { walkedBelow, walkTimelines } from './timelines.ts'

type Answer = CallOutput<'overview.place'>
type Found = NonNullable<Answer['history']>

/** The histories of places of a data thread: the last one is kept. */
export interface PlaceHistories {
  /** Reads a part. Null while it is not done; to be repeated. `now` in ms. */
  step(place: string, now: number): Answer | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const [hours, monthDays] = [24, 30]
/** How long an answer holds, ms. */
const maxAge = 30_000
/** Most lines of the heat map, and most devices of the list. */
const [maxLines, maxDevices] = [20, 10]
/** Devices that are looked at in one part. */
const devicesAtOnce = 2000
/** What so many of the listed devices have in common is told, where it is at least this much more frequent than in the place. */
const [leastInCommon, leastShare, leastRatio] = [3, 0.8, 1.5]

export function newPlaceHistories(store: Store): PlaceHistories {
  let present: { place: string; scan: Scan<Answer> } | null = null
  return {
    step(place, now) {
      if (present?.place !== place) present = { place, scan: createScan((begun) => read(store, place, begun), maxAge) }
      return present.scan.step(now)
    },
  }
}

interface Line {
  place: Place
  tally: Tally
}

/** Answers `overview.place`. */
function* read(store: Store, id: string, now: number): Generator<undefined, Answer> {
  const { inventory, journal } = store
  const place = placeAt(inventory.places, id)
  if (place === undefined || place.tenant === null) return { history: null }
  const walked = walkedBelow(store, place)
  const [from, dayFrom] = [now - monthDays * dayMs, now - dayMs]
  const unseen = journal.history.unseen(place.tenant.key, from)
  const visible = visibleTimeOver({ from, until: now, parts: 1, now }, unseen)
  const span: Span = { from: dayFrom, until: now, parts: hours, now }
  const { lines, lineOf } = linesOf(store, place, () => newTally(span, unseen), walked.indexOf)
  const count = walked.keys.length
  const [drops, last, down] = [new Uint32Array(count), new Float64Array(count), new Float64Array(count)]
  yield* walkTimelines(store, walked, from, {
    state(device, connected, since, until) {
      lines[at(lineOf, device)]?.tally.add(connected, since, until)
      const end = Math.min(until, now)
      if (!connected && end > since) down[device] = at(down, device) + visible(end) - visible(since)
    },
    drop(device, time) {
      if (time > now) return
      drops[device] = at(drops, device) + 1
      last[device] = time
    },
  })
  const devices: Found['devices'] = []
  const worst: DeviceRow[] = []
  const order = Array.from(drops.keys()).filter((device) => at(drops, device) > 0)
  for (const device of order.sort((a, b) => at(drops, b) - at(drops, a) || at(down, b) - at(down, a) || a - b)) {
    const slot = inventory.rows.slotOf.get(textAt(walked.keys, device))
    if (slot === undefined) continue
    const row = rowAt(inventory, slot)
    const { key, name, site, room, hardwareModel } = row
    const times = { disconnects: at(drops, device), last: at(last, device), down: Math.round(at(down, device)) }
    devices.push({ key, name, site: site?.name ?? null, room: room?.name ?? null, hardwareModel, ...times })
    if (worst.push(row) >= maxDevices) break
  }
  const inCommon = yield* commonOf(store, walked.keys, worst)
  return {
    history: {
      from,
      until: now,
      hours: { from: dayFrom, lines: worstLines(lines, span), leftOut: Math.max(0, lines.length - maxLines) },
      disconnecting: order.length,
      devices,
      inCommon,
    },
  }
}

/** Returns a line for each place with devices that is next below: sites of a tenant or account, rooms of a site; and each device's. */
function linesOf(
  { inventory }: Store,
  place: Place,
  tally: () => Tally,
  indexOf: ReadonlyMap<string, number>,
): { lines: Line[]; lineOf: Int32Array } {
  const lineOf = new Int32Array(indexOf.size).fill(-1)
  const lines: Line[] = []
  for (const below of placesBelow(place)) {
    if (rowCount(below) === 0) continue
    const line = { place: below, tally: tally() }
    slotsBelow(inventory, below, (slot) => {
      const device = indexOf.get(textAt(inventory.rows.key, slot))
      if (device === undefined) return
      lineOf[device] = lines.length
      line.tally.devices += 1
    })
    lines.push(line)
  }
  return { lines, lineOf }
}

function placesBelow(place: Place): Place[] {
  const children = place.children.toSorted(comparePlaces)
  return place.kind === 'tenant'
    ? children.flatMap((child) => (child.kind === 'account' ? placesBelow(child) : child))
    : children
}

/** Returns the lines with the most offline time first, as shares of the time of their devices. */
function worstLines(lines: readonly Line[], { from, until, parts }: Span): Found['hours']['lines'] {
  const whole = (until - from) / parts
  const share = (sums: Float64Array, devices: number) =>
    Array.from(sums, (ms) => Math.round((ms / whole / devices) * 1000) / 1000)
  return lines
    .map(({ place, tally }) => ({ place, devices: tally.devices, ...tally.read() }))
    .map((line) => ({ ...line, sum: line.down.reduce((one, other) => one + other, 0) }))
    .sort((one, other) => other.sum - one.sum)
    .slice(0, maxLines)
    .map(({ place: { id, name }, devices, up, down }) => ({
      id,
      name,
      devices,
      up: share(up, devices),
      down: share(down, devices),
    }))
}

/** Returns the values that most of the worst devices have, and far fewer of all. */
function* commonOf(
  { inventory }: Store,
  keys: readonly string[],
  worst: readonly DeviceRow[],
): Generator<undefined, Found['inCommon']> {
  const candidates = [...new Set(worst.flatMap((row) => [...valuesOf(row)].map((each) => JSON.stringify(each))))]
    .map((text) => JSON.parse(text) as [string, string])
    .map(([field, value]) => ({
      field,
      value,
      devices: worst.filter((row) => valuesOf(row).get(field) === value).length,
      all: 0,
    }))
    .filter(({ devices }) => devices >= leastInCommon && devices >= worst.length * leastShare)
  if (candidates.length === 0) return []
  for (const [index, key] of keys.entries()) {
    if (index % devicesAtOnce === devicesAtOnce - 1) yield undefined
    const slot = inventory.rows.slotOf.get(key)
    if (slot === undefined) continue
    const values = valuesOf(rowAt(inventory, slot))
    for (const each of candidates) if (values.get(each.field) === each.value) each.all += 1
  }
  return candidates.filter(
    ({ devices, all }) => devices / worst.length >= (all / Math.max(1, keys.length)) * leastRatio,
  )
}

/** Its model, room, site, and the texts of its extra columns, which firmware is one of. */
function valuesOf({ hardwareModel, room, site, extra }: DeviceRow): ReadonlyMap<string, string> {
  const own = [
    ['hardwareModel', hardwareModel],
    ['site', site?.name ?? ''],
    ['room', room?.name ?? ''],
  ] as const
  const others = Object.entries(extra).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return new Map([...own, ...others].filter(([, value]) => value !== ''))
}
