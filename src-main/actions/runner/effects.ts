import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Obstacle } from '../../../src-shared/model/jobs.ts'
import type { ReadDevice } from '../../api/mutations/mutations.ts'
import type { Sender } from '../../connections/senders.ts'
import type { ActionJob, JobTarget } from '../../storage/journal/job-records.ts'
import type { RunningJob } from '../engine/job.ts'
import type { SenderFor } from './ports.ts'

/** A target with its position in the job. `connections`: those that list it, as last seen; null: not known. */
export interface Placed {
  position: number
  target: JobTarget
  connections: readonly string[] | null
}

/** The connections that list each device, by position, as last seen. */
export type Listing = ReadonlyMap<number, readonly string[]>

/** The targets that one sender sends or reads. */
export interface SenderGroup {
  sender: Sender
  targets: Placed[]
}

export const placedOf = ({ targets }: RunningJob, positions: readonly number[], listing: Listing): Placed[] =>
  positions.flatMap((position) => {
    const target = targets[position]
    return target === undefined ? [] : [{ position, target, connections: listing.get(position) ?? null }]
  })

/** Groups targets by their senders; those without one come with the reason. */
export function bySender(
  job: ActionJob['record'],
  targets: readonly Placed[],
  senderFor: SenderFor,
): { groups: SenderGroup[]; without: { obstacle: Obstacle; targets: Placed[] }[] } {
  const groups = new Map<object, SenderGroup>()
  const without = new Map<Obstacle, Placed[]>()
  const chosen = new Map<string, ReturnType<SenderFor>>()
  for (const each of targets) {
    const { target, connections } = each
    const same = JSON.stringify([target.tenant.key, connections, Object.keys(target.after)])
    const found = chosen.get(same) ?? senderFor(target.tenant.key, job, target.after, connections)
    chosen.set(same, found)
    if ('obstacle' in found) {
      const left = without.get(found.obstacle) ?? []
      left.push(each)
      without.set(found.obstacle, left)
    } else {
      const group = groups.get(found.sender.link) ?? { sender: found.sender, targets: [] }
      group.targets.push(each)
      groups.set(found.sender.link, group)
    }
  }
  return {
    groups: [...groups.values()],
    without: [...without].map(([obstacle, left]) => ({ obstacle, targets: left })),
  }
}

/** Obstacles of the service itself, which waiting does not remove. */
const lasting: ReadonlySet<Obstacle> = new Set<Obstacle>(['role', 'not-offered'])

/** Returns whether a job waits for the obstacle to go; otherwise the devices are not sent. */
export const isPassing = (obstacle: Obstacle): boolean => !lasting.has(obstacle)

/** Returns the fault of a job that waits for a sender. */
export const noSender = (targets: readonly Placed[]): Fault => ({
  kind: 'no-sender',
  detail: [...new Set(targets.map(({ target }) => target.tenant.name))].slice(0, 5).join(', '),
})

/** Devices of one reading. */
const maxRead = 50

/**
 * Reads devices by their ids, part by part. `failed`: those of a part that could not be read, with the fault. Stops
 * between two parts when the signal aborts.
 */
export async function readTargets(
  { sender, targets }: SenderGroup,
  signal: AbortSignal,
): Promise<{ read: Map<number, ReadDevice | null>; failed: Map<number, Fault> }> {
  const read = new Map<number, ReadDevice | null>()
  const failed = new Map<number, Fault>()
  for (let from = 0; from < targets.length && !signal.aborted; from += maxRead) {
    const part = targets.slice(from, from + maxRead)
    const { found, fault } = await readPart(sender, part, signal)
    for (const [at, { position }] of part.entries()) {
      if (fault === null) read.set(position, found[at] ?? null)
      else failed.set(position, fault)
    }
  }
  return { read, failed }
}

async function readPart(
  { mutations }: Sender,
  part: readonly Placed[],
  signal: AbortSignal,
): Promise<{ found: readonly (ReadDevice | null)[]; fault: Fault | null }> {
  if (mutations === null) return { found: [], fault: noSender(part) }
  try {
    return {
      found: await mutations.read(
        part.map(({ target }) => target.id),
        signal,
      ),
      fault: null,
    }
  } catch (error) {
    return { found: [], fault: toFault(error) }
  }
}
