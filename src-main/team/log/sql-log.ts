import { z } from 'zod'
import type { TeamPool } from '../database/pool.ts'
import { bellChannel, type Claim } from '../lead/lease-store.ts'
import { runStatement } from '../lead/statement.ts'
import type { Batch, LogPage, LogStore, Position, SavedState } from './log-store.ts'

const heldSql = `SELECT FROM muster.lead WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid`

/** Whether no row of three lists (subjects, numbers, ids) is missing in the logs. */
const consumableSql = (first: number) => `NOT EXISTS (
    SELECT FROM unnest($${first}::text[], $${first + 1}::bigint[], $${first + 2}::uuid[]) AS c (source, number, id)
    WHERE NOT EXISTS (SELECT FROM muster.log l WHERE l.subject = c.source AND l.number = c.number AND l.id = c.id))`

/**
 * The lock of the one row fences, numbers and orders. The revision makes an attempt that arrives late, or twice, have no
 * effect.
 */
const writeSql = `WITH fence AS (
    UPDATE muster.lead SET last = last + cardinality($5::uuid[]), revision = revision + 1
    WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid AND revision = $4::bigint AND ${consumableSql(9)}
    RETURNING last
  ), rows AS (
    INSERT INTO muster.log (subject, number, id, term, body)
    SELECT $1, last - cardinality($5::uuid[]) + given.n, given.id, $2::bigint, given.body
    FROM fence, unnest($5::uuid[], $6::bytea[]) WITH ORDINALITY AS given (id, body, n)
  ), saved AS (
    INSERT INTO muster.state (subject, id, term, value)
    SELECT $1, $7::uuid, $2::bigint, $8::bytea FROM fence WHERE $8::bytea IS NOT NULL
    ON CONFLICT (subject) DO UPDATE SET id = excluded.id, term = excluded.term, value = excluded.value, at = excluded.at
  ), marks AS (
    INSERT INTO muster.consumed (subject, source, number, row_id)
    SELECT $1, c.source, c.number, c.id
    FROM fence, unnest($9::text[], $10::bigint[], $11::uuid[]) AS c (source, number, id)
    ON CONFLICT (subject, source) DO UPDATE SET number = excluded.number, row_id = excluded.row_id
  )
  SELECT last::float8 AS last, pg_notify($12, '') FROM fence`

const inspectSql = `SELECT EXISTS (${heldSql}) AS "isHeld",
    coalesce((SELECT revision FROM muster.lead WHERE subject = $1), 0)::float8 AS revision,
    coalesce((SELECT number FROM muster.log WHERE subject = $1 AND id = $4::uuid),
      (SELECT 0 FROM muster.state WHERE subject = $1 AND id = $5::uuid))::float8 AS stored,
    ${consumableSql(6)} AS "isConsumable"`

const findSql = `SELECT id FROM muster.log WHERE subject = $1 AND id = ANY ($2::uuid[])`

/** From the known row on, whose body is not needed. */
const readSql = `SELECT number::float8 AS number, id, term::float8 AS term, extract(epoch FROM at)::float8 * 1000 AS at,
    CASE WHEN number > $2::bigint THEN body END AS body, total::integer AS total
  FROM (
    SELECT page.*, count(*) OVER () AS total,
      sum(octet_length(body)) OVER (ORDER BY number) - octet_length(body) AS before FROM (
      SELECT * FROM muster.log WHERE subject = $1 AND number >= $2::bigint ORDER BY number LIMIT $3::bigint
    ) AS page
  ) AS summed WHERE before < $4::bigint OR number <= $2::bigint + 1 ORDER BY number`

const putPartSql = `INSERT INTO muster.snapshot_part (subject, snapshot, part, body)
  SELECT $1, $4::uuid, $5::integer, $6::bytea WHERE EXISTS (${heldSql})
  ON CONFLICT (subject, snapshot, part) DO UPDATE SET body = excluded.body RETURNING part`

const publishSql = `WITH fence AS (
    UPDATE muster.lead SET until = until
    WHERE subject = $1 AND term = $2::bigint AND holder = $3::uuid
      AND (SELECT count(*) FROM muster.snapshot_part WHERE subject = $1 AND snapshot = $4::uuid) = $5::bigint
      AND EXISTS (SELECT FROM muster.log WHERE subject = $1 AND number = $6::bigint AND id = $7::uuid)
    RETURNING subject
  ), published AS (
    INSERT INTO muster.snapshot (subject, id, term, parts, number, row_id)
    SELECT $1, $4::uuid, $2::bigint, $5::bigint, $6::bigint, $7::uuid FROM fence
    ON CONFLICT (subject) DO UPDATE SET id = excluded.id, term = excluded.term, parts = excluded.parts,
      number = excluded.number, row_id = excluded.row_id, at = excluded.at
  ), swept AS (
    DELETE FROM muster.snapshot_part WHERE subject = $1 AND snapshot <> $4::uuid AND EXISTS (SELECT FROM fence)
  )
  SELECT subject FROM fence`

const newestSql = `SELECT id, parts, number::float8 AS number, row_id AS "rowId"
  FROM muster.snapshot WHERE subject = $1`

const partSql =
  'SELECT body FROM muster.snapshot_part WHERE subject = $1 AND snapshot = $2::uuid AND part = $3::integer'

/**
 * Always a prefix of the log, even where the database's clock was turned back. A state that was saved before the first
 * row of a log was consumed has all of it still to consume.
 */
const pruneSql = `WITH bound AS (
    SELECT least(
      (SELECT number FROM muster.snapshot WHERE subject = $1),
      (SELECT number FROM muster.log WHERE subject = $1
        AND at > clock_timestamp() - $4::float8 * interval '1 ms' ORDER BY number LIMIT 1),
      (SELECT min(coalesce(c.number, 0)) FROM muster.state s
        LEFT JOIN muster.consumed c ON c.subject = s.subject AND c.source = $1 WHERE s.subject <> $1)
    ) AS number WHERE EXISTS (${heldSql}) AND EXISTS (SELECT FROM muster.snapshot WHERE subject = $1)
  ), removed AS (
    DELETE FROM muster.log WHERE subject = $1 AND number < (SELECT number FROM bound)
      AND number < $5::bigint + (SELECT min(number) FROM muster.log WHERE subject = $1)
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
  term: z.number(),
  at: z.number(),
  body: bytes.nullable(),
  total: z.int(),
})
const headRow = z.object({ id: z.uuid(), parts: z.int(), number: z.number(), rowId: z.uuid() })
const stateRow = z.object({
  value: bytes,
  consumed: z.array(z.object({ source: z.string(), number: z.number(), id: z.uuid() })),
})

const held = ({ subject, term, holder }: Claim) => [subject, term, holder]

function consumedLists(state: SavedState | null): [string[], number[], string[]] {
  const marks = [...(state?.consumed ?? [])]
  return [marks.map(([source]) => source), marks.map(([, { number }]) => number), marks.map(([, { id }]) => id)]
}

function batchValues(claim: Claim, revision: number, { id, entries, state }: Batch): unknown[] {
  return [
    ...held(claim),
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
  const rows = found.flatMap(({ number, id, term, at, body }) =>
    body === null ? [] : [{ number, id, term, at, body }],
  )
  return { isKnown, rows, isFull: total > limit || found.length < total }
}

/** Returns the logs of a team's database. */
export function openLogStore(pool: TeamPool): LogStore {
  return {
    async write(claim, revision, batch, { signal } = {}) {
      const [row] = await runStatement(pool, writeSql, batchValues(claim, revision, batch), signal)
      return row === undefined ? null : z.number().parse(row['last'])
    },
    async inspect(claim, { id, entries, state }, { signal } = {}) {
      const values = [...held(claim), entries.at(-1)?.id ?? null, id, ...consumedLists(state)]
      const [row] = await runStatement(pool, inspectSql, values, signal)
      return inspection.parse(row)
    },
    async find(subject, ids, { signal } = {}) {
      const rows = await runStatement(pool, findSql, [subject, ids], signal)
      return rows.map(({ id }) => z.uuid().parse(id))
    },
    async read(subject, from, limits, { signal } = {}) {
      const values = [subject, from?.number ?? 0, limits.rows + 1, limits.bytes]
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
    async newest(subject, { signal } = {}) {
      const [row] = await runStatement(pool, newestSql, [subject], signal)
      if (row === undefined) return null
      const { id, parts, number, rowId } = headRow.parse(row)
      return { id, parts, position: { number, id: rowId } }
    },
    async part(subject, snapshot, part, { signal } = {}) {
      const [row] = await runStatement(pool, partSql, [subject, snapshot, part], signal)
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
