import { useEffect, useLayoutEffect, useMemo, type PointerEvent } from 'react'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { pageRows, type PagedState } from '../../lib/list/paged.ts'
import { createStore, useStore, type Store } from '../../lib/store.ts'
import { anchorOf, clampedAt, positionAt, type ScrollPosition } from './scroll-anchor.ts'

/** A pointer that has not moved for so long, ms, does not hold the rows any more: whoever moved it may be gone. */
const pointerHolds = 20_000
/** The same of the keyboard, since the last key. */
const keysHold = 60_000

interface Held extends ScrollPosition {
  /** Rows that came above while the others were held where they are. */
  hidden: number
}

interface Box {
  scroller: HTMLDivElement
  /** CSS pixels. */
  rowHeight: number
  /** Of what stands over the rows in the box. */
  headHeight: number
  /** The incident on which the keyboard stands; the same function always. */
  present: () => string | null
}

interface Steady {
  state: Store<Held>
  /** Other rows came. */
  follow(held: PagedState<Incident>): void
  /** The pointer is over this incident; null: over none. */
  point(id: string | null): void
  toTop(): void
  /** Another list begins at its top. */
  ask(view: unknown): void
  /** Listens to the box; returns the way to stop. */
  start(): () => void
}

/** What somebody does holds the rows for so long, ms, and then ends by itself. */
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
  /** The operator has the list at its top: there it goes back to when nothing is held. */
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
      // Room above, where rows have gone, only for the pointer: it could hit what it did not mean.
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

/** What of a list at its top is hidden is what came above. */
function heldAt(stand: ScrollPosition, home: boolean, rowHeight: number): Held {
  const above = stand.top - stand.before
  return { ...stand, hidden: home && above > 0 ? Math.round(above / rowHeight) : 0 }
}

/** By how many rows the one that is to hold still, or the nearest that is still there, has moved; null for none. */
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
  /** What is listed. */
  asked: unknown
}

/** Rows come and go, and the one under the pointer, or the one with the focus, stays where it is on the screen. */
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

/** Where each row that is here stands. */
function orderOf({ pages }: PagedState<Incident>): ReadonlyMap<string, number> {
  const sorted = [...pages].toSorted(([one], [other]) => one - other)
  return new Map(
    sorted.flatMap(([page, { rows }]) => rows.map(({ id }, index) => [id, page * pageRows + index] as const)),
  )
}
