import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { ReadDevice } from '../../api/mutations/mutations.ts'
import type { ActionDevice } from '../../inventory/thread/job-protocol.ts'
import { isReboot, type RunningJob } from '../engine/job.ts'
import type { Looked } from '../engine/step.ts'
import { bySender, isPassing, noSender, placedOf, readTargets, type Placed } from './effects.ts'
import type { EffectOptions } from './ports.ts'

/**
 * Looks at devices just before they are sent: their status in the inventory, and for a reboot call and check-in, read
 * from the service. A device that cannot be read can be sent all the same, its call is unknown. Returns a fault where
 * nothing can be sent now.
 */
export async function look(
  options: EffectOptions,
  job: RunningJob,
  positions: readonly number[],
  signal: AbortSignal,
): Promise<{ looked: Map<number, Looked> } | { fault: Fault }> {
  const { kind, place } = job.record
  const { groups, without } = bySender(kind, placedOf(job, positions), options.senderFor)
  const waiting = without.find(({ obstacle }) => isPassing(obstacle))
  if (waiting !== undefined) return { fault: noSender(waiting.targets) }
  const looked = new Map<number, Looked>()
  for (const { obstacle, targets } of without)
    for (const { position } of targets)
      looked.set(position, { connected: null, call: 'unknown', checkIn: null, obstacle })
  const free = groups.flatMap(({ targets }) => targets)
  const known = place === null ? await inventoried(options, free) : { devices: null }
  if ('fault' in known) return known
  const sendable = free.filter(({ target }) => known.devices === null || known.devices.has(target.key))
  for (const { position, target } of sendable)
    looked.set(position, { connected: connectedOf(known.devices?.get(target.key)), call: 'unknown', checkIn: null })
  if (isReboot(job)) await readCalls(groups, looked, signal)
  return { looked }
}

/** Returns the devices of the inventory by their keys. */
async function inventoried(
  { data, clock }: EffectOptions,
  targets: readonly Placed[],
): Promise<{ devices: Map<string, ActionDevice> } | { fault: Fault }> {
  const keys = targets.map(({ target }) => target.key)
  if (keys.length === 0) return { devices: new Map() }
  try {
    const { devices } = await data.actionDevices({ of: { keys }, limit: keys.length, now: clock.now() })
    return { devices: new Map(devices.map((device) => [device.key, device])) }
  } catch (error) {
    return { fault: toFault(error) }
  }
}

const connectedOf = (device: ActionDevice | undefined): boolean | null =>
  device === undefined || device.status === 'unknown' ? null : device.status === 'connected'

/** Adds what the service says of the connected ones. */
async function readCalls(
  groups: ReturnType<typeof bySender>['groups'],
  looked: Map<number, Looked>,
  signal: AbortSignal,
): Promise<void> {
  const all = groups.map(({ sender, targets }) =>
    readTargets(
      { sender, targets: targets.filter(({ position }) => looked.get(position)?.connected === true) },
      signal,
    ),
  )
  for (const { read } of await Promise.all(all))
    for (const [position, device] of read) {
      const before = looked.get(position)
      if (before !== undefined && device !== null) looked.set(position, withRead(before, device))
    }
}

const withRead = (before: Looked, { connected, call, lastConfigRequestDate }: ReadDevice): Looked => ({
  ...before,
  // The service's own word is newer. Where it does not know, the inventory's stands.
  connected: connected ?? before.connected,
  call: call ?? 'unsupported',
  checkIn: lastConfigRequestDate ?? null,
})
