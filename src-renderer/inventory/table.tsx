import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { useStore } from '../store.ts'
import type { Inventory } from './inventory.ts'
import { rowAt } from './paged.ts'
import { columns } from './columns.tsx'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { NoRows } from './no-rows.tsx'
import { listMove } from './tree-moves.ts'
import { withIndex } from './virtual-range.ts'

const rowHeight = 30
const headHeight = 32

interface Props {
  inventory: Inventory
  blind: boolean
  /** Enter on a row: the detail is open and wants the focus. */
  onEnter: () => void
}

/** The devices as a grid: rows by windows from the core, focus on the grid, the present row as its active descendant. */
export function DeviceTable({ inventory, blind, onEnter }: Props) {
  const { rows, cursor, detail } = inventory
  const held = useStore(rows.state)
  const at = useStore(cursor.state)
  const scroller = useRef<HTMLDivElement>(null)
  const total = held.total ?? 0
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // The head stands before the rows and over them: rows begin below it, and none is brought in sight behind it.
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    rangeExtractor: (range) => withIndex(range, at.index),
  })
  const first = virtual.range?.startIndex ?? 0
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => rows.show(first, last), [rows, first, last])
  useTopOfView(inventory, scroller)
  useEffect(() => {
    if (at.follow > 0 && at.index >= 0) virtual.scrollToIndex(at.index, { align: 'auto' })
  }, [at.follow, virtual]) // oxlint-disable-line react/exhaustive-deps -- the index moves by itself as rows come and go; only `follow` asks to be seen

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((event.currentTarget.clientHeight - headHeight) / rowHeight) - 1)
    const index = listMove(event.key, at.index, total, page)
    if (index !== null) cursor.to(index)
    else if (event.key === 'Enter' || event.key === ' ') enter()
    else if (event.key === 'Escape') detail.close()
    else return
    event.preventDefault()
  }

  function enter() {
    if (at.key === null) return
    detail.open(at.key)
    onEnter()
  }

  return (
    <div className="table-box">
      <div
        ref={scroller} id="devices" className="table" role="grid" tabIndex={0} aria-label="Devices" aria-rowcount={held.total === null ? -1 : total + 1}
        aria-colcount={columns.length} aria-busy={held.total === null || held.pending} data-pending={held.pending}
        aria-activedescendant={at.index >= 0 && at.index < total ? `device-${at.index}` : undefined} onKeyDown={onKeyDown}
      >
        <TableHead inventory={inventory} />
        <div role="rowgroup" className="table-body" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <TableRow
              key={rowAt(held, index)?.key ?? index} row={rowAt(held, index)} index={index} top={start - headHeight} blind={blind} active={index === at.index}
              selected={at.key !== null && rowAt(held, index)?.key === at.key}
              onPress={(key) => {
                cursor.to(index)
                detail.open(key)
              }}
            />
          ))}
        </div>
      </div>
      <NoRows inventory={inventory} />
    </div>
  )
}

/** Another question begins at its top; the selected device, if it is among the answers, is brought in sight after. */
function useTopOfView(inventory: Inventory, scroller: RefObject<HTMLDivElement | null>) {
  const view = useStore(inventory.view)
  useEffect(() => {
    // Braces: `scrollTo` returns a promise in newer browsers, and an effect may return only its end.
    scroller.current?.scrollTo({ top: 0 })
  }, [view, scroller]) // oxlint-disable-line react/exhaustive-effect-dependencies, react/exhaustive-deps -- that the question changed is the reason, not an input
}
