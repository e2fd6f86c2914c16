import { randomUUID } from 'node:crypto'
import { wait } from '../../../src-shared/lib/clock.ts'
import { FaultError, type Fault } from '../../../src-shared/model/fault.ts'
import type { ExpectedReboot, Job, JobPlan } from '../../../src-shared/model/jobs.ts'
import type { Change } from '../../inventory/thread/change.ts'
import { isAction, type ActionJob, type JobTarget, type StoredJob } from '../../storage/journal/job-records.ts'
import { isPending, isProvable, runningJob } from '../engine/job.ts'
import type { SheetJob } from '../sheets/sheets.ts'
import type { JobEvent } from '../engine/step.ts'
import {
  allExpected,
  endedMs,
  isBusy,
  listOf,
  liveOf,
  noteReboots,
  openLive,
  rebootedAgainAt,
  targetOf,
  tenantsOf,
  type JobsState,
  type Live,
} from './live.ts'
import { interruptedMutation } from './mutation-job.ts'
import type { JobsOptions } from './ports.ts'
import { summaryOf } from './summary.ts'
import { missedTransitions } from './missed.ts'

type Transition = Change['transitions'][number]

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
  /** Lists a mutation that the operator wrote: it is on disk, and runs or is ended. */
  note(mutation: StoredJob): void
  /** Returns whether a job that is not ended acts on a device. */
  isBusy(key: string): boolean
  /** Returns the reboot of a device (key) whose drop is expected now; null: none. */
  expected(key: string): ExpectedReboot | null
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
    lastReboots: new Map(),
    halt: null,
    restoring: null,
    stopping: false,
  }
  const haltAll = (event: JobEvent) => {
    state.halt = event
    for (const live of state.live.values()) void halt(live, event).catch(() => {})
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
      const live = liveOf(state, id)
      const event: JobEvent = { kind: command, at: clock.now() }
      await (command === 'continue' ? live.job.apply(event) : halt(live, event))
    },
    note(mutation) {
      state.ended.set(mutation.record.id, summaryOf(mutation))
      options.onChange()
    },
    isBusy: (key) => isBusy(state, key),
    expected: (device) =>
      allExpected(state).findLast(({ key, until }) => key === device && until > clock.now()) ?? null,
    applyChange({ transitions }) {
      for (const live of state.live.values())
        for (const each of transitions)
          if (isOf(state, live, each)) void live.job.apply({ kind: 'transition', ...each }).catch(() => {})
    },
    sleep: () => haltAll({ kind: 'sleep', at: clock.now() }),
    block: (fault) => haltAll({ kind: 'blocked', at: clock.now(), fault }),
    stop: () => stopAll(state),
  }
}

/** Halts a job: what has not left is taken back at once, and not only when the new state is on disk. */
function halt({ job, carrying }: Live, event: JobEvent): Promise<void> {
  const applied = job.apply(event)
  carrying.withdraw(applied)
  return applied
}

/** Returns whether a transition is of a device that a job rebooted, and that was not rebooted again before it. */
function isOf(state: JobsState, live: Live, { key, at, notBefore }: Transition): boolean {
  const target = targetOf(live, key)
  if (target === undefined || !isProvable(target)) return false
  return (notBefore ?? at) < (rebootedAgainAt(state, live.job.state(), key) ?? Infinity)
}

async function start(state: JobsState, { record, targets: wanted }: SheetJob, plan: JobPlan): Promise<string> {
  if (state.stopping) throw new FaultError('stopped')
  const { clock, data } = state.options
  const isDevices = record.place === null
  const targets = wanted.map((target) =>
    isDevices && isPending(target) && isBusy(state, target.key)
      ? { ...target, outcome: 'not-sent' as const, obstacle: 'busy' as const }
      : target,
  )
  const pending = targets.filter(isPending)
  if (pending.length === 0) throw new FaultError('input', 'sheet: Another job acts on these devices.')
  const reserved = isDevices ? pending.map(({ key }) => key) : []
  for (const key of reserved) state.reserved.add(key)
  try {
    const job: ActionJob = {
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
    const halted = state.halt
    await data.createJob(job)
    // It is stored: the next start of Muster shows it as interrupted.
    if (!state.stopping) await begin(state, job, state.halt === halted ? null : state.halt)
    return job.record.id
  } finally {
    for (const key of reserved) state.reserved.delete(key)
  }
}

/** Begins a job, or halts it where all were halted while it was stored. */
async function begin(state: JobsState, job: ActionJob, halted: JobEvent | null): Promise<void> {
  const { clock } = state.options
  const live = openLive(state, runningJob(job))
  // Where that cannot be written the job is paused, with the fault.
  await live.job.apply(halted ?? { kind: 'begin', at: clock.now() }).catch(() => {})
}

/** What an ended job left unknown may still be proven for this long, ms: the longest wait for a reboot, and some tries. */
const provableMs = 125 * 60_000

async function restoreAll(state: JobsState): Promise<void> {
  const { clock, data, log } = state.options
  const now = clock.now()
  const open = await data.openJobs({ endedSince: now - provableMs })
  const { rows } = await data.jobs({ text: '', device: null, offset: 0, limit: 50 })
  const since = now - endedMs
  for (const job of rows) if (job.endedAt !== null && job.endedAt >= since) state.ended.set(job.id, job)
  await settleMutations(state, open)
  const jobs = open.filter(isAction).map(runningJob)
  // All of them first: a newer one explains what an older one would take as its own.
  const reboots = jobs.flatMap((job) => job.targets.map((target) => ({ job, target })))
  for (const { job, target } of reboots.toSorted((one, other) => sentAtOf(one) - sentAtOf(other)))
    noteReboots(state, job, [target])
  for (const job of jobs) {
    const missed = await missedTransitions(data, job).catch(() => {
      log('warn', 'the transitions of an interrupted job could not be read')
      return []
    })
    const live = openLive(state, job)
    state.ended.delete(job.record.id)
    // Together: what was seen meanwhile comes before any question for a proof. Where that cannot be written it is kept in
    // memory and written later.
    const restore: JobEvent = { kind: 'restore', at: clock.now() }
    const events = [restore, ...missed.filter((event) => isOf(state, live, event))]
    await Promise.all(events.map((event) => live.job.apply(event).catch(() => {})))
  }
}

/** What the operator wrote and sent before Muster ended, and has no answer, is unknown: it is not sent again. */
async function settleMutations({ options: { data, clock }, ended }: JobsState, open: readonly StoredJob[]) {
  for (const job of open.filter((each) => !isAction(each) && each.record.endedAt === null)) {
    const settled = interruptedMutation(job, clock.now())
    await data.saveJob({
      record: settled.record,
      changed: settled.targets.map((target, position) => ({ position, target })),
    })
    ended.set(job.record.id, summaryOf(settled))
  }
}

const sentAtOf = ({ target }: { target: JobTarget }): number => target.sentAt ?? 0

/** Ends all work. The jobs are interrupted, and what is on its way gets a moment for its answer. */
async function stopAll(state: JobsState): Promise<void> {
  const { clock } = state.options
  state.stopping = true
  const all = [...state.live.values()]
  const interrupted = all.map((live) => halt(live, { kind: 'sleep', at: clock.now() }).catch(() => {}))
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
