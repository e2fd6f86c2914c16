import type { DatabaseSync } from 'node:sqlite'

/** Statistics of the journal, for support. Times in ms. */
export interface JournalStatistics {
  /** Time of the first and the last transition; null when there is none. */
  first: number | null
  last: number | null
  /** True when `days` and `busiest` include all transitions of their time; otherwise only the latest. */
  whole: boolean
  /** Transitions of each of the last thirty days in UTC, and how many of them were not observed when they occurred. */
  days: { day: string; transitions: number; missed: number }[]
  /** The devices with the most transitions in the last seven days. */
  busiest: { key: string; transitions: number }[]
  incidents: { kind: string; open: number; closed: number }[]
  /** `open`: not ended. */
  jobs: { kind: string; open: number; ended: number; devices: number }[]
  /** The operator's actions, by kind. */
  actions: { kind: string; count: number }[]
}

const dayMs = 24 * 3600_000
const days = 30
const busyDays = 7
const maxBusiest = 20
/** Number of latest transitions that are read: a journal of millions would block its thread for a second. */
const maxRead = 100_000

export type Statistics = (now: number) => JournalStatistics

export function statisticsIn(db: DatabaseSync, limit = maxRead): Statistics {
  const sql = {
    span: db.prepare('SELECT (SELECT min(at) FROM transition) AS first, (SELECT max(at) FROM transition) AS last'),
    days: db.prepare(`SELECT date(at / 1000, 'unixepoch') AS day, count(*) AS transitions, count(not_before) AS missed
      FROM (SELECT at, not_before FROM transition WHERE at >= ? ORDER BY at DESC LIMIT ${limit}) GROUP BY day ORDER BY day`),
    busiest: db.prepare(`SELECT key, count(*) AS transitions
      FROM (SELECT key FROM transition WHERE at >= ? ORDER BY at DESC LIMIT ${limit}) GROUP BY key ORDER BY transitions DESC, key LIMIT ${maxBusiest}`),
    incidents: db.prepare(
      'SELECT kind, count(*) - count(closed_at) AS open, count(closed_at) AS closed FROM incident GROUP BY kind ORDER BY kind',
    ),
    jobs: db.prepare(`SELECT kind, count(*) - count(ended_at) AS open, count(ended_at) AS ended,
      sum((SELECT count(*) FROM job_device WHERE job = job.number)) AS devices FROM job GROUP BY kind ORDER BY kind`),
    actions: db.prepare('SELECT kind, count(*) AS count FROM action GROUP BY kind ORDER BY kind'),
  }
  return (now) => {
    const span = sql.span.get()
    const perDay = sql.days.all(now - days * dayMs).map((row) => ({
      day: String(row['day']),
      transitions: Number(row['transitions']),
      missed: Number(row['missed']),
    }))
    return {
      first: time(span?.['first']),
      last: time(span?.['last']),
      whole: perDay.reduce((sum, { transitions }) => sum + transitions, 0) < limit,
      days: perDay,
      busiest: sql.busiest
        .all(now - busyDays * dayMs)
        .map((row) => ({ key: String(row['key']), transitions: Number(row['transitions']) })),
      incidents: sql.incidents
        .all()
        .map((row) => ({ kind: String(row['kind']), open: Number(row['open']), closed: Number(row['closed']) })),
      jobs: sql.jobs.all().map((row) => ({
        kind: String(row['kind']),
        open: Number(row['open']),
        ended: Number(row['ended']),
        devices: Number(row['devices']),
      })),
      actions: sql.actions.all().map((row) => ({ kind: String(row['kind']), count: Number(row['count']) })),
    }
  }
}

const time = (value: unknown) => (typeof value === 'number' ? value : null)
