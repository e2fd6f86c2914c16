import { z } from 'zod'
import type { TeamPool } from '../database/pool.ts'
import { bellChannel, type Claim, type LogOptions } from '../lead/lease-store.ts'
import { runStatement } from '../lead/statement.ts'
import type { Batch, LogPage, LogStore, Position, SavedState } from './log-store.ts'

/** The claim is `$1` to `$3` of each statement with one, and the name of its log `$4`. */
const heldSql = `SELECT FROM muster.lead WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid`

/** Whether no row of three lists (logs, numbers, ids) is missing in the logs. */
const consumableSql = (first: number) => `NOT EXISTS (
    SELECT FROM unnest($${first}::text[], $${first + 1}::bigint[], $${first + 2}::uuid[]) AS c (source, number, id)
    WHERE NOT EXISTS (SELECT FROM muster.log l WHERE l.log = c.source AND l.number = c.number AND l.id = c.id))`

/**
 * The lock of the lease's row fences, and that of the log's end numbers and orders: always in this order, and until all
 * is seen. The revision makes an attempt that arrives late, or twice, have no effect.
 */
const writeSql = `WITH fence AS (
    UPDATE muster.lead SET revision = revision + 1
    WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid AND revision = $5::bigint AND ${consumableSql(10)}
    RETURNING subject
  ), numbered AS (
    INSERT INTO muster.log_end AS e (log, last) SELECT $4::text, cardinality($6::uuid[]) FROM fence
    ON CONFLICT (log) DO UPDATE SET last = e.last + excluded.last RETURNING e.last
  ), rows AS (
    INSERT INTO muster.log (log, number, entry, term, body)
    SELECT $4::text, last - cardinality($6::uuid[]) + given.n, given.entry, $2::bigint, given.body
    FROM numbered, unnest($6::uuid[], $7::bytea[]) WITH ORDINALITY AS given (entry, body, n)
  ), saved AS (
    INSERT INTO muster.state (subject, id, term, value)
    SELECT $1, $8::uuid, $2::bigint, $9::bytea FROM fence WHERE $9::bytea IS NOT NULL
    ON CONFLICT (subject) DO UPDATE SET id = excluded.id, term = excluded.term, value = excluded.value, at = excluded.at
  ), marks AS (
    INSERT INTO muster.consumed (subject, source, number, row_id)
    SELECT $1, c.source, c.number, c.id
    FROM fence, unnest($10::text[], $11::bigint[], $12::uuid[]) AS c (source, number, id)
    ON CONFLICT (subject, source) DO UPDATE SET number = excluded.number, row_id = excluded.row_id
  )
  SELECT last::float8 AS last, pg_notify($13, '') FROM numbered`

const postSql = `SELECT coalesce(last, 0)::float8 AS last, pg_notify($4, '')
  FROM muster.post($1, $2::uuid[], $3::bytea[]) AS last`

const inspectSql = `SELECT EXISTS (${heldSql}) AS "isHeld",
    coalesce((SELECT revision FROM muster.lead WHERE subject = $1), 0)::float8 AS revision,
    coalesce((SELECT number FROM muster.log WHERE log = $4 AND entry = $5::uuid),
      (SELECT 0 FROM muster.state WHERE subject = $1 AND id = $6::uuid))::float8 AS stored,
    ${consumableSql(7)} AS "isConsumable"`

const findSql = `SELECT entry FROM muster.log WHERE log = $1 AND entry = ANY ($2::uuid[])`

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

/**
 * Always a prefix of the log, even where the database's clock was turned back. A state that was saved before the first
 * row of a log was consumed has all of it still to consume; that of the log's own subject never consumes it.
 */
const pruneSql = `WITH bound AS (
    SELECT least(
      (SELECT number FROM muster.snapshot WHERE log = $4),
      (SELECT number FROM muster.log WHERE log = $4
        AND at > clock_timestamp() - $5::float8 * interval '1 ms' ORDER BY number LIMIT 1),
      (SELECT min(coalesce(c.number, 0)) FROM muster.state s
        LEFT JOIN muster.consumed c ON c.subject = s.subject AND c.source = $4 WHERE s.subject <> $4)
    ) AS number WHERE EXISTS (${heldSql}) AND EXISTS (SELECT FROM muster.snapshot WHERE log = $4)
  ), removed AS (
    DELETE FROM muster.log WHERE log = $4 AND number < (SELECT number FROM bound)
      AND number < $6::bigint + (SELECT min(number) FROM muster.log WHERE log = $4)
    RETURNING number
  )
  SELECT count(*)::float8 AS removed FROM removed`
/** Rows that are removed in one transaction at most. */
const pruneRows = 10_000

const stateSql = `SELECT value, (
      SELECT coalesce(json_agg(json_build_object('source', source, 'number', number, 'id', row_id)), '[]')
      FROM muster.consumed c WHERE c.subject = s.subject
    ) AS consumed FROM muster.state s WHERE subject = $1`

const bytes = z.instanceof(Uint8Array)
const inspection = z.object({
  isHeld: z.boolean(),
  revision: z.number(),
  stored: z.number().nullable(),
  isConsumable: z.boolean(),
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
const stateRow = z.object({
  value: bytes,
  consumed: z.array(z.object({ source: z.string(), number: z.number(), id: z.uuid() })),
})

function consumedLists(state: SavedState | null): [string[], number[], string[]] {
  const marks = [...(state?.consumed ?? [])]
  return [marks.map(([source]) => source), marks.map(([, { number }]) => number), marks.map(([, { id }]) => id)]
}

function batchValues(revision: number, { id, entries, state }: Batch): unknown[] {
  return [
    revision,
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.body),
    id,
    state?.value ?? null,
    ...consumedLists(state),
    bellChannel,
  ]
}

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

/** Returns the logs of a team's database. */
export function openLogStore(pool: TeamPool, { log }: LogOptions = {}): LogStore {
  const held = ({ subject, term, holder }: Claim) => [subject, term, holder, log ?? subject]
  return {
    async write(claim, revision, batch, { signal } = {}) {
      const [row] = await runStatement(pool, writeSql, [...held(claim), ...batchValues(revision, batch)], signal)
      return row === undefined ? null : z.number().parse(row['last'])
    },
    async post(name, entries, { signal, onSend } = {}) {
      const values = [name, entries.map(({ id }) => id), entries.map(({ body }) => body), bellChannel]
      const [row] = await runStatement(pool, postSql, values, signal, onSend)
      return z.number().parse(row?.['last'])
    },
    async inspect(claim, { id, entries, state }, { signal } = {}) {
      const values = [...held(claim), entries.at(-1)?.id ?? null, id, ...consumedLists(state)]
      const [row] = await runStatement(pool, inspectSql, values, signal)
      return inspection.parse(row)
    },
    async find(name, ids, { signal } = {}) {
      const rows = await runStatement(pool, findSql, [name, ids], signal)
      return rows.map(({ entry }) => z.uuid().parse(entry))
    },
    async read(name, from, limits, { signal } = {}) {
      const values = [name, from?.number ?? 0, limits.rows + 1, limits.bytes]
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
    async newest(name, { signal } = {}) {
      const [row] = await runStatement(pool, newestSql, [name], signal)
      if (row === undefined) return null
      const { id, parts, number, rowId } = headRow.parse(row)
      return { id, parts, position: { number, id: rowId } }
    },
    async part(name, snapshot, part, { signal } = {}) {
      const [row] = await runStatement(pool, partSql, [name, snapshot, part], signal)
      return row === undefined ? null : bytes.parse(row['body'])
    },
    async prune(claim, keepMs, { signal } = {}) {
      const [row] = await runStatement(pool, pruneSql, [...held(claim), keepMs, pruneRows], signal)
      return z.number().parse(row?.['removed'])
    },
    async state(subject, { signal } = {}) {
      const [row] = await runStatement(pool, stateSql, [subject], signal)
      if (row === undefined) return null
      const { value, consumed } = stateRow.parse(row)
      return { value, consumed: new Map(consumed.map(({ source, number, id }) => [source, { number, id }])) }
    },
  }
}
