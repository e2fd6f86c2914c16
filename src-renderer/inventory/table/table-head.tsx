import { useState, type KeyboardEvent, type MouseEvent } from 'react'
import { ArrowDown, ArrowUp, CircleSlash } from 'lucide-react'
import type { ColumnId, Sort } from '../../../src-shared/model/inventory.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { fieldOf, suggestionText } from '../../lib/format/suggested.ts'
import { stickyColumns } from '../columns/column-layout.ts'
import type { Column, TableColumns } from '../columns/columns.tsx'
import { dragHead, dragWidth } from './head-drag.ts'
import type { Inventory } from '../inventory.ts'
import { sortOf } from '../filter/view.ts'

interface Props {
  inventory: Inventory
  shown: TableColumns
  /** Announces the effect of a key on a column, because a grid cannot contain the message itself. */
  onAnnounce: (words: string) => void
}

/**
 * The column heads: one tab stop; the arrow keys move between heads and down to the rows, Enter sorts. Control with the
 * arrow keys moves the column, Alt with them changes its width.
 */
export function TableHead({ inventory, shown, onAnnounce }: Props) {
  const sorts = useStore(inventory.view, sortOf)
  const [wanted, setStop] = useState<ColumnId | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const { columns, template } = shown
  const stop = Math.max(
    0,
    columns.findIndex(({ id }) => id === wanted),
  )
  const sticky = stickyColumns(shown.shown)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const column = columns[stop]
    if (event.key === 'ArrowDown' && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      return event.currentTarget.closest<HTMLElement>('[role=grid]')?.focus()
    }
    const to = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: columns.length - 1 }[event.key]
    if (to === undefined || column === undefined || event.metaKey) return
    event.preventDefault()
    if (event.altKey) widen(event.currentTarget, column, to - stop)
    else if (event.ctrlKey) move(column.id, to)
    else if (to >= 0 && to < columns.length) focusHead(event.currentTarget, to, sticky)
  }

  function move(id: ColumnId, to: number) {
    const place = Math.max(0, Math.min(columns.length - 1, to))
    inventory.columns.move(id, place)
    setStop(id)
    onAnnounce(`${columns[stop]?.head ?? id} is now column ${place + 1} of ${columns.length}.`)
  }

  function widen(row: Element, column: Column, step: number) {
    const width = row.querySelectorAll('[role=columnheader]')[stop]?.getBoundingClientRect().width ?? 120
    const next = Math.round(width + Math.sign(step) * 16)
    inventory.columns.resize(column.id, next, true)
    onAnnounce(`${column.head}: ${next} pixels wide.`)
  }

  return (
    <div role="rowgroup" className="table-head">
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the keys are those of the buttons inside */}
      <div
        role="row"
        aria-rowindex={1}
        className="table-row"
        style={{ gridTemplateColumns: template }}
        onKeyDown={onKeyDown}
      >
        {columns.map((column, index) => (
          <Head
            key={column.id}
            column={column}
            index={index}
            sorts={sorts}
            tabIndex={index === stop ? 0 : -1}
            sticky={index < sticky}
            stickyEnd={index === sticky - 1}
            over={over === index}
            inventory={inventory}
            onFocus={() => setStop(column.id)}
            onOver={setOver}
            onDrop={(to) => move(column.id, to)}
          />
        ))}
      </div>
    </div>
  )
}

function focusHead(row: Element, to: number, sticky: number): void {
  const head = row.querySelectorAll('button')[to]
  head?.focus({ preventScroll: true })
  // A sticky head scrolls the table to its start; others scroll into view beside it, with the padding of the style
  // sheet.
  if (to < sticky) row.closest('.table')?.scrollTo({ left: 0 })
  else head?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

interface HeadProps {
  inventory: Inventory
  column: Column
  index: number
  sorts: readonly Sort[]
  tabIndex: number
  sticky: boolean
  /** True for the last sticky column. */
  stickyEnd: boolean
  /** True while another head is dragged over this one. */
  over: boolean
  onFocus: () => void
  onOver: (to: number | null) => void
  onDrop: (to: number) => void
}

function Head({
  inventory,
  column,
  index,
  sorts,
  tabIndex,
  sticky,
  stickyEnd,
  over,
  onFocus,
  onOver,
  onDrop,
}: HeadProps) {
  const rank = sorts.findIndex((sort) => sort.column === column.id)
  const direction = sorts[rank]?.direction
  const Arrow = direction === 'desc' ? ArrowDown : ArrowUp
  const { session } = useAppContext()
  const offer = suggestionText(fieldOf(column.id), useStore(session.state, ({ app }) => app?.connections) ?? [])
  const sort = (event: MouseEvent) => inventory.sortBy(column.id, event.shiftKey)
  return (
    <div
      role="columnheader"
      className="table-cell"
      aria-colindex={index + 1}
      aria-sort={rank === 0 ? ariaSort(direction) : 'none'}
      data-sticky={sticky ? index : undefined}
      data-sticky-end={stickyEnd || undefined}
      data-over={over}
    >
      <button
        type="button"
        className="head"
        title={[column.title, offer, 'Click to sort, Shift-click to add to the order, drag to move the column.']
          .filter(Boolean)
          .join('. ')}
        tabIndex={tabIndex}
        aria-keyshortcuts="Control+ArrowLeft Control+ArrowRight Alt+ArrowLeft Alt+ArrowRight"
        onFocus={onFocus}
        onClick={sort}
        onPointerDown={(event) => dragHead(event, { onOver, onDrop })}
      >
        <span className="clip">{column.head}</span>
        {offer !== '' && <CircleSlash size={12} role="img" aria-label={offer} />}
        {direction !== undefined && <Arrow size={12} aria-hidden />}
        {rank > 0 && (
          <span className="rank" aria-label={`, ${rank + 1}. in the order, ${ariaSort(direction)}`}>
            {rank + 1}
          </span>
        )}
      </button>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the mouse's way to what Alt and the arrow keys do on the head */}
      <span
        className="width-grip"
        title="Drag to set the width; double-click for the default"
        onPointerDown={(event) => dragWidth(event, (width, last) => inventory.columns.resize(column.id, width, last))}
        onDoubleClick={() => inventory.columns.resize(column.id, null, true)}
      />
    </div>
  )
}

function ariaSort(direction: 'asc' | 'desc' | undefined) {
  return direction === 'desc' ? 'descending' : 'ascending'
}
