/** A small seeded random source (sfc32): the same seed gives the same world and the same events, on every machine. */
export type Random = {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number
  /** Returns a whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  /** Returns an item of the list, with equal probability. Throws when the list is empty. */
  pick<T>(list: readonly T[]): T
  /** Returns true in `share` of all calls (0..1). */
  chance(share: number): boolean
  /**
   * Returns a number from `min` to `max`, spread evenly over orders of magnitude: many small values, a few large ones.
   */
  log(min: number, max: number): number
  /** Returns `digits` hexadecimal digits, lower case. */
  hex(digits: number): string
  /** Returns a UUID of version 4. */
  uuid(): string
}

export function startRandom(seed: number): Random {
  const next = sfc32(seed)
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  // A world of 100,000 devices takes three million digits.
  const hex = (digits: number): string => {
    let text = ''
    while (text.length < digits) text += '0123456789abcdef'.charAt(int(0, 15))
    return text
  }
  return {
    next,
    int,
    hex,
    pick: (list) => itemAt(list, Math.floor(next() * list.length)),
    chance: (share) => next() < share,
    log: (min, max) => Math.exp(Math.log(min) + next() * (Math.log(max) - Math.log(min))),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${int(8, 11).toString(16)}${hex(3)}-${hex(12)}`,
  }
}

/** Returns the item at `index`. Throws when there is none, which is a defect of the program. */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`nothing at ${index} in a list of ${list.length}`)
  return item
}

function sfc32(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1]
  const step = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4294967296
  }
  // The first values of similar seeds are similar; discarding some separates them.
  for (let i = 0; i < 16; i += 1) step()
  return step
}
