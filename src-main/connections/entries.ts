import type { Clock } from '../../src-shared/lib/clock.ts'
import { createSocketHistory, type SocketHistory } from '../live/history.ts'
import type { ManagedConnection } from './managed.ts'

/** The connections of this run, by their ids, in the operator's order. */
export interface Entries {
  all(): Iterable<ManagedConnection>
  get(id: string): ManagedConnection | undefined
  has(id: string): boolean
  /** Returns the position of a connection in the operator's order, from 0; -1 for an unknown one. */
  placeOf(id: string): number
  /** Adds a connection at the end, or replaces the one with its id. */
  put(entry: ManagedConnection): void
  /** Removes a connection with its socket's history. */
  remove(id: string): void
  /** Returns the history of the connection's socket in this run. A pause or a change does not reset it. */
  history(id: string): SocketHistory
}

export function createEntries(clock: Clock): Entries {
  const entries = new Map<string, ManagedConnection>()
  const histories = new Map<string, SocketHistory>()
  return {
    all: () => entries.values(),
    get: (id) => entries.get(id),
    has: (id) => entries.has(id),
    placeOf: (id) => [...entries.keys()].indexOf(id),
    put: (entry) => void entries.set(entry.record.id, entry),
    remove(id) {
      entries.delete(id)
      histories.delete(id)
    },
    history(id) {
      const history = histories.get(id) ?? createSocketHistory(clock)
      histories.set(id, history)
      return history
    },
  }
}
