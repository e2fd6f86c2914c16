import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { queryOf, type View } from './view.ts'
import { downOf, downQueries, type ScopeCounts } from './scope-counts.ts'
import { withSegment } from './segments.ts'

/** The counts of the status choices for the other terms of the filter. */
export interface MatchingSource {
  /** Null while unknown, or when there are no other terms: then the counts are those of the scope. */
  state: Store<ScopeCounts | null>
  /** Notes another query. It is counted after a pause; another choice with the same other terms needs no counting. */
  asked(): void
  /** Counts again after devices changed, at most every 250 ms. */
  refresh(): void
  stop(): void
}

interface Options {
  pipe: Pipe
  clock: Clock
  view: () => View
}

/** Time (ms) without typing before it counts. During typing only the rows are queried. */
const rested = 250

/**
 * Returns the filters to count. Devices that are offline now and those that were when last seen count separately; the
 * offline choice lists both.
 */
const counted = (others: string): string[] => [
  withSegment(others, 'connected'),
  `status:offline ${others}`,
  withSegment(others, 'unknown'),
  ...downQueries(others),
]

/**
 * Returns the scope and the filter without its status choice, on which the counts depend. Null when the filter has only
 * that choice.
 */
function termsOf(view: View): { scope: string; others: string } | null {
  const others = withSegment(view.filter, 'any')
  return others === '' ? null : { scope: queryOf(view).scope, others }
}

export function createMatching({ pipe, clock, view }: Options): MatchingSource {
  const state = createStore<ScopeCounts | null>(null)
  let known = termsOf(view())
  let cancel: (() => void) | null = null

  async function count() {
    cancel = null
    const mine = known
    if (mine === null) return
    const answer = await pipe.call('inventory.totals', {
      queries: counted(mine.others).map((filter) => ({ scope: mine.scope, filter, sort: [] })),
    })
    if (mine !== known || !answer.ok) return
    const [connected = 0, disconnected = 0, unknown = 0, ...down] = answer.value.totals
    state.set({ counts: { connected, disconnected, unknown }, ...downOf(down) })
  }

  return {
    state,
    asked() {
      const next = termsOf(view())
      if (next?.others === known?.others && next?.scope === known?.scope) return
      known = next
      cancel?.()
      cancel = next === null ? null : clock.after(rested, () => void count())
      if (state.get() !== null) state.set(null)
    },
    refresh() {
      if (known !== null) cancel ??= clock.after(rested, () => void count())
    },
    stop: () => cancel?.(),
  }
}
