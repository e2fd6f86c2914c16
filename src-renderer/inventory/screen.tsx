import { ListTree } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { Button } from 'react-aria-components'
import { useStore } from '../lib/store.ts'
import { ViewBar } from './views/bar.tsx'
import { useLayout } from '../lib/ui/panes/layout.ts'
import { Separator } from '../lib/ui/panes/separator.tsx'
import { ColumnChooser } from './columns/column-chooser.tsx'
import { DetailPane } from './detail/detail.tsx'
import { FilterField } from './filter/field/filter-field.tsx'
import type { Inventory } from './inventory.ts'
import { DeviceTable } from './table/table.tsx'
import { ExportMenu } from './actions/selection-bar.tsx'
import { PastButton } from './actions/past-button.tsx'
import { SegmentChoice } from './filter/segment-choice.tsx'
import { Breadcrumb, Terms, Totals } from './table/toolbar.tsx'
import { TreeHead } from './tree/tree-head.tsx'
import { FleetTree } from './tree/tree.tsx'

/** Returns the default width of the tree for the window's width, both in CSS pixels. */
const defaultTreeWidth = (windowWidth: number) => (windowWidth >= 1400 ? 300 : 276)

const focusOn = (id: string) => document.getElementById(id)?.focus()

/** Tree, table and detail. `coreLost`: the core cannot be reached, so no device is shown as online or offline. */
export function InventoryScreen({ inventory, coreLost }: { inventory: Inventory; coreLost: boolean }) {
  const layout = useLayout()
  const open = useStore(inventory.detail.state, ({ state }) => state !== 'closed')
  const [treeWidth, setTreeWidth] = useState(
    layout === 'wide' && window.innerWidth >= 1280 ? defaultTreeWidth(window.innerWidth) : 216,
  )
  const [detailWidth, setDetailWidth] = useState(window.innerWidth >= 1280 ? 372 : 300)
  const [treeOpen, setTreeOpen] = useState(false)
  const detail = useRef<HTMLElement>(null)
  const tree = useRef<HTMLElement>(null)
  const treeShown = layout !== 'narrow' || treeOpen

  const enterDetail = useDetailFocus(open, detail, tree)

  function closeDetail() {
    inventory.detail.close()
    focusOn('devices')
  }

  return (
    <div
      className="panes"
      data-layout={layout}
      data-detail={open}
      style={{ '--tree-width': `${treeWidth}px`, '--detail-width': `${detailWidth}px` }}
    >
      {treeShown && (
        <section ref={tree} className="pane tree-pane" id="tree-pane" aria-label="Places">
          <TreeHead />
          <FleetTree inventory={inventory} coreLost={coreLost} onChosen={() => setTreeOpen(false)} />
        </section>
      )}
      {treeShown && layout !== 'narrow' && (
        <Separator
          label="Width of the tree"
          controls="tree-pane"
          width={treeWidth}
          min={160}
          max={480}
          side="start"
          onWidth={setTreeWidth}
        />
      )}
      <section className="pane table-pane" aria-label="Devices of the scope">
        <TableTop
          inventory={inventory}
          coreLost={coreLost}
          treeOpen={layout === 'narrow' ? treeOpen : null}
          onTreeOpen={setTreeOpen}
        />
        <DeviceTable inventory={inventory} coreLost={coreLost} onEnter={enterDetail} />
      </section>
      {open && layout === 'wide' && (
        <Separator
          label="Width of the device"
          controls="detail"
          width={detailWidth}
          min={260}
          max={640}
          side="end"
          onWidth={setDetailWidth}
        />
      )}
      {open && <DetailPane inventory={inventory} coreLost={coreLost} ref={detail} onClose={closeDetail} />}
    </div>
  )
}

/** Returns a function that moves the focus to the detail, at once or when it has opened. */
function useDetailFocus(
  open: boolean,
  detail: RefObject<HTMLElement | null>,
  tree: RefObject<HTMLElement | null>,
): () => void {
  const isFocusPending = useRef(false)
  useEffect(() => {
    if (open && isFocusPending.current) detail.current?.focus()
    isFocusPending.current = false
  }, [open, detail])
  // In a small window the detail replaces the tree in which its device was chosen. Runs before paint, while the focus
  // is still known.
  useLayoutEffect(() => {
    const left = tree.current
    if (open && left !== null && left.contains(document.activeElement) && left.offsetParent === null)
      detail.current?.focus()
  }, [open, detail, tree])
  return () => {
    isFocusPending.current = true
    detail.current?.focus()
  }
}

interface TableTopProps {
  inventory: Inventory
  coreLost: boolean
  /** True when the tree is shown over the table; null when it is beside it. */
  treeOpen: boolean | null
  onTreeOpen: (treeOpen: boolean) => void
}

/** The scope, the filter and the counts above the table. */
function TableTop({ inventory, coreLost, treeOpen, onTreeOpen }: TableTopProps) {
  return (
    <div className="table-top">
      <div className="table-top-line">
        {treeOpen !== null && (
          <Button className="button" aria-expanded={treeOpen} onPress={() => onTreeOpen(!treeOpen)}>
            <ListTree size={14} aria-hidden />
            Places
          </Button>
        )}
        <Breadcrumb inventory={inventory} />
        <ViewBar inventory={inventory} />
      </div>
      <Totals inventory={inventory} coreLost={coreLost} />
      <div className="table-top-line toolbar">
        <SegmentChoice inventory={inventory} coreLost={coreLost} />
        <div className="toolbar-find">
          <FilterField inventory={inventory} onDone={() => focusOn('devices')} />
          <ColumnChooser inventory={inventory} />
          <ExportMenu inventory={inventory} all label="Export" />
          <PastButton inventory={inventory} />
        </div>
      </div>
      <Terms inventory={inventory} />
    </div>
  )
}
