import type { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { JobDevice, Outcome } from '../../../../src-shared/model/jobs.ts'
import { inTransaction } from '../../database.ts'
import { toJson } from '../json.ts'
import {
  isOwn,
  mutationName,
  type JobOwner,
  type JobRecord,
  type JobTarget,
  type ListedJob,
  type StoredJob,
} from '../job-records.ts'
import { deviceColumns, jobColumns, jobText, recordOf, type Row, targetCells, targetOf } from './rows.ts'
import { findJobsIn, type TextSearch } from './search.ts'
import { type JobSummary, summariesIn } from './summary.ts'
import { teamJobsIn, type TeamJobs } from './team-jobs.ts'
import { outcomesInOrder } from './values.ts'

/** A device of a job with its job, for an export. `number` and `position`: where the export continues after it. */
export interface JobLine {
  record: JobRecord
  target: JobTarget
  number: number
  position: number
}

/**
 * The jobs of a journal, with their devices. Ended ones stay for 400 days (pruning.ts). A row that cannot be read stays
 * in the file and is left out of every answer; totals count it.
 */
export interface Jobs {
  /**
   * Writes a new job in one transaction, on disk when this returns. Throws a fault of kind `input` when a job has this id; when
   * a device occurs twice: it would be sent twice; and where an open job of a member of the team that is not `absent` (ids) acts on one of
   * them, or on the same place. `absent` left out: no other job is looked at.
   */
  create(job: StoredJob, absent?: readonly string[]): void
  /**
   * Writes a job's record and its changed devices in one transaction, on disk when this returns. A device is found by its
   * key. A device or a tenant that was erased since stays erased: nothing is inserted. Throws a fault of kind `input` for a
   * job that was erased, or that another member has taken over.
   */
  save(record: JobRecord, changed: readonly JobTarget[]): void
  /** Gives an open job of the member `from` (id) to another owner. Throws a fault of kind `input` where it is no such job. */
  take(id: string, from: string, owner: JobOwner): void
  /**
   * Returns the jobs that are not ended, and those that ended at `endedSince` (ms) or later with devices of an unknown
   * outcome, the oldest first. One with damaged devices has the others, and a fault of kind `storage` with their number; one
   * without a readable device is left out. `member`: the jobs of this member and those without an owner alone.
   */
  open(endedSince: number, member?: string): StoredJob[]
  /** Returns the number of jobs that are not ended and that `open` leaves out. */
  unreadable(): number
  /** Returns a job with its readable devices; null for an unknown id or a damaged job. */
  stored(id: string): StoredJob | null
  /** Returns a job as lists show it; null for an unknown id or a damaged job. */
  one(id: string): ListedJob | null
  /** Returns a page of devices by outcome (`outcomesInOrder`), then in their order. `outcomes` null: all. */
  devices(id: string, outcomes: readonly Outcome[] | null, page: Page): { total: number; rows: JobDevice[] }
  /**
   * Returns a page of the jobs, the newest first; with `subject` those that acted on this device (key), or on one of the
   * devices of this incident (id).
   */
  list(
    search: TextSearch | null,
    subject: string | { incident: string } | null,
    page: Page,
  ): { total: number; rows: ListedJob[] }
  /**
   * Returns the jobs of other members than this one (id) that are not ended, or ended at `endedSince` (ms) or later. `open`: the
   * keys of the devices that it has not sent yet, or awaits.
   */
  others(member: string, endedSince: number): { job: ListedJob; open: string[] }[]
  /** Returns the devices among a job's keys that other members' jobs have taken meanwhile (team-jobs.ts). */
  taken: TeamJobs['taken']
  /**
   * Returns up to `limit` devices of the jobs that were created from `from` until `until` (ms, both included), in the
   * order of creation, behind the line `after` (null: from the first one). `next`: the line to continue after; null: there
   * are no more.
   */
  lines(
    time: { from: number; until: number },
    after: Pick<JobLine, 'number' | 'position'> | null,
    limit: number,
  ): { lines: JobLine[]; next: Pick<JobLine, 'number' | 'position'> | null }
}

/** Later than every time, ms. */
const never = Number.MAX_SAFE_INTEGER

interface Page {
  offset: number
  limit: number
}

export function jobsIn(db: DatabaseSync): Jobs {
  const sql = prepare(db)
  const find = findJobsIn(db)
  const summary = summariesIn(db)
  const team = teamJobsIn(db)
  const oneOf = (id: string) => sql.one.get(id)
  return {
    create: (job, absent) =>
      inTransaction(db, () => {
        if (absent !== undefined) team.checkFree(job, absent)
        create(sql, job)
      }),
    save: (record, changed) => inTransaction(db, () => save(sql, record, changed)),
    take: (id, from, owner) => inTransaction(db, () => take(sql, id, from, owner)),
    open: (endedSince, member) =>
      sql.open
        .all(endedSince)
        .filter((row) => member === undefined || isOwn(recordOf(row) ?? {}, member))
        .flatMap((row) => openOf(sql, row) ?? []),
    unreadable: () => sql.open.all(never).filter((row) => openOf(sql, row) === null).length,
    stored: (id) => storedOf(sql, oneOf(id))?.job ?? null,
    one: (id) => jobOf(summary, oneOf(id)),
    devices: (id, outcomes, page) => devices(sql, id, outcomes, page),
    list: (search, subject, { offset, limit }) => {
      const rows =
        typeof subject === 'object' && subject !== null
          ? sql.numbersOfIncident.all(subject.incident)
          : sql.numbers.all({ device: subject })
      const numbers = rows.map(({ number }) => Number(number))
      const wanted = search === null ? null : find(search)
      const found = wanted === null ? numbers : numbers.filter((number) => wanted.has(number))
      return {
        total: found.length,
        rows: found.slice(offset, offset + limit).flatMap((number) => jobOf(summary, sql.numbered.get(number)) ?? []),
      }
    },
    others: (member, endedSince) =>
      sql.recent.all(endedSince).flatMap((row) => {
        const job = jobOf(summary, row)
        return job === null || isOwn(job, member) ? [] : [{ job, open: team.openKeys(row) }]
      }),
    taken: team.taken,
    lines: (time, after, limit) => lines(sql, time, after, limit),
  }
}

function prepare(db: DatabaseSync) {
  return {
    create: db.prepare(
      'INSERT INTO job (id, kind, created_at, ended_at, undoes, tenants, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    addDevice: db.prepare(
      'INSERT INTO job_device (job, position, key, outcome, has_before, search_text, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    number: db.prepare('SELECT number FROM job WHERE id = ?'),
    save: db.prepare('UPDATE job SET ended_at = ?, text = ? WHERE number = ?'),
    saveDevice: db.prepare(
      'UPDATE job_device SET outcome = ?, has_before = ?, search_text = ?, text = ? WHERE key = ? AND job = ?',
    ),
    open: db.prepare(`SELECT ${jobColumns} FROM job WHERE ended_at IS NULL OR
      (ended_at >= ? AND EXISTS (SELECT 1 FROM job_device WHERE job = number AND outcome = ${outcomesInOrder.indexOf('unknown')}))
      ORDER BY number`),
    recent: db.prepare(
      `SELECT ${jobColumns} FROM job WHERE ended_at IS NULL OR (ended_at IS NOT NULL AND ended_at >= ?) ORDER BY number`,
    ),
    one: db.prepare(`SELECT ${jobColumns} FROM job WHERE id = ?`),
    numbered: db.prepare(`SELECT ${jobColumns} FROM job WHERE number = ?`),
    devices: db.prepare(`SELECT ${deviceColumns} FROM job_device WHERE job = ? ORDER BY position`),
    page: db.prepare(`SELECT ${deviceColumns} FROM job_device
      WHERE job = ? AND outcome IN (SELECT value FROM json_each(?)) ORDER BY outcome, position LIMIT ? OFFSET ?`),
    count: db.prepare(
      'SELECT count(*) AS count FROM job_device WHERE job = ? AND outcome IN (SELECT value FROM json_each(?))',
    ),
    numbers: db.prepare(`SELECT number FROM job
      WHERE :device IS NULL OR number IN (SELECT job FROM job_device WHERE key = :device) ORDER BY created_at DESC, number DESC`),
    numbersOfIncident: db.prepare(`SELECT number FROM job WHERE number IN (SELECT job FROM job_device
      WHERE key IN (SELECT key FROM member WHERE incident = ?)) ORDER BY created_at DESC, number DESC`),
    lines:
      db.prepare(`SELECT ${jobColumns}, ${deviceColumns} FROM job CROSS JOIN job_device ON job_device.job = job.number
      WHERE job.created_at >= :from AND job.created_at <= :until AND job.number >= :number
        AND (job.number > :number OR job_device.position > :position)
      ORDER BY job.number, job_device.position LIMIT :limit`),
  }
}

type Statements = ReturnType<typeof prepare>

function create(sql: Statements, { record, targets }: StoredJob): void {
  if (new Set(targets.map(({ key }) => key)).size < targets.length)
    throw new FaultError('input', 'a device occurs twice in this job')
  const { id, kind, createdAt, endedAt, undoes, tenants } = record
  if (sql.number.get(id) !== undefined) throw new FaultError('input', 'there is such a job already')
  const { lastInsertRowid: number } = sql.create.run(
    id,
    kind,
    createdAt,
    endedAt,
    undoes,
    toJson(tenants),
    jobText(record),
  )
  targets.forEach((target, position) => sql.addDevice.run(number, position, target.key, ...targetCells(target)))
}

function save(sql: Statements, record: JobRecord, changed: readonly JobTarget[]): void {
  const row = sql.one.get(record.id)
  const number = row?.['number']
  if (typeof number !== 'number') throw new FaultError('input', 'the job was erased')
  const owner = recordOf(row ?? {})?.owner
  if (owner !== undefined && owner.member !== record.owner?.member)
    throw new FaultError('input', `${owner.operator} has taken over the job`)
  sql.save.run(record.endedAt, jobText(record), number)
  for (const target of changed) sql.saveDevice.run(...targetCells(target), target.key, number)
}

function take(sql: Statements, id: string, from: string, owner: JobOwner): void {
  const row = sql.one.get(id)
  const record = row && recordOf(row)
  if (!record || record.endedAt !== null) throw new FaultError('input', 'job: It is ended, or there is no such job.')
  if (record.owner?.member !== from) throw new FaultError('input', 'job: Another member has taken it over.')
  sql.save.run(null, jobText({ ...record, owner }), Number(row?.['number']))
}

/** Returns a job with its readable devices, and the number of the others. */
function storedOf(sql: Statements, row: Row | undefined): { job: StoredJob; damaged: number } | null {
  const record = row && recordOf(row)
  if (!record) return null
  const rows = sql.devices.all(Number(row['number']))
  const targets = rows.flatMap((device) => targetOf(device) ?? [])
  return { job: { record, targets }, damaged: rows.length - targets.length }
}

/** Returns a job of which something is awaited; null when nothing of it can be read. */
function openOf(sql: Statements, row: Row): StoredJob | null {
  const stored = storedOf(sql, row)
  if (stored === null || stored.damaged === 0) return stored?.job ?? null
  const {
    job: { record, targets },
    damaged,
  } = stored
  if (targets.length === 0) return null
  const detail = `${damaged} of its devices cannot be read from the journal`
  return { record: { ...record, fault: { kind: 'storage', detail } }, targets }
}

function jobOf(summary: JobSummary, row: Row | undefined): ListedJob | null {
  const record = row && recordOf(row)
  if (!record) return null
  const { linkedDevices: _linked, fields: _fields, ...job } = record
  return { ...job, ...mutationName(record), ...summary(Number(row['number']), record) }
}

function devices(
  sql: Statements,
  id: string,
  outcomes: readonly Outcome[] | null,
  { offset, limit }: Page,
): ReturnType<Jobs['devices']> {
  const number = sql.number.get(id)?.['number']
  if (typeof number !== 'number') return { total: 0, rows: [] }
  const wanted = toJson((outcomes ?? outcomesInOrder).map((outcome) => outcomesInOrder.indexOf(outcome)))
  return {
    total: Number(sql.count.get(number, wanted)?.['count']),
    rows: sql.page.all(number, wanted, limit, offset).flatMap((row) => deviceOf(targetOf(row)) ?? []),
  }
}

function deviceOf(target: JobTarget | null): JobDevice | null {
  if (target === null) return null
  const { id: _id, droppedAt: _dropped, backAt: _back, checkIn: _checkIn, ...device } = target
  return device
}

function lines(
  sql: Statements,
  { from, until }: { from: number; until: number },
  after: Pick<JobLine, 'number' | 'position'> | null,
  limit: number,
): ReturnType<Jobs['lines']> {
  const rows = sql.lines.all({ from, until, number: after?.number ?? 0, position: after?.position ?? -1, limit })
  const last = rows.length < limit ? undefined : rows.at(-1)
  return {
    lines: rows.flatMap((row) => {
      const record = recordOf(row)
      const target = targetOf(row)
      return record && target ? { record, target, ...placeOf(row) } : []
    }),
    next: last === undefined ? null : placeOf(last),
  }
}

const placeOf = (row: Row) => ({ number: Number(row['number']), position: Number(row['position']) })
