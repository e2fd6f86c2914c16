import type { Clock } from '../../src-shared/lib/clock.ts'
import type { EventData, EventName } from '../../src-shared/contract/contract.ts'

/** Shortest interval between two updates of a state, ms; shorter ones are invisible. */
const publishIntervalMs = 100

/** The events of the core for its shells. Patches are sent at once and in order; states are collected. */
export interface Publisher {
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
  send<N extends EventName>(name: N, data: EventData<N>): void
  /** Sends the value of `read()` soon, once for any number of calls; `within` in ms. */
  sendSoon<N extends EventName>(name: N, read: () => EventData<N>, within?: number): void
  stop(): void
}

type Listener = (data: never) => void

export function createPublisher(clock: Clock): Publisher {
  const listeners = new Map<EventName, Set<Listener>>()
  const pending = new Map<EventName, () => void>()

  const send = <N extends EventName>(name: N, data: EventData<N>) => {
    for (const listener of listeners.get(name) ?? []) (listener as (data: EventData<N>) => void)(data)
  }

  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set<Listener>()
      listeners.set(name, set)
      set.add(listener as Listener)
      return () => set.delete(listener as Listener)
    },
    send: send,
    sendSoon(name, read, within = publishIntervalMs) {
      if (pending.has(name)) return
      pending.set(
        name,
        clock.after(within, () => {
          pending.delete(name)
          send(name, read())
        }),
      )
    },
    stop() {
      for (const cancel of pending.values()) cancel()
      listeners.clear()
    },
  }
}
