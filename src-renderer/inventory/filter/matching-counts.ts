import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { queryOf, type View } from './view.ts'
import { downOf, downQueries, type ScopeCounts } from './scope-counts.ts'
import { withSegment } from './segments.ts'

/** What the choices over the table would list while the filter has other terms than theirs. */
export interface MatchingSource {
  /** Null while it is not known, or when there are no other terms: then the counts are those of the scope. */
  state: Store<ScopeCounts | null>
  /** Another question. It is counted when no further one comes for a while; another choice with the same other terms needs no counting. */
  asked(): void
  /** Devices changed: counts again, at most every 250 ms. */
  refresh(): void
  stop(): void
}

interface Options {
  pipe: Pipe
  clock: Clock
  view: () => View
}

/** Typing has rested, milliseconds: while letters come the rows alone are asked for. */
const rested = 250

/** Filters of what is counted. Offline now is told apart from what was when it was last seen, which that choice lists as well. */
const counted = (others: string): string[] => [
  withSegment(others, 'connected'),
  `status:offline ${others}`,
  withSegment(others, 'unknown'),
  ...downQueries(others),
]

/** What the counts depend on: the scope and the filter without its choice of status. Null when there is nothing but that choice. */
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
