import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { total } from '../../lib/format/numbers.ts'
import { firstView, queryOf, type Place } from './view.ts'
import type { Segment } from './segments.ts'

/**
 * Counts of the scope, regardless of the filter. `down`: down in the service's last answer, visible or not. Null before
 * the first answer.
 */
export interface ScopeCounts {
  counts: Counts | null
  down: number | null
  /** The spares among them. */
  spares: Spares
}

/** `offline`: visible now; `down` as in `ScopeCounts`. */
export interface Spares {
  offline: number
  down: number
}

export const noSpares: Spares = { offline: 0, down: 0 }

/** Returns the filters whose totals are `down` and `spares`, in this order, for devices that match the other terms. */
export const downQueries = (others: string): string[] =>
  ['connected:no', 'connected:no spare:yes', 'status:offline spare:yes'].map((status) => `${status} ${others}`.trim())

export const downOf = ([down = 0, spares = 0, offline = 0]: readonly number[]): Pick<
  ScopeCounts,
  'down' | 'spares'
> => ({ down, spares: { down: spares, offline } })

/**
 * Returns the counts of the status choices. `down` includes devices that were down when last seen: their number is
 * `notSeen`. While no device is visible (`allUnknown`) they stay in `down`. `leftOut`: spares that it does not list.
 */
export function segmentCounts(
  counts: Counts | null,
  down: number | null,
  leftOut: Spares,
): { counts: Readonly<Record<Segment, number | null>>; notSeen: number; allUnknown: boolean } {
  const allUnknown = counts !== null && counts.unknown > 0 && counts.unknown === total(counts)
  const listed = down === null ? null : down - leftOut.down
  const notSeen =
    counts === null || listed === null || allUnknown ? 0 : Math.max(0, listed - (counts.disconnected - leftOut.offline))
  return {
    allUnknown,
    notSeen,
    counts: {
      down: listed === null ? null : listed - notSeen,
      any: counts && total(counts),
      connected: counts && counts.connected,
      unknown: counts && counts.unknown,
    },
  }
}

export interface Scope extends ScopeCounts {
  /** Number of tenants in the scope that were never fully synced, so that the counts are incomplete. */
  unread: number
}

export interface ScopeSource {
  state: Store<Scope>
  /** Clears the counts for another scope. */
  reset(): void
  /** Reads the counts again, at most every 250 ms. */
  refresh(): void
  stop(): void
}

interface Options {
  pipe: Pipe
  clock: Clock
  path: () => readonly Place[]
  /** Called when the scope's node is gone. */
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
