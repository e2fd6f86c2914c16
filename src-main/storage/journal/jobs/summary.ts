import type { DatabaseSync } from 'node:sqlite'
import type { Job, Outcome, RecordedKind } from '../../../../src-shared/model/jobs.ts'
import { deviceColumns, targetOf } from './rows.ts'
import { outcomesInOrder } from './values.ts'

/** Returns what a list shows of a job's devices, by the job's number. */
export type JobSummary = (
  number: number,
  job: Pick<Job, 'id' | 'kind' | 'place'>,
) => Pick<Job, 'devices' | 'device' | 'counts' | 'undoable'>

/** Jobs that change values of devices, which can be changed back. */
const changesValues: ReadonlySet<RecordedKind> = new Set(['rename', 'move', 'update'])

export function summariesIn(db: DatabaseSync): JobSummary {
  const sql = {
    counts: db.prepare('SELECT outcome, count(*) AS count FROM job_device WHERE job = ? GROUP BY outcome'),
    only: db.prepare(`SELECT ${deviceColumns} FROM job_device WHERE job = ? LIMIT 1`),
    // A device is undone where a job that undoes this one has done it.
    undoable: db.prepare(`SELECT 1 FROM job_device AS own
      WHERE own.job = :number AND own.outcome = :done AND own.has_before = 1 AND NOT EXISTS (
        SELECT 1 FROM job_device AS undone WHERE undone.key = own.key AND undone.outcome = :done
          AND undone.job IN (SELECT number FROM job WHERE undoes = :id)) LIMIT 1`),
  }
  const done = outcomesInOrder.indexOf('done')
  const nameOfOnly = (number: number): { device?: string } => {
    const row = sql.only.get(number)
    const target = row === undefined ? null : targetOf(row)
    return target === null ? {} : { device: target.name }
  }
  return (number, { id, kind, place }) => {
    const counts: Record<Outcome, number> = {
      pending: 0,
      sent: 0,
      done: 0,
      refused: 0,
      'not-sent': 0,
      unknown: 0,
      'not-back': 0,
    }
    for (const row of sql.counts.all(number)) {
      const outcome = outcomesInOrder[Number(row['outcome'])]
      if (outcome !== undefined) counts[outcome] += Number(row['count'])
    }
    const devices = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return {
      devices,
      ...(devices === 1 && place === null && nameOfOnly(number)),
      counts,
      undoable: changesValues.has(kind) && sql.undoable.get({ number, done, id }) !== undefined,
    }
  }
}
