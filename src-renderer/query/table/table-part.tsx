import '../../styles/query-table.css'
import { useEffect, useMemo } from 'react'
import { useAppContext } from '../../lib/context.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Select } from '../../lib/ui/select.tsx'
import { activeTab, tabs } from '../query-state.ts'
import { useTab } from '../use-tab.ts'
import { viewOf } from './choice.ts'
import { choose } from './choose.ts'
import { Grid } from './grid.tsx'
import { createTableSource } from './source.ts'
import { TableBar } from './table-bar.tsx'
import { useTable, type TableInfo, type Tables } from './use-tables.ts'

/** Returns a list's name: '' is the answer itself. */
const listName = (name: string) => (name === '' ? 'the answer' : name)

/** An answer's lists as tables, of which one is shown. */
export function TablePart({ run, connection, found }: { run: string; connection: string | null; found: Tables }) {
  const { tables, more } = found
  const list = useTab(({ shown }) => shown.list)
  const table = Math.max(
    0,
    tables.findIndex(({ name }) => name === list),
  )
  const read = useTable(run, table)
  return (
    <>
      {tables.length > 1 && (
        <div className="table-lists">
          <Select
            label="List"
            value={String(table)}
            options={tables.map(({ name, rows }, index) => ({
              value: String(index),
              word: `${listName(name)}, ${many(rows, 'row')}`,
            }))}
            onChange={(index) =>
              choose({ list: tables[Number(index)]?.name ?? null, columns: null, sort: null, filter: '' })
            }
          />
          {more > 0 && <span className="muted-text">{numberText(more)} shorter lists are only in the JSON.</span>}
        </div>
      )}
      {read === null && (
        <p className="muted-text" role="status">
          Reading…
        </p>
      )}
      {read !== null && 'fault' in read && <FaultNote fault={read.fault} />}
      {read !== null && 'info' in read && (
        <OneTable key={`${run} ${table}`} run={run} table={table} connection={connection} info={read.info} />
      )}
    </>
  )
}

interface OneTableProps {
  run: string
  table: number
  connection: string | null
  info: TableInfo
}

function OneTable({ run, table, connection, info }: OneTableProps) {
  const { session } = useAppContext()
  const choice = useTab(({ shown }) => shown)
  const source = useMemo(
    () =>
      createTableSource(
        session.pipe,
        { run, table, connection },
        info.idColumns,
        viewOf(info.columns, activeTab(tabs.get()).shown),
      ),
    [session, run, table, connection, info],
  )
  useEffect(() => source.stop, [source])
  useEffect(() => source.ask(viewOf(info.columns, choice)), [source, info, choice])
  return (
    <>
      <TableBar of={{ run, table, connection }} info={info} source={source} choice={choice} />
      <Grid of={{ run, table, connection }} info={info} source={source} choice={choice} />
    </>
  )
}
