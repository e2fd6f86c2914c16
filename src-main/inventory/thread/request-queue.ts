import type { Request } from './messages.ts'
import { callOrder } from './protocol.ts'

/** The requests that wait for the data thread. */
export interface RequestQueue {
  add(request: Request): void
  /**
   * Takes the request to answer next; null when none waits. Requests are answered in order, except that a `read`
   * overtakes each `feed` before it: its answer is of the revision before them. A `read` overtakes nothing else, so
   * that a caller who changed something sees the change.
   */
  next(): Request | null
}

export function createRequestQueue(): RequestQueue {
  const waiting: Request[] = []
  return {
    add: (request) => void waiting.push(request),
    next() {
      const other = waiting.findIndex(({ call }) => callOrder[call] !== 'feed')
      const overtakes = other >= 0 && callOrder[waiting[other]?.call ?? 'close'] === 'read'
      return waiting.splice(overtakes ? other : 0, 1)[0] ?? null
    },
  }
}
