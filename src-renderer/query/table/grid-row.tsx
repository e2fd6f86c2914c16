import { memo, type MouseEvent } from 'react'
import type { TableCell } from '../../../src-shared/model/query-table.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { templateOf, type GridColumn } from './widths.ts'
import type { Cell } from './grid-keys.ts'
import type { LoadedRow } from './source.ts'

interface RowProps {
  /** Undefined while the row is read. */
  row: LoadedRow | undefined
  index: number
  /** Distance from the top of the rows, in CSS pixels. */
  top: number
  columns: readonly GridColumn[]
  idColumns: readonly number[]
  devices: ReadonlyMap<string, readonly string[]>
  /** Place of the cursor's column; null: it is in another row. */
  activeColumn: number | null
  isSelected: boolean
  onPress: (event: MouseEvent, place: Cell) => void
  onOpen: (place: Cell) => void
}

export const GridRow = memo(
  Row,
  (before, after) =>
    before.row === after.row &&
    before.index === after.index &&
    before.top === after.top &&
    before.columns === after.columns &&
    before.devices === after.devices &&
    before.activeColumn === after.activeColumn &&
    before.isSelected === after.isSelected,
)

function Row({ row, index, top, columns, idColumns, devices, activeColumn, isSelected, onPress, onOpen }: RowProps) {
  return (
    <div
      role="row"
      className="table-row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ gridTemplateColumns: templateOf(columns), insetBlockStart: top }}
    >
      {columns.map(({ name, index: column }, place) => {
        const cell = row?.cells.get(column)
        const isDevice = cell !== null && cell !== undefined && idColumns.includes(column) && devices.has(cell.text)
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid has the focus and the keys; this cell is its active descendant
          <div
            key={name}
            id={`answer-cell-${index}-${place}`}
            role="gridcell"
            aria-colindex={place + 1}
            className="table-cell answer-cell"
            data-kind={cell?.kind}
            data-active={place === activeColumn || undefined}
            onClick={(event) => onPress(event, { row: index, column: place })}
            onDoubleClick={() => onOpen({ row: index, column: place })}
          >
            {cell === undefined && row === undefined && <span className="skeleton" />}
            {isDevice ? (
              <button
                type="button"
                className="answer-device clip"
                tabIndex={-1}
                title="Open the device in the inventory"
                onClick={() => onOpen({ row: index, column: place })}
              >
                <Isolated>{cell.text}</Isolated>
              </button>
            ) : (
              <Content cell={cell} />
            )}
          </div>
        )
      })}
    </div>
  )
}

/** A value; a dash where the row has none, and `null` as such. */
function Content({ cell }: { cell: TableCell | null | undefined }) {
  if (cell === undefined) return null
  if (cell === null)
    return (
      <span className="answer-none">
        <span aria-hidden="true">–</span>
        <span className="sr-only">not there</span>
      </span>
    )
  if (cell.kind === 'null') return <span className="answer-none">null</span>
  return (
    <Isolated className="clip" title={cell.isCut ? `${cell.text}…` : cell.text}>
      {cell.text}
    </Isolated>
  )
}
