import { randomUUID } from 'node:crypto'
import { wait } from '../../../src-shared/lib/clock.ts'
import { FaultError, type Fault } from '../../../src-shared/model/fault.ts'
import type { Job, JobPlan } from '../../../src-shared/model/jobs.ts'
import type { Change } from '../../inventory/thread/protocol.ts'
import type { JobTarget, StoredJob } from '../../storage/journal/job-records.ts'
import { isPending, type RunningJob } from '../engine/job.ts'
import type { SheetJob } from '../sheets/sheets.ts'
import type { JobEvent } from '../engine/step.ts'
import { endedMs, isBusy, listOf, liveOf, openLive, tenantsOf, type JobsState } from './live.ts'
import type { JobsOptions } from './ports.ts'
import { missedTransitions } from './missed.ts'

/** Runs jobs (docs/actions.md). Each step is on disk before its effects (invariants 2 and 16). */
export interface Jobs {
  /**
   * Restores the jobs that are not ended, as interrupted, once; after a failure the next call tries again. Rejects where they
   * cannot be read or written.
   */
  restore(): Promise<void>
  /** Jobs that are not ended, and those that ended in the last hour, the newest first. */
  list(): Job[]
  /** Stores a job and begins it. Resolves with its id. Rejects where it cannot be stored; then nothing is sent. */
  start(sheet: SheetJob, plan: JobPlan): Promise<string>
  /** Returns the keys of the tenants that a job still acts on; those of all its devices where none is left. */
  tenantsOf(id: string): string[]
  /** Resolves when the command is on disk. Rejects with `input` for a job that is ended or unknown, or the disk's fault. */
  control(id: string, command: 'pause' | 'continue' | 'stop'): Promise<void>
  /** Returns whether a job that is not ended acts on a device. */
  isBusy(key: string): boolean
  /** Handles a change of the inventory: its transitions prove reboots. */
  applyChange(change: Pick<Change, 'transitions'>): void
  /** Handles sleep, or lost time: the jobs wait for the operator. */
  sleep(): void
  /** Pauses all jobs, because nothing may be sent. */
  block(fault: Fault): void
  /** Ends all jobs' work: what is on its way is awaited for a moment, and nothing is sent any more. */
  stop(): Promise<void>
}

/** Time for answers that are on their way when Muster ends, ms. */
const lastAnswersMs = 2_000

export function createJobs(options: JobsOptions): Jobs {
  const { clock } = options
  const state: JobsState = {
    options,
    live: new Map(),
    ended: new Map(),
    reserved: new Set(),
    expected: new Set(),
    restoring: null,
    stopping: false,
  }
  const all = (event: (at: number) => JobEvent) => {
    for (const { job } of state.live.values()) void job.apply(event(clock.now())).catch(() => {})
  }
  const restore = () =>
    (state.restoring ??= restoreAll(state).catch((error: unknown) => {
      state.restoring = null
      throw error
    }))
  return {
    restore,
    list: () => listOf(state),
    async start(sheet, plan) {
      await restore()
      return start(state, sheet, plan)
    },
    tenantsOf: (id) => tenantsOf(liveOf(state, id).job.state()),
    async control(id, command) {
      await restore()
      if (state.stopping) throw new FaultError('stopped')
      await liveOf(state, id).job.apply({ kind: command, at: clock.now() })
    },
    isBusy: (key) => isBusy(state, key),
    applyChange({ transitions }) {
      for (const each of transitions)
        for (const { job, positions } of state.live.values())
          if (positions.has(each.key)) void job.apply({ kind: 'transition', ...each }).catch(() => {})
    },
    sleep: () => all((at) => ({ kind: 'sleep', at })),
    block: (fault) => all((at) => ({ kind: 'blocked', at, fault })),
    stop: () => stopAll(state),
  }
}

async function start(state: JobsState, { record, targets: wanted }: SheetJob, plan: JobPlan): Promise<string> {
  if (state.stopping) throw new FaultError('stopped')
  const { clock, data } = state.options
  const isDevices = record.place === null
  const targets = (isDevices ? onceEach(wanted) : wanted).map((target) =>
    isDevices && isPending(target) && isBusy(state, target.key)
      ? { ...target, outcome: 'not-sent' as const, obstacle: 'busy' as const }
      : target,
  )
  const pending = targets.filter(isPending)
  if (pending.length === 0) throw new FaultError('input', 'sheet: Another job acts on these devices.')
  const reserved = isDevices ? pending.map(({ key }) => key) : []
  for (const key of reserved) state.reserved.add(key)
  try {
    const job: StoredJob = {
      record: {
        ...record,
        id: randomUUID(),
        plan,
        state: 'scheduled',
        fault: null,
        createdAt: clock.now(),
        startedAt: null,
        endedAt: null,
      },
      targets,
    }
    await data.createJob(job)
    // It is stored: the next start of Muster shows it as interrupted.
    if (!state.stopping) await begin(state, job)
    return job.record.id
  } finally {
    for (const key of reserved) state.reserved.delete(key)
  }
}

/** Returns each device once: a repeated line of a file, or one that names no device, is no part of a job. */
function onceEach(targets: readonly JobTarget[]): JobTarget[] {
  const byKey = new Map<string, JobTarget>()
  for (const target of targets) {
    const known = byKey.get(target.key)
    if (target.key !== '' && (known === undefined || (!isPending(known) && isPending(target))))
      byKey.set(target.key, target)
  }
  return [...byKey.values()]
}

const inMemory = ({ record, targets }: StoredJob): RunningJob => ({
  record,
  targets,
  phase: { kind: 'between' },
  asked: new Set(),
})

async function begin(state: JobsState, job: StoredJob): Promise<void> {
  const { clock } = state.options
  const live = openLive(state, inMemory(job))
  // Where that cannot be written the job is paused, with the fault.
  await live.job.apply({ kind: 'begin', at: clock.now() }).catch(() => {})
}

async function restoreAll(state: JobsState): Promise<void> {
  const { clock, data, log } = state.options
  const open = await data.openJobs()
  const { rows } = await data.jobs({ text: '', device: null, offset: 0, limit: 50 })
  const since = clock.now() - endedMs
  for (const job of rows) if (job.endedAt !== null && job.endedAt >= since) state.ended.set(job.id, job)
  for (const job of open) {
    const live = openLive(state, inMemory(job))
    state.ended.delete(job.record.id)
    // Where that cannot be written it is kept in memory and written later.
    await live.job.apply({ kind: 'restore', at: clock.now() }).catch(() => {})
    // Not awaited: the connections need not wait for it.
    missedTransitions(data, live.job.state()).then(
      (events) => {
        for (const event of events) void live.job.apply(event).catch(() => {})
      },
      () => log('warn', 'the transitions of an interrupted job could not be read'),
    )
  }
}

/** Ends all work. The jobs are interrupted, and what is on its way gets a moment for its answer. */
async function stopAll(state: JobsState): Promise<void> {
  const { clock } = state.options
  state.stopping = true
  const all = [...state.live.values()]
  const interrupted = all.map(({ job }) => job.apply({ kind: 'sleep', at: clock.now() }).catch(() => {}))
  const timer = new AbortController()
  const finished = Promise.all(all.map(({ carrying }) => carrying.finish()))
  await Promise.race([finished, wait(clock, lastAnswersMs, timer.signal).catch(() => {})])
  timer.abort()
  for (const { carrying } of all) carrying.abort()
  await finished
  await Promise.all(interrupted)
  for (const { job } of all) {
    await job.settled()
    job.close()
  }
}
