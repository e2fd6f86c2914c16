/**
 * Divides device ids into the shards of the live socket, each one subscription (design, section 7). A change of the
 * inventory affects only the shards concerned. Pure.
 */

/**
 * Ids of one subscription. The twin saw 293 ids in one; the limit is unknown, so this stays in that order of magnitude.
 */
export const shardSize = 500

export interface Shard {
  id: number
  devices: ReadonlySet<string>
}

/**
 * Returns the shards for `wanted`, from the present ones. Removed devices leave their shard. New ones go where there is
 * space: first into shards that change anyway, then into as few others as possible, and into a new one when all are
 * full; so there are never more shards than the largest number of devices needed. `size`: most ids of one.
 */
export function reshard(shards: readonly Shard[], wanted: ReadonlySet<string>, size = shardSize): Shard[] {
  const assigned = new Set<string>()
  const before = new Set(shards)
  const kept = shards.flatMap((shard) => {
    const devices = keptOf(shard, wanted)
    for (const device of devices) assigned.add(device)
    return devices === shard.devices ? [shard] : [{ id: shard.id, devices }]
  })
  const added = [...wanted].filter((device) => !assigned.has(device))
  const all =
    added.length === 0
      ? kept
      : filled(kept, added, { isSame: (shard) => before.has(shard), nextId: nextId(shards), size })
  return all.filter(({ devices }) => devices.size > 0)
}

/**
 * Returns the shards as `reshard` does, but puts new devices into shards of their own: a confirmed one may be rejected
 * when it grows.
 */
export function reshardApart(shards: readonly Shard[], wanted: ReadonlySet<string>, size: number): Shard[] {
  const added = new Set(wanted)
  for (const { devices } of shards) for (const device of devices) added.delete(device)
  const kept = reshard(shards, new Set([...wanted].filter((device) => !added.has(device))), size)
  const first = nextId(shards)
  return [...kept, ...reshard([], added, size).map(({ devices }, at) => ({ id: first + at, devices }))]
}

export function nextId(shards: readonly Shard[]): number {
  return shards.reduce((max, shard) => Math.max(max, shard.id + 1), 0)
}

function keptOf(shard: Shard, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const kept = [...shard.devices].filter((device) => wanted.has(device))
  return kept.length === shard.devices.size ? shard.devices : new Set(kept)
}

function filled(
  shards: readonly Shard[],
  added: readonly string[],
  { isSame, nextId, size }: { isSame: (shard: Shard) => boolean; nextId: number; size: number },
): Shard[] {
  const spaceIn = ({ devices }: Shard): number => size - devices.size
  const result = [...shards]
  const order = shards
    .filter((shard) => spaceIn(shard) > 0)
    .toSorted((one, other) => Number(isSame(one)) - Number(isSame(other)) || spaceIn(other) - spaceIn(one))
  let rest = added
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
