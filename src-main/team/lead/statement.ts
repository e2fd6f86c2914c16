import type { QueryResultRow } from 'pg'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { unlessAborted } from '../../../src-shared/lib/unless-aborted.ts'
import { abandon } from '../database/connect.ts'
import { databaseFault } from '../database/errors.ts'
import type { TeamPool } from '../database/pool.ts'

/**
 * Runs one statement as a transaction of its own, without `BEGIN`: its locks are never held while the network or this
 * member stands still, so that a member that is frozen or cut keeps no other one from leading. Resolves with its rows.
 * Rejects with a `FaultError`, or the signal's reason; after a kind other than `query` the statement may have been
 * committed, or may still be when it was on its way. `onSend` is called before it is sent.
 */
export async function runStatement<Row extends QueryResultRow>(
  pool: TeamPool,
  text: string,
  values: readonly unknown[],
  signal?: AbortSignal,
  onSend: () => void = () => {},
): Promise<Row[]> {
  const client = await unlessAborted(signal, pool.take(), (late) => late.release())
  const isAborted = () => signal?.aborted === true
  if (isAborted()) {
    client.release()
    throw signal?.reason
  }
  onSend()
  try {
    const { rows } = await unlessAborted(signal, client.query<Row>(text, [...values]))
    client.release()
    return rows
  } catch (error) {
    if (isAborted()) {
      void abandon(client, pool.clock, signal?.reason).then(() => client.release(true))
      throw signal?.reason
    }
    client.release(true)
    throw databaseFault(error, pool.where)
  }
}

/** Runs something that is given up after `ms`, with a `FaultError` of kind `timeout`, or by the signal. */
export async function runWithin<T>(
  clock: Clock,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const given = new AbortController()
  const onAbort = () => given.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  const cancel = clock.after(ms, () => given.abort(new FaultError('timeout', 'the team’s database')))
  try {
    return await unlessAborted(given.signal, run(given.signal))
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}
