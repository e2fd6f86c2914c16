import { assertNever, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { JobKind } from '../../../src-shared/model/jobs.ts'
import {
  maxUpdates,
  type DeviceUpdate,
  type Mutations,
  type SendSignals,
  type SentOutcome,
} from '../../api/mutations/mutations.ts'
import { idOfKey } from '../../inventory/keys.ts'
import type { JobTarget } from '../../storage/journal/job-records.ts'
import type { RunningJob } from '../engine/job.ts'
import type { Answer } from '../engine/outcomes.ts'
import { bySender, isPassing, noSender, placedOf, type Listing, type Placed, type SenderGroup } from './effects.ts'
import type { EffectOptions } from './ports.ts'

export type Answers = ReadonlyMap<number, Answer>

/**
 * Sends what is to be sent, once, and calls `onAnswers` with what came of it, sender by sender. Never rejects. To be
 * called after the intent is on disk (invariant 16).
 */
export async function send(
  options: EffectOptions,
  job: RunningJob,
  positions: readonly number[],
  { listing, signals, onAnswers }: { listing: Listing; signals: SendSignals; onAnswers: (answers: Answers) => void },
): Promise<void> {
  const { groups, without } = bySender(job.record, placedOf(job, positions, listing), options.senderFor)
  for (const { obstacle, targets } of without)
    onAnswers(
      isPassing(obstacle)
        ? allOf(targets, { outcome: 'not-sent', fault: noSender(targets) })
        : allOf(targets, { outcome: 'left-out', obstacle }),
    )
  await Promise.all(
    groups.map(async (group) => {
      const answers = await sendGroup(job, group, signals)
      notePermission(options, job.record.kind, group, answers)
      onAnswers(answers)
    }),
  )
}

const notOffered: Fault = { kind: 'input', detail: 'The service does not offer this.' }

const allOf = (targets: readonly Placed[], outcome: Answer): Answers =>
  new Map(targets.map(({ position }) => [position, outcome]))

async function sendGroup(job: RunningJob, { sender, targets }: SenderGroup, signals: SendSignals): Promise<Answers> {
  const { mutations } = sender
  if (mutations === null) return allOf(targets, { outcome: 'not-sent', fault: noSender(targets) })
  try {
    const outcomes = await outcomesOf(mutations, job, targets, signals)
    return new Map(
      targets.map(
        ({ position }, at) => [position, withReason(outcomes[at] ?? withoutOutcome, targets, signals)] as const,
      ),
    )
  } catch (error) {
    // It may have left before.
    return allOf(targets, { outcome: 'unknown', words: toFault(error).kind })
  }
}

const withoutOutcome: SentOutcome = { outcome: 'unknown', words: '' }

/** A connection that was stopped did not send: the job waits for it, or another one. */
const withReason = (outcome: SentOutcome, targets: readonly Placed[], { withdraw }: SendSignals): SentOutcome =>
  outcome.outcome === 'not-sent' &&
  (outcome.fault.kind === 'stopped' || (outcome.fault.kind === 'abort' && !withdraw.aborted))
    ? { outcome: 'not-sent', fault: noSender(targets) }
    : outcome

async function outcomesOf(
  mutations: Mutations,
  { record }: RunningJob,
  targets: readonly Placed[],
  signals: SendSignals,
): Promise<SentOutcome[]> {
  switch (record.kind) {
    case 'reboot':
      return Promise.all(targets.map(({ target }) => mutations.reboot(target.id, record.linkedDevices, signals)))
    case 'rename':
    case 'move':
    case 'update':
      return updateParts(mutations, targets, signals)
    case 'site':
    case 'room':
      return [await savePlace(mutations, record, signals)]
    default:
      return assertNever(record.kind)
  }
}

async function updateParts(
  mutations: Mutations,
  targets: readonly Placed[],
  signals: SendSignals,
): Promise<SentOutcome[]> {
  const outcomes: SentOutcome[] = []
  for (let from = 0; from < targets.length; from += maxUpdates) {
    const part = targets.slice(from, from + maxUpdates)
    const sent = await mutations.update(
      part.map(({ target }) => updateOf(target)),
      signals,
    )
    for (const at of part.keys()) outcomes.push(sent[at] ?? withoutOutcome)
  }
  return outcomes
}

const updateOf = ({ id, after: { name, site, room } }: JobTarget): DeviceUpdate => ({
  id,
  ...(name !== undefined && { name }),
  ...(site !== undefined && { site: site?.id ?? null }),
  ...(room !== undefined && { room: room?.id ?? null }),
})

async function savePlace(
  mutations: Mutations,
  { kind, place, fields }: RunningJob['record'],
  signals: SendSignals,
): Promise<SentOutcome> {
  if (place === null || fields === null) return { outcome: 'not-sent', fault: notOffered }
  const { name, account, site, capacity, size, floor } = fields
  const shared = { tenant: idOfKey(place.tenant), id: place.id, name }
  if (kind === 'site') return mutations.saveSite({ ...shared, ...(account !== undefined && { account }) }, signals)
  return mutations.saveRoom(
    {
      ...shared,
      ...(site !== undefined && { site }),
      ...(capacity !== undefined && { capacity }),
      ...(size !== undefined && { size }),
      ...(floor !== undefined && { floor }),
    },
    signals,
  )
}

function notePermission(
  { onPermission }: EffectOptions,
  kind: JobKind,
  { sender }: SenderGroup,
  answers: Answers,
): void {
  const all = [...answers.values()]
  const isForbidden = (answer: Answer) => answer.outcome === 'refused' && answer.fault?.kind === 'forbidden'
  if (all.some(({ outcome }) => outcome === 'confirmed')) onPermission(sender, kind, 'confirmed')
  else if (all.length > 0 && all.every(isForbidden)) onPermission(sender, kind, 'forbidden')
}
