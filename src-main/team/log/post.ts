import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { runWithin } from '../lead/statement.ts'
import { attemptMs } from './deliver.ts'
import type { Entry, LogStore } from './log-store.ts'
import { measure } from './queue.ts'

/** Time between two attempts, and the least time for one that is not the first, ms. */
const retryMs = 500
const leastMs = 500

/**
 * What became of rows. `stored`: they are in the log once, the last one with this number. `unsent`: they are not in it and never
 * will be. `unknown`: they may be in it, or may still come into it; posting them again, with the same ids, finds it out.
 */
export type Posted = { is: 'stored'; number: number } | { is: 'unsent' } | { is: 'unknown' }

export interface Posting {
  store: Pick<LogStore, 'post'>
  clock: Clock
  /** Is called for each attempt that failed. */
  onFault?: (fault: Fault) => void
  /** Gives up at once. */
  signal?: AbortSignal
}

/**
 * Writes rows without a lease, all or none of them, each once however often it is tried, for `giveUpMs` at most.
 * Rejects with a `FaultError`: `input` for no rows, and where a row or all of them are too long; `query` where the
 * database rejects them. After either they are not in the log.
 */
export async function postRows(
  { store, clock, onFault = () => {}, signal }: Posting,
  entries: readonly Entry[],
  { giveUpMs }: { giveUpMs: number },
): Promise<Posted> {
  measure(entries)
  const deadline = clock.monotonic() + giveUpMs
  const isGivenUp = () => signal?.aborted === true
  let mayBeThere = false
  for (;;) {
    let isSent = false
    const onSend = () => {
      isSent = true
    }
    const post = (given: AbortSignal) => store.post(entries, { signal: given, onSend })
    try {
      const number = await runWithin(clock, Math.min(attemptMs, deadline - clock.monotonic()), post, signal)
      return { is: 'stored', number }
    } catch (error) {
      const { kind } = toFault(error)
      const isRejected = kind === 'query' || kind === 'input'
      if (isRejected && !mayBeThere) throw error
      if (!isGivenUp()) onFault(toFault(error))
      if (isRejected) return { is: 'unknown' }
      // Without the right to it nothing was written.
      mayBeThere ||= isSent && kind !== 'forbidden'
    }
    const isLast = deadline - clock.monotonic() < retryMs + leastMs
    if (!isLast) await wait(clock, retryMs, signal).catch(() => {})
    if (isLast || isGivenUp()) return mayBeThere ? { is: 'unknown' } : { is: 'unsent' }
  }
}
