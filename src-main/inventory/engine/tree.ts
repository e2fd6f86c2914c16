import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { TreeSort } from '../../../src-shared/model/tree.ts'
import { deviceNode, deviceOfNode } from '../keys.ts'
import { at, codes, textAt } from './columns/columns.ts'
import { type Inventory, roomOf } from './inventory.ts'
import { comparePlaces } from './sort/orders.ts'
import { countsOf, isPlaceless, type Place, placeAt, rowCount, titleOf } from './places.ts'
import { countsOfRow } from './view.ts'

export interface TreeWindow {
  total: number
  rows: TreeRow[]
  expanded: string[]
  index: number | null
}

/** As many expanded nodes as the window may name (contract.ts, `inventory.tree`). */
const mostExpanded = 5000

/**
 * The visible lines of the tree, flattened. Siblings are in name order, the placeless last; or those with the most that is offline first. A node that is not expanded
 * costs nothing, however much is below it; the devices of an expanded room are counted, and only those in the window
 * are looked at.
 */
export function treeWindow(
  inventory: Inventory,
  asked: { expanded: string[]; offset: number; limit: number; reveal: string | null; sort?: TreeSort | undefined },
): TreeWindow {
  const target = asked.reveal === null ? null : targetOf(inventory, asked.reveal)
  const expanded = withAncestors(inventory, asked.expanded, target)
  const lines: Walk = {
    inventory,
    expanded: new Set(expanded),
    byOffline: asked.sort === 'offline',
    from: asked.offset,
    to: asked.offset + asked.limit,
    target,
    at: 0,
    rows: [],
    index: null,
  }
  const roots = inOrder(sortedRoots(inventory), lines.byOffline)
  roots.forEach((root, index) => place(lines, root, 1, index + 1, roots.length))
  return { total: lines.at, rows: lines.rows, expanded, index: lines.index }
}

interface Walk {
  readonly inventory: Inventory
  readonly expanded: ReadonlySet<string>
  /** Siblings with the most that is offline come first. */
  readonly byOffline: boolean
  readonly from: number
  readonly to: number
  readonly target: Target | null
  /** The line that comes next. */
  at: number
  readonly rows: TreeRow[]
  index: number | null
}

/** What shall be revealed: a place, or a device in its room. */
interface Target {
  place: Place
  slot: number | null
}

function targetOf(inventory: Inventory, node: string): Target | null {
  const place = placeAt(inventory.places, node)
  if (place) return { place, slot: null }
  const slot = inventory.rows.slotOf.get(deviceOfNode(node) ?? '')
  return slot === undefined ? null : { place: roomOf(inventory, slot), slot }
}

/** What was expanded and what must be for the target. Nodes that are gone stay named (they may come back) while there is room. */
function withAncestors(inventory: Inventory, asked: string[], target: Target | null): string[] {
  const expanded = new Set(asked)
  if (target)
    for (let above = target.slot === null ? target.place.parent : target.place; above; above = above.parent)
      expanded.add(above.id)
  if (expanded.size <= mostExpanded) return [...expanded]
  return [...expanded].filter((id) => inventory.places.byId.has(id)).slice(-mostExpanded)
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

/** Those with as many offline stay in name order. */
function inOrder(places: Place[], byOffline: boolean): Place[] {
  return byOffline
    ? places.toSorted((one, other) => other.counts[codes.disconnected] - one.counts[codes.disconnected])
    : places
}

function place(lines: Walk, of: Place, level: number, posInSet: number, setSize: number): void {
  const expanded = lines.expanded.has(of.id)
  if (lines.target?.slot === null && lines.target.place === of) lines.index = lines.at
  if (lines.at >= lines.from && lines.at < lines.to) {
    lines.rows.push({
      id: of.id,
      parent: of.parent?.id ?? null,
      kind: of.kind,
      name: titleOf(lines.inventory.places, of),
      level,
      setSize,
      posInSet,
      expanded,
      placeless: isPlaceless(of),
      counts: countsOf(of.counts),
      readAt: readAt(of),
      ...(isPlaceless(of) && of.kind !== 'tenant' && of.tenant && { connections: [...of.tenant.connections.keys()] }),
    })
  }
  lines.at += 1
  if (!expanded) return
  if (of.kind === 'room') return devices(lines, of, level + 1)
  const children = inOrder(sortedChildren(of), lines.byOffline)
  children.forEach((child, index) => place(lines, child, level + 1, index + 1, children.length))
}

/** The oldest full reading below; null when one was never read. */
function readAt(of: Place): number | null {
  if (of.tenant) return of.tenant.lastFull
  let oldest: number | null = null
  for (const child of of.children) {
    const time = readAt(child)
    if (time === null) return null
    oldest = oldest === null ? time : Math.min(oldest, time)
  }
  return oldest
}

function devices(lines: Walk, room: Place, level: number): void {
  const many = rowCount(room)
  const first = Math.max(0, lines.from - lines.at)
  const end = Math.min(many, lines.to - lines.at)
  const revealed = lines.target?.slot !== null && lines.target?.place === room
  if (first < end || revealed) {
    const slots = lines.byOffline
      ? offlineFirst(lines.inventory, sortedRows(lines.inventory, room))
      : sortedRows(lines.inventory, room)
    if (revealed) lines.index = lines.at + slots.indexOf(lines.target?.slot ?? -1)
    for (let i = first; i < end; i += 1)
      lines.rows.push(deviceLine(lines.inventory, room, at(slots, i), level, i + 1, many))
  }
  lines.at += many
}

function offlineFirst({ rows }: Inventory, slots: Int32Array): Int32Array {
  const isOffline = (slot: number) => Number(at(rows.status, slot) === codes.disconnected)
  return slots.toSorted((one, other) => isOffline(other) - isOffline(one))
}

function deviceLine(
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
