import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import type { SubscriptionRow } from '../../../src-shared/model/subscription.ts'
import { listMove } from '../../inventory/tree/tree-moves.ts'
import { useAppContext } from '../../lib/context.ts'
import { span } from '../../lib/format/time.ts'
import { createPaged, rowAt } from '../../lib/list/paged.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Moment } from '../../lib/ui/moment.tsx'

interface Props {
  id: string
  filter: string
  /** Only rows before this number; null: all. */
  before: number | null
  /** Changes when there are other rows. */
  stamp: string
  /** Number of the open event; null: none. */
  chosen: number | null
  onChosen: (event: number) => void
  /** The operator looks at older rows: those that come do not move them. */
  onPause: () => void
}

const rowHeight = 24
/** Rows of one page of the keys. */
const page = 20
/** Scrolled by this many pixels, the list is paused. */
const pauseAt = 40

/** The events, the newest first: only the visible rows are in the document. */
export function EventList({ id, filter, before, stamp, chosen, onChosen, onPause }: Props) {
  const rows = useRows({ id, before, filter, stamp })
  const loaded = useStore(rows.state)
  const total = loaded.total ?? 0
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const first = virtual.range?.startIndex ?? 0
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => rows.show(first, last), [rows, first, last])
  const place = Math.min(at, Math.max(0, total - 1))
  const open = (index: number) => {
    const row = rowAt(loaded, index)
    if (row?.gapSince === null) onChosen(row.number)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const to = listMove(event.key, place, total, page)
    if (to === null && event.key !== 'Enter') return
    event.preventDefault()
    if (to === null) return open(place)
    // What is being walked through does not move away.
    onPause()
    setAt(to)
    virtual.scrollToIndex(to, { align: 'auto' })
  }
  return (
    <div className="stream-list">
      <FaultNote fault={loaded.fault} />
      {total === 0 && <p className="muted-text">{emptyText(loaded.total, filter)}</p>}
      <div
        ref={box}
        id="events"
        className="stream-rows"
        role="listbox"
        tabIndex={0}
        aria-label="Events, the newest first"
        {...(total > 0 && { 'aria-activedescendant': `event-${place}` })}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => {
          if (currentTarget.scrollTop > pauseAt) onPause()
        }}
      >
        <div role="presentation" style={{ position: 'relative', blockSize: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <Option
              key={index}
              index={index}
              top={start}
              row={rowAt(loaded, index)}
              active={index === place}
              chosen={chosen}
              onPress={() => {
                setAt(index)
                open(index)
              }}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

const emptyText = (total: number | null, filter: string): string =>
  total === null ? 'Loading…' : filter === '' ? 'No events yet.' : 'No events match the filter.'

/** Reads the rows, and again when there are others. Those of before stay until they are read. */
function useRows({ id, before, filter, stamp }: Pick<Props, 'id' | 'before' | 'filter' | 'stamp'>) {
  const { session } = useAppContext()
  const wanted = useMemo(() => createStore<Pick<Props, 'before' | 'filter'>>({ before: null, filter: '' }), [])
  const rows = useMemo(
    () =>
      createPaged<SubscriptionRow>({
        clock: systemClock,
        load: async (from, count) => {
          const answer = await session.pipe.call('subscription.events', { id, ...wanted.get(), from, count })
          return answer.ok ? { ok: true, value: { rev: 0, ...answer.value } } : answer
        },
      }),
    [session, id, wanted],
  )
  useEffect(() => () => rows.stop(), [rows])
  useEffect(() => {
    wanted.set({ before, filter })
    rows.reset()
  }, [rows, wanted, before, filter])
  useEffect(() => {
    if (stamp !== '') rows.refresh()
  }, [rows, stamp])
  return rows
}

interface OptionProps {
  index: number
  top: number
  row: SubscriptionRow | undefined
  active: boolean
  chosen: number | null
  onPress: () => void
}

function Option({ index, top, row, active, chosen, onPress }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and handles the keys
    <div
      id={`event-${index}`}
      role="option"
      className="stream-row"
      aria-selected={row !== undefined && row.number === chosen}
      data-active={active}
      data-gap={row !== undefined && row.gapSince !== null}
      style={{ insetBlockStart: top }}
      onClick={onPress}
    >
      {row === undefined ? <span className="skeleton" /> : <Row row={row} />}
    </div>
  )
}

function Row({ row: { at, gapSince, text, isCut, hasErrors } }: { row: SubscriptionRow }) {
  if (gapSince !== null)
    return (
      <span>
        Reconnected at <Moment at={at} /> after {span(at - gapSince)}: events in between may be missing.
      </span>
    )
  return (
    <>
      <span className="stream-time">
        <Moment at={at} />
      </span>
      {hasErrors && <span className="stream-errors">Errors</span>}
      <code>
        <Isolated>{text}</Isolated>
        {isCut && '…'}
      </code>
    </>
  )
}
