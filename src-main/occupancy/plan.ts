import type { StreamedRoom, StreamedTenant } from '../inventory/thread/place-protocol.ts'

/** Rooms of one subscription: the limit of the service is not known, and one took 293 ids (twin, section 12). */
export const roomsOfStream = 500
/** Subscriptions of one connection: each has a socket of its own. */
export const maxStreams = 20

/** One subscription. `rooms`: by the service's id. */
export interface StreamPlan {
  key: string
  connection: string
  tenant: StreamedTenant
  rooms: ReadonlyMap<string, StreamedRoom>
}

/** The subscriptions of a connection; `leftOut`: number of its tenants that have none, or not for all of their rooms. */
export interface ConnectionPlan {
  streams: StreamPlan[]
  tenants: number
  leftOut: number
}

/**
 * Returns the subscriptions of each connection: tenants with the most rooms first, and a tenant that several connections list through the
 * first of them.
 */
export function planStreams(
  connections: readonly { id: string; tenants: readonly StreamedTenant[] }[],
): Map<string, ConnectionPlan> {
  const taken = new Set<string>()
  return new Map(
    connections.map(({ id, tenants }) => {
      const own = tenants.filter(({ key, rooms }) => rooms.length > 0 && !taken.has(key))
      for (const { key } of own) taken.add(key)
      return [id, planOf(id, own)]
    }),
  )
}

function planOf(connection: string, tenants: readonly StreamedTenant[]): ConnectionPlan {
  const streams: StreamPlan[] = []
  let leftOut = 0
  for (const tenant of tenants.toSorted((one, other) => other.rooms.length - one.rooms.length)) {
    const needed = Math.ceil(tenant.rooms.length / roomsOfStream)
    const possible = Math.min(needed, maxStreams - streams.length)
    if (possible < needed) leftOut += 1
    const sorted = tenant.rooms.toSorted((one, other) => (one.ref < other.ref ? -1 : 1))
    for (let part = 0; part < possible; part += 1) {
      const rooms = sorted.slice(part * roomsOfStream, (part + 1) * roomsOfStream)
      const byRef = new Map(rooms.map((room) => [room.ref, room]))
      streams.push({ key: `${connection} ${tenant.key} ${part}`, connection, tenant, rooms: byRef })
    }
  }
  return { streams, tenants: tenants.length, leftOut }
}

/** Returns whether two plans ask the service for the same. */
export const isSameStream = (one: StreamPlan, other: StreamPlan): boolean =>
  one.rooms.size === other.rooms.size && [...one.rooms.keys()].every((ref) => other.rooms.has(ref))
