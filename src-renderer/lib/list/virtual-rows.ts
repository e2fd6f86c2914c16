import { useVirtualizer, defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { useStore, type Store } from '../store.ts'
import type { Paged } from './paged.ts'

interface Options<T> {
  rows: Paged<T>
  /** The row of the keyboard cursor, and a count that grows when it should scroll into view. */
  cursor: Store<{ index: number; follow: number }>
  scroller: HTMLDivElement
  /** In CSS pixels. The header is above the rows and sticky: no row scrolls into view behind it. */
  rowHeight: number
  headHeight: number
  /** The initial scroll position, in CSS pixels. */
  top?: number
  /** Empty space before and after the rows, in CSS pixels. */
  before?: number
  after?: number
}

/** Returns the virtual rows of a list and asks for their pages. The row of the keyboard cursor is always among them. */
export function useVirtualRows<T>({
  rows,
  cursor,
  scroller,
  rowHeight,
  headHeight,
  top = 0,
  before = 0,
  after = 0,
}: Options<T>) {
  const total = useStore(rows.state, (loaded) => loaded.total ?? 0)
  const at = useStore(cursor)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    paddingStart: before,
    paddingEnd: after,
    initialOffset: top,
    rangeExtractor: (range) => withIndex(range, at.index),
  })
  useEffect(() => virtual.measure(), [virtual, rowHeight, before])
  const first = virtual.range?.startIndex ?? 0
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => rows.show(first, last), [rows, first, last])
  const followed = useRef(at.follow)
  useEffect(() => {
    if (at.follow === followed.current) return
    followed.current = at.follow
    if (at.index >= 0) virtual.scrollToIndex(at.index, { align: 'auto' })
  }, [at.follow, virtual]) // oxlint-disable-line react/exhaustive-deps -- the index moves by itself as rows come and go; only `follow` asks to be seen
  return virtual
}

/** Returns the indexes to render, including this one wherever the list is scrolled to, because it has the focus. */
export function withIndex(range: Range, index: number): number[] {
  const shown = defaultRangeExtractor(range)
  if (index < 0 || index >= range.count || shown.includes(index)) return shown
  return [...shown, index].sort((one, other) => one - other)
}
