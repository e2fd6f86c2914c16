import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reshard, shardSize, type Shard } from '../../../src-main/live/subscriptions/shards.ts'

const ids = (from: number, to: number) => new Set(Array.from({ length: to - from }, (_, at) => `d${from + at}`))

test('shards hold every wanted device once, and no more than their limit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 3_000 }), { maxLength: 2_000 }), { maxLength: 5 }),
      (steps) => {
        let shards: Shard[] = []
        for (const step of steps) {
          const wanted = new Set(step.map((number) => `d${number}`))
          shards = reshard(shards, wanted)
          const assigned = shards.flatMap((shard) => [...shard.devices])
          expect(assigned.toSorted()).toEqual([...wanted].toSorted())
          expect(Math.max(0, ...shards.map((shard) => shard.devices.size))).toBeLessThanOrEqual(shardSize)
          expect(new Set(shards.map((shard) => shard.id)).size).toBe(shards.length)
        }
      },
    ),
  )
})

test('an inventory that stays leaves every shard alone', () => {
  const before = reshard([], ids(0, 1_300))
  const after = reshard(before, ids(0, 1_300))
  expect(after.every((shard, at) => shard === before[at])).toBe(true)
})

const changed = (before: readonly Shard[], after: readonly Shard[]) =>
  [after.filter((shard) => !before.includes(shard)), before.filter((shard) => !after.includes(shard))].map(
    ({ length }) => length,
  )

describe('of 20,000 devices, after a long time of additions and removals,', () => {
  const grown = () => {
    let next = 20_000
    let wanted = ids(0, next)
    let shards = reshard([], wanted)
    for (let day = 0; day < 60; day += 1) {
      const gone = new Set([...wanted].filter((_, at) => (at * 31 + day) % 20 === 0))
      wanted = new Set([...wanted].filter((id) => !gone.has(id)))
      for (const id of ids(next, next + gone.size)) wanted.add(id)
      next += gone.size
      shards = reshard(shards, wanted)
    }
    return { wanted, shards, next }
  }
  const { wanted, shards, next } = grown()

  test('there are no more shards than are needed', () => {
    expect(wanted.size).toBe(20_000)
    expect(shards).toHaveLength(40)
  })

  test('an added one touches one shard, wherever there is space', () => {
    const fewer = reshard(shards, new Set([...wanted].slice(1_000)))
    const more = reshard(fewer, new Set([...wanted].slice(1_000).concat(`d${next}`)))
    expect(changed(fewer, more)).toEqual([1, 1])
    expect(changed(shards, reshard(shards, new Set([...wanted, `d${next}`])))).toEqual([1, 0])
  })

  test('a removed one touches its own shard', () => {
    expect(changed(shards, reshard(shards, new Set([...wanted].slice(1))))).toEqual([1, 1])
  })

  test('one that is replaced by another one touches one shard', () => {
    expect(changed(shards, reshard(shards, new Set([...wanted].slice(1).concat(`d${next}`))))).toEqual([1, 1])
  })

  test('an added tenant touches as few as can hold it', () => {
    const fewer = reshard(shards, new Set([...wanted].filter((_, at) => at % 100 !== 0)))
    const room = Math.max(...fewer.map(({ devices }) => shardSize - devices.size))
    const after = reshard(
      fewer,
      new Set([...wanted].filter((_, at) => at % 100 !== 0).concat([...ids(next, next + room)])),
    )
    expect(changed(fewer, after)).toEqual([1, 1])
  })

  test('devices that move to another tenant, and so in the list, touch none', () => {
    const [first, rest] = [[...wanted].slice(0, 7_000), [...wanted].slice(7_000)]
    expect(changed(shards, reshard(shards, new Set([...rest, ...first.toReversed()])))).toEqual([0, 0])
  })

  test('a nearly empty shard is removed when it is empty', () => {
    expect(reshard(shards, new Set())).toEqual([])
  })
})

test('shards whose ids are in use are never confused with new ones', () => {
  const before = reshard([], ids(0, 1_500))
  const after = reshard(before, new Set([...ids(0, 500), ...ids(1_000, 3_000)]))
  expect(new Set(after.map(({ id }) => id)).size).toBe(after.length)
})
