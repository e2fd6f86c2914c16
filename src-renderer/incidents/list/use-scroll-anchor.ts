import { useEffect, useLayoutEffect, useMemo, type PointerEvent } from 'react'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { pageRows, type PagedState } from '../../lib/list/paged.ts'
import { createStore, useStore, type Store } from '../../lib/store.ts'
import { anchorOf, clampedAt, positionAt, type ScrollPosition } from './scroll-anchor.ts'

/** A pointer holds the rows for this long (ms) after it last moved. */
const pointerHolds = 20_000
/** The keyboard holds the rows for this long (ms) after the last key. */
const keysHold = 60_000

interface Held extends ScrollPosition {
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

interface Steady {
  state: Store<Held>
  /** Must be called when the rows have changed. */
  follow(held: PagedState<Incident>): void
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
    lasts: () => timer !== undefined,
  }
}

function createSteady({ scroller, rowHeight, headHeight, present }: Box): Steady {
  const state = createStore<Held>({ top: scroller.scrollTop, before: 0, after: 0, hidden: 0 })
  let order: ReadonlyMap<string, number> = new Map()
  let rows = 0
  /** True when the operator has scrolled to the top. The list returns there when nothing holds it. */
  let home = scroller.scrollTop === 0
  let pointed: string | null = null
  let shown: unknown = null
  const pointing = createHold(pointerHolds, () => point(null))
  const typing = createHold(keysHold, () => leave())

  const y = () => scroller.scrollTop - state.get().before
  const box = () => scroller.clientHeight - headHeight
  const isTyped = () => typing.lasts() && document.activeElement === scroller

  const take = (stand: ScrollPosition) => state.set(heldAt(stand, home, rowHeight))

  const rest = () => take(clampedAt(home ? 0 : y(), rows, box()))

  function onScroll() {
    if (Math.abs(scroller.scrollTop - state.get().top) > 1) home = y() <= 0
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
    home = true
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
    follow(held) {
      const before = order
      order = orderOf(held)
      rows = (held.total ?? 0) * rowHeight
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
function heldAt(stand: ScrollPosition, home: boolean, rowHeight: number): Held {
  const above = stand.top - stand.before
  return { ...stand, hidden: home && above > 0 ? Math.round(above / rowHeight) : 0 }
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
  held: PagedState<Incident>
  /** The list and its search. Another value starts at the top. */
  asked: unknown
}

/** Keeps the row under the pointer, or with the focus, in its position while rows change. */
export function useScrollAnchor({ scroller, held, rowHeight, headHeight, present, asked }: Options) {
  const steady = useMemo(
    () => createSteady({ scroller, rowHeight, headHeight, present }),
    [scroller, rowHeight, headHeight, present],
  )
  const stand = useStore(steady.state)
  useEffect(() => steady.start(), [steady])
  useLayoutEffect(() => steady.ask(asked), [steady, asked])
  useLayoutEffect(() => steady.follow(held), [steady, held])
  useLayoutEffect(() => {
    if (scroller.scrollTop !== stand.top) void scroller.scrollTo({ top: stand.top })
  }, [scroller, stand])
  return {
    stand,
    toTop: steady.toTop,
    onPointerLeave: () => steady.point(null),
    onPointerMove: ({ target }: PointerEvent) =>
      steady.point(
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
