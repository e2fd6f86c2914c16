import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ExpectedReboot, Job } from '../../../src-shared/model/jobs.ts'
import type { JobTarget } from '../../storage/journal/job-records.ts'
import { isPending, isReboot, isSent, type RunningJob } from '../engine/job.ts'
import { startCarrying, type Carrying } from './carrying.ts'
import { createLiveJob, type LiveJob } from './live-job.ts'
import type { JobsOptions } from './ports.ts'
import { expectedOf, summaryOf } from './summary.ts'

/** Ended jobs are listed for this long, ms. */
export const endedMs = 60 * 60_000
/** Largest number of jobs that are listed. */
const maxListed = 50

export interface Live {
  job: LiveJob
  carrying: Carrying
  /** Positions of the devices by their keys; empty for a place. */
  positions: ReadonlyMap<string, number>
  expected: readonly ExpectedReboot[]
}

/** The jobs in memory. */
export interface JobsState {
  readonly options: JobsOptions
  readonly live: Map<string, Live>
  /** Ended jobs of the last hour without their devices. */
  readonly ended: Map<string, Job>
  /** Keys of devices that are about to be in a job. */
  readonly reserved: Set<string>
  /** Reboots of ended jobs whose drop is still expected. */
  readonly expected: Set<ExpectedReboot>
  restoring: Promise<void> | null
  stopping: boolean
}

/** Takes a job into memory. Its first event is for the caller to apply. */
export function openLive(state: JobsState, initial: RunningJob): Live {
  const { options } = state
  const { clock, log } = options
  const job = createLiveJob(initial, {
    save: options.data.saveJob,
    clock,
    carryOut: (effects) => live.carrying.carryOut(effects),
    onUnsaved: ({ kind }) => log('warn', `a job could not be written, and is paused (${kind})`),
    onState() {
      publishExpected(state, live)
      release(state, live)
      options.onChange()
    },
  })
  const carrying = startCarrying(options, { ...job, onIdle: () => release(state, live) })
  const live: Live = { job, carrying, positions: positionsByKey(initial), expected: [] }
  state.live.set(initial.record.id, live)
  return live
}

function positionsByKey({ record, targets }: RunningJob): Map<string, number> {
  const positions = new Map<string, number>()
  if (record.place !== null) return positions
  for (const [position, target] of targets.entries())
    if (isOpen(target) || target.outcome === 'unknown') positions.set(target.key, position)
  return positions
}

const isOpen = (target: JobTarget): boolean => isPending(target) || isSent(target)

export function isBusy({ live, reserved }: JobsState, key: string): boolean {
  if (reserved.has(key)) return true
  for (const { job, positions } of live.values()) {
    const position = positions.get(key)
    const target = position === undefined ? undefined : job.state().targets[position]
    if (target !== undefined && isOpen(target)) return true
  }
  return false
}

export function liveOf({ live }: JobsState, id: string): Live {
  const found = live.get(id)
  if (found === undefined) throw new FaultError('input', 'job: It is ended, or there is no such job.')
  return found
}

export function tenantsOf({ targets }: RunningJob): string[] {
  const pending = targets.filter(isPending)
  return [...new Set((pending.length > 0 ? pending : targets).map(({ tenant }) => tenant.key))]
}

export function listOf({ live, ended, options }: JobsState): Job[] {
  const since = options.clock.now() - endedMs
  for (const [id, job] of ended) if ((job.endedAt ?? 0) < since) ended.delete(id)
  const isListed = (job: Job): boolean => job.endedAt === null || job.endedAt >= since
  const present = [...live.values()].map(({ job }) => summaryOf(job.state()))
  return [...present, ...ended.values()]
    .filter(isListed)
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .slice(0, maxListed)
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

function allExpected({ live, expected, options }: JobsState): ExpectedReboot[] {
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
async function readEnded({ ended, options: { data, onChange } }: JobsState, id: string): Promise<void> {
  const job = await data.job({ id }).catch(() => null)
  if (job === null || !ended.has(id)) return
  ended.set(id, job)
  onChange()
}
