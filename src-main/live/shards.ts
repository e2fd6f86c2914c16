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

/** The shards for `wanted`, from those that are there: what is gone leaves its shard, what is new fills the last one up. */
export function reshard(shards: readonly Shard[], wanted: ReadonlySet<string>): Shard[] {
  const placed = new Set<string>()
  const kept = shards.flatMap((shard) => {
    const devices = keptOf(shard, wanted)
    for (const device of devices) placed.add(device)
    return devices.size > 0 ? [devices === shard.devices ? shard : { id: shard.id, devices }] : []
  })
  const fresh = [...wanted].filter((device) => !placed.has(device))
  return fresh.length === 0 ? kept : filled(kept, fresh, nextId(shards))
}

function nextId(shards: readonly Shard[]): number {
  return shards.reduce((most, shard) => Math.max(most, shard.id + 1), 0)
}

function keptOf(shard: Shard, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const kept = [...shard.devices].filter((device) => wanted.has(device))
  return kept.length === shard.devices.size ? shard.devices : new Set(kept)
}

function filled(shards: Shard[], fresh: string[], firstId: number): Shard[] {
  const result = [...shards]
  const last = result.at(-1)
  let rest = fresh
  if (last !== undefined && last.devices.size < shardSize) {
    const space = shardSize - last.devices.size
    result[result.length - 1] = { id: last.id, devices: new Set([...last.devices, ...rest.slice(0, space)]) }
    rest = rest.slice(space)
  }
  for (let at = 0; at < rest.length; at += shardSize) {
    result.push({ id: firstId + at / shardSize, devices: new Set(rest.slice(at, at + shardSize)) })
  }
  return result
}
