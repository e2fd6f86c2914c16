import type { ExpectedReboot, Job, Outcome, RecordedKind } from '../../../src-shared/model/jobs.ts'
import { mutationName, type JobRecord, type JobTarget } from '../../storage/journal/job-records.ts'
import { isReboot, waitMs, type RunningJob } from '../engine/job.ts'

/** Ended jobs are listed for this long, ms. */
export const endedMs = 60 * 60_000

/** Returns a job of this Muster as lists show it. */
export function summaryOf({ record, targets }: { record: JobRecord; targets: readonly JobTarget[] }): Job {
  const { linkedDevices: _linkedDevices, fields: _fields, owner: _owner, ...shown } = record
  const counts = { pending: 0, sent: 0, done: 0, refused: 0, 'not-sent': 0, unknown: 0, 'not-back': 0 }
  for (const { outcome } of targets) counts[outcome] += 1
  const [only, ...others] = targets
  return {
    ...shown,
    ...mutationName(record),
    devices: targets.length,
    ...(only !== undefined && others.length === 0 && record.place === null && { device: only.name }),
    counts,
    undoable: changesValues.has(record.kind) && targets.some(isUndoable),
  }
}

const changesValues: ReadonlySet<RecordedKind> = new Set<RecordedKind>(['rename', 'move', 'update'])
const isUndoable = ({ outcome, before }: JobTarget): boolean =>
  outcome === 'done' && Object.values(before).some((value) => value !== undefined)

/** Outcomes of a reboot that may be under way. A device that is back may fail again, which is alerted. */
const begun: ReadonlySet<Outcome> = new Set<Outcome>(['sent', 'unknown', 'not-back'])

/** Returns the reboots of a job whose drop is expected now. */
export function expectedOf(job: RunningJob, now: number): ExpectedReboot[] {
  if (!isReboot(job)) return []
  const wait = waitMs(job.record.plan)
  return job.targets.flatMap(({ key, sentAt, outcome }) =>
    sentAt !== null && begun.has(outcome) && sentAt + wait > now
      ? [{ key, job: job.record.id, sentAt, until: sentAt + wait }]
      : [],
  )
}
