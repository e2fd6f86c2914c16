import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import { rowAt, type Paged } from '../lib/list/paged.ts'
import { useStore } from '../lib/store.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'

interface Props<T> {
  label: string
  /** The heads of the columns. */
  heads: readonly string[]
  rows: Paged<T>
  /** The cells of a row, as many as the heads. */
  cells: (row: T) => readonly ReactNode[]
  /** The name of its grid of columns in the style sheet. */
  kind: string
  /** Shown when there are no rows. */
  empty: string
}

/** Height of a row before it is measured, in CSS pixels. */
const usualHeight = 30

/** A long list of devices as a table, of which only the visible rows are in the document. */
export function DeviceList<T>({ label, heads, rows, cells, kind, empty }: Props<T>) {
  const { total, fault } = useStore(rows.state)
  return (
    <>
      <FaultNote fault={fault} />
      {total === 0 ? (
        <p className="muted-text">{empty}</p>
      ) : (
        <Rows label={label} heads={heads} rows={rows} cells={cells} kind={kind} />
      )}
    </>
  )
}

function Rows<T>({ label, heads, rows, cells, kind }: Omit<Props<T>, 'empty'>) {
  const box = useRef<HTMLDivElement>(null)
  const loaded = useStore(rows.state)
  const total = loaded.total ?? 0
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => usualHeight,
    overscan: 8,
  })
  const first = virtual.range?.startIndex ?? 0
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => rows.show(first, last), [rows, first, last])
  return (
    <div
      ref={box}
      className="action-rows"
      data-kind={kind}
      role="table"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-busy={loaded.total === null}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
      tabIndex={0}
    >
      <div role="rowgroup" className="action-heads">
        <div role="row" className="action-row" aria-rowindex={1}>
          {heads.map((head) => (
            <span key={head} role="columnheader">
              {head}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="action-body" style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rowAt(loaded, index)
          return (
            <div
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              className="action-row"
              role="row"
              aria-rowindex={index + 2}
              style={{ insetBlockStart: start }}
            >
              {heads.map((head, at) => (
                <span key={head} role="cell">
                  {row === undefined ? <span className="skeleton" /> : cells(row)[at]}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
