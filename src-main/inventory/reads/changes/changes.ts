import type { CallInput, CallOutput } from '../../../../src-shared/contract/contract.ts'
import type { ChangeKind, DeviceChange } from '../../../../src-shared/contract/changes-calls.ts'
import type { DevicePlace } from '../../../storage/journal/device-places.ts'
import { rowAt } from '../../engine/view.ts'
import { idOfKey } from '../../keys.ts'
import type { Store } from '../../store.ts'
import type { FlapRule } from '../../thread/changes-protocol.ts'
import { csvLine } from '../../../../src-shared/text/csv.ts'
import { createScan, type Scan } from '../overview/scan.ts'
import { walkedDevices } from '../overview/timelines.ts'
import { type FirmwareDifference, firmwareDifferences } from './firmware-changes.ts'
import { type PlaceChange, placeChanges } from './place-changes.ts'
import { type StatusChange, statusChanges } from './status-changes.ts'

/** What changed between two times. */
export interface Compared {
  recordedSince: number | null
  statusSince: number | null
  firmwareSince: number | null
  /** In the order of the kinds, the last change first. */
  changes: readonly DeviceChange[]
  leftOut: number
}

/** The comparisons of a data thread: the last one is kept. */
export interface Comparisons {
  /** Reads a part. Null while it is not done; to be repeated. `now` in ms. */
  step(span: { from: number; until: number; flap: FlapRule }, now: number): Compared | null
}

/** The order of the kinds, as the contract has it: its schemas do not come into the thread. */
const changeKinds: readonly ChangeKind[] = [
  'offline',
  'flapped',
  'gone',
  'appeared',
  'moved',
  'renamed',
  'firmware',
  'back',
]
/** How long a comparison holds, ms: the parts of an export are of one. */
const maxAge = 5 * 60_000
/** Most changes of a kind, and how many are read at a time. */
const [maxOfKind, changesAtOnce] = [20_000, 2000]

export function newComparisons(store: Store): Comparisons {
  let present: { key: string; scan: Scan<Compared> } | null = null
  return {
    step(span, now) {
      const key = JSON.stringify(span)
      if (present?.key !== key) present = { key, scan: createScan(() => compare(store, span), maxAge) }
      return present.scan.step(now)
    },
  }
}

function* compare(store: Store, span: { from: number; until: number; flap: FlapRule }): Generator<undefined, Compared> {
  const walked = yield* walkedDevices(store)
  const { changes: statuses, since: statusSince, disconnects } = yield* statusChanges(store, walked, span)
  const { changes: places, recordedSince } = yield* placeChanges(store, span)
  const { changes: firmware, since: firmwareSince } = firmwareDifferences(store, span)
  const changes: DeviceChange[] = []
  let leftOut = 0
  const all = Map.groupBy<ChangeKind, Change>([...statuses, ...places, ...firmware], ({ kind }) => kind)
  for (const kind of changeKinds) {
    const ofKind = (all.get(kind) ?? []).toSorted((one, other) => other.at - one.at || (one.key < other.key ? -1 : 1))
    leftOut += Math.max(0, ofKind.length - maxOfKind)
    for (const [index, change] of ofKind.slice(0, maxOfKind).entries()) {
      if (index % changesAtOnce === 0) yield undefined
      changes.push(changeOf(store, change, disconnects))
    }
  }
  return { recordedSince, statusSince, firmwareSince, changes, leftOut }
}

type Change = StatusChange | PlaceChange | FirmwareDifference

function changeOf({ inventory }: Store, change: Change, disconnects: ReadonlyMap<string, number>): DeviceChange {
  const { kind, key, at } = change
  const slot = inventory.rows.slotOf.get(key)
  const row = slot === undefined ? null : rowAt(inventory, slot)
  const last = 'last' in change ? change.last : null
  return {
    kind,
    key,
    at,
    isListed: row !== null,
    name: last?.name ?? row?.name ?? '',
    tenant: row?.tenant.name ?? tenantOf(inventory, key),
    site: (last ?? row)?.site?.name ?? '',
    room: (last ?? row)?.room?.name ?? '',
    before: beforeOf(change),
    after: change.kind === 'firmware' ? change.after : '',
    disconnects: disconnects.get(key) ?? 0,
  }
}

function beforeOf(change: Change): string {
  if (change.kind === 'firmware') return change.before
  return 'first' in change && change.first !== null ? placeBefore(change.kind, change.first) : ''
}

function placeBefore(kind: ChangeKind, first: DevicePlace): string {
  if (kind === 'renamed') return first.name
  return kind === 'moved' ? [first.site?.name, first.room?.name].filter((name) => name !== undefined).join(' · ') : ''
}

/** The name of the tenant of a device that is gone; '' where it is gone too. */
const tenantOf = ({ tenants }: Store['inventory'], key: string): string =>
  tenants.get(key.slice(0, key.lastIndexOf('/')))?.name ?? ''

type Asked = Pick<CallInput<'changes.read'>, 'kinds' | 'text'>

/** Answers `changes.read`. */
export function changesPage(
  { recordedSince, statusSince, firmwareSince, changes, leftOut }: Compared,
  { from, until, offset, limit, ...asked }: CallInput<'changes.read'>,
): CallOutput<'changes.read'> {
  const found = matching(changes, asked.text)
  const counts = Object.fromEntries(changeKinds.map((kind) => [kind, 0])) as Record<ChangeKind, number>
  for (const { kind } of found) counts[kind] += 1
  const shown = ofKinds(found, asked.kinds)
  return {
    from,
    until,
    recordedSince,
    statusSince,
    firmwareSince,
    counts,
    leftOut,
    total: shown.length,
    changes: shown.slice(offset, offset + limit),
  }
}

function matching(changes: readonly DeviceChange[], text: string): readonly DeviceChange[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '') return changes
  return changes.filter(({ name, tenant, site, room, before, after }) =>
    [name, tenant, site, room, before, after].some((each) => each.toLocaleLowerCase().includes(wanted)),
  )
}

const ofKinds = (changes: readonly DeviceChange[], kinds: readonly ChangeKind[]): readonly DeviceChange[] =>
  kinds.length === 0 ? changes : changes.filter(({ kind }) => kinds.includes(kind))

/** Rows of one part of an export. */
const rowsOfPart = 2000
const head = ['change', 'at', 'name', 'tenant', 'site', 'room', 'before', 'after', 'disconnects', 'device'] as const

/** Answers `changes.csv`. */
export function changesCsv(
  { changes }: Compared,
  { row, ...asked }: Asked & { row: number },
): CallOutput<'changes.csv'> {
  const all = ofKinds(matching(changes, asked.text), asked.kinds)
  const lines = all
    .slice(row, row + rowsOfPart)
    .map(({ kind, at, name, tenant, site, room, before, after, disconnects, key }) =>
      csvLine([kind, { at }, name, tenant, site, room, before, after, disconnects, idOfKey(key)]),
    )
  const next = row + rowsOfPart
  return {
    text: [...(row === 0 ? [head.join(',')] : []), ...lines, ''].join('\r\n'),
    next: next < all.length ? next : null,
  }
}
