import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { reshard, shardSize, type Shard } from '../../../src-main/live/shards.ts'

const ids = (from: number, to: number) => new Set(Array.from({ length: to - from }, (_, at) => `d${from + at}`))

test('shards hold every wanted device once, and no more than a shard may', () => {
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 3_000 }), { maxLength: 2_000 }), { maxLength: 5 }), (steps) => {
      let shards: Shard[] = []
      for (const step of steps) {
        const wanted = new Set(step.map((number) => `d${number}`))
        shards = reshard(shards, wanted)
        const placed = shards.flatMap((shard) => [...shard.devices])
        expect(placed.toSorted()).toEqual([...wanted].toSorted())
        expect(Math.max(0, ...shards.map((shard) => shard.devices.size))).toBeLessThanOrEqual(shardSize)
        expect(new Set(shards.map((shard) => shard.id)).size).toBe(shards.length)
      }
    }),
  )
})

test('an inventory that stays leaves every shard alone', () => {
  const before = reshard([], ids(0, 1_300))
  const after = reshard(before, ids(0, 1_300))
  expect(after.every((shard, at) => shard === before[at])).toBe(true)
})

test('a new device touches one shard, a removed one its own', () => {
  const before = reshard([], ids(0, 1_300))
  expect(reshard(before, ids(0, 1_301)).filter((shard) => !before.includes(shard))).toHaveLength(1)
  expect(reshard(before, ids(1, 1_300)).filter((shard) => !before.includes(shard))).toHaveLength(1)
})
