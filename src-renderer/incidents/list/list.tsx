import { ArrowUp } from 'lucide-react'
import { useState, type KeyboardEvent, type MouseEvent } from 'react'
import { Button } from 'react-aria-components'
import { createPortal } from 'react-dom'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { rowAt, type PagedState } from '../../lib/list/paged.ts'
import { useVirtualRows } from '../../lib/list/virtual-rows.ts'
import { useRowHeight } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import type { Incidents } from '../incidents.ts'
import { listKey, type ListKey } from '../actions/keys.ts'
import { NoIncidents } from './no-incidents.tsx'
import { IncidentRow } from './row.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useScrollAnchor } from './use-scroll-anchor.ts'

const headHeight = 30
/** Additional height of a row for its second line, in CSS pixels. */
const secondLine = 18

const heads = [
  { id: 'severity', word: 'Severity' },
  { id: 'title', word: 'Incident' },
  { id: 'since', word: 'Duration' },
  { id: 'devices', word: 'Devices' },
  { id: 'notified', word: 'Notified' },
  { id: 'often', word: 'Recurrence' },
] as const

interface Props {
  incidents: Incidents
  coreLost: boolean
  /** Called on Enter: the detail is open and takes the focus. */
  onEnter: () => void
  /** Called on Escape: the detail closes. */
  onClose: () => void
}

/** The incidents of one list as a grid. The grid has the focus, and the present row is its active descendant. */
export function IncidentList({ incidents, coreLost, onEnter, onClose }: Props) {
  const { rows, cursor, selection, detail } = incidents
  const listed = useStore(rows.state, (loaded) => loaded.total)
  const pending = useStore(rows.state, (loaded) => loaded.pending)
  const at = useStore(cursor.state)
  const there = useStore(rows.state, (loaded) => rowAt(loaded, at.index)?.id)
  const left = there !== undefined && there !== at.id
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [above, setAbove] = useState<HTMLDivElement | null>(null)
  const total = listed ?? 0
  const rowHeight = useRowHeight() + secondLine

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((event.currentTarget.clientHeight - headHeight) / rowHeight) - 1)
    const key = listKey(event, { index: at.index, left, total, page, selected: selection.state.get().size > 0 })
    if (key === null) return
    event.preventDefault()
    if (key.action === 'close') return onClose()
    if (key.action !== 'open') return act(incidents, key)
    const id = at.id ?? rowAt(rows.state.get(), 0)?.id
    if (id === undefined) return
    if (at.id === null) cursor.to(0)
    detail.open(id)
    onEnter()
  }

  return (
    <div className="incidents-box" data-old={coreLost}>
      <div
        ref={setScroller}
        id="incidents"
        className="incidents-list"
        role="grid"
        tabIndex={0}
        aria-label="Incidents"
        aria-multiselectable="true"
        aria-rowcount={listed === null ? -1 : total + 1}
        aria-colcount={heads.length}
        aria-busy={listed === null || pending}
        data-pending={pending}
        aria-activedescendant={!left && at.index >= 0 && at.index < total ? `incident-${at.index}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className="incidents-head">
          <div role="row" className="incident-row" aria-rowindex={1}>
            {heads.map(({ id, word }) => (
              <div key={id} role="columnheader" className={`incident-cell cell-${id}`}>
                {word}
              </div>
            ))}
          </div>
        </div>
        {scroller !== null && <Rows incidents={incidents} scroller={scroller} above={above} rowHeight={rowHeight} />}
      </div>
      <div className="focus-frame" aria-hidden="true" />
      <div ref={setAbove} className="incidents-above" role="status" />
      <NoIncidents incidents={incidents} coreLost={coreLost} />
      <SelectionBar incidents={incidents} coreLost={coreLost} />
    </div>
  )
}

interface RowsProps {
  incidents: Incidents
  scroller: HTMLDivElement
  above: HTMLDivElement | null
  rowHeight: number
}

/** The visible rows. The number of new rows above them is shown in `above`, beside the grid. */
function Rows({ incidents, scroller, above, rowHeight }: RowsProps) {
  const { rows, cursor, selection, detail } = incidents
  const loaded = useStore(rows.state)
  const at = useStore(cursor.state)
  const selected = useStore(selection.state)
  const asked = useStore(incidents.view)
  const self = useStore(incidents.team.state, (team) => team?.operator ?? null)
  const open = useStore(detail.state, (state) => (state.state === 'closed' ? null : state.id))
  const anchored = useScrollAnchor({ scroller, loaded, rowHeight, headHeight, present: cursor.id, asked })
  // Uses the scroll position that keeps the anchor row in place.
  const virtual = useVirtualRows({
    rows,
    cursor: cursor.state,
    scroller,
    rowHeight,
    headHeight,
    before: anchored.position.before,
    after: anchored.position.after,
  })
  // Depends only on the stores, because a memoized row keeps its first handler.
  const onPress = (event: MouseEvent, index: number) => press(incidents, event, index)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- where the pointer rests, rows do not move; nothing is done by it */}
      <div
        role="rowgroup"
        className="incidents-body"
        data-selection={selected.size > 0}
        style={{ height: virtual.getTotalSize() }}
        onPointerMove={anchored.onPointerMove}
        onPointerLeave={anchored.onPointerLeave}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const incident = rowAt(loaded, index)
          return (
            <IncidentRow
              key={incident?.id ?? index}
              incident={incident}
              index={index}
              top={start - headHeight}
              active={index === at.index && (incident === undefined || incident.id === at.id)}
              open={incident !== undefined && incident.id === open}
              selected={
                incident !== undefined && (selected.size === 0 ? incident.id === at.id : selected.has(incident.id))
              }
              self={self}
              onPress={onPress}
            />
          )
        })}
      </div>
      {above !== null &&
        anchored.position.hidden > 0 &&
        createPortal(
          <Button className="button primary" excludeFromTabOrder onPress={anchored.toTop}>
            <ArrowUp size={13} aria-hidden />
            {aboveText(loaded, anchored.position.hidden)}
          </Button>,
          above,
        )}
    </>
  )
}

/** Returns for example "2 incidents above, 1 critical". */
function aboveText(loaded: PagedState<Incident>, hidden: number): string {
  const critical = Array.from({ length: hidden }, (_, index) => rowAt(loaded, index)).filter(
    (row) => row?.severity === 'critical',
  ).length
  return `${many(hidden, 'incident')} above${critical === 0 ? '' : `, ${numberText(critical)} critical`}`
}

function act({ cursor, selection }: Incidents, key: ListKey) {
  switch (key.action) {
    case 'go':
      selection.clear()
      selection.begin(key.index)
      return cursor.to(key.index)
    case 'extend':
      selection.extend(key.index)
      return cursor.to(key.index)
    case 'toggle':
      return selection.toggle(cursor.state.get().index)
    case 'all':
      return selection.all()
    case 'clear':
      return selection.clear()
    default:
      return undefined
  }
}

/**
 * A click selects only this row and opens it; with Control or Command it toggles the row, with Shift it extends the
 * range to it.
 */
function press({ rows, cursor, selection, detail }: Incidents, event: MouseEvent, index: number) {
  const id = rowAt(rows.state.get(), index)?.id
  if (id === undefined) return
  if (event.shiftKey) selection.extend(index)
  else if (event.ctrlKey || event.metaKey) selection.toggle(index)
  else {
    selection.clear()
    selection.begin(index)
    detail.open(id)
  }
  cursor.to(index)
}
