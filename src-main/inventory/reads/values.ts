import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import { isTextField, isTimeField } from '../../../src-shared/model/base-fields.ts'
import type { InventoryQuery } from '../../../src-shared/model/inventory.ts'
import { assertNever } from '../../../src-shared/model/fault.ts'
import { ownFields, type OwnField } from '../../../src-shared/filter/filter.ts'
import { compareNames, compareText } from '../engine/sort/collate.ts'
import { textAt } from '../engine/columns/columns.ts'
import { fold } from '../engine/filter/fold.ts'
import { type Inventory, roomOf } from '../engine/inventory.ts'
import { noteReader, tagsIn } from '../engine/notes.ts'
import { isPlaceless, type Place, placeAt, rowCount } from '../engine/places.ts'
import { countsIn } from '../engine/view.ts'
import { deviceOfNode, everything } from '../keys.ts'

type Values = CallOutput<'inventory.values'>['values']

/**
 * The values of a field in a scope, as the filter language writes them, the most frequent first (contract.ts,
 * `inventory.values`). Names, ids and times have no list, because they differ from device to device.
 */
export function valuesIn(inventory: Inventory, { scope, field, text, limit }: CallInput<'inventory.values'>): Values {
  const wanted = fold(text)
  const counts = countsOfField(inventory, field, scope)
  return [...counts]
    .flatMap(([value, count]) => (count > 0 && value !== '' && fold(value).includes(wanted) ? [{ value, count }] : []))
    .sort((a, b) => b.count - a.count || compareNames(a.value, b.value) || compareText(a.value, b.value))
    .slice(0, limit)
}

function countsOfField(inventory: Inventory, field: string, scope: string): Map<string, number> {
  const lower = field.toLowerCase()
  const own = ownFields.find(({ name, short }) => name.toLowerCase() === lower || short === lower)
  return own ? countsOfOwn(inventory, own.name, scope) : countsOfExtra(inventory, field.replace(/^extra:/u, ''), scope)
}

function countsOfOwn(inventory: Inventory, field: OwnField, scope: string): Map<string, number> {
  const { rows } = inventory
  if (isTextField(field)) {
    const { values, texts } = rows.texts[field]
    return countsBy(inventory, scope, values, 0, (value) => textAt(texts, value))
  }
  if (isTimeField(field)) return new Map()
  switch (field) {
    case 'connected':
      return countsBy(inventory, scope, rows.connected, 1, (status) => ['none', 'no', 'yes'][status + 1] ?? '')
    case 'status':
      return countsOfStatus(inventory, scope)
    case 'site':
    case 'room':
    case 'account':
    case 'tenant':
    case 'region':
      return countsOfPlaces(inventory, scope, field)
    case 'tag':
      return countsOfTags(inventory, scope)
    case 'name':
    case 'id':
    case 'note':
    case 'spare':
    case 'down':
    case 'up':
    case 'seen':
      return new Map()
    default:
      return assertNever(field)
  }
}

/** Counts a column's values, `offset` below 0 at most, over the rows of a scope. */
function countsBy(
  inventory: Inventory,
  scope: string,
  column: ArrayLike<number>,
  offset: number,
  nameOf: (value: number) => string,
): Map<string, number> {
  const { rows, filters } = inventory
  const mask = filters.matching({ scope, filter: '' }, 0)?.mask ?? rows.alive
  const counts: number[] = []
  for (let slot = 0; slot < rows.top; slot += 1) {
    if (mask[slot] !== 1) continue
    const value = (column[slot] ?? 0) + offset
    counts[value] = (counts[value] ?? 0) + 1
  }
  return mergedCounts(counts.flatMap((count, value) => [[nameOf(value - offset), count] as const]))
}

function countsOfTags(inventory: Inventory, scope: string): Map<string, number> {
  const { rows, filters } = inventory
  const counts = new Map<string, number>()
  if (inventory.notes.size === 0) return counts
  const mask = filters.matching({ scope, filter: '' }, 0)?.mask ?? rows.alive
  const notesOf = noteReader(inventory)
  for (let slot = 0; slot < rows.top; slot += 1)
    if (mask[slot] === 1) for (const tag of tagsIn(notesOf(slot))) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

/** Adds up the counts of equal names. */
function mergedCounts(countOf: readonly (readonly [string, number])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [name, count] of countOf) counts.set(name, (counts.get(name) ?? 0) + count)
  return counts
}

function countsOfStatus(inventory: Inventory, scope: string): Map<string, number> {
  const counts = countsIn(inventory, scope)
  if (!counts) return new Map()
  return new Map([
    ['online', counts.connected],
    ['offline', counts.disconnected],
    ['unknown', counts.unknown],
  ])
}

/** Counts by place of a kind in or around a scope; a place around it has the count of the scope. */
function countsOfPlaces(inventory: Inventory, scope: string, kind: Place['kind']): Map<string, number> {
  const { places, rows } = inventory
  const slot = rows.slotOf.get(deviceOfNode(scope) ?? '')
  if (slot !== undefined) return mergedCounts(above(roomOf(inventory, slot), kind).map((place) => [place.name, 1]))
  const place = placeAt(places, scope)
  if (!place)
    return mergedCounts(scope === everything ? places.roots.flatMap((root) => below(root, kind)).map(countOf) : [])
  const around = above(place, kind)
  return mergedCounts(
    around.length > 0 ? around.map(({ name }) => [name, rowCount(place)]) : below(place, kind).map(countOf),
  )
}

const countOf = (place: Place): [string, number] => [place.name, rowCount(place)]

/** The place itself or the one above it of this kind; none where it is placeless. */
function above(place: Place, kind: Place['kind']): Place[] {
  for (let at: Place | null = place; at; at = at.parent) if (at.kind === kind) return isPlaceless(at) ? [] : [at]
  return []
}

function below(place: Place, kind: Place['kind']): Place[] {
  if (place.kind === kind) return isPlaceless(place) ? [] : [place]
  return place.children.flatMap((child) => below(child, kind))
}

function countsOfExtra(inventory: Inventory, name: string, scope: string): Map<string, number> {
  const column = inventory.extras.columns.get(name)
  if (!column) return new Map()
  return countsBy(inventory, scope, column.values, 0, (value) => textAt(column.texts, value))
}

/** Returns the number of rows that a query matches. */
export function totalOf(inventory: Inventory, query: InventoryQuery, now: number): number {
  return inventory.filters.matching(query, now)?.count ?? inventory.rows.count
}
