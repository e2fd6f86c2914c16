import { systemClock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { TableCell, TableRow, TableView } from '../../../src-shared/model/query-table.ts'
import { createPaged, type Paged } from '../../lib/list/paged.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** A table of an answer. */
export interface TableKey {
  run: string
  table: number
  /** The connection whose tenants the run asked; null: several. */
  connection: string | null
}

/** A row in the window: `row` as in `TableRow`, its cells by the index of their column. */
export interface LoadedRow {
  row: number
  cells: ReadonlyMap<number, TableCell | null>
}

/** The rows of a table that are in the window. */
export interface TableSource {
  rows: Paged<LoadedRow>
  /** Why the filter cannot be read; null: it can. */
  problem: Store<string | null>
  /** The keys of the devices by the ids of the rows that were read; no keys: no device. */
  devices: Store<ReadonlyMap<string, readonly string[]>>
  /** The present view. */
  view(): TableView
  /** Asks for other rows, or the same ones with other columns. */
  ask(view: TableView): void
  stop(): void
}

/** The order of columns is none of the rows'. */
const keyOf = ({ columns, filter, sort }: TableView): string =>
  JSON.stringify([columns.toSorted((one, other) => one - other), filter, sort])

/** Most ids of one call. */
const maxIds = 1_000

/** `idColumns`: those that may have ids of devices, by index. */
export function createTableSource(
  pipe: Pipe,
  { run, table, connection }: TableKey,
  idColumns: readonly number[],
  first: TableView,
): TableSource {
  let view = first
  let stopped = false
  const problem = createStore<string | null>(null)
  const devices = createStore<ReadonlyMap<string, readonly string[]>>(new Map())
  const asked = new Set<string>()

  async function look(rows: readonly TableRow[], columns: readonly number[]): Promise<void> {
    const places = columns.flatMap((column, place) => (idColumns.includes(column) ? [place] : []))
    const ids = rows.flatMap(({ cells }) =>
      places.flatMap((place) => {
        const cell = cells[place]
        return cell === null || cell === undefined || cell.isCut || cell.text === '' ? [] : [cell.text]
      }),
    )
    const next = [...new Set(ids)].filter((id) => !asked.has(id) && id.length <= 300).slice(0, maxIds)
    if (next.length === 0) return
    for (const id of next) asked.add(id)
    const answer = await pipe.call('query.devices', { connection, ids: next })
    if (!answer.ok) for (const id of next) asked.delete(id)
    else if (!stopped && answer.value.devices.length > 0)
      devices.set(new Map([...devices.get(), ...answer.value.devices.map(({ id, keys }) => [id, keys] as const)]))
  }
  const rows = createPaged<LoadedRow>({
    clock: systemClock,
    async load(offset, limit) {
      const mine = view
      const answer = await pipe.call('query.tableRows', { run, table, view: mine, offset, limit })
      if (!answer.ok) return answer
      if (keyOf(mine) === keyOf(view)) problem.set(answer.value.problem)
      void look(answer.value.rows, mine.columns)
      const loaded = answer.value.rows.map(({ row, cells }): LoadedRow => ({
        row,
        cells: new Map(cells.map((cell, place) => [mine.columns.at(place) ?? -1, cell])),
      }))
      return { ok: true, value: { rev: 0, total: answer.value.total, rows: loaded } }
    },
  })
  rows.show(0, 0)
  return {
    rows,
    problem,
    devices,
    view: () => view,
    ask(next) {
      const isSame = keyOf(next) === keyOf(view)
      const isOther = next.filter !== view.filter || JSON.stringify(next.sort) !== JSON.stringify(view.sort)
      view = next
      if (!isSame) rows.reset(isOther)
    },
    stop() {
      stopped = true
      rows.stop()
    },
  }
}
