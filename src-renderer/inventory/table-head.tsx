import { useState, type KeyboardEvent, type MouseEvent } from 'react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Sort } from '../../src-shared/model.ts'
import { useStore } from '../store.ts'
import { columnTemplate, columns, type Column } from './columns.tsx'
import type { Inventory } from './inventory.ts'

/** The heads: one stop for the tab key, arrows from head to head, Enter sorts, Shift adds to the order. */
export function TableHead({ inventory }: { inventory: Inventory }) {
  const { sorts, status } = useStore(inventory.view)
  const [stop, setStop] = useState(0)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const to = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: columns.length - 1 }[event.key]
    if (to === undefined || to < 0 || to >= columns.length) return
    event.preventDefault()
    setStop(to)
    event.currentTarget.querySelectorAll('button')[to]?.focus()
  }

  return (
    <div role="rowgroup" className="table-head" style={{ gridTemplateColumns: columnTemplate }}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the keys are those of the buttons inside */}
      <div role="row" aria-rowindex={1} className="table-row" style={{ gridTemplateColumns: columnTemplate }} onKeyDown={onKeyDown}>
        {columns.map((column, index) => (
          <Head
            key={column.head} column={column} index={index} sorts={sorts[status]} tabIndex={index === stop ? 0 : -1}
            onFocus={() => setStop(index)} onSort={(event) => inventory.sortBy(column.sort, event.shiftKey)}
          />
        ))}
      </div>
    </div>
  )
}

interface HeadProps {
  column: Column
  index: number
  sorts: readonly Sort[]
  tabIndex: number
  onFocus: () => void
  onSort: (event: MouseEvent) => void
}

function Head({ column, index, sorts, tabIndex, onFocus, onSort }: HeadProps) {
  const rank = sorts.findIndex((sort) => sort.column === column.sort)
  const direction = sorts[rank]?.direction
  const Arrow = direction === 'desc' ? ArrowDown : ArrowUp
  return (
    <div role="columnheader" className="table-cell" aria-colindex={index + 1} aria-sort={rank === 0 ? ariaSort(direction) : 'none'}>
      <button type="button" className="head" data-own={column.own} title={`${column.title}. Click sorts; Shift adds to the order.`} tabIndex={tabIndex} onFocus={onFocus} onClick={onSort}>
        <span className="clip">{column.head}</span>
        {direction !== undefined && <Arrow size={12} aria-hidden />}
        {rank > 0 && <span className="rank" aria-label={`, ${rank + 1}. in the order, ${ariaSort(direction)}`}>{rank + 1}</span>}
      </button>
    </div>
  )
}

function ariaSort(direction: 'asc' | 'desc' | undefined) {
  return direction === 'desc' ? 'descending' : 'ascending'
}
