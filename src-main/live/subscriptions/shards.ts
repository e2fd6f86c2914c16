/**
 * Device ids divided into the shards of the live socket, each one subscription (design, section 7). A change of the
 * inventory touches only the shards that it concerns. Pure.
 */

/** Ids of one subscription. The twin saw 293 ids in one; the most is not shown, so stay in that order of magnitude. */
export const shardSize = 500

export interface Shard {
  id: number
  devices: ReadonlySet<string>
}

/**
 * The shards for `wanted`, from those that are there. What is gone leaves its shard. What is new goes where there is room:
 * first into shards that change anyway, then into as few others as will do, and into a new one when all are full; so there
 * are never more shards than the most devices that there were have needed. `size`: most ids of one.
 */
export function reshard(shards: readonly Shard[], wanted: ReadonlySet<string>, size = shardSize): Shard[] {
  const placed = new Set<string>()
  const before = new Set(shards)
  const kept = shards.flatMap((shard) => {
    const devices = keptOf(shard, wanted)
    for (const device of devices) placed.add(device)
    return devices === shard.devices ? [shard] : [{ id: shard.id, devices }]
  })
  const fresh = [...wanted].filter((device) => !placed.has(device))
  const all =
    fresh.length === 0
      ? kept
      : filled(kept, fresh, { isSame: (shard) => before.has(shard), nextId: nextId(shards), size })
  return all.filter(({ devices }) => devices.size > 0)
}

/** The same, but what is new comes into shards of its own: one that stands may be rejected when it grows. */
export function reshardApart(shards: readonly Shard[], wanted: ReadonlySet<string>, size: number): Shard[] {
  const fresh = new Set(wanted)
  for (const { devices } of shards) for (const device of devices) fresh.delete(device)
  const kept = reshard(shards, new Set([...wanted].filter((device) => !fresh.has(device))), size)
  const first = nextId(shards)
  return [...kept, ...reshard([], fresh, size).map(({ devices }, at) => ({ id: first + at, devices }))]
}

export function nextId(shards: readonly Shard[]): number {
  return shards.reduce((most, shard) => Math.max(most, shard.id + 1), 0)
}

function keptOf(shard: Shard, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const kept = [...shard.devices].filter((device) => wanted.has(device))
  return kept.length === shard.devices.size ? shard.devices : new Set(kept)
}

function filled(
  shards: readonly Shard[],
  fresh: readonly string[],
  { isSame, nextId, size }: { isSame: (shard: Shard) => boolean; nextId: number; size: number },
): Shard[] {
  const spaceIn = ({ devices }: Shard): number => size - devices.size
  const result = [...shards]
  const order = shards
    .filter((shard) => spaceIn(shard) > 0)
    .toSorted((one, other) => Number(isSame(one)) - Number(isSame(other)) || spaceIn(other) - spaceIn(one))
  let rest = fresh
  for (const shard of order) {
    if (rest.length === 0) return result
    result[result.indexOf(shard)] = {
      id: shard.id,
      devices: new Set([...shard.devices, ...rest.slice(0, spaceIn(shard))]),
    }
    rest = rest.slice(spaceIn(shard))
  }
  for (let at = 0; at < rest.length; at += size) {
    result.push({ id: nextId + at / size, devices: new Set(rest.slice(at, at + size)) })
  }
  return result
}
