import type { DevicePlace, DeviceReading, LiveEvent, ReconciliationInput } from '../thread/update-protocol.ts'

/**
 * The last event of each device, as long as an answer to an earlier request may still come (invariant 10).
 * Unknown devices too: the page that brings them may have been requested before their event.
 */
export interface RecentUpdates {
  readonly updates: Map<string, RecentUpdate>
  /** Keys of those that the cache lacks, or has too many, in the order of their arrival; null where they are not kept. */
  unsaved: Set<string> | null
}

interface RecentUpdate {
  at: number
  connected: { order: number; value: boolean | null } | null
  name: { order: number; value: string } | null
  place: { order: number; value: DevicePlace } | null
}

/** Up to this number, updates stay however old they are. */
const maxUpdates = 10_000
/** No request takes this long, ms. */
const maxRequestMs = 15 * 60_000

export const newRecentUpdates = (): RecentUpdates => ({ updates: new Map(), unsaved: null })

/** Takes over an update from the cache; they come in the order of their arrival. `text`: as of `updateText`. */
export function restoreUpdate({ updates }: RecentUpdates, key: string, text: string): void {
  updates.set(key, JSON.parse(text) as RecentUpdate)
}

/** Returns an update as JSON; null where there is none. */
export function updateText({ updates }: RecentUpdates, key: string): string | null {
  const update = updates.get(key)
  return update === undefined ? null : JSON.stringify(update)
}

/** Forgets the updates of some devices, because they are erased. `tenant`: null where the event named none. */
export function forgetUpdates(
  { updates, unsaved }: RecentUpdates,
  isErased: (device: { service: string; tenant: string | null; id: string }) => boolean,
): void {
  for (const key of updates.keys()) {
    const [service, tenant, id] = JSON.parse(key) as [string, string | null, string]
    if (!isErased({ service, tenant, id })) continue
    updates.delete(key)
    unsaved?.add(key)
  }
}

/** Puts an update after all others. */
function put({ updates, unsaved }: RecentUpdates, key: string, update: RecentUpdate): void {
  for (const keys of [updates, unsaved]) keys?.delete(key)
  updates.set(key, update)
  unsaved?.add(key)
}

const updateKey = (service: string, tenant: string | null, id: string) => JSON.stringify([service, tenant, id])

/** Keeps an event. `place`: the place that it names; null: none that is known. */
export function remember(
  recent: RecentUpdates,
  service: string,
  event: LiveEvent,
  place: DevicePlace | null = null,
): void {
  const key = updateKey(service, event.tenant, event.id)
  const before = recent.updates.get(key)
  put(recent, key, {
    at: event.at,
    connected:
      event.connected === undefined ? (before?.connected ?? null) : { order: event.order, value: event.connected },
    name: event.name === null ? (before?.name ?? null) : { order: event.order, value: event.name },
    place: place === null ? (before?.place ?? null) : { order: event.order, value: place },
  })
  forgetOld(recent, event.at)
}

/** Keeps the name and the place of a device that was read by its id, unless an event after the request had them. */
export function rememberRead(
  recent: RecentUpdates,
  { service, tenant, requestOrder: order, at }: ReconciliationInput,
  { id, name, place }: DeviceReading,
): void {
  if (name === undefined && place === undefined) return
  const key = updateKey(service, tenant, id)
  const before = recent.updates.get(key)
  const isNew = (known: { order: number } | null | undefined) => (known?.order ?? 0) < order
  put(recent, key, {
    at: Math.max(at, before?.at ?? 0),
    connected: before?.connected ?? null,
    name: name !== undefined && isNew(before?.name) ? { order, value: name } : (before?.name ?? null),
    place: place !== undefined && isNew(before?.place) ? { order, value: place } : (before?.place ?? null),
  })
  forgetOld(recent, at)
}

/** The map is in the order of arrival: the oldest come first. */
function forgetOld({ updates, unsaved }: RecentUpdates, now: number): void {
  if (updates.size <= maxUpdates) return
  for (const [key, update] of updates) {
    if (update.at > now - maxRequestMs) return
    updates.delete(key)
    unsaved?.add(key)
  }
}

interface Update {
  connected: boolean | null | undefined
  name: string | null
  place: DevicePlace | null
  at: number
  order: number
}

/** The updates of a device after a request; `connected` is undefined where no event had it. Null when there is none. */
export function updateSince(
  recent: RecentUpdates,
  service: string,
  tenant: string,
  id: string,
  requestOrder: number,
): Update | null {
  if (recent.updates.size === 0) return null
  const updates = [recent.updates.get(updateKey(service, tenant, id)), recent.updates.get(updateKey(service, null, id))]
  const latest = <T>(of: (update: RecentUpdate) => { order: number; value: T } | null) =>
    updates
      .flatMap((update) => (update === undefined ? [] : (of(update) ?? [])))
      .filter(({ order }) => order > requestOrder)
      .sort((a, b) => a.order - b.order)
      .at(-1)
  const connected = latest((update) => update.connected)
  const name = latest((update) => update.name)
  const place = latest((update) => update.place)
  if (!connected && !name && !place) return null
  return {
    connected: connected?.value,
    name: name?.value ?? null,
    place: place?.value ?? null,
    at: updates.reduce((last, update) => Math.max(last, update?.at ?? 0), 0),
    order: connected?.order ?? requestOrder,
  }
}
