import type { ReadDevice, SentOutcome } from '../../api/mutations/mutations.ts'
import { assertNever, type Fault } from '../../../src-shared/model/fault.ts'
import type { JobTarget } from '../../storage/journal/job-records.ts'
import { isReboot, isSent, notSent, withTargets, type RunningJob } from './job.ts'

/** Returns the job after the answers to what was sent. An answer to what is no longer awaited changes nothing. */
export function answered(job: RunningJob, answers: ReadonlyMap<number, SentOutcome>, at: number): RunningJob {
  return withTargets(job, answers.keys(), (target, position) => {
    const answer = answers.get(position)
    if (answer === undefined || !isSent(target) || target.answeredAt !== null) return target
    return afterAnswer(job, target, answer, at)
  })
}

/** Returns why a thing was not sent that can be sent later; null: it was, or the service does not offer it. */
export const unsentFault = (answer: SentOutcome): Fault | null =>
  answer.outcome === 'not-sent' && answer.fault.kind !== 'input' ? answer.fault : null

function afterAnswer(job: RunningJob, target: JobTarget, answer: SentOutcome, at: number): JobTarget {
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
        ? notSent(now, answer.fault)
        : { ...target, outcome: 'pending', sentAt: null }
    default:
      return assertNever(answer)
  }
}

/** A drop after the sending proves a reboot; it is done when the device is connected again. */
export function transitioned(
  job: RunningJob,
  seen: { at: number; notBefore: number | null; key: string; connected: boolean },
): RunningJob {
  if (!isReboot(job)) return job
  const position = job.targets.findIndex(({ key }) => key === seen.key)
  return withTargets(job, position === -1 ? [] : [position], (target) => {
    if (target.sentAt === null || (!isSent(target) && target.outcome !== 'unknown')) return target
    if (!seen.connected)
      return (seen.notBefore ?? seen.at) >= target.sentAt && target.droppedAt === null
        ? { ...target, droppedAt: seen.at }
        : target
    if (target.droppedAt === null || seen.at < target.droppedAt) return target
    return returned({ ...target, backAt: seen.at })
  })
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
    if (device != null && isProof(job, target, device))
      return { ...target, outcome: 'done', provenAt: at, provenBy: isReboot(job) ? 'check-in' : 'read' }
    return { ...target, outcome: 'unknown' }
  })
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
