import type { Clock } from '../../src-shared/clock.ts'
import type { Pipe } from '../../src-shared/contract.ts'
import type { Counts } from '../../src-shared/model.ts'
import { createStore, type Store } from '../store.ts'
import { firstView, queryOf, type Place } from './query.ts'

/** Counts of the scope, whatever the filter says. `down`: what the first view lists. Null before the first answer. */
export interface ScopeCounts {
  counts: Counts | null
  down: number | null
}

export interface ScopeSource {
  state: Store<ScopeCounts>
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
  const state = createStore<ScopeCounts>({ counts: null, down: null })
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
    state.set({ counts: counted.value.counts, down: down.ok ? (down.value.totals[0] ?? null) : state.get().down })
  }

  return {
    state,
    reset() {
      state.set({ counts: null, down: null })
      void count()
    },
    refresh() {
      cancel ??= clock.after(250, () => void count())
    },
    stop: () => cancel?.(),
  }
}
