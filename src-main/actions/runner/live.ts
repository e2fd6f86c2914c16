import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ExpectedReboot, Job } from '../../../src-shared/model/jobs.ts'
import { shownJob, type JobTarget, type StoredJob } from '../../storage/journal/job-records.ts'
import { isPending, isReboot, isSent, type RunningJob } from '../engine/job.ts'
import type { JobEvent } from '../engine/step.ts'
import { startCarrying, type Carrying } from './carrying.ts'
import { createLiveJob, type LiveJob } from './live-job.ts'
import type { JobsOptions } from './ports.ts'
import { saveJob } from './save.ts'
import { endedMs, expectedOf, summaryOf } from './summary.ts'

/** Largest number of jobs that are listed, unless more are open. */
const maxListed = 50

export interface Live {
  job: LiveJob
  carrying: Carrying
  expected: readonly ExpectedReboot[]
}

/** The jobs in memory. */
export interface JobsState {
  readonly options: JobsOptions
  readonly live: Map<string, Live>
  /** Ended jobs of the last hour without their devices, and the mutations that the operator wrote. */
  readonly ended: Map<string, Job>
  /** Keys of devices that are about to be in a job. */
  readonly reserved: Set<string>
  /** The ids of jobs that are being created: they are begun once they are stored. */
  readonly starting: Set<string>
  /** The mutations that the operator wrote in this run, as far as they may not be on disk. */
  readonly mutations: Map<string, StoredJob>
  /** Reboots of ended jobs whose drop is still expected. */
  readonly expected: Set<ExpectedReboot>
  /** The job that rebooted each device last, and when, ms, by the device's key. */
  readonly lastReboots: Map<string, { job: string; sentAt: number }>
  /** The last event that halted all jobs, to be applied to one that was being stored meanwhile. */
  halt: JobEvent | null
  restoring: Promise<void> | null
  stopping: boolean
}

/** Takes a job into memory. Its first event is for the caller to apply. */
export function openLive(state: JobsState, initial: RunningJob): Live {
  const { options } = state
  const { clock, log } = options
  const job = createLiveJob(initial, {
    save: (state, changed) => saveJob(options.data, state, changed),
    clock,
    carryOut: (effects) => live.carrying.carryOut(effects),
    // What was about to be sent is looked at again.
    onLate: () => live.carrying.withdraw(Promise.resolve()),
    onUnsaved({ kind }) {
      // Its devices were erased with their connection, or another member has taken it over.
      if (kind === 'input') dropLive(state, live)
      else log('warn', `a job could not be written, and is paused (${kind})`)
    },
    onState() {
      // What waits for points or a token does not leave after a halt.
      if (job.state().record.state !== 'running') carrying.withdraw(Promise.resolve())
      publishExpected(state, live)
    },
    onBegun() {
      // A proof that was just asked for keeps it.
      release(state, live)
      options.onChange()
    },
  })
  const carrying = startCarrying(options, {
    ...job,
    onIdle: () => release(state, live),
    onSend: (targets) => noteReboots(state, initial, targets),
    onUnsent: (targets) => forgetReboots(state, initial, targets),
    isRebootedAgain: ({ key }) => rebootedAgainAt(state, initial, key) !== null,
  })
  const live: Live = { job, carrying, expected: [] }
  state.live.set(initial.record.id, live)
  return live
}

const isOpen = (target: JobTarget): boolean => isPending(target) || isSent(target)

export function isBusy({ live, reserved, options: { others } }: JobsState, key: string): boolean {
  if (reserved.has(key) || others.isBusy(key)) return true
  for (const each of live.values()) {
    const target = targetOf(each, key)
    if (target !== undefined && isOpen(target)) return true
  }
  return false
}

/** Returns a device of a job; undefined where it is none of its devices. */
export function targetOf({ job }: Live, key: string): JobTarget | undefined {
  const { positions, targets } = job.state()
  const position = positions.get(key)
  return position === undefined ? undefined : targets[position]
}

/** Drops a job whose devices were erased, or that another member has taken over. */
export function dropLive(state: JobsState, live: Live): void {
  live.job.close()
  live.carrying.withdraw(Promise.resolve())
  state.live.delete(live.job.state().record.id)
  state.options.onExpected(allExpected(state))
  state.options.onChange()
}

/** Notes that a job rebooted devices just now, after all others. A job of another kind changes nothing. */
export function noteReboots({ lastReboots }: JobsState, job: RunningJob, targets: readonly JobTarget[]): void {
  if (!isReboot(job)) return
  for (const { key, sentAt } of targets) if (sentAt !== null) lastReboots.set(key, { job: job.record.id, sentAt })
}

/** Notes that a job did not reboot devices: the order did not leave, or the service said no. */
function forgetReboots({ lastReboots }: JobsState, { record }: RunningJob, targets: readonly JobTarget[]): void {
  for (const { key } of targets) if (lastReboots.get(key)?.job === record.id) lastReboots.delete(key)
}

/** Returns when another job rebooted a device since, ms; what is seen of it from then on proves that one. Null: none. */
export function rebootedAgainAt({ lastReboots }: JobsState, job: RunningJob, key: string): number | null {
  const last = isReboot(job) ? lastReboots.get(key) : undefined
  return last === undefined || last.job === job.record.id ? null : last.sentAt
}

/** Returns a job that this Muster runs. Rejects with `input` for an ended, another member's or an unknown one. */
export async function liveOf({ live, options: { data, others } }: JobsState, id: string): Promise<Live> {
  const found = live.get(id)
  if (found !== undefined) return found
  const job = await data.job({ id }).catch(() => null)
  const operator = job?.endedAt === null ? shownJob(job, others.member()).owner : undefined
  if (operator === undefined) throw new FaultError('input', 'job: It is ended, or there is no such job.')
  throw new FaultError('input', `job: It is ${operator}’s: only ${operator}’s Muster can control it.`)
}

export function tenantsOf({ targets }: RunningJob): string[] {
  const pending = targets.filter(isPending)
  const keys = (pending.length > 0 ? pending : targets).map(({ tenant }) => tenant.key)
  // A line of a file that names no known device has no tenant.
  return [...new Set(keys)].filter((key) => key !== '')
}

export function listOf({ live, ended, options }: JobsState): Job[] {
  const since = options.clock.now() - endedMs
  for (const [id, job] of ended) if (job.endedAt !== null && job.endedAt < since) ended.delete(id)
  const isListed = (job: Job): boolean => job.endedAt === null || job.endedAt >= since
  const present = [...live.values()].map(({ job }) => summaryOf(job.state()))
  // What was taken over is still listed as another member's, until that is read again.
  const others = options.others.list().filter(({ id }) => !live.has(id) && !ended.has(id))
  const listed = [...present, ...ended.values(), ...others]
    .filter(isListed)
    .toSorted((one, other) => other.createdAt - one.createdAt)
  const done = listed.filter(({ endedAt }) => endedAt !== null)
  const over = new Set(done.slice(Math.max(0, maxListed - (listed.length - done.length))))
  return listed.filter((job) => !over.has(job))
}

/** Publishes the expected reboots where those of this job changed. */
function publishExpected(state: JobsState, live: Live): void {
  const { clock, onExpected } = state.options
  const expected = expectedOf(live.job.state(), clock.now())
  const isSame =
    expected.length === live.expected.length &&
    expected.every(({ key, sentAt }, at) => key === live.expected[at]?.key && sentAt === live.expected[at]?.sentAt)
  live.expected = expected
  if (!isSame) onExpected(allExpected(state))
}

/** Returns the reboots of all jobs whose drop is expected. */
export function allExpected({ live, expected, options }: JobsState): ExpectedReboot[] {
  const now = options.clock.now()
  for (const each of expected) if (each.until <= now) expected.delete(each)
  return [...expected, ...[...live.values()].flatMap((each) => each.expected)]
}

/** Keeps only the summary of a job of which nothing is awaited any more. */
function release(state: JobsState, live: Live): void {
  const job = live.job.state()
  const { record, targets, asked } = job
  const isOver =
    record.endedAt !== null &&
    live.carrying.isIdle() &&
    live.job.isSaved() &&
    targets.every((target, at) => !isOpen(target) && (target.outcome !== 'unknown' || asked.has(at)))
  if (!isOver || state.live.get(record.id) !== live) return
  live.job.close()
  state.live.delete(record.id)
  const summary = summaryOf(job)
  state.ended.set(record.id, summary)
  if (!isReboot(job) && summary.counts.done > 0) state.options.onWritten(tenantsOf(job), record.kind)
  for (const each of live.expected) state.expected.add(each)
  for (const id of [record.id, record.undoes]) if (id !== null) void readEnded(state, id)
}

/** Reads an ended job again: whether it can be undone depends on other jobs. */
async function readEnded({ ended, options: { data, others, onChange } }: JobsState, id: string): Promise<void> {
  const job = await data.job({ id }).catch(() => null)
  if (job === null || !ended.has(id)) return
  ended.set(id, others.shown(job))
  onChange()
}
