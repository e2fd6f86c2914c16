import { useEffect, useLayoutEffect, useMemo, type PointerEvent } from 'react'
import type { Incident } from '../../src-shared/incidents.ts'
import { pageRows, type PagedState } from '../inventory/paged.ts'
import { createStore, useStore, type Store } from '../store.ts'
import { anchorOf, restAt, standAt, type Stand } from './steady.ts'

/** A pointer that has not moved for so long, ms, does not hold the rows any more: whoever moved it may be gone. */
const pointerHolds = 20_000

interface Held extends Stand {
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

function createSteady({ scroller, rowHeight, headHeight, present }: Box): Steady {
  const state = createStore<Held>({ top: scroller.scrollTop, before: 0, after: 0, hidden: 0 })
  let order: ReadonlyMap<string, number> = new Map()
  let rows = 0
  /** The operator has the list at its top: there it goes back to when nothing is held. */
  let home = scroller.scrollTop === 0
  let pointed: string | null = null
  let shown: unknown = null
  let resting: ReturnType<typeof setTimeout> | undefined

  const y = () => scroller.scrollTop - state.get().before
  const box = () => scroller.clientHeight - headHeight
  const isFocused = () => document.activeElement === scroller

  function take(stand: Stand) {
    const above = stand.top - stand.before
    state.set({ ...stand, hidden: home && above > 0 ? Math.round(above / rowHeight) : 0 })
  }

  const rest = () => take(restAt(home ? 0 : y(), rows, box()))

  function onScroll() {
    if (Math.abs(scroller.scrollTop - state.get().top) > 1) home = y() <= 0
  }

  function point(id: string | null) {
    clearTimeout(resting)
    pointed = id
    if (id !== null) resting = setTimeout(() => point(null), pointerHolds)
    else if (!isFocused()) rest()
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
      const anchor = anchorOf(pointed ?? (isFocused() ? present() : null), [...before.keys()], new Set(order.keys()))
      const from = anchor === null ? undefined : before.get(anchor)
      const to = anchor === null ? undefined : order.get(anchor)
      if (from === undefined || to === undefined) return rest()
      // Room above, where rows have gone, only for the pointer: it could hit what it did not mean.
      const wanted = y() + (to - from) * rowHeight
      take(standAt(pointed === null ? Math.max(0, wanted) : wanted, rows, box()))
    },
    start() {
      scroller.addEventListener('scroll', onScroll, { passive: true })
      scroller.addEventListener('blur', rest)
      return () => {
        clearTimeout(resting)
        scroller.removeEventListener('scroll', onScroll)
        scroller.removeEventListener('blur', rest)
      }
    },
  }
}

interface Options extends Box {
  held: PagedState<Incident>
  /** What is listed. */
  asked: unknown
}

/** Rows come and go, and the one under the pointer, or the one with the focus, stays where it is on the screen. */
export function useSteady({ scroller, held, rowHeight, headHeight, present, asked }: Options) {
  const steady = useMemo(() => createSteady({ scroller, rowHeight, headHeight, present }), [scroller, rowHeight, headHeight, present])
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
    onPointerMove: ({ target }: PointerEvent) => steady.point(target instanceof Element ? (target.closest<HTMLElement>('[data-incident]')?.dataset['incident'] ?? null) : null),
  }
}

/** Where each row that is here stands. */
function orderOf({ pages }: PagedState<Incident>): ReadonlyMap<string, number> {
  const sorted = [...pages].toSorted(([one], [other]) => one - other)
  return new Map(sorted.flatMap(([page, { rows }]) => rows.map(({ id }, index) => [id, page * pageRows + index] as const)))
}
