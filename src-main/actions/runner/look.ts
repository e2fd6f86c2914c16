import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { ReadDevice } from '../../api/mutations/mutations.ts'
import type { ActionDevice } from '../../inventory/thread/job-protocol.ts'
import { isReboot, type RunningJob } from '../engine/job.ts'
import type { Looked } from '../engine/step.ts'
import { bySender, isPassing, noSender, placedOf, readTargets, type Placed } from './effects.ts'
import type { EffectOptions } from './ports.ts'

/**
 * Looks at devices just before they are sent: their status in the inventory, and for a reboot call and check-in, read
 * from the service. A device that cannot be read can be sent all the same, its call is unknown. The service says whether
 * one that is not in the inventory is gone: the inventory may still be filling. Returns a fault where nothing can be sent
 * now.
 */
export async function look(
  options: EffectOptions,
  job: RunningJob,
  positions: readonly number[],
  listing: Map<number, readonly string[]>,
  signal: AbortSignal,
): Promise<{ looked: Map<number, Looked> } | { fault: Fault }> {
  const { place } = job.record
  const wanted = placedOf(job, positions, listing)
  try {
    await options.ready([...new Set(wanted.map(({ target }) => target.tenant.key))], signal)
    const devices = place === null ? await inventoried(options, wanted) : null
    const placed = wanted.map((each): Placed => {
      const connections = devices?.get(each.target.key)?.connections
      if (connections !== undefined) listing.set(each.position, connections)
      return { ...each, connections: connections ?? null }
    })
    const { groups, without } = bySender(job.record, placed, options.senderFor)
    const waiting = without.find(({ obstacle }) => isPassing(obstacle))
    if (waiting !== undefined) return { fault: noSender(waiting.targets) }
    const looked = new Map<number, Looked>()
    for (const { obstacle, targets } of without)
      for (const { position } of targets) looked.set(position, { ...unread, obstacle })
    for (const { position, target } of groups.flatMap(({ targets }) => targets))
      looked.set(position, { ...unread, connected: connectedOf(devices?.get(target.key)) })
    const isAbsent = ({ target }: Placed) => devices !== null && !devices.has(target.key)
    const fault = await readAbsent(groups, isAbsent, looked, signal)
    if (fault !== null) return { fault }
    if (isReboot(job)) await readCalls(groups, isAbsent, looked, signal)
    const taken = place === null ? await takenOf(options, job, wanted) : new Set<string>()
    for (const { position, target } of wanted)
      if (taken.has(target.key)) looked.set(position, { ...unread, obstacle: 'busy' })
    return { looked }
  } catch (error) {
    return { fault: toFault(error) }
  }
}

type Groups = ReturnType<typeof bySender>['groups']

/** Reads the wanted devices of all groups from the service. */
const readOf = (groups: Groups, isWanted: (each: Placed) => boolean, signal: AbortSignal) =>
  Promise.all(groups.map(({ sender, targets }) => readTargets({ sender, targets: targets.filter(isWanted) }, signal)))

/** Reads what is not in the inventory: what the service does not have is gone. Returns the fault where it cannot be read. */
async function readAbsent(
  groups: Groups,
  isAbsent: (each: Placed) => boolean,
  looked: Map<number, Looked>,
  signal: AbortSignal,
): Promise<Fault | null> {
  for (const { read, failed } of await readOf(groups, isAbsent, signal)) {
    for (const [position, device] of read) {
      if (device === null) looked.delete(position)
      else looked.set(position, withRead(unread, device))
    }
    for (const [position, fault] of failed) {
      // Such a service reads no device by its id.
      if (fault.kind !== 'query') return fault
      looked.set(position, { ...unread, obstacle: 'unknown' })
    }
  }
  return null
}

const unread: Looked = { connected: null, call: 'unknown', checkIn: null }

/** Returns the devices of the inventory by their keys. */
async function inventoried(
  { data, clock }: EffectOptions,
  targets: readonly Placed[],
): Promise<Map<string, ActionDevice>> {
  const keys = targets.map(({ target }) => target.key)
  const { devices } = await data.actionDevices({ of: { keys }, limit: keys.length, now: clock.now() })
  return new Map(devices.map((device) => [device.key, device]))
}

/** Returns the keys on which another member of the team acts: it may have begun while this Muster was away. */
async function takenOf(
  { data, others }: EffectOptions,
  { record: { id, owner } }: RunningJob,
  targets: readonly Placed[],
): Promise<Set<string>> {
  if (owner === undefined) return new Set()
  const keys = targets.map(({ target }) => target.key)
  return new Set(await data.takenDevices({ job: id, member: owner.member, keys, absent: others.absent() }))
}

const connectedOf = (device: ActionDevice | undefined): boolean | null =>
  device === undefined || device.status === 'unknown' ? null : device.status === 'connected'

/** Adds what the service says of the connected ones. */
async function readCalls(
  groups: Groups,
  isAbsent: (each: Placed) => boolean,
  looked: Map<number, Looked>,
  signal: AbortSignal,
): Promise<void> {
  const isConnected = (each: Placed) => !isAbsent(each) && looked.get(each.position)?.connected === true
  for (const { read } of await readOf(groups, isConnected, signal))
    for (const [position, device] of read) {
      const before = looked.get(position)
      if (before !== undefined && device !== null) looked.set(position, withRead(before, device))
    }
}

const withRead = (before: Looked, { connected, call, lastConfigRequestDate }: ReadDevice): Looked => ({
  ...before,
  // The service's own word is newer. Where it does not know, the inventory's stands.
  connected: connected ?? before.connected,
  call: call ?? 'unknown',
  checkIn: lastConfigRequestDate ?? null,
})
