import type { EventData, EventName } from '../../../src-shared/contract/contract.ts'
import { createListeners, type Listeners } from '../../../src-shared/lib/listeners.ts'

/** Creates the listeners of a pipe's events, by the event's name. */
export function createEventListeners() {
  const byName = new Map<EventName, Listeners<[never]>>()
  return {
    /** Adds a listener and returns the function that removes it. */
    on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void {
      const listeners = byName.get(name) ?? createListeners<[never]>()
      byName.set(name, listeners)
      return listeners.on(listener)
    },
    emit: (name: EventName, data: unknown) => byName.get(name)?.emit(data as never),
    /** Returns whether the event has a listener. */
    has: (name: EventName) => (byName.get(name)?.size() ?? 0) > 0,
  }
}
