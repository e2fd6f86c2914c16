import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { TreeSort } from '../../../src-shared/model/tree.ts'
import { deviceNode, deviceOfNode } from '../keys.ts'
import { at, statusCodes, textAt } from './columns/columns.ts'
import { type Inventory, roomOf } from './inventory.ts'
import { comparePlaces } from './sort/orders.ts'
import {
  countsOf,
  factsOf,
  isPlaceless,
  listedBy,
  onlyAccountAt,
  type Place,
  placeAt,
  rowCount,
  titleOf,
} from './places.ts'
import { countsOfRow } from './view.ts'

export interface TreePage {
  total: number
  rows: TreeRow[]
  expanded: string[]
  index: number | null
}

/** The most expanded nodes that a call may name (contract.ts, `inventory.tree`). */
const maxExpanded = 5000

/**
 * A page of the visible lines of the tree. Siblings are in name order, the placeless last; or those with most offline
 * devices first. A collapsed node costs nothing, and of an expanded room only the devices on the page are read.
 */
export function treePage(
  inventory: Inventory,
  request: {
    expanded: string[]
    offset: number
    limit: number
    reveal: string | null
    sort?: TreeSort | undefined
    withoutEmpty?: { keep: string | null } | undefined
  },
): TreePage {
  const target = request.reveal === null ? null : targetOf(inventory, request.reveal)
  const expanded = withAncestors(inventory, request.expanded, target)
  const walk: TreeWalk = {
    inventory,
    expanded: new Set(expanded),
    byOffline: request.sort === 'offline',
    kept: request.withoutEmpty ? keptPlaces(inventory, request.withoutEmpty.keep) : null,
    from: request.offset,
    to: request.offset + request.limit,
    target,
    at: 0,
    rows: [],
    index: null,
  }
  const roots = ordered(sortedRoots(inventory), walk.byOffline)
  roots.forEach((root, index) => visitPlace(walk, root, 1, index + 1, roots.length))
  return { total: walk.at, rows: walk.rows, expanded, index: walk.index }
}

interface TreeWalk {
  readonly inventory: Inventory
  readonly expanded: ReadonlySet<string>
  /** Siblings with the most offline devices come first. */
  readonly byOffline: boolean
  /** Places that are in the tree although they are empty; null where all are. */
  readonly kept: ReadonlySet<Place> | null
  readonly from: number
  readonly to: number
  readonly target: Target | null
  /** Number of the next line. */
  at: number
  readonly rows: TreeRow[]
  index: number | null
}

/** The node to reveal: a place, or a device in its room. */
interface Target {
  place: Place
  slot: number | null
}

function targetOf(inventory: Inventory, node: string): Target | null {
  const visitPlace = placeAt(inventory.places, node)
  if (visitPlace) return { place: visitPlace, slot: null }
  const slot = inventory.rows.slotOf.get(deviceOfNode(node) ?? '')
  return slot === undefined ? null : { place: roomOf(inventory, slot), slot }
}

/**
 * The expanded nodes and the ancestors of the target. Nodes that are gone stay in the list (they may come back) up to
 * the limit.
 */
function withAncestors(inventory: Inventory, request: string[], target: Target | null): string[] {
  const expanded = new Set(request)
  if (target)
    for (let above = target.slot === null ? target.place.parent : target.place; above; above = above.parent)
      expanded.add(above.id)
  if (expanded.size <= maxExpanded) return [...expanded]
  return [...expanded].filter((id) => inventory.places.byId.has(id)).slice(-maxExpanded)
}

function sortedRoots({ places }: Inventory): Place[] {
  if (!places.rootsSorted) places.roots.sort(comparePlaces)
  places.rootsSorted = true
  return places.roots
}

function sortedChildren(of: Place): Place[] {
  if (!of.childrenSorted) of.children.sort(comparePlaces)
  of.childrenSorted = true
  return of.children
}

/** Siblings with equal offline counts stay in name order. */
function ordered(places: Place[], byOffline: boolean): Place[] {
  return byOffline
    ? places.toSorted((one, other) => other.counts[statusCodes.disconnected] - one.counts[statusCodes.disconnected])
    : places
}

function visitPlace(walk: TreeWalk, of: Place, level: number, posInSet: number, setSize: number): void {
  const expanded = walk.expanded.has(of.id)
  if (walk.target?.slot === null && walk.target.place === of) walk.index = walk.at
  if (walk.at >= walk.from && walk.at < walk.to) {
    walk.rows.push({
      id: of.id,
      parent: of.parent?.id ?? null,
      kind: of.kind,
      name: titleOf(walk.inventory.places, of),
      level,
      setSize,
      posInSet,
      expanded,
      placeless: isPlaceless(of),
      counts: countsOf(of.counts),
      readAt: readAt(of),
      ...listedBy(of),
      ...factsOf(of),
      ...onlyAccountAt(of),
    })
  }
  walk.at += 1
  if (!expanded) return
  if (of.kind === 'room') return visitDevices(walk, of, level + 1)
  const children = ordered(shownChildren(walk, of), walk.byOffline)
  children.forEach((child, index) => visitPlace(walk, child, level + 1, index + 1, children.length))
}

/** A place and those above it. */
function keptPlaces({ places }: Inventory, node: string | null): ReadonlySet<Place> {
  const kept = new Set<Place>()
  for (let place = node === null ? null : placeAt(places, node); place; place = place.parent) kept.add(place)
  return kept
}

function shownChildren({ kept }: TreeWalk, of: Place): Place[] {
  const all = sortedChildren(of)
  // Whether a place is empty is known only after its tenant was fully synced.
  if (kept === null || of.kind === 'region' || of.tenant?.lastSyncAt == null) return all
  return all.filter((child) => rowCount(child) > 0 || kept.has(child))
}

/** The oldest full sync below, ms; null when a tenant below was never synced. */
function readAt(of: Place): number | null {
  if (of.tenant) return of.tenant.lastSyncAt
  let oldest: number | null = null
  for (const child of of.children) {
    const time = readAt(child)
    if (time === null) return null
    oldest = oldest === null ? time : Math.min(oldest, time)
  }
  return oldest
}

function visitDevices(walk: TreeWalk, room: Place, level: number): void {
  const count = rowCount(room)
  const first = Math.max(0, walk.from - walk.at)
  const end = Math.min(count, walk.to - walk.at)
  const revealed = walk.target?.slot !== null && walk.target?.place === room
  if (first < end || revealed) {
    const slots = walk.byOffline
      ? offlineFirst(walk.inventory, sortedRows(walk.inventory, room))
      : sortedRows(walk.inventory, room)
    if (revealed) walk.index = walk.at + slots.indexOf(walk.target?.slot ?? -1)
    for (let i = first; i < end; i += 1)
      walk.rows.push(deviceTreeRow(walk.inventory, room, at(slots, i), level, i + 1, count))
  }
  walk.at += count
}

function offlineFirst({ rows }: Inventory, slots: Int32Array): Int32Array {
  const isOffline = (slot: number) => Number(at(rows.status, slot) === statusCodes.disconnected)
  return slots.toSorted((one, other) => isOffline(other) - isOffline(one))
}

function deviceTreeRow(
  { rows }: Inventory,
  room: Place,
  slot: number,
  level: number,
  posInSet: number,
  setSize: number,
): TreeRow {
  return {
    id: deviceNode(textAt(rows.key, slot)),
    parent: room.id,
    kind: 'device',
    name: textAt(rows.name, slot),
    level,
    setSize,
    posInSet,
    expanded: null,
    placeless: false,
    counts: countsOfRow(rows, slot),
    readAt: at(rows.seenAt, slot),
  }
}

/** A room's rows by name, then key: by their positions in the base order. */
function sortedRows(inventory: Inventory, room: Place): Int32Array {
  if (room.sortedRows) return room.sortedRows
  const positions = inventory.orders.positions()
  const slots = new Int32Array(rowCount(room))
  let n = 0
  for (let slot = room.firstRow; slot !== -1; slot = at(inventory.rows.next, slot)) slots[n++] = slot
  room.sortedRows = slots.sort((a, b) => at(positions, a) - at(positions, b))
  return room.sortedRows
}
