import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { JobRecord, JobTarget } from '../../storage/journal/job-records.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import { withRecord, type Effect, type RunningJob, type Step } from '../engine/job.ts'
import { step, type JobEvent } from '../engine/step.ts'

export interface LiveJobOptions {
  save: InventoryData['saveJob']
  clock: Clock
  /** Carries out what a step asks for; `wake` is the job's own. Called after the step is on disk. */
  carryOut: (effects: readonly Effect[]) => void
  /** Called with each new state, on disk, before its effects. */
  onState: () => void
  /** Called when the effects of a state have begun. */
  onBegun: () => void
  /** Called with the fault where a state could not be written. */
  onUnsaved: (fault: Fault) => void
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

export function createLiveJob(initial: RunningJob, options: LiveJobOptions): LiveJob {
  const { clock, carryOut, onState, onBegun, onUnsaved } = options
  const waiting: Waiting[] = []
  let job = initial
  let saved = initial
  let draining: Promise<void> | null = null
  let closed = false
  const wake = createWake(clock, () => void apply({ kind: 'tick', at: clock.now() }).catch(() => {}))

  const turn = async (batch: readonly Waiting[]) => {
    const events = batch.map(({ event }) => event)
    const planned = step(job, events, clock.now())
    const fault = await faultOfSave(options.save, saved, planned.job)
    if (closed) return settle(batch, fault)
    if (fault === null) saved = planned.job
    const next = fault === null ? planned : rescue(job, events, fault, clock.now())
    job = next.job
    wake.plan(next.effects, fault === null ? null : clock.now() + retryMs)
    if (fault !== null) onUnsaved(fault)
    onState()
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
    isSaved: () => saved === job,
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
 * only go on are dropped.
 */
function rescue(before: RunningJob, events: readonly JobEvent[], fault: Fault, now: number): Step {
  const learned = events.filter(({ kind }) => !goesOn.has(kind))
  const { job, effects } = step(before, [{ kind: 'blocked', at: now, fault }, ...learned], now)
  return { job: withRecord(job, { fault }), effects: effects.filter(({ kind }) => kind === 'prove' || kind === 'wake') }
}

const goesOn: ReadonlySet<JobEvent['kind']> = new Set<JobEvent['kind']>(['begin', 'continue', 'looked', 'tick'])

/** Writes what differs from what is on disk. Resolves with the fault where that failed. */
async function faultOfSave(write: InventoryData['saveJob'], saved: RunningJob, job: RunningJob): Promise<Fault | null> {
  const changed: { position: number; target: JobTarget }[] = []
  job.targets.forEach((target, position) => {
    if (target !== saved.targets[position]) changed.push({ position, target })
  })
  if (changed.length === 0 && isSame(saved.record, job.record)) return null
  try {
    await write({ record: job.record, changed })
    return null
  } catch (error) {
    return toFault(error)
  }
}

const isSame = (one: JobRecord, other: JobRecord): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
