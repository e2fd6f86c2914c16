import { z } from 'zod'
import type { TeamPool } from '../database/pool.ts'
import { runStatement } from './statement.ts'

/** Duration of a lease on the database's clock, ms. */
export const leaseMs = 6000
/** No lease counts longer than this, ms: the database's clock was turned back, and nobody has renewed it since. */
export const longestMs = leaseMs + 1000
/** The channel on which a release and each batch ring, without data. */
export const bellChannel = 'muster'

/** What proves that a member leads a subject: both are new with each takeover. */
export interface Claim {
  subject: string
  term: number
  /** Random, a UUID. */
  holder: string
}

/** A lease as it was seen. `leftMs`: how long it still counts; 0 when it has expired. `isOwn`: of one's own holders. */
export interface LeaseView {
  term: number
  member: string
  leftMs: number
  isOwn: boolean
}

/** `holders`: former ones of this member, which may be replaced before their lease expires. */
export interface Taking {
  subject: string
  member: string
  holder: string
  holders: readonly string[]
}

/**
 * A lease that was taken. `last`: number of the log's last row, not before the last one of the former terms; 0 for a
 * log without any. `revision`: how many batches were committed.
 */
export interface Taken {
  term: number
  last: number
  revision: number
}

export interface StoreOptions {
  /** Gives the operation up. */
  signal?: AbortSignal
}

/** The operations on leases. Each is one transaction, and rejects with a `FaultError`. */
export interface LeaseStore {
  /** Resolves with null where nobody has ever led. */
  look(subject: string, holders: readonly string[], options?: StoreOptions): Promise<LeaseView | null>
  /** Takes a lease that has expired or is one's own: a new term. Resolves with null where another member has it. */
  take(taking: Taking, options?: StoreOptions): Promise<Taken | null>
  /** Renews a lease. Resolves with null where the term was taken. */
  renew(claim: Claim, options?: StoreOptions): Promise<{ revision: number } | null>
  /** Ends a lease: another member may lead at once, and nothing more is written by the claim. */
  release(claim: Claim, options?: StoreOptions): Promise<void>
}

const lookSql = `SELECT term::float8 AS term, member, holder = ANY ($2::uuid[]) AS "isOwn",
    CASE WHEN left_ms BETWEEN 0 AND $3::float8 THEN left_ms ELSE 0 END AS "leftMs"
  FROM muster.lead, LATERAL (SELECT (extract(epoch FROM until - clock_timestamp()) * 1000)::float8 AS left_ms) AS lasting
  WHERE subject = $1`

/**
 * The clock is read anew after the row's lock was waited for. So is the log's end, which a plain read would show as it
 * was before.
 */
const takeSql = `WITH taken AS (
    INSERT INTO muster.lead AS l (subject, term, holder, member, until)
    VALUES ($1, 1, $2::uuid, $3::uuid, clock_timestamp() + $4::float8 * interval '1 ms')
    ON CONFLICT (subject) DO UPDATE SET term = l.term + 1, holder = excluded.holder, member = excluded.member,
      until = clock_timestamp() + $4::float8 * interval '1 ms'
    WHERE NOT l.until BETWEEN clock_timestamp() AND clock_timestamp() + $6::float8 * interval '1 ms'
      OR l.holder = ANY ($5::uuid[])
    RETURNING term, revision
  ), ending AS (
    INSERT INTO muster.log_end AS e (log, last) SELECT $7::text, 0 FROM taken
    ON CONFLICT (log) DO UPDATE SET last = e.last RETURNING e.last
  )
  SELECT term::float8 AS term, last::float8 AS last, revision::float8 AS revision FROM taken, ending`

const renewSql = `UPDATE muster.lead SET until = clock_timestamp() + $4::float8 * interval '1 ms'
  WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid RETURNING revision::float8 AS revision`

/** A new holder, so that what is still on its way by the old one is rejected. */
const releaseSql = `WITH released AS (
    UPDATE muster.lead SET holder = gen_random_uuid(), until = clock_timestamp()
    WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid RETURNING subject
  ) SELECT pg_notify($4, '') FROM released`

const viewRow = z.object({ term: z.number(), member: z.uuid(), leftMs: z.number(), isOwn: z.boolean() })
const takenRow = z.object({ term: z.number(), last: z.number(), revision: z.number() })
const renewedRow = z.object({ revision: z.number() })

/** Returns the leases of a team's database. `log`: name of the log that is written in their terms. */
export function openLeaseStore(pool: TeamPool, log: string): LeaseStore {
  return {
    async look(subject, holders, { signal } = {}) {
      const [row] = await runStatement(pool, lookSql, [subject, holders, longestMs], signal)
      return row === undefined ? null : viewRow.parse(row)
    },
    async take({ subject, member, holder, holders }, { signal } = {}) {
      const values = [subject, holder, member, leaseMs, holders, longestMs, log]
      const [row] = await runStatement(pool, takeSql, values, signal)
      return row === undefined ? null : takenRow.parse(row)
    },
    async renew({ subject, term, holder }, { signal } = {}) {
      const [row] = await runStatement(pool, renewSql, [subject, term, holder, leaseMs], signal)
      return row === undefined ? null : renewedRow.parse(row)
    },
    async release({ subject, term, holder }, { signal } = {}) {
      await runStatement(pool, releaseSql, [subject, term, holder, bellChannel], signal)
    },
  }
}
