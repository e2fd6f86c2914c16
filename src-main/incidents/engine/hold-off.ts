import type { DeviceLocations } from '../../inventory/thread/protocol.ts'
import {
  changeDrop,
  thresholdsOn,
  isMarked,
  note,
  noteLeft,
  noteMember,
  noteUnlisted,
  tenantOf,
  type Draft,
  type LocatedDevice,
} from './draft.ts'
import { beginToFlap, flapsSince, groupedAt, holdsUntil, lately, mostWhileSteady } from './due.ts'
import type { DownDevice } from '../grouping/group.ts'
import { suspectDrop, pendingRecovery } from './transitions.ts'
import type { Slices } from '../cooperative.ts'
import type { Drop, Observation } from './state.ts'
import { devices } from '../../notifications/messages.ts'

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
  const weighed: HoldOffResult = { down: [], missed: [], flapping: [] }
  const flapping = beginToFlap(draft, draft.rules, draft.now)
  const began = new Set(flapping.at <= draft.now ? flapping.keys : [])
  for (const key of began) begin(draft, key, weighed)
  const gone: Drop[] = []
  const ripe = groupedAt(draft.drops.values(), draft.rules, ({ waitUntil }) => waitUntil !== Infinity)
  for (const key of asked) {
    yield
    const drop = draft.drops.get(key)
    if (drop === undefined) continue
    const device = draft.found.get(key)
    if (device === undefined) {
      if (leaves(draft, drop, tenants, found.gone)) gone.push(drop)
      continue
    }
    // It may stand in another place than when it was asked for.
    const known = { ...drop, figures: thresholdsOn(draft, device.path) }
    draft.drops.set(key, known)
    if (!known.flapping)
      standing(draft, known, device, {
        tenants,
        weighed,
        ripe: drop.waitUntil === Infinity || (ripe !== null && ripe <= draft.now),
      })
    else if (!began.has(key)) flaps(draft, known, device, weighed)
  }
  forgetIn(draft, new Set(gone.map(({ key }) => key)))
  for (const [incident, { length }] of Map.groupBy(
    gone.filter(({ returned }) => !returned),
    (drop) => drop.incident,
  ))
    if (incident !== null) note(draft, incident, 'unlisted', devices(length))
  return weighed
}

function standing(
  draft: Draft,
  drop: Drop,
  device: LocatedDevice,
  { tenants, weighed, ripe }: { tenants: Tenants; weighed: HoldOffResult; ripe: boolean },
): void {
  const due = holdsUntil(drop, thresholdsOn(draft, device.path))
  if (due === null) {
    if (!drop.returned) stands(draft, drop, device)
    return
  }
  if (due > draft.now) {
    if (drop.waitUntil === Infinity) changeDrop(draft, drop.key, { waitUntil: 0 })
    return
  }
  if (!ripe) return
  if (drop.incident !== null) returns(draft, drop, device)
  else if (device.connected === true) neverWas(draft, drop)
  // It may be put on the watch list while it is down.
  else if (isMuted(draft, device) || device.status !== 'disconnected')
    changeDrop(draft, drop.key, { waitUntil: Infinity })
  else {
    const { at, notBefore } = drop
    const isMissed = notBefore !== null && notBefore < seenSince(draft, tenants.get(tenantOf(device.path)))
    ;(isMissed ? weighed.missed : weighed.down).push({
      key: drop.key,
      name: device.name,
      at,
      notBefore,
      path: device.path,
    })
  }
}

function neverWas({ drops, now }: Draft, drop: Drop): void {
  const owed = pendingRecovery(drop, now, drop.at)
  if (owed === null) drops.delete(drop.key)
  else drops.set(drop.key, owed)
}

/** Kinds of which the operator wants to hear nothing, as long as nothing marks the device. */
function isMuted(draft: Draft, { key, hardwareModel, path }: LocatedDevice): boolean {
  return draft.rules.muted.has(hardwareModel) && !isMarked(draft, key, path)
}

/** Of a tenant that was out of sight in part, the rest was seen all the time; it is whole again since then. */
function seenSince({ blind }: Draft, tenant: DeviceLocations['tenants'][number] | undefined): number {
  return Math.max(tenant?.seenSince ?? 0, blind.get(tenant?.key ?? '')?.sightedAt ?? 0)
}

/** Of a device that the service no longer lists, alone or with its tenant, nobody knows how it is. While its tenant has not been read, it is only not there yet. Answers whether it is gone. */
function leaves(draft: Draft, drop: Drop, tenants: Tenants, withTenant: Observation['gone']): boolean {
  const of = drop.key.slice(0, drop.key.lastIndexOf('/'))
  const tenant = tenants.get(of)
  if (!withTenant.has(of) && (tenant?.seen !== true || !tenant.read)) {
    // What is still held is asked for again when its time comes.
    const due = holdsUntil(drop, drop.figures ?? draft.rules.own)
    if (due === null || due <= draft.now) changeDrop(draft, drop.key, { waitUntil: Infinity })
    return false
  }
  noteUnlisted(draft, drop)
  draft.drops.delete(drop.key)
  return true
}

/** No report of a maintenance window says of these that they came back. */
function forgetIn({ held }: Draft, gone: ReadonlySet<string>): void {
  if (gone.size === 0) return
  const without = (keys: readonly string[]) => keys.filter((each) => !gone.has(each))
  for (const [id, window] of held) {
    if (window.keys.some((key) => gone.has(key)))
      held.set(id, {
        ...window,
        keys: without(window.keys),
        hidden: window.hidden && { ...window.hidden, keys: without(window.hidden.keys) },
      })
  }
}

/** One that is in an incident: it may have come back without anybody having heard of it, or have gone again. */
function stands(draft: Draft, drop: Drop, { key, connected }: LocatedDevice): void {
  if (drop.again) {
    noteMember(draft, drop)
    changeDrop(draft, key, { again: false })
  }
  if (connected === true && drop.backAt === null)
    changeDrop(draft, key, { backAt: draft.now, backNotBefore: drop.at, waitUntil: 0 })
}

function returns(draft: Draft, drop: Drop, { key, connected, status }: LocatedDevice): void {
  if (connected === false) changeDrop(draft, key, { backAt: null, backNotBefore: null, waitUntil: 0 })
  else if (status !== 'connected') changeDrop(draft, key, { waitUntil: Infinity })
  else isBack(draft, drop, drop.backAt ?? draft.now, drop.backNotBefore)
}

/** Its return is told when its drop was, else it is over with it. */
function isBack(draft: Draft, drop: Drop, at: number, notBefore: number | null): void {
  noteLeft(draft, drop, at, notBefore)
  if (drop.told || drop.owed !== null)
    draft.drops.set(drop.key, {
      ...drop,
      told: true,
      owed: null,
      backAt: at,
      backNotBefore: notBefore,
      returned: true,
      flapping: false,
    })
  else draft.drops.delete(drop.key)
}

function begin(draft: Draft, key: string, { flapping }: HoldOffResult): void {
  const device = draft.found.get(key)
  const times = draft.flaps.get(key) ?? { times: [], figures: null }
  if (device === undefined || device.status === 'unknown') return void draft.flaps.delete(key)
  if (isMuted(draft, device)) return void draft.flaps.delete(key)
  const figures = thresholdsOn(draft, device.path)
  const at = times.times.find((each) => each > draft.now - figures.flapMs) ?? draft.now
  const known = draft.drops.get(key) ?? suspectDrop({ key, at, notBefore: null })
  // One that is in no incident yet flaps since then, whether it is up or down now.
  draft.drops.set(key, {
    ...known,
    ...(known.incident === null ? { at, notBefore: null } : {}),
    flapping: true,
    returned: false,
    told: false,
    owed: known.told ? known.incident : known.owed,
    waitUntil: 0,
    figures,
  })
  // It began with the change that made it one, whatever came before that.
  flapping.push({
    key,
    name: device.name,
    at: flapsSince(times, figures) ?? draft.now,
    notBefore: null,
    path: device.path,
  })
}

/** It ceases to flap when it has hardly changed for the whole time: then it is up, or down as any other. */
function flaps(draft: Draft, drop: Drop, device: LocatedDevice, weighed: HoldOffResult): void {
  const { key } = drop
  if (device.status === 'unknown') return changeDrop(draft, key, { waitUntil: Infinity })
  // Seen again: it is steady when its time comes, whether or not anything is heard of it.
  if (drop.waitUntil === Infinity) changeDrop(draft, key, { waitUntil: 0 })
  const times = draft.flaps.get(key) ?? { times: [], figures: null }
  if (lately(times, thresholdsOn(draft, device.path), draft.now) > mostWhileSteady) return
  // The last change that was seen is its return, unless that was missed.
  if (device.connected === true)
    return drop.backNotBefore === null
      ? isBack(draft, drop, times.times.at(-1) ?? draft.now, null)
      : isBack(draft, drop, drop.backAt ?? draft.now, drop.backNotBefore)
  noteLeft(draft, drop, draft.now, null)
  // Where its last drop is not known, it lies between the last change that was seen and now.
  const down = { key, ...(drop.went ?? { at: draft.now, notBefore: times.times.at(-1) ?? drop.at }) }
  // Told to flap and now told to be down: its return to steadiness is said with that.
  draft.drops.set(key, { ...suspectDrop(down), owed: drop.told ? drop.incident : drop.owed })
  weighed.down.push({ ...down, name: device.name, path: device.path })
}
