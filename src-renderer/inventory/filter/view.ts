import type { ColumnId, InventoryQuery, Sort } from '../../../src-shared/model/inventory.ts'
import { segmentOf, withSegment, type Segment } from './segments.ts'

/** A step of the way from everything down to the scope. */
export interface Place {
  id: string
  name: string
}

/** What the operator asked to see. */
export interface View {
  /** From the region down to the scope; empty for everything. */
  path: readonly Place[]
  /** In the typed language (src-shared/filter/filter.ts); always one that can be understood. */
  filter: string
  /** Each choice of status keeps its own order. */
  sorts: Readonly<Record<Segment, readonly Sort[]>>
}

const byName: readonly Sort[] = [{ column: 'name', direction: 'asc' }]
const longestFirst: readonly Sort[] = [{ column: 'since', direction: 'asc' }]

/** The first view: what is down now, longest first, without the spares. */
export const firstView: View = {
  path: [],
  filter: withSegment('', 'down'),
  sorts: { down: longestFirst, unknown: longestFirst, any: byName, connected: byName },
}

/** The order of the view's question. */
export function sortOf({ filter, sorts }: View): readonly Sort[] {
  return sorts[segmentOf(filter) ?? 'any']
}

/** The view with this order for its choice of status. */
export function withSort(view: View, sort: readonly Sort[]): View {
  return { ...view, sorts: { ...view.sorts, [segmentOf(view.filter) ?? 'any']: sort } }
}

export function queryOf(view: View): InventoryQuery {
  return { scope: view.path.at(-1)?.id ?? 'all', filter: view.filter, sort: [...sortOf(view)] }
}

/**
 * The order after a head was chosen: alone, it sorts by that column, or turns it round when it already leads; with
 * `more` it joins the order (or turns round in its place). At most 4 columns, the core's limit.
 */
export function sortedBy(sorts: readonly Sort[], column: ColumnId, more: boolean): readonly Sort[] {
  const place = sorts.findIndex((sort) => sort.column === column)
  if (!more) return [place === 0 ? turned(sorts[0], column) : { column, direction: 'asc' }]
  if (place === -1) return [...sorts, { column, direction: 'asc' } as const].slice(0, 4)
  return sorts.map((sort, index) => (index === place ? turned(sort, column) : sort))
}

function turned(sort: Sort | undefined, column: ColumnId): Sort {
  return { column, direction: sort?.direction === 'asc' ? 'desc' : 'asc' }
}
