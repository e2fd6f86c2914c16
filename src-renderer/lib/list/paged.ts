import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Answer } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { createStore, type Store } from '../store.ts'

/** Rows of one answer of the core. */
export interface Page<T> {
  rev: number
  rows: readonly T[]
}

export interface PagedState<T> {
  /** The number of all rows; null before the first answer. */
  total: number | null
  pages: ReadonlyMap<number, Page<T>>
  /** True while the rows are those of the previous query and the answer to the present one is pending. */
  pending: boolean
  /** Why the last query failed. The rows that are shown stay. */
  fault: Fault | null
}

export interface Slice<T> {
  rev: number
  total: number
  rows: readonly T[]
}

/** A long list of the core. The window holds only the pages around the visible rows. */
export interface Paged<T> {
  state: Store<PagedState<T>>
  /** Sets the visible rows (from 0, both included) and fetches the missing pages. */
  show(first: number, last: number): void
  /** Fetches the visible pages again, at most every 250 ms, and drops the others. */
  refresh(): void
  /**
   * Starts another query. The rows stay until its first answer arrives. `fromTop`: the list will be shown from its
   * first row.
   */
  reset(fromTop?: boolean): void
  /** Changes rows in place, in pages older than `rev`. */
  apply(rev: number, change: (rows: readonly T[]) => readonly T[]): void
  stop(): void
}

/** Rows of one page: two screens of a dense table, so that scrolling rarely reaches a missing row. */
export const pageRows = 100

/** The minimum time between two refreshes, in ms. Patches may come many times a second. */
const refreshEvery = 250

export function pagesBetween(first: number, last: number): number[] {
  const from = Math.max(0, Math.floor(first / pageRows))
  const to = Math.max(from, Math.floor(last / pageRows))
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Returns the row at `index` when its page is loaded. */
export function rowAt<T>({ pages }: PagedState<T>, index: number): T | undefined {
  return pages.get(Math.floor(index / pageRows))?.rows[index % pageRows]
}

/** Returns the index of the first loaded row that `matches`; -1 when none does. */
export function indexOf<T>({ pages }: PagedState<T>, matches: (row: T) => boolean): number {
  for (const [page, { rows }] of pages) {
    const index = rows.findIndex(matches)
    if (index !== -1) return page * pageRows + index
  }
  return -1
}

interface Options<T> {
  load(offset: number, limit: number): Promise<Answer<Slice<T>>>
  clock: Clock
}

export function createPaged<T>({ load, clock }: Options<T>): Paged<T> {
  const state = createStore<PagedState<T>>({ total: null, pages: new Map(), pending: false, fault: null })
  const flying = new Set<number>()
  const stale = new Set<number>()
  /** Number of the present query. An answer to an older one is dropped. */
  let turn = 0
  let wantedPages = pagesBetween(0, pageRows - 1)
  let cancelRefresh: (() => void) | null = null

  async function fetchPage(page: number) {
    const mine = turn
    flying.add(page)
    stale.delete(page)
    const answer = await load(page * pageRows, pageRows)
    if (mine !== turn) return
    flying.delete(page)
    if (!answer.ok) return state.set({ ...state.get(), fault: answer.fault })
    state.set(withPage(state.get(), page, answer.value))
    fill()
  }

  function fill() {
    const { pages, pending, total } = state.get()
    const lookup = (page: number) => page > 0 && total !== null && !pending && page * pageRows >= total
    for (const page of wantedPages) {
      const wanted = pending || stale.has(page) || !pages.has(page)
      if (wanted && !flying.has(page) && !lookup(page)) void fetchPage(page)
    }
  }

  function refreshNow() {
    cancelRefresh = null
    const { pages, ...rest } = state.get()
    const visible = new Map([...pages].filter(([page]) => wantedPages.includes(page)))
    for (const page of wantedPages) stale.add(page)
    state.set({ ...rest, pages: visible, fault: null })
    fill()
  }

  return {
    state,
    show(first, last) {
      wantedPages = pagesBetween(first, last)
      fill()
    },
    refresh() {
      cancelRefresh ??= clock.after(refreshEvery, refreshNow)
    },
    reset(fromTop = false) {
      turn += 1
      flying.clear()
      state.set({ ...state.get(), pending: true, fault: null })
      if (fromTop) wantedPages = [0]
      fill()
    },
    apply(rev, change) {
      const before = state.get()
      const pages = new Map(
        [...before.pages].map(([page, loaded]) => [page, loaded.rev < rev ? changed(loaded, change) : loaded]),
      )
      const same = [...pages].every(([page, loaded]) => loaded === before.pages.get(page))
      if (!same) state.set({ ...before, pages })
    },
    stop() {
      turn += 1
      cancelRefresh?.()
    },
  }
}

function withPage<T>(before: PagedState<T>, page: number, { rev, total, rows }: Slice<T>): PagedState<T> {
  const pages = new Map(before.pending ? [] : before.pages)
  pages.set(page, { rev, rows })
  return { total, pages, pending: false, fault: null }
}

function changed<T>(page: Page<T>, change: (rows: readonly T[]) => readonly T[]): Page<T> {
  const rows = change(page.rows)
  return rows === page.rows ? page : { ...page, rows }
}
