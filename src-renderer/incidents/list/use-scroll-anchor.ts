import { useEffect, useLayoutEffect, useMemo, type PointerEvent } from 'react'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { pageRows, type PagedState } from '../../lib/list/paged.ts'
import { createStore, useStore, type Store } from '../../lib/store.ts'
import { anchorOf, clampedAt, positionAt, type ScrollPosition } from './scroll-anchor.ts'

/** A pointer holds the rows for this long (ms) after it last moved. */
const pointerHoldMs = 20_000
/** The keyboard holds the rows for this long (ms) after the last key. */
const keyHoldMs = 60_000

interface AnchoredPosition extends ScrollPosition {
  /** Number of rows that came above while the others kept their position. */
  hidden: number
}

interface Box {
  scroller: HTMLDivElement
  /** In CSS pixels. */
  rowHeight: number
  /** Height of the header above the rows. */
  headHeight: number
  /** Returns the id of the present incident. Must be a stable function. */
  present: () => string | null
}

interface ScrollAnchor {
  state: Store<AnchoredPosition>
  /** Must be called when the rows have changed. */
  follow(loaded: PagedState<Incident>): void
  /** Sets the incident under the pointer; null for none. */
  point(id: string | null): void
  toTop(): void
  /** Scrolls another list to its top. */
  ask(view: unknown): void
  /** Listens to the box. Returns a function that stops it. */
  start(): () => void
}

/** Creates a hold of the rows by pointer or keyboard, which ends by itself after `ms`. */
function createHold(ms: number, onEnd: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    begin() {
      end()
      timer = setTimeout(() => {
        timer = undefined
        onEnd()
      }, ms)
    },
    end,
    isActive: () => timer !== undefined,
  }
}

function createScrollAnchor({ scroller, rowHeight, headHeight, present }: Box): ScrollAnchor {
  const state = createStore<AnchoredPosition>({ top: scroller.scrollTop, before: 0, after: 0, hidden: 0 })
  let order: ReadonlyMap<string, number> = new Map()
  let rows = 0
  /** True when the operator has scrolled to the top. The list returns there when nothing holds it. */
  let isAtTop = scroller.scrollTop === 0
  let pointed: string | null = null
  let shown: unknown = null
  const pointing = createHold(pointerHoldMs, () => point(null))
  const typing = createHold(keyHoldMs, () => leave())

  const y = () => scroller.scrollTop - state.get().before
  const box = () => scroller.clientHeight - headHeight
  const isTyped = () => typing.isActive() && document.activeElement === scroller

  const take = (position: ScrollPosition) => state.set(anchoredAt(position, isAtTop, rowHeight))

  const rest = () => take(clampedAt(isAtTop ? 0 : y(), rows, box()))

  function onScroll() {
    if (Math.abs(scroller.scrollTop - state.get().top) > 1) isAtTop = y() <= 0
  }

  function point(id: string | null) {
    pointed = id
    if (id !== null) return pointing.begin()
    pointing.end()
    if (!isTyped()) rest()
  }

  function leave() {
    typing.end()
    if (pointed === null) rest()
  }

  function toTop() {
    isAtTop = true
    pointed = null
    rest()
  }

  return {
    state,
    point,
    toTop,
    ask(view) {
      if (view === shown) return
      shown = view
      toTop()
    },
    follow(loaded) {
      const before = order
      order = orderOf(loaded)
      rows = (loaded.total ?? 0) * rowHeight
      const moved = movedBy(pointed ?? (isTyped() ? present() : null), before, order)
      if (moved === null) return rest()
      // Empty space above is kept only for the pointer, which could otherwise hit another row.
      const wanted = y() + moved * rowHeight
      take(positionAt(pointed === null ? Math.max(0, wanted) : wanted, rows, box()))
    },
    start() {
      const stops = [
        listen(scroller, { scroll: onScroll, focus: typing.begin, keydown: typing.begin, blur: leave }),
        pointing.end,
        typing.end,
      ]
      return () => stops.forEach((stop) => stop())
    },
  }
}

/** Returns the scroll position with the number of hidden rows above, for a list that was at its top. */
function anchoredAt(position: ScrollPosition, isAtTop: boolean, rowHeight: number): AnchoredPosition {
  const above = position.top - position.before
  return { ...position, hidden: isAtTop && above > 0 ? Math.round(above / rowHeight) : 0 }
}

/** Returns by how many rows the anchor row, or the nearest remaining one, has moved; null for none. */
function movedBy(
  wanted: string | null,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): number | null {
  const anchor = anchorOf(wanted, [...before.keys()], new Set(after.keys()))
  const [from, to] = [before.get(anchor ?? ''), after.get(anchor ?? '')]
  return from === undefined || to === undefined ? null : to - from
}

function listen(box: HTMLElement, received: Record<string, () => void>): () => void {
  for (const [name, run] of Object.entries(received)) box.addEventListener(name, run, { passive: true })
  return () => {
    for (const [name, run] of Object.entries(received)) box.removeEventListener(name, run)
  }
}

interface Options extends Box {
  loaded: PagedState<Incident>
  /** The list and its search. Another value starts at the top. */
  asked: unknown
}

/** Keeps the row under the pointer, or with the focus, in its position while rows change. */
export function useScrollAnchor({ scroller, loaded, rowHeight, headHeight, present, asked }: Options) {
  const anchored = useMemo(
    () => createScrollAnchor({ scroller, rowHeight, headHeight, present }),
    [scroller, rowHeight, headHeight, present],
  )
  const position = useStore(anchored.state)
  useEffect(() => anchored.start(), [anchored])
  useLayoutEffect(() => anchored.ask(asked), [anchored, asked])
  useLayoutEffect(() => anchored.follow(loaded), [anchored, loaded])
  useLayoutEffect(() => {
    if (scroller.scrollTop !== position.top) void scroller.scrollTo({ top: position.top })
  }, [scroller, position])
  return {
    position,
    toTop: anchored.toTop,
    onPointerLeave: () => anchored.point(null),
    onPointerMove: ({ target }: PointerEvent) =>
      anchored.point(
        target instanceof Element
          ? (target.closest<HTMLElement>('[data-incident]')?.dataset['incident'] ?? null)
          : null,
      ),
  }
}

/** Returns the index of each loaded row by its id. */
function orderOf({ pages }: PagedState<Incident>): ReadonlyMap<string, number> {
  const sorted = [...pages].toSorted(([one], [other]) => one - other)
  return new Map(
    sorted.flatMap(([page, { rows }]) => rows.map(({ id }, index) => [id, page * pageRows + index] as const)),
  )
}
