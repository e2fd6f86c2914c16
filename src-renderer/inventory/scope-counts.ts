import type { Clock } from '../../src-shared/clock.ts'
import type { Pipe } from '../../src-shared/contract.ts'
import type { Counts } from '../../src-shared/model.ts'
import { createStore, type Store } from '../store.ts'
import { total } from '../words/numbers.ts'
import { firstView, queryOf, type Place } from './query.ts'
import type { Segment } from './segments.ts'

/** Counts of the scope, whatever the filter says. `down`: what the first view lists. Null before the first answer. */
export interface ScopeCounts {
  counts: Counts | null
  down: number | null
}

/**
 * What the choices over the table count. `down` lists besides what is offline what was down when it was last seen: those are `notSeen`. While nothing can be
 * seen at all (`allUnknown`) those are `down`.
 */
export function figuresOf(counts: Counts | null, down: number | null): { figures: Readonly<Record<Segment, number | null>>; notSeen: number; allUnknown: boolean } {
  const allUnknown = counts !== null && counts.unknown > 0 && counts.unknown === total(counts)
  const notSeen = counts === null || down === null || allUnknown ? 0 : Math.max(0, down - counts.disconnected)
  return {
    allUnknown,
    notSeen,
    figures: {
      down: down === null ? null : down - notSeen,
      any: counts && total(counts), connected: counts && counts.connected, unknown: counts && counts.unknown,
    },
  }
}

export interface Scope extends ScopeCounts {
  /** Tenants of the scope that were never synced whole: the counts are so far. */
  unread: number
}

export interface ScopeSource {
  state: Store<Scope>
  /** Another scope: nothing is known of it yet. */
  reset(): void
  /** Asks again, at most every 250 ms. */
  refresh(): void
  stop(): void
}

interface Options {
  pipe: Pipe
  clock: Clock
  path: () => readonly Place[]
  /** The scope's node is no more. */
  onGone: () => void
}

export function createScope({ pipe, clock, path, onGone }: Options): ScopeSource {
  const state = createStore<Scope>({ counts: null, down: null, unread: 0 })
  let cancel: (() => void) | null = null

  async function count() {
    cancel = null
    const at = path()
    const query = queryOf({ ...firstView, path: at })
    const [counted, down] = await Promise.all([
      pipe.call('inventory.counts', { scope: query.scope }),
      pipe.call('inventory.totals', { queries: [query] }),
    ])
    if (at !== path() || !counted.ok) return
    if (counted.value.counts === null && at.length > 0) return onGone()
    state.set({ counts: counted.value.counts, down: down.ok ? (down.value.totals[0] ?? null) : state.get().down, unread: counted.value.tenants.unread })
  }

  return {
    state,
    reset() {
      state.set({ counts: null, down: null, unread: 0 })
      void count()
    },
    refresh() {
      cancel ??= clock.after(250, () => void count())
    },
    stop: () => cancel?.(),
  }
}
