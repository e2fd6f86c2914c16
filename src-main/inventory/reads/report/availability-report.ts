import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import { at, textAt } from '../../engine/columns/columns.ts'
import { roomOf } from '../../engine/inventory.ts'
import { type Place, placeAt, titleOf } from '../../engine/places.ts'
import { rowAt } from '../../engine/view.ts'
import { everything, idOfKey } from '../../keys.ts'
import type { Store } from '../../store.ts'
import { csvLine } from '../../../../src-shared/text/csv.ts'
import { type Walked, walkedBelow, walkedDevices, walkTimelines } from '../overview/timelines.ts'
import { notesAbout, placeNotes } from '../notes.ts'
import type { ReportInput } from '../../thread/report-protocol.ts'
import { type Counted, countedTime, maintenanceOf } from './counted-time.ts'

type Answer = CallOutput<'reports.availability'>
type Figures = Answer['all']

/** A report with the figures of every device. */
export interface Report {
  answer: Answer
  keys: readonly string[]
  figuresOf(device: number): Figures
}

/** Most lines, devices, windows and notes that are told. */
const [maxLines, maxDevices, maxWindows, maxNotes] = [500, 20, 100, 100]
const devicesAtOnce = 3000

/** The sums of each device, by its index. */
interface Sums {
  counted: Float64Array
  up: Float64Array
  down: Float64Array
  outages: Uint32Array
  longest: Float64Array
  recovered: Uint32Array
  recovery: Float64Array
}

/** Reads a report part by part; null for an unknown place. */
export function* readReport(store: Store, input: ReportInput): Generator<undefined, Report | null> {
  const { inventory } = store
  const root = input.place === everything ? null : placeAt(inventory.places, input.place)
  if (root === undefined) return null
  const walked = root === null ? yield* walkedDevices(store) : walkedBelow(store, root)
  const { groups, groupOf, lines, lineOf } = yield* groupsOf(store, input, walked, root)
  const sums = newSums(walked.keys.length)
  const days = input.days
    .slice(1)
    .map((until, day) => ({ from: at(input.days, day), until, counted: 0, up: 0, down: 0 }))
  groupOf.forEach((group, device) => {
    const counted = groups[group]
    if (counted !== undefined) sums.counted[device] = counted.before(input.until)
  })
  for (const group of groups)
    for (const day of days) day.counted += group.devices * (group.before(day.until) - group.before(day.from))
  yield* walkTimelines(
    store,
    walked,
    input.from,
    visitorOf(input, sums, days, (device) => groups[at(groupOf, device)]),
  )
  const figuresOf = (device: number): Figures => figuresAt(sums, device)
  const added = addedUp(walked.keys.length, lines.length, lineOf, figuresOf)
  const { path, windows } = describe(store, input, root)
  const worst = worstOf(store, walked, sums)
  return {
    keys: walked.keys,
    figuresOf,
    answer: {
      path,
      from: input.from,
      until: input.until,
      madeAt: input.now,
      all: added.all,
      maintenance: groups.reduce((sum, { devices, maintenance }) => sum + devices * maintenance, 0),
      days,
      ...linesAnswer(store, lines, added.lines),
      worst,
      windows: windows.slice(0, maxWindows),
      windowsLeftOut: Math.max(0, windows.length - maxWindows),
      notes: notesIn(store, root, worst),
    },
  }
}

const newSums = (count: number): Sums => ({
  counted: new Float64Array(count),
  up: new Float64Array(count),
  down: new Float64Array(count),
  outages: new Uint32Array(count),
  longest: new Float64Array(count),
  recovered: new Uint32Array(count),
  recovery: new Float64Array(count),
})

/** The counted time and the line of each device. A device that has left meanwhile has none. */
function* groupsOf(store: Store, input: ReportInput, { keys }: Walked, root: Place | null) {
  const { inventory } = store
  const countedOf = countedTime(store, input)
  const groups: Counted[] = []
  const indexOf = new Map<Counted, number>()
  const groupOf = new Int32Array(keys.length).fill(-1)
  const kind = lineKind(root)
  const lines: Place[] = []
  const lineAt = new Map<Place, number>()
  const lineOf = new Int32Array(keys.length).fill(-1)
  for (let device = 0; device < keys.length; device += 1) {
    if (device % devicesAtOnce === devicesAtOnce - 1) yield undefined
    const slot = inventory.rows.slotOf.get(textAt(keys, device))
    if (slot === undefined) continue
    const counted = countedOf(slot)
    counted.devices += 1
    groupOf[device] = indexed(indexOf, groups, counted)
    const line = ancestor(roomOf(inventory, slot), kind)
    if (line !== null) lineOf[device] = indexed(lineAt, lines, line)
  }
  return { groups, groupOf, lines, lineOf }
}

function indexed<T>(indexes: Map<T, number>, list: T[], one: T): number {
  const known = indexes.get(one)
  if (known !== undefined) return known
  indexes.set(one, list.length)
  return list.push(one) - 1
}

/** The kind of the lines below a place. */
function lineKind(root: Place | null): Place['kind'] | null {
  switch (root?.kind) {
    case undefined:
    case 'region':
      return 'tenant'
    case 'tenant':
    case 'account':
      return 'site'
    case 'site':
      return 'room'
    default:
      return null
  }
}

function ancestor(room: Place, kind: Place['kind'] | null): Place | null {
  for (let place: Place | null = room; place; place = place.parent) if (place.kind === kind) return place
  return null
}

type Day = Answer['days'][number]

function visitorOf(
  { from, until, days: boundaries }: ReportInput,
  sums: Sums,
  days: readonly Day[],
  countedOf: (device: number) => Counted | undefined,
) {
  const droppedAt = new Float64Array(sums.up.length).fill(-1)
  return {
    state(device: number, connected: boolean, since: number, end: number) {
      const [begin, stop] = [Math.max(since, from), Math.min(end, until)]
      const counted = countedOf(device)
      if (counted === undefined || stop <= begin) return
      const ms = counted.visibleBefore(stop) - counted.visibleBefore(begin)
      if (ms <= 0) return
      addToDays(days, boundaries, counted, connected ? 'up' : 'down', begin, stop)
      if (connected) return void (sums.up[device] = at(sums.up, device) + ms)
      sums.down[device] = at(sums.down, device) + ms
      sums.outages[device] = at(sums.outages, device) + 1
      sums.longest[device] = Math.max(at(sums.longest, device), ms)
      // Drops before the time are not told, so that one that is seen began in it.
      if (at(droppedAt, device) !== since || end > until) return
      sums.recovered[device] = at(sums.recovered, device) + 1
      sums.recovery[device] = at(sums.recovery, device) + ms
    },
    drop: (device: number, time: number) => void (droppedAt[device] = time),
  }
}

function addToDays(
  days: readonly Day[],
  boundaries: readonly number[],
  { visibleBefore, visibleAtDays }: Counted,
  what: 'up' | 'down',
  begin: number,
  stop: number,
): void {
  for (let day = dayAt(boundaries, begin); day < days.length && at(boundaries, day) < stop; day += 1) {
    const [first, last] = [at(boundaries, day), at(boundaries, day + 1)]
    const before = first >= begin ? at(visibleAtDays, day) : visibleBefore(begin)
    const after = last <= stop ? at(visibleAtDays, day + 1) : visibleBefore(stop)
    const sum = days[day]
    if (sum !== undefined) sum[what] += after - before
  }
}

/** Returns the index of the day of a time. */
function dayAt(boundaries: readonly number[], time: number): number {
  let [low, high] = [0, boundaries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(boundaries, middle) <= time) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

const figuresAt = (sums: Sums, device: number): Figures => ({
  devices: 1,
  counted: at(sums.counted, device),
  up: at(sums.up, device),
  down: at(sums.down, device),
  outages: at(sums.outages, device),
  longest: at(sums.longest, device),
  recovered: at(sums.recovered, device),
  recovery: at(sums.recovery, device),
})

const noFigures = (): Figures => ({
  devices: 0,
  counted: 0,
  up: 0,
  down: 0,
  outages: 0,
  longest: 0,
  recovered: 0,
  recovery: 0,
})

function addTo(sum: Figures, one: Figures): void {
  sum.devices += one.devices
  sum.counted += one.counted
  sum.up += one.up
  sum.down += one.down
  sum.outages += one.outages
  sum.longest = Math.max(sum.longest, one.longest)
  sum.recovered += one.recovered
  sum.recovery += one.recovery
}

function addedUp(count: number, lines: number, lineOf: Int32Array, figuresOf: Report['figuresOf']) {
  const all = noFigures()
  const sums = Array.from({ length: lines }, noFigures)
  for (let device = 0; device < count; device += 1) {
    const figures = figuresOf(device)
    addTo(all, figures)
    const line = sums[at(lineOf, device)]
    if (line !== undefined) addTo(line, figures)
  }
  return { all, lines: sums }
}

function linesAnswer({ inventory }: Store, places: readonly Place[], figures: readonly Figures[]) {
  const lines = places
    .map((place, index) => ({
      id: place.id,
      name: titleOf(inventory.places, place),
      kind: place.kind,
      ...(figures[index] ?? noFigures()),
    }))
    .sort((one, other) => other.down - one.down || one.name.localeCompare(other.name))
  return { below: lines.slice(0, maxLines), belowLeftOut: Math.max(0, lines.length - maxLines) }
}

function worstOf({ inventory }: Store, { keys }: Walked, sums: Sums): Answer['worst'] {
  return Array.from(sums.down.keys())
    .filter((device) => at(sums.down, device) > 0)
    .sort((a, b) => at(sums.down, b) - at(sums.down, a) || at(sums.outages, b) - at(sums.outages, a) || a - b)
    .slice(0, maxDevices)
    .flatMap((device) => {
      const slot = inventory.rows.slotOf.get(textAt(keys, device))
      if (slot === undefined) return []
      const { key, name, tenant, site, room } = rowAt(inventory, slot)
      return [
        { ...figuresAt(sums, device), key, name, tenant: tenant.name, site: site?.name ?? '', room: room?.name ?? '' },
      ]
    })
}

/** Returns the notes of the place and those above it, and of the worst devices and their places, each once. */
function notesIn({ inventory }: Store, root: Place | null, worst: Answer['worst']): Answer['notes'] {
  const ofDevices = notesAbout(
    inventory,
    worst.map(({ key }) => key),
    maxNotes,
  )
  const all = [...placeNotes(inventory, root), ...ofDevices]
  return [...new Map(all.map((note) => [note.node, note])).values()].slice(0, maxNotes)
}

function describe({ inventory }: Store, { maintenance, from, until }: ReportInput, root: Place | null) {
  const path: Answer['path'] = []
  for (let place = root; place; place = place.parent)
    path.unshift({ id: place.id, name: titleOf(inventory.places, place), kind: place.kind })
  const windows = maintenanceOf(inventory, maintenance, root)
    .flatMap(({ name, place, spans }) =>
      spans
        .filter((span) => span.from < until && span.until > from)
        .map((span) => ({ name, place, from: Math.max(span.from, from), until: Math.min(span.until, until) })),
    )
    .sort((one, other) => one.from - other.from)
  return { path, windows }
}

const head = [
  'tenant',
  'account',
  'site',
  'room',
  'name',
  'device',
  'counted_s',
  'online_s',
  'offline_s',
  'no_data_s',
  'outages',
  'longest_s',
  'recovered',
  'recovery_s',
] as const
/** Devices of a part. */
const rowsOfPart = 2000

/** Returns a part of a report as CSV, a line for each device. Times in seconds. */
export function reportCsv(
  { inventory }: Store,
  { keys, figuresOf }: Report,
  offset: number,
): CallOutput<'reports.csv'> {
  const lines = keys.slice(offset, offset + rowsOfPart).flatMap((key, place) => {
    const slot = inventory.rows.slotOf.get(key)
    if (slot === undefined) return []
    const { tenant, account, site, room, name } = rowAt(inventory, slot)
    const { counted, up, down, outages, longest, recovered, recovery } = figuresOf(offset + place)
    const names = [tenant.name, account?.name, site?.name, room?.name, name, idOfKey(key)]
    const times = [counted, up, down, counted - up - down].map((ms) => ms / 1000)
    return [csvLine([...names, ...times, outages, longest / 1000, recovered, recovery / 1000])]
  })
  const next = offset + rowsOfPart
  return {
    text: [...(offset === 0 ? [head.join()] : []), ...lines, ''].join('\r\n'),
    next: next < keys.length ? next : null,
  }
}
