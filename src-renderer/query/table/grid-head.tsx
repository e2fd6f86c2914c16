import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { dragHead, dragWidth } from '../../inventory/table/head-drag.ts'
import { templateOf, type GridColumn } from './widths.ts'
import { movedColumn, resizedColumn, shownColumns, sortedBy, type TableChoice } from './choice.ts'
import { choose } from './choose.ts'

interface HeadProps {
  columns: readonly GridColumn[]
  /** Names of all columns. */
  names: readonly string[]
  choice: TableChoice
  onAnnounce: (words: string) => void
}

/**
 * The column heads, as the inventory's: one tab stop; the arrow keys move between heads and down to the rows, Enter sorts.
 * Control with the arrow keys moves the column, Alt with them changes its width.
 */
export function GridHead({ columns, names, choice, onAnnounce }: HeadProps) {
  const [wanted, setStop] = useState<string | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const stop = Math.max(
    0,
    columns.findIndex(({ name }) => name === wanted),
  )
  const shown = shownColumns(names, choice.columns)
  const move = (name: string, to: number) => {
    const place = Math.max(0, Math.min(columns.length - 1, to))
    choose({ columns: movedColumn(shown, name, place) })
    setStop(name)
    onAnnounce(`${name} is now column ${place + 1} of ${columns.length}.`)
  }
  const widen = (name: string, width: number | null) => choose({ columns: resizedColumn(shown, name, width) })
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const column = columns[stop]
    if (event.key === 'ArrowDown' && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      return event.currentTarget.closest<HTMLElement>('[role=grid]')?.focus()
    }
    const to = placeOf(event.key, stop, columns.length)
    if (to === null || column === undefined || event.metaKey) return
    event.preventDefault()
    if (event.altKey) {
      const width = column.width + Math.sign(to - stop) * 16
      widen(column.name, width)
      onAnnounce(`${column.name}: ${width} pixels wide.`)
    } else if (event.ctrlKey) move(column.name, to)
    else if (to >= 0 && to < columns.length) event.currentTarget.querySelectorAll('button')[to]?.focus()
  }
  return (
    <div role="rowgroup" className="table-head">
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the keys are those of the buttons inside */}
      <div
        role="row"
        aria-rowindex={1}
        className="table-row"
        style={{ gridTemplateColumns: templateOf(columns) }}
        onKeyDown={onKeyDown}
      >
        {columns.map(({ name }, index) => (
          <Head
            key={name}
            name={name}
            index={index}
            sort={choice.sort}
            isStop={index === stop}
            isOver={over === index}
            onFocus={() => setStop(name)}
            onOver={setOver}
            onDrop={(to) => move(name, to)}
            onWidth={(width) => widen(name, width)}
          />
        ))}
      </div>
    </div>
  )
}

interface ColumnHeadProps {
  name: string
  index: number
  sort: TableChoice['sort']
  /** It is the tab stop of the heads. */
  isStop: boolean
  /** Another head is dragged over it. */
  isOver: boolean
  onFocus: () => void
  onOver: (to: number | null) => void
  onDrop: (to: number) => void
  onWidth: (width: number | null) => void
}

function Head({ name, index, sort, isStop, isOver, onFocus, onOver, onDrop, onWidth }: ColumnHeadProps) {
  return (
    <div
      role="columnheader"
      className="table-cell"
      aria-colindex={index + 1}
      aria-sort={ariaSort(sort, name)}
      data-over={isOver}
    >
      <button
        type="button"
        className="head"
        title={`${name}. Click to sort, drag to move the column.`}
        tabIndex={isStop ? 0 : -1}
        aria-keyshortcuts="Control+ArrowLeft Control+ArrowRight Alt+ArrowLeft Alt+ArrowRight"
        onFocus={onFocus}
        onClick={() => choose({ sort: sortedBy(sort, name) })}
        onPointerDown={(event) => dragHead(event, { onOver, onDrop })}
      >
        <Isolated className="clip">{name}</Isolated>
        <Arrow sort={sort} name={name} />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the mouse's way to what Alt and the arrow keys do on the head */}
      <span
        className="width-grip"
        title="Drag to set the width; double-click for the default"
        onPointerDown={(event) => dragWidth(event, onWidth)}
        onDoubleClick={() => onWidth(null)}
      />
    </div>
  )
}

function placeOf(key: string, stop: number, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return stop - 1
    case 'ArrowRight':
      return stop + 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

function Arrow({ sort, name }: { sort: TableChoice['sort']; name: string }) {
  if (sort?.column !== name) return null
  return sort.direction === 'desc' ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />
}

function ariaSort(sort: TableChoice['sort'], name: string) {
  if (sort?.column !== name) return 'none'
  return sort.direction === 'desc' ? 'descending' : 'ascending'
}
