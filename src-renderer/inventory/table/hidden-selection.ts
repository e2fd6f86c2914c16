import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { InventoryQuery } from '../../../src-shared/model/inventory.ts'
import { createStore, type Store } from '../../lib/store.ts'
import type { SelectionSource } from './selection.ts'

/**
 * The selected devices that the table no longer lists, for example because they are online again while it lists offline
 * ones.
 */
export interface HiddenSelection {
  state: Store<readonly string[]>
  /** Reads them again after devices changed, at most every 250 ms. */
  refresh(): void
  /** Removes them from the selection. */
  release(): void
  stop(): void
}

interface Options {
  pipe: Pipe
  clock: Clock
  query: () => InventoryQuery
  selection: SelectionSource
}

const refreshEvery = 250
const none: readonly string[] = []

export function createHiddenSelection({ pipe, clock, query, selection }: Options): HiddenSelection {
  const state = createStore<readonly string[]>(none)
  let cancel: (() => void) | null = null

  async function update() {
    cancel = null
    const chosen = selection.state.get()
    if (chosen.what !== 'some') return put(none)
    const answer = await pipe.call('inventory.hidden', { query: query(), keys: [...chosen.keys] })
    if (!answer.ok || selection.state.get() !== chosen) return
    // Devices that are gone cannot be the target of actions.
    if (answer.value.gone.length > 0) selection.remove(answer.value.gone)
    put(answer.value.hidden)
  }

  function put(hidden: readonly string[]) {
    if (hidden.length > 0 || state.get().length > 0) state.set(hidden)
  }

  const off = selection.state.subscribe(() => void update())
  return {
    state,
    refresh() {
      if (selection.state.get().what === 'some') cancel ??= clock.after(refreshEvery, () => void update())
    },
    release: () => selection.remove(state.get()),
    stop() {
      off()
      cancel?.()
    },
  }
}
