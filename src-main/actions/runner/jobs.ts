import { randomUUID } from 'node:crypto'
import { wait } from '../../../src-shared/lib/clock.ts'
import { oneByOne } from '../../../src-shared/lib/one-by-one.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { ExpectedReboot, Job, JobPlan } from '../../../src-shared/model/jobs.ts'
import type { Change } from '../../inventory/thread/change.ts'
import type { LoggedCall } from '../../inventory/thread/log-protocol.ts'
import type { ActionJob, StoredJob } from '../../storage/journal/job-records.ts'
import { isPending, runningJob } from '../engine/job.ts'
import type { SheetJob } from '../sheets/sheets.ts'
import type { JobEvent } from '../engine/step.ts'
import {
  allExpected,
  dropLive,
  isBusy,
  listOf,
  liveOf,
  openLive,
  tenantsOf,
  type JobsState,
  type Live,
} from './live.ts'
import { lateMs } from './live-job.ts'
import type { JobsOptions } from './ports.ts'
import { findErased, isOf, restoreAll, sweep, writeAllAgain } from './restore.ts'
import { summaryOf } from './summary.ts'

/** Runs jobs (docs/actions.md). Each step is on disk before its effects (invariants 2 and 16). */
export interface Jobs {
  /**
   * Restores the jobs that are not ended, as interrupted, once; after a failure the next call tries again. Rejects where they
   * cannot be read or written.
   */
  restore(): Promise<void>
  /** Jobs that are not ended, and those that ended in the last hour, the newest first; in a team of all members. */
  list(): Job[]
  /**
   * Stores a job and begins it. Resolves with its id. Rejects where it cannot be stored; then nothing is sent. Where the team's
   * database was lost on the way it may be stored all the same: it is found later as interrupted.
   */
  start(sheet: SheetJob, plan: JobPlan): Promise<string>
  /**
   * Resolves with the keys of the tenants that a job still acts on; those of all its devices where none is left. Rejects with
   * `input` as `control` does.
   */
  tenantsOf(id: string): Promise<string[]>
  /**
   * Resolves when the command is on disk. Rejects with `input` for a job that is ended, another member's or unknown, or the
   * disk's fault.
   */
  control(id: string, command: 'pause' | 'continue' | 'stop'): Promise<void>
  /**
   * Takes over an open job of another member that is absent: resolves when it is this Muster's and open as interrupted. Rejects
   * with `input` where it is no such job, or its member is not absent.
   */
  take(id: string): Promise<void>
  /** Notes what is known of a mutation that the operator wrote and that may not be on disk so: no restoring takes it for another. */
  hold(mutation: StoredJob): void
  /** Lists a mutation that the operator wrote and that is on disk: it runs or is ended. */
  note(mutation: StoredJob): void
  /** Handles that all that is known of a mutation (id) is on disk. */
  release(mutation: string): void
  /** What the team's log does to the jobs. Nothing of it is called for a Muster on its own. */
  readonly team: TeamEvents
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

/** What the team's log does to the jobs. */
export interface TeamEvents {
  /** Handles a call of another member, or one of this member that came late: jobs were created or changed. */
  carriedOut(call: Pick<LoggedCall, 'call' | 'input'>): void
  /** Handles that a connection's data was erased, by this member or another one. */
  erased(): void
  /** Handles that all that the team shares was replaced: the newest of what is known here may be lost. */
  replaced(): void
  /** Handles that what the others wrote before is there. */
  caughtUp(): void
  /** Handles that the database is reached again. */
  reached(): void
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
    starting: new Set(),
    mutations: new Map(),
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
    team: teamEvents(state, restore),
    async start(sheet, plan) {
      await restore()
      return start(state, sheet, plan)
    },
    tenantsOf: async (id) => tenantsOf((await liveOf(state, id)).job.state()),
    async control(id, command) {
      await restore()
      if (state.stopping) throw new FaultError('stopped')
      const live = await liveOf(state, id)
      const event: JobEvent = { kind: command, at: clock.now() }
      await (command === 'continue' ? live.job.apply(event) : halt(live, event))
    },
    async take(id) {
      await restore()
      await take(state, id)
    },
    hold: (mutation) => void state.mutations.set(mutation.record.id, mutation),
    release: (mutation) => void state.mutations.delete(mutation),
    note(mutation) {
      state.mutations.set(mutation.record.id, mutation)
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

function teamEvents(state: JobsState, restore: () => Promise<void>): TeamEvents {
  const { log, others } = state.options
  const inOrder = oneByOne()
  let isReplaced = false
  const run = (work: () => Promise<void>) =>
    void inOrder(async () => {
      await restore()
      if (!state.stopping) await work()
    }).catch((error: unknown) => log('warn', `the jobs of the team could not be followed (${toFault(error).kind})`))
  return {
    carriedOut({ call, input }) {
      if (call !== 'createJob' && call !== 'saveJob' && call !== 'takeJob') return
      others.soon()
      const { id, owner } = call === 'takeJob' ? (input as Taken) : (input as { record: StoredJob['record'] }).record
      const live = state.live.get(id)
      if (owner?.member === others.member()) run(() => sweep(state))
      else if (live !== undefined) dropLive(state, live)
    },
    erased() {
      others.soon()
      run(() => findErased(state))
    },
    replaced: () => void (isReplaced = true),
    caughtUp() {
      others.soon()
      run(async () => {
        if (isReplaced) await writeAllAgain(state)
        isReplaced = false
        await sweep(state)
      })
    },
    reached() {
      others.soon()
      run(() => sweep(state))
    },
  }
}

type Taken = Parameters<JobsOptions['data']['takeJob']>[0]

/** Makes an absent member's job this one's, which restores it as after a kill. */
async function take(state: JobsState, id: string): Promise<void> {
  const { data, others } = state.options
  const job = await data.job({ id })
  const owner = others.owner()
  const from = job?.owner
  if (job === null || job.endedAt !== null || from === undefined || owner === undefined)
    throw new FaultError('input', 'job: It is ended, or no job of another member.')
  if (others.shown(job).ownerAway !== true)
    throw new FaultError('input', `job: It is ${from.operator}’s, whose Muster was seen in the last ten minutes.`)
  await data.takeJob({ id, from: from.member, owner })
  await sweep(state)
  others.soon()
}

/** Halts a job: what has not left is taken back at once, and not only when the new state is on disk. */
function halt({ job, carrying }: Live, event: JobEvent): Promise<void> {
  const applied = job.apply(event)
  carrying.withdraw(applied)
  return applied
}

async function start(state: JobsState, { record, targets: wanted }: SheetJob, plan: JobPlan): Promise<string> {
  if (state.stopping) throw new FaultError('stopped')
  const { clock, data, others } = state.options
  const owner = others.owner()
  const id = randomUUID()
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
  state.starting.add(id)
  try {
    const job: ActionJob = {
      record: {
        ...record,
        ...(owner !== undefined && { owner }),
        id,
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
    const asked = clock.monotonic()
    await data.createJob(owner === undefined ? job : { ...job, absent: others.absent() })
    // The team's database may have been away since: who ordered it may not wait for it any more.
    const late: JobEvent | null = clock.monotonic() - asked > lateMs ? { kind: 'sleep', at: clock.now() } : null
    // It is stored: the next start of Muster shows it as interrupted.
    if (!state.stopping) await begin(state, job, state.halt === halted ? late : state.halt)
    return id
  } finally {
    state.starting.delete(id)
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
