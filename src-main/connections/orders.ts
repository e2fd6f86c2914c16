import type { Clock } from '../../src-shared/lib/clock.ts'

/** Orders of requests and events (`LiveEvent.order` of the data thread): a later one is always higher. */
export interface Orders {
  next(): number
  /** Notes the orders in a call that another member wrote: those of this one are higher from then on. */
  seen(input: unknown): void
}

/** Another member's clock may be ahead by this much at most, ms: the database's clock corrects what differs by more. */
const aheadMs = 60_000

/**
 * `isShared`: members of a team take over from each other. Orders are then of the time, so that they are also higher than those of a
 * member whose rows this one has not seen, and higher than all that it has.
 */
export function createOrders(clock: Pick<Clock, 'now'>, isShared: boolean): Orders {
  const perMs = 1000
  let position = 0
  return {
    next: () => (position = isShared ? Math.max(position + 1, clock.now() * perMs) : position + 1),
    seen(input) {
      const highest = highestIn(input)
      if (highest <= (clock.now() + aheadMs) * perMs) position = Math.max(position, highest)
    },
  }
}

/** Returns the highest order in the input of a call; 0 for none. */
function highestIn(input: unknown): number {
  if (typeof input !== 'object' || input === null) return 0
  const { requestOrder, events } = input as { requestOrder?: unknown; events?: unknown }
  const all = Array.isArray(events) ? (events as ({ order?: unknown } | null)[]).map((event) => event?.order) : []
  return [requestOrder, ...all].reduce<number>(
    (most, order) => (typeof order === 'number' && order > most ? order : most),
    0,
  )
}
