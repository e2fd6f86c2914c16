import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import { useMaintenanceLines } from '../../policies/maintenance/mark.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import type { Inventory } from '../inventory.ts'
import { rowAt } from '../../lib/list/paged.ts'
import { TreeLine } from './tree-line.tsx'
import { TreeMenu, type TreeMenuPlace } from './tree-menu.tsx'
import { isMoveKey, treeMove } from './tree-moves.ts'
import type { TreeSource } from './tree-source.ts'
import { useNothingSynced } from '../table/nothing-synced.ts'
import { withIndex } from '../../lib/list/virtual-rows.ts'

const lineHeight = 28

interface Props {
  inventory: Inventory
  coreLost: boolean
  onChosen: () => void
}

/** The fleet as a tree. The document contains only the visible lines and the present one. */
export function FleetTree({ inventory, coreLost, onChosen }: Props) {
  const { tree } = inventory
  const loaded = useStore(tree.lines.state)
  const at = useStore(tree.cursor)
  const scroller = useRef<HTMLDivElement>(null)
  const { type, missed } = useTypeAhead(tree)
  const [menu, setMenu] = useState<TreeMenuPlace | null>(null)
  const total = loaded.total ?? 0
  const unread = useNothingSynced()
  const virtual = useLines(tree, scroller)

  function choose(row: TreeRow) {
    void inventory.choose(row)
    onChosen()
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / lineHeight) - 1)
    const isMenu = key === 'ContextMenu' || (key === 'F10' && shiftKey)
    const isLetter = key.length === 1 && key !== '/' && key !== '?'
    if (!isMenu && !isLetter && !isMoveKey(key)) return
    event.preventDefault()
    tree.press(() => {
      const { index } = tree.cursor.get()
      const now = tree.lines.state.get()
      const row = rowAt(now, index)
      if (isMenu) return setMenu(placeOf(row, index))
      const move = treeMove(key, { index, total: now.total ?? 0, page, row })
      if (move === null) return isLetter ? type(key) : undefined
      if (move.move !== 'choose') tree.go(move)
      else if (row !== undefined) choose(row)
    })
  }

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a tree must have lines; while there are none it is a group */}
      <div
        ref={scroller}
        id="tree"
        className="tree"
        role={loaded.total === 0 ? 'group' : 'tree'}
        tabIndex={0}
        aria-label="Regions, tenants, accounts, sites, rooms and devices"
        aria-busy={loaded.total === null}
        aria-activedescendant={at.index < total ? `line-${at.index}` : undefined}
        onKeyDown={onKeyDown}
      >
        {loaded.total === 0 && (
          <p className="tree-none">{unread ? 'Places appear with the first sync.' : 'There are no places.'}</p>
        )}
        <Lines inventory={inventory} coreLost={coreLost} virtual={virtual} onChoose={choose} onMenu={setMenu} />
      </div>
      <div className="sr-only" role="status">
        {missed}
      </div>
      <TreeMenu
        place={menu}
        onChoose={choose}
        onLink={({ id }) => void inventory.actions.copyLink({ to: 'devices', scope: id, filter: '' })}
        onClose={() => setMenu(null)}
      />
    </>
  )
}

interface LinesProps extends Pick<Props, 'inventory' | 'coreLost'> {
  virtual: ReturnType<typeof useLines>
  onChoose: (row: TreeRow) => void
  onMenu: (place: TreeMenuPlace) => void
}

/** The visible lines. */
function Lines({ inventory, coreLost, virtual, onChoose, onMenu }: LinesProps) {
  const { tree } = inventory
  const loaded = useStore(tree.lines.state)
  const at = useStore(tree.cursor)
  const isShown = useShownLine(inventory)
  const { watched } = useSettings()
  const maintenanceAbove = useMaintenanceLines()

  function onContextMenu(event: MouseEvent, row: TreeRow) {
    if (row.kind === 'device') return
    event.preventDefault()
    onMenu({ x: event.clientX, y: event.clientY, row })
  }

  return (
    <div className="tree-body" role="presentation" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const row = rowAt(loaded, index)
        return (
          <TreeLine
            key={row?.id ?? index}
            row={row}
            index={index}
            top={start}
            coreLost={coreLost}
            maintenance={row === undefined ? null : maintenanceAbove(row)}
            active={index === at.index}
            watched={row !== undefined && row.kind !== 'device' && watched.includes(row.id)}
            selected={row !== undefined && isShown(row)}
            onPress={() => tree.go({ move: 'to', index })}
            onToggle={tree.toggle}
            onChoose={onChoose}
            onMenu={onContextMenu}
          />
        )
      })}
    </div>
  )
}

/** Returns whether a line is the scope of the table or the device in the detail. */
function useShownLine({ tree, view, detail }: Inventory): (row: TreeRow) => boolean {
  const scope = useStore(view, ({ path }) => path.at(-1)?.id ?? null)
  const shown = useStore(detail.state, (state) => (state.state === 'closed' ? null : state.key))
  const device = useStore(tree.device)
  return (row) => (row.kind === 'device' ? row.id === device?.node && device.key === shown : row.id === scope)
}

/** Returns the position of the menu opened by keyboard: below the present line. A device has its menu in the table. */
function placeOf(row: TreeRow | undefined, index: number): TreeMenuPlace | null {
  const line = document.getElementById(`line-${index}`)?.getBoundingClientRect()
  return row === undefined || row.kind === 'device' || line === undefined
    ? null
    : { x: line.left + 24, y: line.bottom, row }
}

/** Returns the virtual lines, which are read as they come into view; the present one is followed. */
function useLines(tree: TreeSource, scroller: RefObject<HTMLDivElement | null>) {
  const total = useStore(tree.lines.state, (loaded) => loaded.total ?? 0)
  const at = useStore(tree.cursor)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 10,
    paddingStart: 6,
    paddingEnd: 6,
    rangeExtractor: (range) => withIndex(range, at.index),
  })
  const first = virtual.range?.startIndex ?? 0
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => tree.lines.show(first, last), [tree, first, last])
  useEffect(() => {
    if (at.follow > 0) virtual.scrollToIndex(at.index, { align: 'auto' })
  }, [at, virtual])
  return virtual
}

/** Moves the cursor by typed letters; `missed` says when nothing matches. */
function useTypeAhead(tree: TreeSource): { type: (letter: string) => void; missed: string } {
  const [missed, setMissed] = useState('')
  const type = useTyped(
    (text) =>
      void tree.typed(text).then((index) => setMissed(index === null ? `No open place begins with “${text}”.` : '')),
  )
  return { type, missed }
}

/** Returns a function that joins letters typed within 700 ms of each other into one word, like the system's lists. */
function useTyped(find: (text: string) => void): (letter: string) => void {
  const typed = useRef({ text: '', at: 0 })
  return (letter) => {
    const now = performance.now()
    const text = now - typed.current.at < 700 ? typed.current.text + letter : letter
    typed.current = { text, at: now }
    find(text)
  }
}
