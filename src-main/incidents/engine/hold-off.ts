import type { DeviceLocations } from '../../inventory/thread/protocol.ts'
import {
  changeDrop,
  thresholdsOn,
  isMarked,
  note,
  noteRecovery,
  noteMember,
  noteUnlisted,
  tenantOf,
  type Draft,
  type LocatedDevice,
} from './draft.ts'
import { startingToFlap, flappingSince, groupedAt, pendingUntil, recentTransitions, maxWhileSteady } from './due.ts'
import type { DownDevice } from '../grouping/group.ts'
import { suspectDrop, recoveryOfPending } from './transitions.ts'
import type { Slices } from '../cooperative.ts'
import type { Drop, Observation } from './state.ts'
import { devices } from '../../../src-shared/text/counts.ts'

export interface HoldOffResult {
  down: DownDevice[]
  /** Dropped while Muster did not see their tenant. */
  missed: DownDevice[]
  /** Begin to flap. */
  flapping: DownDevice[]
}

type Tenants = ReadonlyMap<string, DeviceLocations['tenants'][number]>

/** How the devices stand whose hold-off is over. Nothing is said of what Muster does not see: it waits. */
export function* evaluateHoldOff(draft: Draft, asked: readonly string[], found: Observation): Slices<HoldOffResult> {
  const tenants: Tenants = new Map(found.tenants.map((tenant) => [tenant.key, tenant]))
  const result: HoldOffResult = { down: [], missed: [], flapping: [] }
  const flapping = startingToFlap(draft, draft.rules, draft.now)
  const began = new Set(flapping.at <= draft.now ? flapping.keys : [])
  for (const key of began) startFlapping(draft, key, result)
  const gone: Drop[] = []
  const ripe = groupedAt(draft.drops.values(), draft.rules, ({ waitUntil }) => waitUntil !== Infinity)
  for (const key of asked) {
    yield
    const drop = draft.drops.get(key)
    if (drop === undefined) continue
    const device = draft.found.get(key)
    if (device === undefined) {
      if (removeUnlisted(draft, drop, tenants, found.unlistedTenants)) gone.push(drop)
      continue
    }
    // It may stand in another place than when it was asked for.
    const known = { ...drop, thresholds: thresholdsOn(draft, device.path) }
    draft.drops.set(key, known)
    if (!known.flapping)
      evaluateDrop(draft, known, device, {
        tenants,
        weighed: result,
        ripe: drop.waitUntil === Infinity || (ripe !== null && ripe <= draft.now),
      })
    else if (!began.has(key)) evaluateFlapping(draft, known, device, result)
  }
  removeFromRuns(draft, new Set(gone.map(({ key }) => key)))
  for (const [incident, { length }] of Map.groupBy(
    gone.filter(({ returned }) => !returned),
    (drop) => drop.incident,
  ))
    if (incident !== null) note(draft, incident, 'unlisted', devices(length))
  return result
}

function evaluateDrop(
  draft: Draft,
  drop: Drop,
  device: LocatedDevice,
  { tenants, weighed: result, ripe }: { tenants: Tenants; weighed: HoldOffResult; ripe: boolean },
): void {
  const due = pendingUntil(drop, thresholdsOn(draft, device.path))
  if (due === null) {
    if (!drop.returned) updateMember(draft, drop, device)
    return
  }
  if (due > draft.now) {
    if (drop.waitUntil === Infinity) changeDrop(draft, drop.key, { waitUntil: 0 })
    return
  }
  if (!ripe) return
  if (drop.incident !== null) evaluateRecovery(draft, drop, device)
  else if (device.connected === true) cancelDrop(draft, drop)
  // It may be put on the watch list while it is down.
  else if (isMuted(draft, device) || device.status !== 'disconnected')
    changeDrop(draft, drop.key, { waitUntil: Infinity })
  else {
    const { at, notBefore } = drop
    const isMissed = notBefore !== null && notBefore < seenSince(draft, tenants.get(tenantOf(device.path)))
    ;(isMissed ? result.missed : result.down).push({
      key: drop.key,
      name: device.name,
      at,
      notBefore,
      path: device.path,
    })
  }
}

function cancelDrop({ drops, now }: Draft, drop: Drop): void {
  const pendingRecovery = recoveryOfPending(drop, now, drop.at)
  if (pendingRecovery === null) drops.delete(drop.key)
  else drops.set(drop.key, pendingRecovery)
}

/** Kinds of which the operator wants to hear nothing, as long as nothing marks the device. */
function isMuted(draft: Draft, { key, hardwareModel, path }: LocatedDevice): boolean {
  return draft.rules.mutedModels.has(hardwareModel) && !isMarked(draft, key, path)
}

/** Of a tenant that was out of sight in part, the rest was seen all the time; it is whole again since then. */
function seenSince({ monitoringLost: losses }: Draft, tenant: DeviceLocations['tenants'][number] | undefined): number {
  return Math.max(tenant?.seenSince ?? 0, losses.get(tenant?.key ?? '')?.restoredAt ?? 0)
}

/** Of a device that the service no longer lists, alone or with its tenant, nobody knows how it is. While its tenant has not been read, it is only not there yet. Answers whether it is gone. */
function removeUnlisted(
  draft: Draft,
  drop: Drop,
  tenants: Tenants,
  withTenant: Observation['unlistedTenants'],
): boolean {
  const of = drop.key.slice(0, drop.key.lastIndexOf('/'))
  const tenant = tenants.get(of)
  if (!withTenant.has(of) && (tenant?.seen !== true || !tenant.read)) {
    // What is still held is asked for again when its time comes.
    const due = pendingUntil(drop, drop.thresholds ?? draft.rules.defaults)
    if (due === null || due <= draft.now) changeDrop(draft, drop.key, { waitUntil: Infinity })
    return false
  }
  noteUnlisted(draft, drop)
  draft.drops.delete(drop.key)
  return true
}

/** No report of a maintenance window says of these that they came back. */
function removeFromRuns({ maintenanceRuns: runs }: Draft, gone: ReadonlySet<string>): void {
  if (gone.size === 0) return
  const without = (keys: readonly string[]) => keys.filter((each) => !gone.has(each))
  for (const [id, window] of runs) {
    if (window.keys.some((key) => gone.has(key)))
      runs.set(id, {
        ...window,
        keys: without(window.keys),
        unseenDrops: window.unseenDrops && { ...window.unseenDrops, keys: without(window.unseenDrops.keys) },
      })
  }
}

/** One that is in an incident: it may have come back without anybody having heard of it, or have gone again. */
function updateMember(draft: Draft, drop: Drop, { key, connected }: LocatedDevice): void {
  if (drop.droppedAgain) {
    noteMember(draft, drop)
    changeDrop(draft, key, { droppedAgain: false })
  }
  if (connected === true && drop.backAt === null)
    changeDrop(draft, key, { backAt: draft.now, backNotBefore: drop.at, waitUntil: 0 })
}

function evaluateRecovery(draft: Draft, drop: Drop, { key, connected, status }: LocatedDevice): void {
  if (connected === false) changeDrop(draft, key, { backAt: null, backNotBefore: null, waitUntil: 0 })
  else if (status !== 'connected') changeDrop(draft, key, { waitUntil: Infinity })
  else recover(draft, drop, drop.backAt ?? draft.now, drop.backNotBefore)
}

/** Its return is told when its drop was, else it is over with it. */
function recover(draft: Draft, drop: Drop, at: number, notBefore: number | null): void {
  noteRecovery(draft, drop, at, notBefore)
  if (drop.notified || drop.pendingRecovery !== null)
    draft.drops.set(drop.key, {
      ...drop,
      notified: true,
      pendingRecovery: null,
      backAt: at,
      backNotBefore: notBefore,
      returned: true,
      flapping: false,
    })
  else draft.drops.delete(drop.key)
}

function startFlapping(draft: Draft, key: string, { flapping }: HoldOffResult): void {
  const device = draft.found.get(key)
  const times = draft.flaps.get(key) ?? { times: [], thresholds: null }
  if (device === undefined || device.status === 'unknown') return void draft.flaps.delete(key)
  if (isMuted(draft, device)) return void draft.flaps.delete(key)
  const thresholds = thresholdsOn(draft, device.path)
  const at = times.times.find((each) => each > draft.now - thresholds.flapPeriodMs) ?? draft.now
  const known = draft.drops.get(key) ?? suspectDrop({ key, at, notBefore: null })
  // One that is in no incident yet flaps since then, whether it is up or down now.
  draft.drops.set(key, {
    ...known,
    ...(known.incident === null ? { at, notBefore: null } : {}),
    flapping: true,
    returned: false,
    notified: false,
    pendingRecovery: known.notified ? known.incident : known.pendingRecovery,
    waitUntil: 0,
    thresholds,
  })
  // It began with the change that made it one, whatever came before that.
  flapping.push({
    key,
    name: device.name,
    at: flappingSince(times, thresholds) ?? draft.now,
    notBefore: null,
    path: device.path,
  })
}

/** It ceases to flap when it has hardly changed for the whole time: then it is up, or down as any other. */
function evaluateFlapping(draft: Draft, drop: Drop, device: LocatedDevice, result: HoldOffResult): void {
  const { key } = drop
  if (device.status === 'unknown') return changeDrop(draft, key, { waitUntil: Infinity })
  // Seen again: it is steady when its time comes, whether or not anything is heard of it.
  if (drop.waitUntil === Infinity) changeDrop(draft, key, { waitUntil: 0 })
  const times = draft.flaps.get(key) ?? { times: [], thresholds: null }
  if (recentTransitions(times, thresholdsOn(draft, device.path), draft.now) > maxWhileSteady) return
  // The last change that was seen is its return, unless that was missed.
  if (device.connected === true)
    return drop.backNotBefore === null
      ? recover(draft, drop, times.times.at(-1) ?? draft.now, null)
      : recover(draft, drop, drop.backAt ?? draft.now, drop.backNotBefore)
  noteRecovery(draft, drop, draft.now, null)
  // Where its last drop is not known, it lies between the last change that was seen and now.
  const down = { key, ...(drop.droppedAt ?? { at: draft.now, notBefore: times.times.at(-1) ?? drop.at }) }
  // Told to flap and now told to be down: its return to steadiness is said with that.
  draft.drops.set(key, { ...suspectDrop(down), pendingRecovery: drop.notified ? drop.incident : drop.pendingRecovery })
  result.down.push({ ...down, name: device.name, path: device.path })
}
