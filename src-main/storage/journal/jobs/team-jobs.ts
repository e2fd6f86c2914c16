import type { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { toJson } from '../json.ts'
import { isSamePlace, type JobOwner, type JobRecord, type StoredJob } from '../job-records.ts'
import { jobColumns, recordOf, type Row } from './rows.ts'
import { outcomesInOrder } from './values.ts'

/**
 * What the jobs of a team's members have to do with each other. A job without an owner is in one member's journal alone:
 * members would not answer alike, so that it never counts here.
 */
export interface TeamJobs {
  /**
   * Throws a fault of kind `input` where an open job of a member that is not `absent` (ids) has not sent one of the job's
   * pending devices yet, or awaits it, or writes the same place.
   */
  checkFree(job: StoredJob, absent: readonly string[]): void
  /** Returns the keys of the devices that an open job (its row) has not sent yet, or awaits; none for a place or a mutation. */
  openKeys(row: Row): string[]
  /**
   * Returns which of these devices (keys) of a job another member's open job awaits, or that is newer and has not sent them
   * yet. Jobs of `absent` members do not count.
   */
  taken(input: { job: string; member: string; keys: readonly string[]; absent: readonly string[] }): string[]
}

export function teamJobsIn(db: DatabaseSync): TeamJobs {
  const numberOf = (outcome: (typeof outcomesInOrder)[number]) => outcomesInOrder.indexOf(outcome)
  const open = [numberOf('pending'), numberOf('sent')].join(', ')
  const sql = {
    open: db.prepare(`SELECT ${jobColumns} FROM job WHERE ended_at IS NULL`),
    openKeys: db.prepare(`SELECT key FROM job_device WHERE job = ? AND outcome IN (${open})`),
    acting: db.prepare(`SELECT ${jobColumns}, job_device.key, job_device.outcome FROM json_each(?) AS wanted
      CROSS JOIN job_device ON job_device.key = wanted.value CROSS JOIN job ON job.number = job_device.job
      WHERE job_device.outcome IN (${open}) AND job.ended_at IS NULL`),
    number: db.prepare('SELECT number FROM job WHERE id = ?'),
  }
  /** The open jobs of members that count, for each device that they act on. */
  const acting = (keys: readonly string[], absent: readonly string[]) =>
    sql.acting.all(toJson(keys)).flatMap((row) => {
      const owner = ownerThatCounts(recordOf(row), absent)
      const isSent = row['outcome'] === numberOf('sent')
      return owner === null ? [] : [{ owner, key: String(row['key']), number: Number(row['number']), isSent }]
    })
  const checkPlace = (place: NonNullable<JobRecord['place']>, absent: readonly string[]) => {
    for (const row of sql.open.all()) {
      const record = recordOf(row)
      const owner = ownerThatCounts(record, absent)
      if (owner !== null && record?.place != null && isSamePlace(record.place, place))
        throw new FaultError('input', `sheet: ${jobOf(owner)} writes this ${place.kind}. Prepare the action again.`)
    }
  }
  return {
    checkFree({ record, targets }, absent) {
      if (record.place !== null) return checkPlace(record.place, absent)
      const keys = targets.flatMap(({ key, outcome }) => (outcome === 'pending' ? key : []))
      const found = acting(keys, absent)
      const [first] = found
      if (first === undefined) return
      const devices = new Set(found.map(({ key }) => key)).size
      const what = devices === 1 ? 'one of these devices' : `${devices} of these devices`
      throw new FaultError('input', `sheet: ${jobOf(first.owner)} acts on ${what}. Prepare the action again.`)
    },
    openKeys(row) {
      const record = recordOf(row)
      const isOfDevices = record?.endedAt === null && record.place === null && record.kind !== 'mutation'
      return isOfDevices ? sql.openKeys.all(Number(row['number'])).map(({ key }) => String(key)) : []
    },
    taken({ job, member, keys, absent }) {
      const own = Number(sql.number.get(job)?.['number'] ?? 0)
      const others = acting(keys, absent).filter(({ owner }) => owner.member !== member)
      return [...new Set(others.filter(({ isSent, number }) => isSent || number > own).map(({ key }) => key))]
    },
  }
}

const ownerThatCounts = (record: JobRecord | null, absent: readonly string[]): JobOwner | null =>
  record?.owner === undefined || absent.includes(record.owner.member) ? null : record.owner

const jobOf = ({ operator }: JobOwner): string => `Another job, of ${operator},`
