import { memo, useEffect, useRef, useState, type MouseEvent } from 'react'
import type { DeviceRow } from '../../../src-shared/model/inventory.ts'
import { stickyColumns } from '../columns/column-layout.ts'
import type { TableColumns } from '../columns/columns.tsx'

interface Props {
  /** Undefined while the row is loading. */
  row: DeviceRow | undefined
  index: number
  /** Distance from the top of the rows, in CSS pixels. */
  top: number
  coreLost: boolean
  active: boolean
  selected: boolean
  shown: TableColumns
  /** Must be the same function for the life of the row, because it is not compared. */
  onPress: (event: MouseEvent, index: number) => void
  onMenu: (event: MouseEvent, index: number) => void
}

export const TableRow = memo(
  Row,
  (before, after) =>
    before.row === after.row &&
    before.index === after.index &&
    before.top === after.top &&
    before.coreLost === after.coreLost &&
    before.active === after.active &&
    before.selected === after.selected &&
    before.shown === after.shown,
)

function Row({ row, index, top, coreLost, active, selected, shown, onPress, onMenu }: Props) {
  const flash = useFlash(row)
  const sticky = stickyColumns(shown.shown)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid has the focus and the keys; this row is its active descendant
    <div
      role="row"
      id={`device-${index}`}
      className="table-row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-active={active}
      data-index={index}
      data-status={coreLost ? 'unknown' : row?.status}
      data-flash={flash}
      style={{ gridTemplateColumns: shown.template, insetBlockStart: top }}
      onClick={(event) => onPress(event, index)}
      onContextMenu={(event) => onMenu(event, index)}
    >
      {shown.columns.map((column, place) => (
        <div
          role="gridcell"
          key={column.id}
          aria-colindex={place + 1}
          className="table-cell"
          data-column={column.id}
          data-sticky={place < sticky ? place : undefined}
          data-sticky-end={place === sticky - 1 || undefined}
        >
          {row === undefined ? <span className="skeleton" /> : column.cell(row, coreLost)}
        </div>
      ))}
    </div>
  )
}

/**
 * Returns the name of an animation when this device's status has changed on the screen. Two names alternate, so that it
 * can run again. A line that is reused for another device drops the animation.
 */
function useFlash(row: DeviceRow | undefined): string | undefined {
  const before = useRef(row)
  const [flash, setFlash] = useState<{ key: string | null; count: number }>({ key: null, count: 0 })
  // Final: the device has not changed when it returns to this line.
  if (flash.key !== null && flash.key !== row?.key) setFlash({ ...flash, key: null })
  useEffect(() => {
    const same = row !== undefined && before.current?.key === row.key
    // To and from unknown, whole pages change at once. The banner reports that.
    const seen = same && row.status !== 'unknown' && before.current?.status !== 'unknown'
    if (seen && before.current?.status !== row.status) setFlash(({ count }) => ({ key: row.key, count: count + 1 }))
    before.current = row
  }, [row])
  if (flash.key === null || flash.key !== row?.key) return undefined
  return flash.count % 2 === 1 ? 'odd' : 'even'
}
