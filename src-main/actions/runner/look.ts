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
  listing: Map<number, readonly string[]>,
  signal: AbortSignal,
): Promise<{ looked: Map<number, Looked> } | { fault: Fault }> {
  const { kind, place } = job.record
  const wanted = placedOf(job, positions, listing)
  try {
    await options.ready([...new Set(wanted.map(({ target }) => target.tenant.key))], signal)
    const devices = place === null ? await inventoried(options, wanted) : null
    const present = wanted.flatMap((each): Placed[] => {
      if (devices === null) return [each]
      const connections = devices.get(each.target.key)?.connections
      if (connections !== undefined) listing.set(each.position, connections)
      return connections === undefined ? [] : [{ ...each, connections }]
    })
    const { groups, without } = bySender(kind, present, options.senderFor)
    const waiting = without.find(({ obstacle }) => isPassing(obstacle))
    if (waiting !== undefined) return { fault: noSender(waiting.targets) }
    const looked = new Map<number, Looked>()
    for (const { obstacle, targets } of without)
      for (const { position } of targets) looked.set(position, { ...unread, obstacle })
    for (const { position, target } of groups.flatMap(({ targets }) => targets))
      looked.set(position, { ...unread, connected: connectedOf(devices?.get(target.key)) })
    if (isReboot(job)) await readCalls(groups, looked, signal)
    return { looked }
  } catch (error) {
    return { fault: toFault(error) }
  }
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
  call: call ?? 'unknown',
  checkIn: lastConfigRequestDate ?? null,
})
