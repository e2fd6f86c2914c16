import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Leadership } from '../lead/lease.ts'
import { runWithin } from '../lead/statement.ts'
import type { Batch, Inspection, LogStore } from './log-store.ts'

/** Longest time of one attempt, and time between two attempts, ms. */
export const attemptMs = 5000
const retryMs = 500
/** Time between two looks after the term, until the next one has decided, ms. */
const undecidedMs = 2000

/**
 * What became of a batch. `stored`: it is in the log once, with this last number. `fenced`: it is not in it and never
 * will be, as the term has ended. `unknown`: it was given up before that was known.
 */
export type Delivered = { is: 'stored'; last: number } | { is: 'fenced' } | { is: 'unknown' }

export interface Delivery {
  store: LogStore
  clock: Clock
  leadership: Leadership
  /** Batches of the subject before this one. */
  revision: number
  onFault: (fault: Fault) => void
  /** Gives up to learn what became of it. */
  signal: AbortSignal
}

/**
 * Writes a batch exactly once, or not at all. After an attempt without an answer it is looked up before it is sent
 * again; an attempt that arrives late finds another revision. Rejects with a `FaultError` of kind `query` when the
 * database rejects the batch itself.
 */
export async function deliver(delivery: Delivery, batch: Batch): Promise<Delivered> {
  const { leadership, signal } = delivery
  let isSent = false
  let isUndecided = false
  for (;;) {
    if (!isSent && !leadership.isCurrent()) return { is: 'fenced' }
    try {
      const known = isUndecided ? await lookUp(delivery, batch) : null
      if (known !== null) return known
      if (leadership.isCurrent()) {
        isSent = true
        const last = await writeOnce(delivery, batch)
        if (last !== null) return { is: 'stored', last }
        const why = await lookUp(delivery, batch)
        if (why !== null) return why
      }
    } catch (error) {
      if (!isUndecided && error instanceof FaultError && error.fault.kind === 'query') throw error
      isUndecided ||= isSent
      if (!signal.aborted) delivery.onFault(toFault(error))
    }
    await wait(delivery.clock, leadership.isCurrent() ? retryMs : undecidedMs, signal).catch(() => {})
    if (signal.aborted) return isSent ? { is: 'unknown' } : { is: 'fenced' }
  }
}

function writeOnce({ store, clock, leadership, revision, signal }: Delivery, batch: Batch): Promise<number | null> {
  const write = (given: AbortSignal) => store.write(leadership, revision, batch, { signal: given })
  return runWithin(clock, attemptMs, write, signal)
}

async function lookUp(
  { store, clock, leadership, revision, signal }: Delivery,
  batch: Batch,
): Promise<Delivered | null> {
  const inspect = (given: AbortSignal) => store.inspect(leadership, batch, { signal: given })
  const found = await runWithin(clock, attemptMs, inspect, signal)
  if (found.stored !== null) return { is: 'stored', last: found.stored }
  const reason = endReason(found, revision)
  if (reason === null) return null
  leadership.giveUp(reason)
  return { is: 'fenced' }
}

/** Returns why a batch that was not found can no longer be written; null: it can. */
function endReason({ isHeld, revision, isKnown }: Inspection, before: number): 'taken' | 'rewound' | null {
  if (!isHeld) return 'taken'
  return revision !== before || !isKnown ? 'rewound' : null
}
