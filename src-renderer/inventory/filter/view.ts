import type { ColumnId, InventoryQuery, Sort } from '../../../src-shared/model/inventory.ts'
import { segmentOf, withSegment, type Segment } from './segments.ts'

/** A step of the path from the top of the tree to the scope. */
export interface Place {
  id: string
  name: string
}

/** The operator's view of the inventory. */
export interface View {
  /** From the region down to the scope; empty for everything. */
  path: readonly Place[]
  /** In the filter language (src-shared/filter/filter.ts); always valid. */
  filter: string
  /** The sort order of each status choice. */
  sorts: Readonly<Record<Segment, readonly Sort[]>>
}

const byName: readonly Sort[] = [{ column: 'name', direction: 'asc' }]
const longestFirst: readonly Sort[] = [{ column: 'since', direction: 'asc' }]

/** The first view: devices that are down, the longest first, without spares. */
export const firstView: View = {
  path: [],
  filter: withSegment('', 'down'),
  sorts: { down: longestFirst, unknown: longestFirst, any: byName, connected: byName },
}

/** Returns the sort order of the view's query. */
export function sortOf({ filter, sorts }: View): readonly Sort[] {
  return sorts[segmentOf(filter) ?? 'any']
}

/** Returns the view with this sort order for its status choice. */
export function withSort(view: View, sort: readonly Sort[]): View {
  return { ...view, sorts: { ...view.sorts, [segmentOf(view.filter) ?? 'any']: sort } }
}

export function queryOf(view: View): InventoryQuery {
  return { scope: view.path.at(-1)?.id ?? 'all', filter: view.filter, sort: [...sortOf(view)] }
}

/**
 * Returns the sort order after a click on a head: only that column, or reversed when it is already first; with `more`
 * the column is added, or reversed in its place. At most 4 columns, the core's limit.
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
