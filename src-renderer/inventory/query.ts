import type { InventoryQuery, Sort, SortColumn, StatusFilter } from '../../src-shared/model.ts'

/** A step of the way from everything down to the scope. */
export interface Place {
  id: string
  name: string
}

/** What the operator asked to see. */
export interface View {
  /** From the region down to the scope; empty for everything. */
  path: readonly Place[]
  status: StatusFilter
  text: string
  /** Each choice of status keeps its own order. */
  sorts: Readonly<Record<StatusFilter, readonly Sort[]>>
}

const byName: readonly Sort[] = [{ column: 'name', direction: 'asc' }]
const longestFirst: readonly Sort[] = [{ column: 'since', direction: 'asc' }]

/** The first view: what is down now, longest first. */
export const firstView: View = {
  path: [],
  status: 'down',
  text: '',
  sorts: { down: longestFirst, disconnected: longestFirst, unknown: longestFirst, any: byName, connected: byName },
}

export function queryOf(view: View): InventoryQuery {
  return { scope: view.path.at(-1)?.id ?? 'all', status: view.status, text: view.text.trim(), sort: [...view.sorts[view.status]] }
}

/**
 * The order after a head was chosen: alone, it sorts by that column, or turns it round when it already leads; with
 * `more` it joins the order (or turns round in its place). At most 4 columns, the core's limit.
 */
export function sortedBy(sorts: readonly Sort[], column: SortColumn, more: boolean): readonly Sort[] {
  const place = sorts.findIndex((sort) => sort.column === column)
  if (!more) return [place === 0 ? turned(sorts[0], column) : { column, direction: 'asc' }]
  if (place === -1) return [...sorts, { column, direction: 'asc' } as const].slice(0, 4)
  return sorts.map((sort, index) => (index === place ? turned(sort, column) : sort))
}

function turned(sort: Sort | undefined, column: SortColumn): Sort {
  return { column, direction: sort?.direction === 'asc' ? 'desc' : 'asc' }
}
