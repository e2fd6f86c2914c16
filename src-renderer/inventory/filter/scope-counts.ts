import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { total } from '../../lib/format/numbers.ts'
import { firstView, queryOf, type Place } from './view.ts'
import type { Segment } from './segments.ts'

/** Counts of the scope, whatever the filter says. `down`: down after the service's last word, seen now or not. Null before the first answer. */
export interface ScopeCounts {
  counts: Counts | null
  down: number | null
  /** Those of them that are spares on the shelf. */
  spares: Spares
}

/** `offline`: seen to be now; `down` as in `ScopeCounts`. */
export interface Spares {
  offline: number
  down: number
}

export const noSpares: Spares = { offline: 0, down: 0 }

/** The questions whose answers are `down` and `spares`, in this order, of devices that meet the other terms. */
export const downQueries = (others: string): string[] =>
  ['connected:no', 'connected:no spare:yes', 'status:offline spare:yes'].map((status) => `${status} ${others}`.trim())

export const downOf = ([down = 0, spares = 0, offline = 0]: readonly number[]): Pick<
  ScopeCounts,
  'down' | 'spares'
> => ({ down, spares: { down: spares, offline } })

/**
 * What the choices over the table count. `down` lists besides what is offline what was down when it was last seen: those are `notSeen`. While nothing can be
 * seen at all (`allUnknown`) those are `down`. `leftOut`: spares that it does not list.
 */
export function segmentCounts(
  counts: Counts | null,
  down: number | null,
  leftOut: Spares,
): { figures: Readonly<Record<Segment, number | null>>; notSeen: number; allUnknown: boolean } {
  const allUnknown = counts !== null && counts.unknown > 0 && counts.unknown === total(counts)
  const listed = down === null ? null : down - leftOut.down
  const notSeen =
    counts === null || listed === null || allUnknown ? 0 : Math.max(0, listed - (counts.disconnected - leftOut.offline))
  return {
    allUnknown,
    notSeen,
    figures: {
      down: listed === null ? null : listed - notSeen,
      any: counts && total(counts),
      connected: counts && counts.connected,
      unknown: counts && counts.unknown,
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

const nothingKnown: Scope = { counts: null, down: null, spares: noSpares, unread: 0 }

export function createScope({ pipe, clock, path, onGone }: Options): ScopeSource {
  const state = createStore<Scope>(nothingKnown)
  let cancel: (() => void) | null = null

  async function count() {
    cancel = null
    const at = path()
    const { scope } = queryOf({ ...firstView, path: at })
    const [counted, down] = await Promise.all([
      pipe.call('inventory.counts', { scope }),
      pipe.call('inventory.totals', { queries: downQueries('').map((filter) => ({ scope, filter, sort: [] })) }),
    ])
    if (at !== path() || !counted.ok) return
    if (counted.value.counts === null && at.length > 0) return onGone()
    state.set({
      ...state.get(),
      ...(down.ok && downOf(down.value.totals)),
      counts: counted.value.counts,
      unread: counted.value.tenants.unread,
    })
  }

  return {
    state,
    reset() {
      state.set(nothingKnown)
      void count()
    },
    refresh() {
      cancel ??= clock.after(250, () => void count())
    },
    stop: () => cancel?.(),
  }
}
