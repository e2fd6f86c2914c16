import { z } from 'zod'
import { inTransaction, type TeamPool, type TransactionOptions } from './pool.ts'

/** A Muster of the team. Times are of the database's clock, in ms since the epoch. */
export interface TeamMember {
  id: string
  operator: string
  /** The role that it signed in with, as the database saw it. */
  role: string
  musterVersion: string
  joinedAt: number
  seenAt: number
}

/** What a Muster tells of itself. `id`: its own, from when it first joined; null for the first time. */
export interface Joining {
  id: string | null
  operator: string
  musterVersion: string
}

const memberRow = z.object({
  id: z.uuid(),
  operator: z.string(),
  role: z.string(),
  musterVersion: z.string(),
  joinedAt: z.number(),
  seenAt: z.number(),
})

const columns = `id, operator, role, muster_version AS "musterVersion",
  extract(epoch FROM joined_at)::float8 * 1000 AS "joinedAt", extract(epoch FROM seen_at)::float8 * 1000 AS "seenAt"`

/**
 * Joins the team, or tells that this member is still there. Resolves with its row. Rejects with a `FaultError`;
 * `forbidden` where another role has a member of this id.
 */
export function joinTeam(
  pool: TeamPool,
  { id, operator, musterVersion }: Joining,
  options?: TransactionOptions,
): Promise<TeamMember> {
  return inTransaction(
    pool,
    async ({ query }) => {
      const rows = await query(
        `INSERT INTO muster.member AS m (id, operator, muster_version)
         VALUES (coalesce($1::uuid, gen_random_uuid()), $2, $3)
         ON CONFLICT (id) DO UPDATE SET operator = excluded.operator, muster_version = excluded.muster_version
         RETURNING ${columns}`,
        [id, operator, musterVersion],
      )
      return memberRow.parse(rows[0])
    },
    options,
  )
}

/** Resolves with all members, in the order in which they joined. Rejects with a `FaultError`. */
export function listMembers(pool: TeamPool, options?: TransactionOptions): Promise<TeamMember[]> {
  return inTransaction(
    pool,
    async ({ query }) =>
      z.array(memberRow).parse(await query(`SELECT ${columns} FROM muster.member ORDER BY joined_at, id`)),
    options,
  )
}

/** Removes a member of the own role; nothing happens where there is none. Rejects with a `FaultError`. */
export function leaveTeam(pool: TeamPool, id: string, options?: TransactionOptions): Promise<void> {
  return inTransaction(
    pool,
    async ({ query }) => void (await query('DELETE FROM muster.member WHERE id = $1', [id])),
    options,
  )
}
