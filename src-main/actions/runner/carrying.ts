import { wait } from '../../../src-shared/lib/clock.ts'
import type { ReadDevice, SentOutcome } from '../../api/mutations/mutations.ts'
import type { JobTarget } from '../../storage/journal/job-records.ts'
import type { Effect, RunningJob } from '../engine/job.ts'
import type { JobEvent } from '../engine/step.ts'
import { bySender, isPassing, placedOf, readTargets, type Listing, type Placed } from './effects.ts'
import { look } from './look.ts'
import type { EffectOptions } from './ports.ts'
import { send, type Answers } from './send.ts'

/** Carries out the effects of one job, and returns what comes of them to it as events. */
export interface Carrying {
  carryOut(effects: readonly Effect[]): void
  /** Returns whether nothing is on its way. */
  isIdle(): boolean
  /**
   * Takes back what was not handed to the network yet: it is not sent, and nothing is sent until this settles. What has
   * left is awaited.
   */
  withdraw(until: Promise<void>): void
  /** Begins nothing from now on, and ends what only reads. Resolves when nothing is on its way. */
  finish(): Promise<void>
  /** Ends what is on its way: what left already is unknown. */
  abort(): void
}

export interface CarriedJob {
  state(): RunningJob
  apply(event: JobEvent): Promise<void>
  /** Called when nothing is on its way any more. */
  onIdle(): void
  /** Called with the targets that are about to be sent. */
  onSend(targets: readonly JobTarget[]): void
  /** Called with those of them that were not sent, or that the service rejected. */
  onUnsent(targets: readonly JobTarget[]): void
  /** Returns whether another job rebooted a device since, so that reading it proves nothing of this job. */
  isRebootedAgain(target: JobTarget): boolean
}

/** Returns the positions of what was not sent, or rejected. */
const unsentIn = (answers: Answers): number[] =>
  [...answers].flatMap(([position, { outcome }]) =>
    outcome === 'not-sent' || outcome === 'refused' || outcome === 'left-out' ? position : [],
  )

const withdrawn: SentOutcome = { outcome: 'not-sent', fault: { kind: 'abort', detail: '' } }

/** A proof is asked for again after this many ms where it could not be read, so many times in all. */
const proofAgainMs = 30_000
const maxProofs = 10

export function startCarrying(options: EffectOptions, job: CarriedJob): Carrying {
  const sending = new AbortController()
  const reading = new AbortController()
  let withdrawing = new AbortController()
  let halts = 0
  const running = new Set<Promise<void>>()
  const listing = new Map<number, readonly string[]>()
  const apply = (event: JobEvent) => job.apply(event).catch(() => {})
  const track = (work: Promise<void>) => {
    // Nothing of it rejects: each part reports its faults as events.
    const tracked = work.finally(() => {
      running.delete(tracked)
      if (running.size === 0) job.onIdle()
    })
    running.add(tracked)
  }
  const sendNow = (positions: readonly number[], withdraw: AbortSignal): Promise<void> => {
    job.onSend(targetsAt(job, positions))
    return send(options, job.state(), positions, {
      listing,
      signals: { signal: sending.signal, withdraw },
      onAnswers(answers) {
        job.onUnsent(targetsAt(job, unsentIn(answers)))
        void apply({ kind: 'answered', at: options.clock.now(), answers })
      },
    })
  }
  const begin = (effect: Effect): Promise<void> | null => {
    switch (effect.kind) {
      case 'look':
        return lookAt(options, job, effect.positions, listing, reading.signal)
      case 'send':
        if (withdrawing.signal.aborted) withdrawing = new AbortController()
        return within(options.clock, effect.withdrawAfter, withdrawing.signal, (withdraw) =>
          sendNow(effect.positions, withdraw),
        )
      case 'prove':
        return prove(options, job, effect.positions, listing, reading.signal)
      case 'wake':
        return null
    }
  }
  /** What was about to be sent when the job was halted, or Muster ended, is not sent. */
  const unsent = (effect: Effect): Promise<void> | null => {
    if (effect.kind !== 'send') return null
    const answers = new Map(effect.positions.map((position) => [position, withdrawn] as const))
    return apply({ kind: 'answered', at: options.clock.now(), answers })
  }
  return {
    carryOut(effects) {
      for (const effect of effects) {
        const isUnsent = reading.signal.aborted || (halts > 0 && effect.kind === 'send')
        const work = isUnsent ? unsent(effect) : begin(effect)
        if (work !== null) track(work)
      }
    },
    withdraw(until) {
      withdrawing.abort()
      halts += 1
      const over = () => (halts -= 1)
      until.then(over, over)
    },
    isIdle: () => running.size === 0,
    async finish() {
      reading.abort()
      while (running.size > 0) await Promise.all(running)
    },
    abort: () => sending.abort(),
  }
}

const targetsAt = (job: CarriedJob, positions: readonly number[]): JobTarget[] =>
  positions.flatMap((position) => job.state().targets[position] ?? [])

/** Runs with a signal that aborts after `ms` (null: never), or with another one. */
async function within(
  clock: EffectOptions['clock'],
  ms: number | null,
  other: AbortSignal,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (ms === null) return run(other)
  const over = new AbortController()
  const cancel = clock.after(ms, () => over.abort())
  await run(AbortSignal.any([other, over.signal]))
  cancel()
}

async function lookAt(
  options: EffectOptions,
  job: CarriedJob,
  positions: readonly number[],
  listing: Map<number, readonly string[]>,
  signal: AbortSignal,
): Promise<void> {
  const found = await look(options, job.state(), positions, listing, signal)
  if (signal.aborted) return
  const at = options.clock.now()
  const event: JobEvent =
    'fault' in found
      ? { kind: 'blocked', at, fault: found.fault }
      : { kind: 'looked', at, positions, looked: found.looked }
  await job.apply(event).catch(() => {})
}

/**
 * Reads devices as the proof of what was sent. What cannot be read now is read again later; an error proves nothing. What still
 * cannot be read is not readable.
 */
async function prove(
  options: EffectOptions,
  job: CarriedJob,
  positions: readonly number[],
  listing: Listing,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = options
  const isOther = ({ target }: Placed) => job.isRebootedAgain(target)
  let left = positions
  for (let tries = 1; left.length > 0; tries += 1) {
    const placed = placedOf(job.state(), left, listing)
    const own = placed.filter((each) => !isOther(each))
    const { read, failed } = await readProofs(options, own, job.state(), signal)
    if (signal.aborted) return
    if (tries === maxProofs) for (const position of failed) read.set(position, null)
    for (const each of placed) if (isOther(each)) read.set(each.position, null)
    if (read.size > 0) await job.apply({ kind: 'read', at: clock.now(), read }).catch(() => {})
    left = tries === maxProofs ? [] : failed
    if (left.length > 0 && !(await waited(clock, signal))) return
  }
}

const waited = (clock: EffectOptions['clock'], signal: AbortSignal): Promise<boolean> =>
  wait(clock, proofAgainMs, signal).then(
    () => true,
    () => false,
  )

async function readProofs(
  { senderFor }: EffectOptions,
  all: readonly Placed[],
  job: RunningJob,
  signal: AbortSignal,
): Promise<{ read: Map<number, ReadDevice | null>; failed: number[] }> {
  // A place has no reading by its id.
  if (job.record.place !== null) return { read: new Map(all.map(({ position }) => [position, null])), failed: [] }
  const { groups, without } = bySender(job.record, all, senderFor)
  const read = new Map<number, ReadDevice | null>()
  const failed: number[] = []
  for (const { obstacle, targets } of without)
    for (const { position } of targets) {
      if (isPassing(obstacle)) failed.push(position)
      else read.set(position, null)
    }
  for (const found of await Promise.all(groups.map((group) => readTargets(group, signal)))) {
    for (const [position, device] of found.read) read.set(position, device)
    for (const position of found.failed.keys()) failed.push(position)
  }
  return { read, failed }
}
