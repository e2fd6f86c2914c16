import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { JobRecord, JobTarget } from '../../storage/journal/job-records.ts'
import { withRecord, type Effect, type RunningJob, type Step } from '../engine/job.ts'
import { step, type JobEvent } from '../engine/step.ts'

export interface LiveJobOptions {
  /** Writes a state; `changed`: the devices that differ from what is on disk. */
  save: (job: RunningJob, changed: { position: number; target: JobTarget }[]) => Promise<void>
  clock: Clock
  /** Carries out what a step asks for; `wake` is the job's own. Called after the step is on disk. */
  carryOut: (effects: readonly Effect[]) => void
  /** Called with each new state, on disk, before its effects. */
  onState: () => void
  /** Called when the effects of a state have begun. */
  onBegun: () => void
  /** Called with the fault where a state could not be written. */
  onUnsaved: (fault: Fault) => void
  /** Called before the effects of a state that took longer than `lateMs` to write: they are of what was known before. */
  onLate: () => void
}

/** A job that runs, or waits to be continued. Its events are applied one after the other. */
export interface LiveJob {
  /** The present state: what is on disk, and what the disk rejected since. */
  state(): RunningJob
  /**
   * Applies an event and resolves when the new state is on disk. Rejects with the disk's fault; then nothing is sent, the
   * job is paused, and only what was learned is kept, to be written later.
   */
  apply(event: JobEvent): Promise<void>
  /** Returns whether the present state is on disk. */
  isSaved(): boolean
  /** Writes these devices (positions) and the record again: what is on disk was replaced. */
  writeAgain(positions: Iterable<number>): void
  /** Resolves when no event waits. */
  settled(): Promise<void>
  /** Ends its timers; later events change nothing. */
  close(): void
}

interface Waiting {
  event: JobEvent
  resolve: () => void
  reject: (fault: FaultError) => void
}

/** Largest number of events that are applied together: thousands of devices may come back at once. */
const maxEvents = 500
/** What a disk that is full rejected is written again after this many ms. */
const retryMs = 30_000
/** What took longer to write, ms, was ordered too long ago: the team's database may have been away meanwhile. */
export const lateMs = 30_000

export function createLiveJob(initial: RunningJob, options: LiveJobOptions): LiveJob {
  const { clock, carryOut, onState, onBegun, onUnsaved, onLate } = options
  const waiting: Waiting[] = []
  let job = initial
  let saved = initial
  // Positions of which it is not known what is on disk, after a write that failed; null: all of it is known.
  let unsure: ReadonlySet<number> | null = null
  let draining: Promise<void> | null = null
  let closed = false
  const wake = createWake(clock, () => void apply({ kind: 'tick', at: clock.now() }).catch(() => {}))

  const turn = async (batch: readonly Waiting[]) => {
    const events = batch.map(({ event }) => event)
    const planned = step(job, events, clock.now())
    const changed = changedOf(saved, planned.job, unsure)
    const asked = clock.monotonic()
    const writesNothing = unsure === null && changed.length === 0 && isSame(saved.record, planned.job.record)
    // What is written again meanwhile is written after it.
    unsure = null
    const fault = writesNothing ? null : await faultOfSave(options.save, planned.job, changed)
    if (closed) return settle(batch, fault)
    if (fault === null) saved = planned.job
    else unsure = new Set([...(unsure ?? []), ...changed.map(({ position }) => position)])
    const next = fault === null ? planned : rescue(job, events, fault, clock.now())
    job = next.job
    wake.plan(next.effects, fault === null ? null : clock.now() + retryMs)
    if (fault !== null) onUnsaved(fault)
    onState()
    if (clock.monotonic() - asked > lateMs) onLate()
    carryOut(next.effects)
    onBegun()
    settle(batch, fault)
  }
  const drain = async () => {
    // What arrives together is written together.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxEvents)
      await turn(batch).catch((error: unknown) => settle(batch, toFault(error)))
    }
    draining = null
  }
  const apply = (event: JobEvent) =>
    new Promise<void>((resolve, reject) => {
      if (closed) return resolve()
      waiting.push({ event, resolve, reject })
      draining ??= drain()
    })
  return {
    state: () => job,
    apply,
    isSaved: () => saved === job && unsure === null,
    writeAgain(positions) {
      unsure = new Set([...(unsure ?? []), ...positions])
      void apply({ kind: 'tick', at: clock.now() }).catch(() => {})
    },
    async settled() {
      for (let last = draining; last !== null; last = draining) await last
    },
    close() {
      closed = true
      wake.cancel()
    },
  }
}

function settle(batch: readonly Waiting[], fault: Fault | null): void {
  for (const { resolve, reject } of batch) {
    if (fault === null) resolve()
    else reject(new FaultError(fault.kind, fault.detail))
  }
}

/** The one timer of a job: at the next time of the last step's wakes, or of another try to write. */
function createWake(clock: Clock, run: () => void) {
  let cancel = () => {}
  return {
    plan(effects: readonly Effect[], retryAt: number | null) {
      cancel()
      cancel = () => {}
      const next = effects.reduce(
        (least, effect) => (effect.kind === 'wake' ? Math.min(least, effect.at) : least),
        retryAt ?? Infinity,
      )
      if (Number.isFinite(next)) cancel = clock.after(Math.max(0, next - clock.now()), run)
    },
    cancel: () => cancel(),
  }
}

/**
 * Returns the job after a failed write: paused, so that nothing is sent, with what the events say of the devices. Events that
 * only go on are dropped. One that is interrupted waits for the operator anyway: that the team's database is away is not its fault.
 */
function rescue(before: RunningJob, events: readonly JobEvent[], fault: Fault, now: number): Step {
  const learned = events.filter(({ kind }) => !goesOn.has(kind))
  const { job, effects } = step(before, [{ kind: 'blocked', at: now, fault }, ...learned], now)
  const isAway = fault.kind === 'team-away' && job.record.state === 'interrupted'
  const shown = isAway ? before.record.fault : fault
  return {
    job: withRecord(job, { fault: shown }),
    effects: effects.filter(({ kind }) => kind === 'prove' || kind === 'wake'),
  }
}

const goesOn: ReadonlySet<JobEvent['kind']> = new Set<JobEvent['kind']>(['begin', 'continue', 'looked', 'tick'])

/** Returns the devices that differ from what is on disk, and those of which that is not known. */
function changedOf(saved: RunningJob, job: RunningJob, unsure: ReadonlySet<number> | null) {
  return job.targets.flatMap((target, position) =>
    target !== saved.targets[position] || unsure?.has(position) === true ? [{ position, target }] : [],
  )
}

/** Writes a state. Resolves with the fault where that failed. */
async function faultOfSave(
  save: LiveJobOptions['save'],
  job: RunningJob,
  changed: ReturnType<typeof changedOf>,
): Promise<Fault | null> {
  try {
    await save(job, changed)
    return null
  } catch (error) {
    return toFault(error)
  }
}

const isSame = (one: JobRecord, other: JobRecord): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
