import type { Fault } from '../../../src-shared/model/fault.ts'
import type { JobPlan } from '../../../src-shared/model/jobs.ts'
import type { ActionJob, JobRecord, JobTarget } from '../../storage/journal/job-records.ts'

/**
 * A batch is looked at and sent part by part. `rest`: positions of the batch that come after this part; `ready`: those of
 * the part that were looked at, at `seenAt` (ms), and are not sent yet.
 */
export type Phase =
  | { kind: 'between' }
  | { kind: 'looking'; part: readonly number[]; rest: readonly number[] }
  | { kind: 'sending'; part: readonly number[]; ready: readonly number[]; rest: readonly number[]; seenAt: number }
  | { kind: 'awaiting' }

/** A job while it runs. A target's position is its index. */
export interface RunningJob {
  readonly record: ActionJob['record']
  readonly targets: readonly JobTarget[]
  /** Positions of the devices by their keys; empty for a place. */
  readonly positions: ReadonlyMap<string, number>
  readonly phase: Phase
  /** Positions whose proof was asked for already. */
  readonly asked: ReadonlySet<number>
}

/**
 * What the runner does after the step is on disk. `withdrawAfter`: what has not left after so many ms, as it waits for
 * points, is not sent; null: it may wait.
 */
export type Effect =
  | { kind: 'look'; positions: readonly number[] }
  | { kind: 'send'; positions: readonly number[]; withdrawAfter: number | null }
  | { kind: 'prove'; positions: readonly number[] }
  | { kind: 'wake'; at: number }

export interface Step {
  job: RunningJob
  effects: Effect[]
}

/** Returns a stored job as it runs, before its first event. */
export const runningJob = ({ record, targets }: ActionJob): RunningJob => ({
  record,
  targets,
  positions: new Map(record.place === null ? targets.map(({ key }, position) => [key, position]) : []),
  phase: { kind: 'between' },
  asked: new Set(),
})

export const isReboot = ({ record }: RunningJob): boolean => record.kind === 'reboot'
export const waitMs = ({ waitMinutes }: JobPlan): number => waitMinutes * 60_000

/** Returns the job with some targets changed. */
export function withTargets(
  job: RunningJob,
  positions: Iterable<number>,
  change: (target: JobTarget, position: number) => JobTarget,
): RunningJob {
  const targets = [...job.targets]
  for (const position of positions) {
    const target = targets[position]
    if (target !== undefined) targets[position] = change(target, position)
  }
  return { ...job, targets }
}

export const withRecord = (job: RunningJob, change: Partial<Omit<JobRecord, 'kind'>>): RunningJob => ({
  ...job,
  record: { ...job.record, ...change },
})

/** Returns the positions of the targets that meet a condition. */
export const positionsOf = (job: RunningJob, meets: (target: JobTarget) => boolean): number[] =>
  job.targets.flatMap((target, position) => (meets(target) ? position : []))

export const isPending = ({ outcome }: JobTarget): boolean => outcome === 'pending'
export const isSent = ({ outcome }: JobTarget): boolean => outcome === 'sent'
/** Returns whether a device was sent, and what follows may still prove what came of it. */
export const isProvable = (target: JobTarget): target is JobTarget & { sentAt: number } =>
  target.sentAt !== null && (target.outcome === 'sent' || target.outcome === 'unknown')
export const isUnanswered = (target: JobTarget): boolean => isSent(target) && target.answeredAt === null

/** Returns a target that is not sent, with the reason. */
export const notSent = (target: JobTarget, fault: Fault | null, obstacle: JobTarget['obstacle'] = null): JobTarget => ({
  ...target,
  outcome: 'not-sent',
  obstacle,
  words: fault === null ? null : fault.detail === '' ? fault.kind : `${fault.kind}: ${fault.detail}`,
  sentAt: null,
})
