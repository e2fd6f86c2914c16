/**
 * Keys for a stable radix sort of slots, 16 bits at a time. At 100,000 rows it takes a fraction of the time of a
 * comparison sort, and rows with equal keys keep their order.
 */
export type Keys = { low: Uint32Array; high: Uint32Array | null }

/** The rank of "none": last in both directions. */
export const lastRank = 0xffffffff

/** Sorts in place. `scratch` is at least as long as `slots`. */
export function sortByKeys(slots: Int32Array, scratch: Int32Array, keys: Keys): void {
  let from = slots
  let to = scratch.subarray(0, slots.length)
  for (const words of keys.high ? [keys.low, keys.high] : [keys.low]) {
    for (const shift of [0, 16]) {
      if (!pass(from, to, words, shift)) continue
      const swap = from
      from = to
      to = swap
    }
  }
  if (from !== slots) slots.set(from)
}

/** One pass; false when all rows have the same digit and nothing was moved. */
function pass(from: Int32Array, to: Int32Array, words: Uint32Array, shift: number): boolean {
  const starts = new Uint32Array(65_536)
  for (let i = 0; i < from.length; i += 1) {
    const digit = ((words[from[i] as number] as number) >>> shift) & 0xffff
    starts[digit] = (starts[digit] as number) + 1
  }
  if (from.length === 0 || starts[((words[from[0] as number] as number) >>> shift) & 0xffff] === from.length)
    return false
  let sum = 0
  for (let digit = 0; digit < 65_536; digit += 1) {
    const count = starts[digit] as number
    starts[digit] = sum
    sum += count
  }
  for (let i = 0; i < from.length; i += 1) {
    const slot = from[i] as number
    const digit = ((words[slot] as number) >>> shift) & 0xffff
    const place = starts[digit] as number
    starts[digit] = place + 1
    to[place] = slot
  }
  return true
}

/** Keys of a column of numbers, NaN last: the bits of a double sort like the number once its sign is turned. */
export function keysOfTimes(times: Float64Array, descending: boolean): Keys {
  const words = new Uint32Array(times.buffer, times.byteOffset, times.length * 2)
  const low = new Uint32Array(times.length)
  const high = new Uint32Array(times.length)
  const flip = descending ? 0xffffffff : 0
  for (let i = 0; i < times.length; i += 1) {
    const h = words[2 * i + 1] as number
    const negative = h >>> 31 === 1 ? 0xffffffff : 0
    const isNone = Number.isNaN(times[i])
    low[i] = isNone ? lastRank : (words[2 * i] as number) ^ negative ^ flip
    high[i] = isNone ? lastRank : h ^ (negative === 0 ? 0x80000000 : 0xffffffff) ^ flip
  }
  return { low, high }
}

/** Keys of ranks from 0; `lastRank` stays last in both directions. */
export function keysOfRanks(count: number, descending: boolean, rankOf: (slot: number) => number): Keys {
  const low = new Uint32Array(count)
  for (let slot = 0; slot < count; slot += 1) {
    const rank = rankOf(slot)
    low[slot] = rank === lastRank || !descending ? rank : lastRank - 1 - rank
  }
  return { low, high: null }
}
