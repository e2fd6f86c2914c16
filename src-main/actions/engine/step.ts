import type { ReadDevice } from '../../api/mutations/mutations.ts'
import { maxUpdates } from '../../api/mutations/mutations.ts'
import { assertNever, type Fault } from '../../../src-shared/model/fault.ts'
import type { CallState, Obstacle } from '../../../src-shared/model/jobs.ts'
import type { JobTarget } from '../../storage/journal/job-records.ts'
import {
  isPending,
  isProvable,
  isReboot,
  isSent,
  isUnanswered,
  notSent,
  positionsOf,
  waitMs,
  withRecord,
  withTargets,
  type Effect,
  type RunningJob,
  type Step,
} from './job.ts'
import {
  answered,
  isWithdrawn,
  proven,
  transitioned,
  unsentFault,
  type Answer,
  type SeenTransition,
} from './outcomes.ts'

/** A device just before it is sent. `connected`: null where Muster does not know. `obstacle`: it is not sent. */
export interface Looked {
  connected: boolean | null
  call: CallState
  checkIn: number | null
  obstacle?: Obstacle
}

/** Times in ms. */
export type JobEvent =
  | { kind: 'begin' | 'tick' | 'pause' | 'continue' | 'stop' | 'sleep' | 'restore'; at: number }
  /** The devices of an effect `look` now; one that is missing in `looked` is gone. */
  | { kind: 'looked'; at: number; positions: readonly number[]; looked: ReadonlyMap<number, Looked> }
  | { kind: 'answered'; at: number; answers: ReadonlyMap<number, Answer> }
  | ({ kind: 'transition' } & SeenTransition)
  /** The devices whose proof was asked for; null: not readable. */
  | { kind: 'read'; at: number; read: ReadonlyMap<number, ReadDevice | null> }
  /** Nothing can be sent now. */
  | { kind: 'blocked'; at: number; fault: Fault }

/**
 * Operations that are on their way, or wait for points, at the same time. A crash leaves so many without an outcome: of
 * updates more, as reading the devices proves them.
 */
const parallel = { reboot: 4, update: 8 }
/**
 * Devices that are looked at together, of a batch too: what is known of the last one is as old as the sending of the
 * others takes. It matters for a reboot, which ends calls.
 */
const maxLooked = { reboot: 100, update: 1_000 }

/**
 * Returns a job after events in their order, and what to do once it is on disk: the intent of each sending is in the step
 * before its effect (design, invariant 16). Events of the past, as a transition that was found afterwards, may be earlier
 * than `now`. Pure.
 */
export function step(job: RunningJob, events: readonly JobEvent[], now: number): Step {
  let next = notAhead(job, now)
  let transitions: SeenTransition[] = []
  for (const event of events) {
    if (event.kind === 'transition') {
      transitions.push(event)
      continue
    }
    next = applied(transitioned(next, transitions), event)
    transitions = []
  }
  return advance(transitioned(next, transitions), now)
}

/** Returns the job with what was sent or seen ahead of a clock that was set back at the present time. */
function notAhead(job: RunningJob, now: number): RunningJob {
  const latest = ({ sentAt, answeredAt, droppedAt }: JobTarget) =>
    Math.max(sentAt ?? 0, answeredAt ?? 0, droppedAt ?? 0)
  const ahead = positionsOf(job, (target) => isProvable(target) && latest(target) > now)
  const past = (at: number | null) => at && Math.min(at, now)
  return ahead.length === 0
    ? job
    : withTargets(job, ahead, (target) => ({
        ...target,
        sentAt: past(target.sentAt),
        answeredAt: past(target.answeredAt),
        droppedAt: past(target.droppedAt),
      }))
}

function applied(job: RunningJob, event: Exclude<JobEvent, { kind: 'transition' }>): RunningJob {
  switch (event.kind) {
    case 'begin':
      return begin(job, event.at)
    case 'tick':
      return job
    case 'pause':
      return isActive(job) ? halted(job, 'paused') : job
    case 'sleep':
      return isActive(job) ? halted(job, 'interrupted') : job
    case 'blocked':
      return isActive(job) ? withRecord(halted(job, 'paused'), { fault: event.fault }) : job
    case 'continue':
      return continued(job, event.at)
    case 'stop':
      return stopped(job, null)
    case 'restore':
      return restored(job)
    case 'looked':
      return looked(job, event)
    case 'answered':
      return afterAnswers(job, event.answers, event.at)
    case 'read':
      return proven(job, event.read, event.at)
    default:
      return assertNever(event)
  }
}

/** A device that certainly was not sent waits again; the job pauses, unless the service only asks to wait. */
function afterAnswers(job: RunningJob, answers: ReadonlyMap<number, Answer>, at: number): RunningJob {
  const next = withCreated(answered(job, answers, at), answers)
  const fault = [...answers.values()].map(unsentFault).find((each) => each !== null && !isPassing(each))
  return fault != null && isActive(next) ? withRecord(halted(next, 'paused'), { fault }) : next
}

/** A created place has the id that the service gave it. */
function withCreated(job: RunningJob, answers: ReadonlyMap<number, Answer>): RunningJob {
  const { place } = job.record
  const answer = answers.get(0)
  if (place === null || place.id !== null || answer?.outcome !== 'confirmed') return job
  return withRecord(job, { place: { ...place, id: answer.id, created: true } })
}

const isPassing = (fault: Fault): boolean =>
  fault.kind === 'exhausted' || fault.kind === 'unavailable' || isWithdrawn(fault)

const isActive = ({ record: { state } }: RunningJob): boolean => state === 'running' || state === 'scheduled'

const halted = (job: RunningJob, state: 'paused' | 'interrupted'): RunningJob => ({
  ...withRecord(job, { state }),
  phase: { kind: 'between' },
})

function begin(job: RunningJob, at: number): RunningJob {
  const { plan } = job.record
  return plan.at !== null && plan.at > at
    ? withRecord(job, { state: 'scheduled' })
    : withRecord(job, { state: 'running', startedAt: job.record.startedAt ?? at, fault: null })
}

function continued(job: RunningJob, at: number): RunningJob {
  const { state } = job.record
  return state === 'paused' || state === 'interrupted' ? { ...begin(job, at), phase: { kind: 'between' } } : job
}

/** Ends the sending for good: what was not sent is not sent. */
function stopped(job: RunningJob, fault: Fault | null): RunningJob {
  const { state } = job.record
  if (state === 'done' || state === 'stopped') return job
  const rest = withTargets(job, positionsOf(job, isPending), (target) => notSent(target, fault))
  return { ...withRecord(rest, { state: 'stopped', fault }), phase: { kind: 'between' } }
}

/** After a crash: it is not known what came of what was sent without an answer, and only the operator continues. */
function restored(job: RunningJob): RunningJob {
  const unknown = withTargets(job, positionsOf(job, isUnanswered), (target) => ({ ...target, outcome: 'unknown' }))
  const open = { ...unknown, phase: { kind: 'between' } as const, asked: new Set<number>() }
  return isActive(job) || job.record.state === 'paused' ? withRecord(open, { state: 'interrupted' }) : open
}

function looked(job: RunningJob, event: Extract<JobEvent, { kind: 'looked' }>): RunningJob {
  const { phase, record } = job
  const { positions, looked: found } = event
  // A late answer, to a look before a pause, says nothing of another batch.
  if (phase.kind !== 'looking' || !isSamePart(phase.part, positions)) return job
  const seen = withTargets(job, phase.part, (target, position) => {
    const device = found.get(position)
    if (!isPending(target)) return target
    if (device === undefined) return notSent(target, null, 'gone')
    if (device.obstacle !== undefined) return notSent(target, null, device.obstacle)
    if (device.connected === false && record.kind === 'reboot') return notSent(target, null, 'offline')
    if (device.connected === null && record.kind === 'reboot') return notSent(target, null, 'unknown')
    if (device.call === 'in-call' && record.kind === 'reboot' && !record.plan.includeInCall)
      return notSent(target, null, 'in-call')
    return { ...target, checkIn: device.checkIn }
  })
  const { part, rest } = phase
  return { ...seen, phase: { kind: 'sending', part, ready: pendingOf(seen, part), rest, seenAt: event.at } }
}

const isSamePart = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((position, at) => position === other[at])

/** Does what can be done now. */
function advance(before: RunningJob, at: number): Step {
  const settled = settle(before, at)
  const effects: Effect[] = [...settled.effects]
  let { job } = settled
  if (job.record.state === 'scheduled') {
    const due = begin(job, at)
    if (due.record.state === 'scheduled')
      return { job: due, effects: [...effects, { kind: 'wake', at: due.record.plan.at ?? at }] }
    job = due
  }
  while (job.record.state === 'running') {
    const next = advanceOnce(job, at)
    for (const effect of next.effects) effects.push(effect)
    job = next.job
    if (!next.again) break
  }
  return { job: ended(job, at), effects: [...effects, ...wakes(job, at)] }
}

function advanceOnce(job: RunningJob, at: number): Step & { again: boolean } {
  const {
    phase,
    record: { plan },
  } = job
  if (plan.stopAfter !== null && lost(job) >= plan.stopAfter)
    return { job: stopped(job, null), effects: [], again: false }
  switch (phase.kind) {
    case 'between':
      return nextBatch(job)
    case 'looking':
      return { job, effects: [], again: false }
    case 'sending':
      return sendMore(job, phase, at)
    case 'awaiting':
      return job.targets.some(isSent)
        ? { job, effects: [], again: false }
        : { job: { ...job, phase: { kind: 'between' } }, effects: [], again: true }
  }
}

function nextBatch(job: RunningJob): Step & { again: boolean } {
  const { plan } = job.record
  const pending = positionsOf(job, isPending)
  if ((plan.batch !== null || pending.length === 0) && job.targets.some(isSent))
    return { job: { ...job, phase: { kind: 'awaiting' } }, effects: [], again: false }
  if (pending.length === 0) return { job, effects: [], again: false }
  return lookAtMore(job, pending.slice(0, plan.batch ?? lookedAtOnce(job)))
}

/** What was seen of a device just before its reboot holds for this long, ms: a call may have begun. */
const lookMs = 60_000

const lookedAtOnce = (job: RunningJob): number => (isReboot(job) ? maxLooked.reboot : maxLooked.update)

/** Looks at the next part of a batch. */
function lookAtMore(job: RunningJob, positions: readonly number[]): Step & { again: boolean } {
  const size = lookedAtOnce(job)
  const part = positions.slice(0, size)
  return {
    job: { ...job, phase: { kind: 'looking', part, rest: positions.slice(size) } },
    effects: [{ kind: 'look', positions: part }],
    again: false,
  }
}

/** Returns the number of devices that were rebooted, perhaps, and are not known to be back. One that can still be proven is none. */
const lost = (job: RunningJob): number =>
  isReboot(job)
    ? job.targets.filter(
        ({ outcome }, position) => outcome === 'not-back' || (outcome === 'unknown' && job.asked.has(position)),
      ).length
    : 0

/** The first device goes alone: its answer says what one costs, and whether the service takes it at all. */
const isFirst = (job: RunningJob): boolean => job.targets.every(({ answeredAt }) => answeredAt === null)

/** Returns how many devices may be sent now. Of all parts: what left before a pause may still be on its way. */
function sendable(job: RunningJob): number {
  const unanswered = job.targets.filter(isUnanswered).length
  if (isFirst(job)) return unanswered === 0 ? 1 : 0
  const most = isReboot(job) ? parallel.reboot : parallel.update
  return Math.max(0, most - Math.ceil(unanswered / operationSize(job))) * operationSize(job)
}

const operationSize = (job: RunningJob): number => (isReboot(job) ? 1 : maxUpdates)

function sendMore(
  before: RunningJob,
  phase: Extract<RunningJob['phase'], { kind: 'sending' }>,
  at: number,
): Step & { again: boolean } {
  const { part, rest } = phase
  const most = sendable(before)
  const size = operationSize(before)
  const holdsFor = isReboot(before) ? lookMs - Math.abs(at - phase.seenAt) : null
  if (most > 0 && phase.ready.length > 0 && holdsFor !== null && holdsFor < 0)
    return lookAtMore(before, [...pendingOf(before, part), ...rest])
  const next = phase.ready.slice(0, most)
  const ready = phase.ready.slice(next.length)
  const effects: Effect[] = []
  for (let from = 0; from < next.length; from += size)
    effects.push({ kind: 'send', positions: next.slice(from, from + size), withdrawAfter: holdsFor })
  const job = withTargets({ ...before, phase: { ...phase, ready } }, next, (target) => ({
    ...target,
    outcome: 'sent',
    sentAt: at,
  }))
  if (ready.length > 0 || part.some((position) => isUnansweredAt(job, position))) return { job, effects, again: false }
  // What came back unsent is looked at again.
  const left = [...pendingOf(job, part), ...rest]
  if (left.length > 0) return lookAtMore(job, left)
  return {
    job: { ...job, phase: { kind: job.record.plan.batch === null ? 'between' : 'awaiting' } },
    effects,
    again: true,
  }
}

const pendingOf = ({ targets }: RunningJob, part: readonly number[]): number[] =>
  part.filter((position) => targets[position]?.outcome === 'pending')

function isUnansweredAt({ targets }: RunningJob, position: number): boolean {
  const target = targets[position]
  return target !== undefined && isUnanswered(target)
}

/**
 * Asks once for the proof of what waited long enough. The time alone proves nothing: a return may have been missed, in
 * sleep or without a connection.
 */
function settle(job: RunningJob, at: number): Step {
  const unproven = positionsOf(job, (target) => isUnproven(job, target, at)).filter((each) => !job.asked.has(each))
  if (unproven.length === 0) return { job, effects: [] }
  return {
    job: { ...job, asked: new Set([...job.asked, ...unproven]) },
    effects: [{ kind: 'prove', positions: unproven }],
  }
}

const isLate = (job: RunningJob, target: JobTarget, at: number): boolean =>
  isReboot(job) && isSent(target) && target.answeredAt !== null && at >= target.answeredAt + waitMs(job.record.plan)

const isUnproven = (job: RunningJob, target: JobTarget, at: number): boolean =>
  (target.outcome === 'unknown' && at >= proofAt(job, target)) || isLate(job, target, at)

/** Returns when the proof of a target without an answer can be asked for: a reboot takes its time. */
const proofAt = (job: RunningJob, { sentAt }: JobTarget): number =>
  isReboot(job) ? (sentAt ?? 0) + waitMs(job.record.plan) : 0

function wakes(job: RunningJob, at: number): Effect[] {
  const ends = job.targets.flatMap((target) => {
    if (!isReboot(job)) return []
    if (target.outcome === 'unknown') return [proofAt(job, target)]
    return isSent(target) && target.answeredAt !== null ? [target.answeredAt + waitMs(job.record.plan)] : []
  })
  const next = ends.filter((end) => end > at).reduce((least, end) => Math.min(least, end), Infinity)
  return Number.isFinite(next) ? [{ kind: 'wake', at: next }] : []
}

/** A job is done, or a stopped one ended, when every device has an outcome. */
function ended(job: RunningJob, at: number): RunningJob {
  const { state, endedAt } = job.record
  if (endedAt !== null || job.targets.some((target) => isPending(target) || isSent(target))) return job
  const last = state === 'stopped' ? state : 'done'
  return { ...withRecord(job, { state: last, endedAt: at }), phase: { kind: 'between' } }
}
