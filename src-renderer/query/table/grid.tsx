import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { explain } from '../../../src-shared/model/fault.ts'
import { useRowHeight } from '../../settings/use-settings.ts'
import { rowAt } from '../../lib/list/paged.ts'
import { useVirtualRows } from '../../lib/list/virtual-rows.ts'
import { createStore, useStore, type Store } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { shownColumns } from './choice.ts'
import { CellDialog, type ShownCell } from './cell-dialog.tsx'
import { openDevice } from './open-device.ts'
import { copyRows } from './copy-rows.ts'
import { gridKey, type Cell, type GridKey } from './grid-keys.ts'
import { GridHead } from './grid-head.tsx'
import { GridRow } from './grid-row.tsx'
import type { LoadedRow } from './source.ts'
import type { TableProps } from './table-props.ts'
import { choose } from './choose.ts'
import { widthsOf, type GridColumn } from './widths.ts'

const headHeight = 32

/** The cursor, and the rows that are selected with it: from `anchor` to its row. `follow` grows when it should be seen. */
export interface GridCursor extends Cell {
  index: number
  follow: number
  anchor: number | null
}

/** Returns the selected rows, both included; null: none are. */
export const selectedOf = ({ row, anchor }: GridCursor): [first: number, last: number] | null =>
  anchor === null ? null : [Math.min(row, anchor), Math.max(row, anchor)]

/** The rows as a grid: it has the focus, and the present cell is its active descendant. */
export function Grid(props: TableProps) {
  const { info, source, choice } = props
  const cursor = useMemo(() => createStore<GridCursor>({ row: 0, column: 0, index: 0, follow: 0, anchor: null }), [])
  const at = useStore(cursor)
  const { total, pending } = useStore(source.rows.state)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [message, setMessage] = useState('')
  const [cell, setCell] = useState<ShownCell | null>(null)
  const rowHeight = useRowHeight()
  const columns = useColumns(props)
  const rows = total ?? 0
  useReset(cursor, scroller, `${choice.filter}\n${JSON.stringify(choice.sort)}`)

  const { onKeyDown, onPress, open } = useActions(props, { cursor, columns, rows, rowHeight, setMessage, setCell })
  return (
    <div className="table-box answer-table-box">
      <div
        ref={setScroller}
        id="answer-table"
        className="table"
        role="grid"
        tabIndex={0}
        aria-label="Answer as a table"
        aria-multiselectable="true"
        aria-rowcount={total === null ? -1 : rows + 1}
        aria-colcount={columns.length}
        aria-busy={total === null || pending}
        data-pending={pending}
        aria-activedescendant={at.row < rows ? `answer-cell-${at.row}-${at.column}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className="table-head-box" style={{ inlineSize: widthOf(columns) }}>
          <GridHead columns={columns} choice={choice} names={info.columns} onAnnounce={setMessage} />
        </div>
        {scroller !== null && (
          <Rows
            {...props}
            columns={columns}
            cursor={cursor}
            scroller={scroller}
            rowHeight={rowHeight}
            onPress={onPress}
            onOpen={open}
          />
        )}
      </div>
      <div className="focus-frame" aria-hidden="true" />
      <div className="sr-only" role="status">
        {message}
      </div>
      <NoRows {...props} />
      <CellDialog cell={cell} onClose={() => setCell(null)} />
    </div>
  )
}

interface ActionTargets {
  cursor: Store<GridCursor>
  columns: readonly GridColumn[]
  rows: number
  rowHeight: number
  setMessage: (words: string) => void
  setCell: (cell: ShownCell) => void
}

/** Returns what keys and presses do. */
function useActions(
  { of, info, source }: TableProps,
  { cursor, columns, rows, rowHeight, setMessage, setCell }: ActionTargets,
) {
  const { session } = useAppContext()
  const present = ({ row, column }: Cell) => ({
    row: rowAt(source.rows.state.get(), row),
    column: columns[column]?.index ?? 0,
  })
  /** Opens the device of a cell, or shows the whole cell. */
  function open(place: Cell) {
    const { row, column } = present(place)
    const found = row?.cells.get(column)
    if (row === undefined || found === undefined) return
    const keys = info.idColumns.includes(column) ? source.devices.get().get(found?.text ?? '') : undefined
    if (keys !== undefined && found !== null) openDevice(session, found.text, keys)
    else setCell({ ...of, row: row.row, place: place.row, column, name: info.columns.at(column) ?? '' })
  }
  function act(pressed: GridKey, grid: Element) {
    const at = cursor.get()
    if (pressed.action === 'go') put(cursor, pressed.to, null)
    else if (pressed.action === 'extend') put(cursor, pressed.to, at.anchor ?? at.row)
    else if (pressed.action === 'all')
      cursor.set({ ...at, row: Math.max(0, rows - 1), index: Math.max(0, rows - 1), anchor: 0 })
    else if (pressed.action === 'clear') put(cursor, at, null)
    else if (pressed.action === 'heads') grid.querySelector<HTMLElement>('.head[tabindex="0"]')?.focus()
    else if (pressed.action === 'open') open(at)
    else {
      const copied = { of, view: source.view(), selected: selectedOf(at), ...present(at) }
      void copyRows(session.pipe, copied).then(setMessage)
    }
  }
  return {
    open,
    onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
      if (event.target !== event.currentTarget) return
      const at = cursor.get()
      const page = Math.max(1, Math.floor((event.currentTarget.clientHeight - headHeight) / rowHeight) - 1)
      const pressed = gridKey(event, at, { rows, columns: columns.length, page })
      if (pressed === null || (pressed.action === 'clear' && at.anchor === null)) return
      event.preventDefault()
      act(pressed, event.currentTarget)
    },
    onPress(event: MouseEvent, place: Cell) {
      put(cursor, place, event.shiftKey ? (cursor.get().anchor ?? cursor.get().row) : null)
    },
  }
}

const widthOf = (columns: readonly GridColumn[]) =>
  `max(100%, ${columns.reduce((sum, { width }) => sum + width, 12)}px)`

function put(cursor: Store<GridCursor>, { row, column }: Cell, anchor: number | null): void {
  cursor.set({ row, column, index: row, anchor, follow: cursor.get().follow + 1 })
}

/** Goes to the first row for another order or filter. */
function useReset(cursor: Store<GridCursor>, scroller: HTMLDivElement | null, asked: string): void {
  const before = useRef(asked)
  useEffect(() => {
    if (before.current === asked) return
    before.current = asked
    put(cursor, { row: 0, column: cursor.get().column }, null)
    scroller?.scrollTo({ top: 0 })
  }, [cursor, scroller, asked])
}

/** Returns the shown columns. Their widths follow the first rows that are read, and then stay. */
function useColumns({ info, source, choice }: TableProps): readonly GridColumn[] {
  const first = useStore(source.rows.state, ({ pages }) => pages.get(0)?.rows)
  const [known, setKnown] = useState<readonly LoadedRow[]>(noRows)
  if (known.length === 0 && first !== undefined && first.length > 0) setKnown(first)
  const rows = known.length === 0 ? (first ?? noRows) : known
  return useMemo(() => {
    const shown = shownColumns(info.columns, choice.columns)
    const widths = widthsOf(shown, info.columns, rows)
    return shown.map(({ name }, place) => ({
      name,
      index: info.columns.indexOf(name),
      width: widths[place] ?? 120,
    }))
  }, [info, choice.columns, rows])
}

const noRows: readonly LoadedRow[] = []

interface RowsProps extends TableProps {
  columns: readonly GridColumn[]
  cursor: Store<GridCursor>
  scroller: HTMLDivElement
  rowHeight: number
  onPress: (event: MouseEvent, place: Cell) => void
  onOpen: (place: Cell) => void
}

/** The visible rows, as their own component, so that scrolling renders nothing else. */
function Rows({ info, source, columns, cursor, scroller, rowHeight, onPress, onOpen }: RowsProps) {
  const loaded = useStore(source.rows.state)
  const devices = useStore(source.devices)
  const at = useStore(cursor)
  const selected = selectedOf(at)
  const virtual = useVirtualRows({ rows: source.rows, cursor, scroller, rowHeight, headHeight })
  useEffect(() => {
    if (at.follow === 0) return
    const shown = document.getElementById(`answer-cell-${at.row}-${at.column}`)
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [at.follow, at.row, at.column])
  return (
    <div
      role="rowgroup"
      className="table-body"
      style={{ inlineSize: widthOf(columns), height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, start }) => (
        <GridRow
          key={index}
          row={rowAt(loaded, index)}
          index={index}
          top={start - headHeight}
          columns={columns}
          idColumns={info.idColumns}
          devices={devices}
          activeColumn={index === at.row ? at.column : null}
          isSelected={selected !== null && index >= selected[0] && index <= selected[1]}
          onPress={onPress}
          onOpen={onOpen}
        />
      ))}
    </div>
  )
}

/** Replaces the rows while there are none: reading, no match and a fault each have their own words. */
function NoRows({ source, choice }: TableProps) {
  const { total, pending, fault } = useStore(source.rows.state)
  const problem = useStore(source.problem)
  if (fault !== null && fault.kind !== 'stopped')
    return (
      <div className="no-rows" role="status">
        <p className="no-rows-title">{explain(fault).title}</p>
        <div className="no-rows-text">
          {fault.kind === 'input' ? 'This answer is no longer kept. Run the query again.' : explain(fault).advice}
        </div>
      </div>
    )
  if (total === null || total > 0 || pending || problem !== null) return null
  return (
    <div className="no-rows">
      <p className="no-rows-title">{choice.filter.trim() === '' ? 'The list has no rows' : 'No rows match'}</p>
      {choice.filter.trim() !== '' && (
        <button type="button" className="button" onClick={() => choose({ filter: '' })}>
          Clear the filter
        </button>
      )}
    </div>
  )
}
