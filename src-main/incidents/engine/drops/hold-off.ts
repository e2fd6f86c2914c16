import type { DeviceLocations } from '../../../inventory/thread/protocol.ts'
import {
  thresholdsOn,
  isWatched,
  note,
  noteRecovery,
  noteMember,
  noteUnlisted,
  tenantOf,
  type Draft,
  type LocatedDevice,
} from '../draft.ts'
import { expectedOf, isAwaited } from './reboots.ts'
import { startingToFlap, flappingSince, groupedAt, pendingUntil, recentTransitions, maxWhileSteady } from './due.ts'
import type { DownDevice } from '../../grouping/group.ts'
import type { Slices } from '../../cooperative.ts'
import {
  backOf,
  downFrom,
  incidentIdOf,
  lastDropOf,
  notifiedIncident,
  recoveredFrom,
  recoveredSuspect,
  recoveringFrom,
  suspectDrop,
  type DownDrop,
  type Drop,
  type EventTime,
  type FlappingDrop,
  type RecoveringDrop,
  type SuspectDrop,
} from './drop.ts'
import type { Observation } from '../state.ts'

export interface HoldOffResult {
  down: DownDevice[]
  /** Devices that dropped while Muster did not see their tenant. */
  missed: DownDevice[]
  /** Devices that begin to flap. */
  flapping: DownDevice[]
}

type Tenants = ReadonlyMap<string, DeviceLocations['tenants'][number]>

/** Evaluates the devices whose hold-off is over. A device that Muster does not see stays pending. */
export function* evaluateHoldOff(draft: Draft, found: Observation): Slices<HoldOffResult> {
  const tenants: Tenants = new Map(found.tenants.map((tenant) => [tenant.key, tenant]))
  const result: HoldOffResult = { down: [], missed: [], flapping: [] }
  const flapping = startingToFlap(draft, draft.rules, draft.now)
  const began = new Set(flapping.at <= draft.now ? flapping.keys : [])
  for (const key of began) startFlapping(draft, key, result)
  const gone: Drop[] = []
  const completeAt = groupedAt(draft.drops.values(), draft.rules)
  for (const key of found.asked) {
    yield
    const drop = draft.drops.get(key)
    if (drop === undefined) continue
    const device = draft.found.get(key)
    if (device === undefined) {
      if (removeUnlisted(draft, drop, tenants, found.unlistedTenants)) gone.push(drop)
      continue
    }
    // The device may have moved to another place since it was asked for.
    const known = { ...drop, thresholds: thresholdsOn(draft, device.path) }
    draft.drops.set(key, known)
    if (known.kind === 'down') updateMember(draft, known, device)
    else if (known.kind === 'flapping') {
      if (!began.has(key)) evaluateFlapping(draft, known, device, result)
    } else if (known.kind !== 'recovered' && isDue(draft, known, device, completeAt)) {
      if (known.kind === 'suspect') evaluateSuspect(draft, known, device, { tenants, result })
      else evaluateRecovery(draft, known, device)
    }
  }
  removeFromRuns(draft, new Set(gone.map(({ key }) => key)))
  for (const [incident, { length }] of Map.groupBy(
    gone.filter(({ kind }) => kind !== 'recovered'),
    incidentIdOf,
  ))
    if (incident !== null) note(draft, incident, 'unlisted', { kind: 'devices', count: length })
  return result
}

/**
 * Returns whether the hold-offs of a drop and of all drops grouped with it are over. `completeAt`: when the first group
 * is complete (ms); null when there is none.
 */
function isDue(
  draft: Draft,
  drop: SuspectDrop | RecoveringDrop,
  { path }: LocatedDevice,
  completeAt: number | null,
): boolean {
  const due = pendingUntil(drop, thresholdsOn(draft, path)) ?? Infinity
  if (due <= draft.now) return drop.isBlocked || (completeAt !== null && completeAt <= draft.now)
  if (drop.isBlocked) draft.drops.set(drop.key, { ...drop, isBlocked: false })
  return false
}

function evaluateSuspect(
  draft: Draft,
  drop: SuspectDrop,
  device: LocatedDevice,
  { tenants, result }: { tenants: Tenants; result: HoldOffResult },
): void {
  const { key, at, notBefore } = drop
  if (device.connected === true) setOrDelete(draft, key, recoveredSuspect(drop, { at: draft.now, notBefore: at }))
  // The device may be put on the watch list while it is down.
  else if (isMuted(draft, device) || device.status !== 'disconnected')
    draft.drops.set(key, { ...drop, isBlocked: true })
  else {
    const isMissed = notBefore !== null && notBefore < visibleSince(draft, tenants.get(tenantOf(device.path)))
    ;(isMissed ? result.missed : result.down).push({ key, name: device.name, at, notBefore, path: device.path })
  }
}

function setOrDelete({ drops }: Draft, key: string, drop: Drop | null): void {
  if (drop === null) drops.delete(key)
  else drops.set(key, drop)
}

/** Returns whether the model of a device is muted and the device is not on the watch list. */
function isMuted(draft: Draft, { key, hardwareModel, path }: LocatedDevice): boolean {
  return draft.rules.mutedModels.has(hardwareModel) && !isWatched(draft, key, path)
}

/** Returns since when all of a tenant is visible (ms). After a partial loss, the rest was visible all the time. */
function visibleSince(
  { monitoringLost: losses }: Draft,
  tenant: DeviceLocations['tenants'][number] | undefined,
): number {
  return Math.max(tenant?.seenSince ?? 0, losses.get(tenant?.key ?? '')?.restoredAt ?? 0)
}

/**
 * Removes a device that the service no longer lists, alone or with its tenant. A device of a tenant that was not read
 * yet is only blocked. Returns whether the device was removed.
 */
function removeUnlisted(
  draft: Draft,
  drop: Drop,
  tenants: Tenants,
  withTenant: Observation['unlistedTenants'],
): boolean {
  const of = drop.key.slice(0, drop.key.lastIndexOf('/'))
  const tenant = tenants.get(of)
  if (!withTenant.has(of) && (tenant?.seen !== true || !tenant.read)) {
    // A pending device is asked for again when its time comes.
    const due = pendingUntil(drop, drop.thresholds ?? draft.rules.defaults)
    if ('isBlocked' in drop && (due === null || due <= draft.now))
      draft.drops.set(drop.key, { ...drop, isBlocked: true })
    return false
  }
  noteUnlisted(draft, drop)
  draft.drops.delete(drop.key)
  return true
}

/** Removes unlisted devices from maintenance reports, which would otherwise count them as recovered. */
function removeFromRuns({ maintenanceRuns: runs }: Draft, gone: ReadonlySet<string>): void {
  if (gone.size === 0) return
  const without = (keys: readonly string[]) => keys.filter((each) => !gone.has(each))
  for (const [id, run] of runs) {
    if (run.keys.some((key) => gone.has(key)))
      runs.set(id, {
        ...run,
        keys: without(run.keys),
        unseenDrops: run.unseenDrops && { ...run.unseenDrops, keys: without(run.unseenDrops.keys) },
      })
  }
}

/** Updates a member that may have recovered without a transition, or have gone down again. */
function updateMember(draft: Draft, drop: DownDrop, { key, connected }: LocatedDevice): void {
  if (drop.droppedAgain) noteMember(draft, drop)
  const noted = { ...drop, droppedAgain: false }
  draft.drops.set(key, connected === true ? recoveringFrom(noted, { at: draft.now, notBefore: drop.at }) : noted)
}

function evaluateRecovery(draft: Draft, drop: RecoveringDrop, { key, connected, status }: LocatedDevice): void {
  if (connected === false) draft.drops.set(key, downFrom(drop))
  else if (status !== 'connected') draft.drops.set(key, { ...drop, isBlocked: true })
  else recover(draft, drop, drop.back)
}

/** Notes a device's recovery. The drop stays pending when it was notified; otherwise it is over. */
function recover(draft: Draft, drop: RecoveringDrop | FlappingDrop, back: EventTime): void {
  noteRecovery(draft, drop, back)
  setOrDelete(draft, drop.key, recoveredFrom(drop, back))
}

function startFlapping(draft: Draft, key: string, { flapping }: HoldOffResult): void {
  const device = draft.found.get(key)
  const times = draft.flaps.get(key) ?? { times: [], thresholds: null }
  if (device === undefined || device.status === 'unknown') return void draft.flaps.delete(key)
  if (isMuted(draft, device)) return void draft.flaps.delete(key)
  const thresholds = thresholdsOn(draft, device.path)
  const at = times.times.find((each) => each > draft.now - thresholds.flapPeriodMs) ?? draft.now
  const known = draft.drops.get(key) ?? suspectDrop({ key, at, notBefore: null })
  const started = {
    kind: 'flapping' as const,
    key,
    thresholds,
    lastDrop: lastDropOf(known),
    back: backOf(known),
    expected: expectedOf(known),
    isBlocked: false,
    notified: false as const,
    pendingRecovery: notifiedIncident(known),
  }
  // A device in no incident flaps from now on, whether it is up or down.
  if (known.kind === 'suspect') {
    draft.drops.delete(key)
    draft.flappingStarts.set(key, { ...started, at, notBefore: null })
  } else draft.drops.set(key, { ...started, at: known.at, notBefore: known.notBefore, incident: known.incident })
  // Flapping began with the transition that reached the threshold.
  flapping.push({
    key,
    name: device.name,
    at: flappingSince(times, thresholds) ?? draft.now,
    notBefore: null,
    path: device.path,
  })
}

/** Ends the flapping of a device that has hardly changed in the flap period: it is then up, or down like any other. */
function evaluateFlapping(draft: Draft, drop: FlappingDrop, device: LocatedDevice, result: HoldOffResult): void {
  const { key } = drop
  // A device that becomes visible again is steady when its time comes, with or without a transition.
  const known = { ...drop, isBlocked: device.status === 'unknown' }
  draft.drops.set(key, known)
  if (known.isBlocked || (device.connected !== true && isAwaited(drop, draft.now))) return
  const { times } = draft.flaps.get(key) ?? { times: [] }
  const thresholds = thresholdsOn(draft, device.path)
  if (recentTransitions({ times, thresholds }, thresholds, draft.now) > maxWhileSteady) return
  // The last observed transition is its recovery, unless the recovery was missed.
  if (device.connected === true)
    return recover(
      draft,
      known,
      drop.back === null || drop.back.notBefore === null
        ? { at: times.at(-1) ?? draft.now, notBefore: null }
        : drop.back,
    )
  noteRecovery(draft, drop, { at: draft.now, notBefore: null })
  // An unknown last drop lies between the last observed transition and now.
  const down = { key, ...(drop.lastDrop ?? { at: draft.now, notBefore: times.at(-1) ?? drop.at }) }
  // It was notified as flapping. The notification that it is down also reports that it is steady.
  draft.drops.set(key, suspectDrop(down, notifiedIncident(drop), drop.expected))
  result.down.push({ ...down, name: device.name, path: device.path })
}
