import type { ColumnId, InventoryQuery, SavedView } from '../../../src-shared/model/inventory.ts'
import { chipsOf, sameFilter, segmentOf } from '../filter/segments.ts'

/** Returns whether a view equals the present query; the order of rows and columns counts. */
export function sameAsked(view: SavedView, query: InventoryQuery, columns: readonly ColumnId[]): boolean {
  const order = ({ sort }: InventoryQuery) => sort.map(({ column, direction }) => `${column} ${direction}`).join()
  return (
    view.query.scope === query.scope &&
    sameFilter(view.query.filter, query.filter) &&
    order(view.query) === order(query) &&
    (view.columns === null || view.columns.join() === columns.join())
  )
}

/** Returns a name that no other view has: "Berlin", "Berlin 2". */
export function freeName(wanted: string, views: readonly SavedView[]): string {
  const names = new Set(views.map(({ name }) => name.toLocaleLowerCase()))
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted} ${count}`
    if (!names.has(name.toLocaleLowerCase())) return name
  }
}

const maxName = 80

/** Returns a suggested name for a new view: its place and its filter. */
export function proposedName(place: string | undefined, filter: string): string {
  const chips = chipsOf(filter)
  const short = filter.length > maxName ? chips.map(({ text }) => text).join(' ') : filter
  const term = segmentOf(filter) === 'down' && chips.length === 0 ? 'Offline' : short
  return (
    [place, term]
      .filter((part) => part !== undefined && part !== '')
      .join(' · ')
      .slice(0, maxName) || 'All devices'
  )
}
