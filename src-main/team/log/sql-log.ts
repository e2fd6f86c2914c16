import { z } from 'zod'
import type { TeamPool } from '../database/pool.ts'
import { bellChannel, type Claim } from '../lead/lease-store.ts'
import { runStatement } from '../lead/statement.ts'
import type { Entry, LogPage, LogStore, Position } from './log-store.ts'

/** The claim is `$1` to `$3` of each statement with one, and the name of the log `$4`. */
const heldSql = `SELECT FROM muster.lead WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid`

/** Whether the log has the row with this number and id, where one is given. */
const knownSql = (first: number) => `($${first}::bigint IS NULL OR EXISTS (
    SELECT FROM muster.log WHERE log = $4 AND number = $${first}::bigint AND id = $${first + 1}::uuid))`

/**
 * The lock of the lease's row fences, and that of the log's end numbers and orders: always in this order, and until all
 * is seen. The revision makes an attempt that arrives late, or twice, have no effect.
 */
const writeSql = `WITH fence AS (
    UPDATE muster.lead SET revision = revision + 1
    WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid AND revision = $5::bigint AND ${knownSql(8)}
    RETURNING subject
  ), numbered AS (
    INSERT INTO muster.log_end AS e (log, last) SELECT $4::text, cardinality($6::uuid[]) FROM fence
    ON CONFLICT (log) DO UPDATE SET last = e.last + excluded.last RETURNING e.last
  ), rows AS (
    INSERT INTO muster.log (log, number, entry, term, body)
    SELECT $4::text, last - cardinality($6::uuid[]) + given.n, given.entry, $2::bigint, given.body
    FROM numbered, unnest($6::uuid[], $7::bytea[]) WITH ORDINALITY AS given (entry, body, n)
  )
  SELECT last::float8 AS last, pg_notify($10, '') FROM numbered`

const postSql = `SELECT coalesce(last, 0)::float8 AS last, pg_notify($4, '')
  FROM muster.post($1, $2::uuid[], $3::bytea[]) AS last`

const inspectSql = `SELECT EXISTS (${heldSql}) AS "isHeld",
    coalesce((SELECT revision FROM muster.lead WHERE subject = $1), 0)::float8 AS revision,
    (SELECT number FROM muster.log WHERE log = $4 AND entry = $5::uuid)::float8 AS stored,
    ${knownSql(6)} AS "isKnown"`

/** From the known row on, whose body is not needed. */
const readSql = `SELECT number::float8 AS number, id, entry, term::float8 AS term, role,
    extract(epoch FROM at)::float8 * 1000 AS at,
    CASE WHEN number > $2::bigint THEN body END AS body, total::integer AS total
  FROM (
    SELECT page.*, count(*) OVER () AS total,
      sum(octet_length(body)) OVER (ORDER BY number) - octet_length(body) AS before FROM (
      SELECT * FROM muster.log WHERE log = $1 AND number >= $2::bigint ORDER BY number LIMIT $3::bigint
    ) AS page
  ) AS summed WHERE before < $4::bigint OR number <= $2::bigint + 1 ORDER BY number`

const putPartSql = `INSERT INTO muster.snapshot_part (log, snapshot, part, body)
  SELECT $4, $5::uuid, $6::integer, $7::bytea WHERE EXISTS (${heldSql})
  ON CONFLICT (log, snapshot, part) DO UPDATE SET body = excluded.body RETURNING part`

const publishSql = `WITH fence AS (
    UPDATE muster.lead SET until = until
    WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid
      AND (SELECT count(*) FROM muster.snapshot_part WHERE log = $4 AND snapshot = $5::uuid) = $6::bigint
      AND EXISTS (SELECT FROM muster.log WHERE log = $4 AND number = $7::bigint AND id = $8::uuid)
    RETURNING subject
  ), published AS (
    INSERT INTO muster.snapshot (log, id, term, parts, number, row_id)
    SELECT $4, $5::uuid, $2::bigint, $6::bigint, $7::bigint, $8::uuid FROM fence
    ON CONFLICT (log) DO UPDATE SET id = excluded.id, term = excluded.term, parts = excluded.parts,
      number = excluded.number, row_id = excluded.row_id, at = excluded.at
  ), swept AS (
    DELETE FROM muster.snapshot_part WHERE log = $4 AND snapshot <> $5::uuid AND EXISTS (SELECT FROM fence)
  )
  SELECT subject FROM fence`

const newestSql = `SELECT id, parts, number::float8 AS number, row_id AS "rowId"
  FROM muster.snapshot WHERE log = $1`

const partSql = 'SELECT body FROM muster.snapshot_part WHERE log = $1 AND snapshot = $2::uuid AND part = $3::integer'

/** Always a prefix of the log, even where the database's clock was turned back. */
const pruneSql = `WITH bound AS (
    SELECT least(
      (SELECT number FROM muster.snapshot WHERE log = $4),
      (SELECT number FROM muster.log WHERE log = $4
        AND at > clock_timestamp() - $5::float8 * interval '1 ms' ORDER BY number LIMIT 1)
    ) AS number WHERE EXISTS (${heldSql}) AND EXISTS (SELECT FROM muster.snapshot WHERE log = $4)
  ), removed AS (
    DELETE FROM muster.log WHERE log = $4 AND number < (SELECT number FROM bound)
      AND number < $6::bigint + (SELECT min(number) FROM muster.log WHERE log = $4)
    RETURNING number
  )
  SELECT count(*)::float8 AS removed FROM removed`
/** Rows that are removed in one transaction at most. */
const pruneRows = 10_000

const bytes = z.instanceof(Uint8Array)
const inspection = z.object({
  isHeld: z.boolean(),
  revision: z.number(),
  stored: z.number().nullable(),
  isKnown: z.boolean(),
})
const logRow = z.object({
  number: z.number(),
  id: z.uuid(),
  entry: z.uuid(),
  term: z.number(),
  role: z.string(),
  at: z.number(),
  body: bytes.nullable(),
  total: z.int(),
})
const headRow = z.object({ id: z.uuid(), parts: z.int(), number: z.number(), rowId: z.uuid() })

const columnsOf = (entries: readonly Entry[]): [string[], Uint8Array[]] => [
  entries.map(({ id }) => id),
  entries.map(({ body }) => body),
]

/** Returns the page after the known row, which is the first of what was found. */
function pageOf(found: z.infer<typeof logRow>[], from: Position | null, limit: number): LogPage {
  const [first] = found
  const isAtBegin = first === undefined || first.number === 1
  const isKnown = from === null ? isAtBegin : first?.number === from.number && first.id === from.id
  if (!isKnown) return { isKnown, rows: [], isFull: false }
  const total = first?.total ?? 0
  const rows = found.flatMap(({ total: _total, body, ...row }) => (body === null ? [] : [{ ...row, body }]))
  return { isKnown, rows, isFull: total > limit || found.length < total }
}

/** Returns a log of a team's database by its name. */
export function openLogStore(pool: TeamPool, log: string): LogStore {
  const held = ({ subject, term, holder }: Claim) => [subject, term, holder, log]
  return {
    async write(claim, revision, { entries, known }, { signal } = {}) {
      const values = [
        ...held(claim),
        revision,
        ...columnsOf(entries),
        known?.number ?? null,
        known?.id ?? null,
        bellChannel,
      ]
      const [row] = await runStatement(pool, writeSql, values, signal)
      return row === undefined ? null : z.number().parse(row['last'])
    },
    async post(entries, { signal, onSend } = {}) {
      const values = [log, ...columnsOf(entries), bellChannel]
      const [row] = await runStatement(pool, postSql, values, signal, onSend)
      return z.number().parse(row?.['last'])
    },
    async inspect(claim, { entries, known }, { signal } = {}) {
      const values = [...held(claim), entries.at(-1)?.id ?? null, known?.number ?? null, known?.id ?? null]
      const [row] = await runStatement(pool, inspectSql, values, signal)
      return inspection.parse(row)
    },
    async read(from, limits, { signal } = {}) {
      const values = [log, from?.number ?? 0, limits.rows + 1, limits.bytes]
      const rows = await runStatement(pool, readSql, values, signal)
      return pageOf(z.array(logRow).parse(rows), from, limits.rows)
    },
    async putPart(claim, snapshot, part, body, { signal } = {}) {
      const rows = await runStatement(pool, putPartSql, [...held(claim), snapshot, part, body], signal)
      return rows.length > 0
    },
    async publish(claim, { id, parts, position }, { signal } = {}) {
      const values = [...held(claim), id, parts, position.number, position.id]
      return (await runStatement(pool, publishSql, values, signal)).length > 0
    },
    async newest({ signal } = {}) {
      const [row] = await runStatement(pool, newestSql, [log], signal)
      if (row === undefined) return null
      const { id, parts, number, rowId } = headRow.parse(row)
      return { id, parts, position: { number, id: rowId } }
    },
    async part(snapshot, part, { signal } = {}) {
      const [row] = await runStatement(pool, partSql, [log, snapshot, part], signal)
      return row === undefined ? null : bytes.parse(row['body'])
    },
    async prune(claim, keepMs, { signal } = {}) {
      const [row] = await runStatement(pool, pruneSql, [...held(claim), keepMs, pruneRows], signal)
      return z.number().parse(row?.['removed'])
    },
  }
}
