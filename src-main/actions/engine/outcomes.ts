import type { ReadDevice, SentOutcome } from '../../api/mutations/mutations.ts'
import { assertNever, type Fault } from '../../../src-shared/model/fault.ts'
import type { Obstacle } from '../../../src-shared/model/jobs.ts'
import type { JobTarget } from '../../storage/journal/job-records.ts'
import { isProvable, isReboot, isSent, notSent, waitMs, withTargets, type RunningJob } from './job.ts'

/** What came of one thing that was to be sent. `left-out`: its sender no longer may, or cannot, send it. */
export type Answer = SentOutcome | { outcome: 'left-out'; obstacle: Obstacle }

/** Returns the job after the answers to what was sent. An answer to what is no longer awaited changes nothing. */
export function answered(job: RunningJob, answers: ReadonlyMap<number, Answer>, at: number): RunningJob {
  return withTargets(job, answers.keys(), (target, position) => {
    const answer = answers.get(position)
    if (answer === undefined || !isSent(target) || target.answeredAt !== null) return target
    return afterAnswer(job, target, answer, at)
  })
}

/** Returns why a thing was not sent that can be sent later; null: it was, or the service does not offer it. */
export const unsentFault = (answer: Answer): Fault | null =>
  answer.outcome === 'not-sent' && answer.fault.kind !== 'input' ? answer.fault : null

/** Returns whether a thing was not sent because the job was halted before it left. */
export const isWithdrawn = ({ kind }: Fault): boolean => kind === 'abort'

function afterAnswer(job: RunningJob, target: JobTarget, answer: Answer, at: number): JobTarget {
  const now = { ...target, answeredAt: at }
  switch (answer.outcome) {
    case 'confirmed':
      // The service took the order; whether the device rebooted is proven by what follows.
      return isReboot(job) ? returned(now) : { ...now, outcome: 'done', provenAt: at, provenBy: 'answer' }
    case 'refused':
      return {
        ...now,
        outcome: 'refused',
        words: answer.words,
        obstacle: answer.fault?.kind === 'forbidden' ? 'role' : null,
      }
    case 'unknown':
      return isReboot(job)
        ? returned({ ...now, words: answer.words })
        : { ...now, outcome: 'unknown', words: answer.words }
    case 'not-sent':
      return unsentFault(answer) === null || job.record.state === 'stopped'
        ? notSent(
            now,
            isWithdrawn(answer.fault) ? null : answer.fault,
            answer.fault.kind === 'input' ? 'not-offered' : null,
          )
        : { ...target, outcome: 'pending', sentAt: null }
    case 'left-out':
      return notSent(now, null, answer.obstacle)
    default:
      return assertNever(answer)
  }
}

/** A device that went down, or came back. Times in ms. */
export interface SeenTransition {
  key: string
  at: number
  notBefore: number | null
  connected: boolean
}

/** Returns the job after transitions, in their order. Thousands may come together, so the targets are copied once. */
export function transitioned(job: RunningJob, all: readonly SeenTransition[]): RunningJob {
  if (!isReboot(job) || all.length === 0) return job
  const targets = [...job.targets]
  for (const seen of all) {
    const position = job.positions.get(seen.key)
    const target = position === undefined ? undefined : targets[position]
    if (position !== undefined && target !== undefined) targets[position] = afterTransition(job, target, seen)
  }
  return { ...job, targets }
}

/**
 * A drop after the sending and within the time of the reboot proves it; it is done when the device is connected again. A
 * later drop has another cause.
 */
function afterTransition(job: RunningJob, target: JobTarget, seen: SeenTransition): JobTarget {
  if (!isProvable(target)) return target
  if (!seen.connected) {
    const from = seen.notBefore ?? seen.at
    const isOwn = from >= target.sentAt && from <= target.sentAt + waitMs(job.record.plan)
    return isOwn && target.droppedAt === null ? { ...target, droppedAt: seen.at } : target
  }
  if (target.droppedAt === null || seen.at < target.droppedAt) return target
  return returned({ ...target, backAt: seen.at })
}

/** Returns a target as done where its drop and its return were seen, and no answer is awaited. */
function returned(target: JobTarget): JobTarget {
  const isAwaited = target.outcome === 'sent' && target.answeredAt === null
  if (isAwaited || target.droppedAt === null || target.backAt === null || target.sentAt === null) return target
  return {
    ...target,
    outcome: 'done',
    provenAt: target.backAt,
    provenBy: 'disconnect',
    backAfter: target.backAt - target.sentAt,
  }
}

/** Returns the job after devices were read by id, as the proof of what was sent. What is not proven is unknown. */
export function proven(job: RunningJob, read: ReadonlyMap<number, ReadDevice | null>, at: number): RunningJob {
  return withTargets(job, read.keys(), (target, position) => {
    if (target.outcome !== 'unknown' && (!isSent(target) || target.answeredAt === null)) return target
    const device = read.get(position)
    if (isReboot(job) && target.droppedAt !== null) return afterDrop(target, device ?? null, at)
    if (device != null && isProof(job, target, device))
      return { ...target, outcome: 'done', provenAt: at, provenBy: isReboot(job) ? 'check-in' : 'read' }
    return { ...target, outcome: 'unknown' }
  })
}

/** The drop was seen. Whether the device is back may have been missed, in sleep or without a connection. */
function afterDrop(target: JobTarget, device: ReadDevice | null, at: number): JobTarget {
  switch (device?.connected) {
    case true:
      return { ...target, outcome: 'done', provenAt: at, provenBy: 'disconnect' }
    case false:
      return { ...target, outcome: 'not-back' }
    case null:
    case undefined:
      return { ...target, outcome: 'unknown' }
  }
}

function isProof(job: RunningJob, target: JobTarget, device: ReadDevice): boolean {
  if (isReboot(job)) {
    const { lastConfigRequestDate: checkIn = null, connected } = device
    if (connected !== true || checkIn === null || target.checkIn === null || target.sentAt === null) return false
    return checkIn > target.checkIn && checkIn > target.sentAt
  }
  return shows(target, device)
}

/** Returns whether a device has the values that were sent. */
export function shows({ after }: Pick<JobTarget, 'after'>, device: ReadDevice): boolean {
  const { name, site, room } = after
  return (
    (name === undefined || device.name === name) &&
    (site === undefined || (device.site !== undefined && (device.site?.id ?? null) === (site?.id ?? null))) &&
    (room === undefined || (device.room !== undefined && (device.room?.id ?? null) === (room?.id ?? null)))
  )
}
