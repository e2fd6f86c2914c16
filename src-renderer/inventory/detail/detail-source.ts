import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { everything, type DeviceDetail } from '../../../src-shared/model/inventory.ts'
import type { Patch } from '../../../src-shared/contract/patch.ts'
import { createStore, type Store } from '../../lib/store.ts'

export type DetailState =
  | { state: 'closed' }
  | { state: 'loading'; key: string }
  | { state: 'shown'; key: string; detail: DeviceDetail }
  /** `seen`: it was shown before. */
  | { state: 'gone'; key: string; seen: boolean }
  | { state: 'failed'; key: string; fault: Fault }

/** The device in the detail. */
export interface DetailSource {
  state: Store<DetailState>
  /** Opens a device; null changes nothing. */
  open(key: string | null): void
  close(): void
  /** Closes the detail when its device is not in the new scope. Resolves with whether it was closed. */
  follow(scope: string): Promise<boolean>
  /** Reads the device again when the change may affect it; null means that everything may have changed. */
  changed(change: Patch | null): void
}

export function createDetail(pipe: Pipe): DetailSource {
  const state = createStore<DetailState>({ state: 'closed' })

  async function read(key: string) {
    const answer = await pipe.call('inventory.device', { key })
    const shown = state.get()
    if (shown.state === 'closed' || shown.key !== key) return
    const seen = shown.state === 'shown' || (shown.state === 'gone' && shown.seen)
    if (answer.ok)
      return state.set(
        answer.value.device === null
          ? { state: 'gone', key, seen }
          : { state: 'shown', key, detail: answer.value.device },
      )
    if (shown.state !== 'shown') state.set({ state: 'failed', key, fault: answer.fault })
  }

  return {
    state,
    open(key) {
      const shown = state.get()
      if (key === null || (shown.state !== 'closed' && shown.key === key)) return
      state.set({ state: 'loading', key })
      void read(key)
    },
    close: () => state.set({ state: 'closed' }),
    async follow(scope) {
      const before = state.get()
      if (before.state === 'closed' || scope === everything) return false
      const answer = await pipe.call('inventory.places', { asked: { device: before.key }, limit: 1 })
      const now = state.get()
      const place = answer.ok ? answer.value.places[0] : undefined
      const within = place !== undefined && [place, ...place.above].some(({ id }) => id === scope)
      if (within || now.state === 'closed' || now.key !== before.key) return false
      state.set({ state: 'closed' })
      return true
    },
    changed(change) {
      const shown = state.get()
      if (shown.state === 'closed') return
      const all = change === null || change.many || change.structure
      if (all || change.devices.some(({ key }) => key === shown.key)) void read(shown.key)
    },
  }
}
