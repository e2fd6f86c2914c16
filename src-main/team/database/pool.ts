import { Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { unlessAborted } from '../../../src-shared/lib/unless-aborted.ts'
import { hostAndPort } from './address.ts'
import { abandon, clientOf, cut, type TeamTarget } from './connect.ts'
import { databaseFault } from './errors.ts'

/** Connections of one member at most: a team of 20 stays below a server's usual 100. */
const maxConnections = 3
/** An unused connection is closed after this time, ms. */
const idleMs = 60_000
/** Longest time of one statement, of waiting for a lock, and of standing still, ms: the server ends what takes longer. */
const statementMs = 15_000
const lockMs = 10_000
const stillMs = 15_000
/** Longest time of a transaction, ms, for a server that no longer answers. */
const transactionMs = 45_000

/** The connections of one member to its team's database. */
export interface TeamPool {
  /** Opens a connection or takes one that is unused. Rejects with a `FaultError`. */
  take(): Promise<PoolClient>
  readonly clock: Clock
  /** `host:port`, for faults. */
  readonly where: string
  /** Closes all connections, those in use as well: their transactions reject, and the server rolls them back. */
  close(): Promise<void>
}

/** The statements of one transaction. */
export interface Transaction {
  /**
   * Resolves with the rows of a statement. With values it is one statement, with `$1` for the first of them; without,
   * several may be separated by semicolons.
   */
  query<Row extends QueryResultRow = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface TransactionOptions {
  /** Gives the transaction up. */
  signal?: AbortSignal
}

/** Returns the connections of a target, none of which is open yet. Throws as `clientOf`. */
export function openPool(target: TeamTarget): TeamPool {
  const where = hostAndPort(target.address)
  const closed = new AbortController()
  const inUse = new Set<PoolClient>()
  const pool = new Pool({
    Client: clientOf(target, closed.signal),
    max: maxConnections,
    idleTimeoutMillis: idleMs,
  })
  // The pool has removed such a connection, and opens another one for whoever asks.
  pool.on('error', () => {})
  pool.on('acquire', (client) => inUse.add(client))
  pool.on('release', (_error, client) => inUse.delete(client))
  let closing: Promise<void> | null = null
  return {
    async take() {
      closed.signal.throwIfAborted()
      const taken = pool.connect().catch((error: unknown) => {
        throw databaseFault(error, where)
      })
      // The driver's pool forgets who waits when it ends.
      return unlessAborted(closed.signal, taken, (late) => late.release())
    },
    clock: target.clock,
    where,
    close() {
      if (closing !== null) return closing
      const reason = new FaultError('abort', where)
      closing = pool.end()
      closed.abort(reason)
      for (const client of inUse) cut(client, reason)
      return closing
    },
  }
}

/**
 * Runs work in a transaction and commits it. When the work rejects, rolls back and rejects with its error. Errors of
 * the database are `FaultError`s; after one of kind `reset`, `timeout` or `abort` the transaction may have been
 * committed. No setting outlasts the transaction, and no broken connection is used again.
 */
export async function inTransaction<T>(
  pool: TeamPool,
  work: (transaction: Transaction) => Promise<T>,
  { signal }: TransactionOptions = {},
): Promise<T> {
  const client = await unlessAborted(signal, pool.take(), (late) => late.release())
  let givenUp: unknown = null
  const giveUp = (reason: unknown) => {
    givenUp = reason
    void abandon(client, pool.clock, reason)
  }
  const onAbort = () => giveUp(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  const cancel = pool.clock.after(transactionMs, () => giveUp(new FaultError('timeout', pool.where)))
  try {
    const result = await runWork(client, pool.where, work)
    // One that is given up while it commits is about to be cut.
    client.release(givenUp !== null)
    return result
  } catch (error) {
    client.release(givenUp !== null || !(await isRolledBack(client)))
    throw givenUp ?? error
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** `LOCAL`: a transaction pooler gives the session to somebody else afterwards. */
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL statement_timeout = ${statementMs};
  SET LOCAL lock_timeout = ${lockMs};
  SET LOCAL idle_in_transaction_session_timeout = ${stillMs}`

async function runWork<T>(
  client: PoolClient,
  where: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  let isOver = false
  const send = async (text: string, values?: readonly unknown[]): Promise<QueryResult> => {
    try {
      return await (values === undefined ? client.query(text) : client.query(text, [...values]))
    } catch (error) {
      throw databaseFault(error, where)
    }
  }
  await send(begin)
  try {
    const result = await work({
      async query(text, values) {
        if (isOver) throw new Error('the transaction is over')
        return (await send(text, values)).rows
      },
    })
    isOver = true
    // After a failed statement the server takes COMMIT for ROLLBACK, and says so in its answer alone.
    const { command } = await send('COMMIT')
    if (command !== 'COMMIT') throw new FaultError('query', `${where}: the transaction was rolled back`)
    return result
  } finally {
    isOver = true
  }
}

/** Rolls back. Resolves with whether the connection can be used again. */
function isRolledBack(client: PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  )
}
