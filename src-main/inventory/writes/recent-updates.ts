import type { LiveEvent } from '../thread/protocol.ts'

/**
 * The last event of each device, in memory as long as an answer to an earlier request may still come (invariant 10).
 * Unknown devices too: the page that brings them may have been requested before their event.
 */
export interface RecentUpdates {
  readonly updates: Map<string, RecentUpdate>
}

interface RecentUpdate {
  at: number
  connected: { order: number; value: boolean | null } | null
  name: { order: number; value: string } | null
}

/** Up to this number, updates stay however old they are. */
const maxUpdates = 10_000
/** No request takes this long, ms. */
const maxRequestMs = 15 * 60_000

export const newRecentUpdates = (): RecentUpdates => ({ updates: new Map() })

const updateKey = (service: string, tenant: string | null, id: string) => JSON.stringify([service, tenant, id])

export function remember(recent: RecentUpdates, service: string, event: LiveEvent): void {
  const key = updateKey(service, event.tenant, event.id)
  const before = recent.updates.get(key)
  recent.updates.delete(key)
  recent.updates.set(key, {
    at: event.at,
    connected:
      event.connected === undefined ? (before?.connected ?? null) : { order: event.order, value: event.connected },
    name: event.name === null ? (before?.name ?? null) : { order: event.order, value: event.name },
  })
  forgetOld(recent, event.at)
}

/** The map is in the order of arrival: the oldest come first. */
function forgetOld({ updates }: RecentUpdates, now: number): void {
  if (updates.size <= maxUpdates) return
  for (const [key, update] of updates) {
    if (update.at > now - maxRequestMs) return
    updates.delete(key)
  }
}

/** The updates of a device after a request; `connected` is undefined where no event had it. Null when there is none. */
export function updateSince(
  recent: RecentUpdates,
  service: string,
  tenant: string,
  id: string,
  requestOrder: number,
): { connected: boolean | null | undefined; name: string | null; at: number; order: number } | null {
  if (recent.updates.size === 0) return null
  const updates = [recent.updates.get(updateKey(service, tenant, id)), recent.updates.get(updateKey(service, null, id))]
  const connected = updates
    .map((update) => update?.connected)
    .filter((reported) => reported && reported.order > requestOrder)
    .sort(byOrder)
    .at(-1)
  const name = updates
    .map((update) => update?.name)
    .filter((reported) => reported && reported.order > requestOrder)
    .sort(byOrder)
    .at(-1)
  if (!connected && !name) return null
  return {
    connected: connected?.value,
    name: name?.value ?? null,
    at: updates.reduce((last, update) => Math.max(last, update?.at ?? 0), 0),
    order: connected?.order ?? requestOrder,
  }
}

const byOrder = (a: { order: number } | null | undefined, b: { order: number } | null | undefined) =>
  (a?.order ?? 0) - (b?.order ?? 0)
