import { useState, type ComponentProps, type KeyboardEvent, type MouseEvent } from 'react'
import type { ColumnId, DeviceRow } from '../../../src-shared/model/inventory.ts'
import { useRowHeight } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useTableColumns, type TableColumns } from '../columns/columns.tsx'
import type { Inventory } from '../inventory.ts'
import { NoRows } from './no-rows.tsx'
import { rowAt, type PagedState } from '../../lib/list/paged.ts'
import { RowMenu, type MenuPlace } from '../actions/row-menu.tsx'
import { SelectionBar } from '../actions/selection-bar.tsx'
import { isSelected, selectedCount } from './selection.ts'
import { TableHead } from './table-head.tsx'
import { tableKey } from './table-keys.ts'
import { TableRow } from './table-row.tsx'
import { useScroll, useWantedFocus } from './table-scroll.ts'
import { useVirtualRows } from '../../lib/list/virtual-rows.ts'

const headHeight = 32

interface Props {
  inventory: Inventory
  coreLost: boolean
  /** Called on Enter: the detail is open and takes the focus. */
  onEnter: () => void
}

/** The devices as a grid with virtual rows. The grid has the focus, and the present row is its active descendant. */
export function DeviceTable({ inventory, coreLost, onEnter }: Props) {
  const { rows, cursor } = inventory
  const listed = useStore(rows.state, (loaded) => loaded.total)
  const pending = useStore(rows.state, (loaded) => loaded.pending)
  const at = useStore(cursor.state)
  const left = useStore(rows.state, (loaded) => hasLeft(loaded, at))
  const shown = useTableColumns(inventory)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [menu, setMenu] = useState<MenuPlace | null>(null)
  const [announcement, announce] = useState('')
  const total = listed ?? 0
  const rowHeight = useRowHeight()

  function enter() {
    if (at.key === null) return
    inventory.detail.open(at.key)
    onEnter()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => keyDown(event, { inventory, rowHeight, enter, setMenu })
  // Depends only on the stores, because a memoized row keeps its first handlers.
  const onPress = (event: MouseEvent, index: number) => press(inventory, event, index)
  const onMenu = (event: MouseEvent, index: number) => setMenu(menuAt(inventory, event, index))

  return (
    <div className="table-box">
      <div
        ref={setScroller}
        id="devices"
        className="table"
        style={{ '--first-width': `${shown.first}px`, '--sticky-width': `${shown.sticky}px` }}
        role="grid"
        tabIndex={0}
        aria-label="Devices"
        aria-multiselectable="true"
        aria-rowcount={listed === null ? -1 : total + 1}
        aria-colcount={shown.columns.length}
        aria-busy={listed === null || pending}
        data-pending={pending}
        aria-activedescendant={!left && at.index >= 0 && at.index < total ? `device-${at.index}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className="table-head-box" style={{ inlineSize: widthOf(shown) }}>
          <TableHead inventory={inventory} shown={shown} onAnnounce={announce} />
        </div>
        {scroller !== null && (
          <Rows
            inventory={inventory}
            scroller={scroller}
            coreLost={coreLost}
            shown={shown}
            rowHeight={rowHeight}
            onPress={onPress}
            onMenu={onMenu}
          />
        )}
      </div>
      <div className="table-more" aria-hidden="true" />
      <div className="focus-frame" aria-hidden="true" />
      <div className="sr-only" role="status">
        {announcement}
      </div>
      <NoRows inventory={inventory} />
      <SelectionBar inventory={inventory} />
      <RowMenu inventory={inventory} place={menu} onClose={() => setMenu(null)} onEnter={onEnter} />
    </div>
  )
}

/** Returns whether another device is in the row of the cursor. */
function hasLeft(loaded: PagedState<DeviceRow>, { index, key }: { index: number; key: string | null }): boolean {
  const there = rowAt(loaded, index)?.key
  return there !== undefined && there !== key
}

interface KeyTargets {
  inventory: Inventory
  rowHeight: number
  enter: () => void
  setMenu: (place: MenuPlace) => void
}

function keyDown(event: KeyboardEvent<HTMLDivElement>, { inventory, rowHeight, enter, setMenu }: KeyTargets): void {
  if (event.target !== event.currentTarget) return
  const loaded = inventory.rows.state.get()
  const at = inventory.cursor.state.get()
  const key = tableKey(event, {
    index: at.index,
    left: hasLeft(loaded, at),
    total: loaded.total ?? 0,
    page: Math.max(1, Math.floor((event.currentTarget.clientHeight - headHeight) / rowHeight) - 1),
    selected: inventory.selection.state.get().what !== 'none',
  })
  if (key === null) return
  event.preventDefault()
  if (key.action === 'open') enter()
  else if (key.action === 'heads') event.currentTarget.querySelector<HTMLElement>('.head[tabindex="0"]')?.focus()
  else if (key.action === 'menu') setMenu(placeOf(event.currentTarget, at.index))
  else act(inventory, key)
}

/** Returns the position of the context menu, which is for the selected rows, or for only the row under the pointer. */
function menuAt({ rows, cursor, selection }: Inventory, event: MouseEvent, index: number): MenuPlace {
  event.preventDefault()
  const key = rowAt(rows.state.get(), index)?.key
  if (!isSelected(selection.state.get(), key, cursor.state.get().key)) selection.clear()
  cursor.to(index)
  return { x: event.clientX, y: event.clientY, column: columnAt(event.target) }
}

interface RowsProps
  extends Pick<Props, 'inventory' | 'coreLost'>, Pick<ComponentProps<typeof TableRow>, 'shown' | 'onPress' | 'onMenu'> {
  scroller: HTMLDivElement
  rowHeight: number
}

/** The visible rows, as their own component, so that scrolling renders nothing else. */
function Rows({ inventory, scroller, coreLost, shown, rowHeight, onPress, onMenu }: RowsProps) {
  const loaded = useStore(inventory.rows.state)
  const at = useStore(inventory.cursor.state)
  const selection = useStore(inventory.selection.state)
  // Restores the scroll position from before another screen was shown.
  const virtual = useVirtualRows({
    rows: inventory.rows,
    cursor: inventory.cursor.state,
    scroller,
    rowHeight,
    headHeight,
    top: inventory.scrolled.top,
  })
  useScroll(inventory, scroller, shown.minWidth)
  useWantedFocus(inventory, scroller)
  return (
    <div
      role="rowgroup"
      className="table-body"
      data-selection={selectedCount(selection, loaded.total ?? 0) > 0}
      style={{ inlineSize: widthOf(shown), height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, start }) => {
        const row = rowAt(loaded, index)
        return (
          <TableRow
            key={index}
            row={row}
            index={index}
            top={start - headHeight}
            coreLost={coreLost}
            active={index === at.index && (row === undefined || row.key === at.key)}
            shown={shown}
            selected={isSelected(selection, row?.key, at.key)}
            onPress={onPress}
            onMenu={onMenu}
          />
        )
      })}
    </div>
  )
}

const widthOf = ({ minWidth }: TableColumns) => `max(100%, ${minWidth}px)`

function act({ cursor, selection, detail, actions }: Inventory, key: Exclude<ReturnType<typeof tableKey>, null>) {
  switch (key.action) {
    case 'go':
      selection.begin(key.index)
      return cursor.to(key.index)
    case 'extend':
      cursor.to(key.index)
      return selection.extend(key.index)
    case 'toggle':
      return selection.toggle(key.index)
    case 'all':
      return selection.all()
    case 'clear':
      return selection.clear()
    case 'close':
      return detail.close()
    case 'copy':
      return void actions.copy({ what: 'rows' })
    default:
      return undefined
  }
}

/**
 * A click selects only this row and opens its device; with Control or Command it toggles the row, with Shift it extends
 * the range to it.
 */
function press({ rows, cursor, selection, detail }: Inventory, event: MouseEvent, index: number) {
  const key = rowAt(rows.state.get(), index)?.key
  if (key === undefined) return
  if (event.shiftKey) {
    selection.extend(index)
    return cursor.to(index)
  }
  if (event.ctrlKey || event.metaKey) {
    selection.toggle(index)
    return cursor.to(index)
  }
  selection.clear()
  selection.begin(index)
  cursor.to(index)
  detail.open(key)
}

/** Returns the position of the menu opened by keyboard: below the present row when that is visible. */
function placeOf(table: Element, index: number): MenuPlace {
  const row = document.getElementById(`device-${index}`)?.getBoundingClientRect()
  const box = table.getBoundingClientRect()
  return {
    x: box.left + 120,
    y: Math.min(box.bottom - 20, Math.max(box.top + headHeight, row?.bottom ?? box.top)),
    column: null,
  }
}

function columnAt(target: EventTarget): ColumnId | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  return (cell?.dataset['column'] as ColumnId | undefined) ?? null
}
