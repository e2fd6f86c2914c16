/** Draws that follow from a seed alone: the same seed gives the same story (mulberry32). */
export interface Draws {
  /** A whole number in [0, n). */
  below(n: number): number
  between(from: number, to: number): number
  chance(share: number): boolean
  of<T>(list: readonly [T, ...T[]]): T
  /** In [0, 1). */
  part(): number
}

export function drawsOf(seed: number): Draws {
  // Seeds that follow each other begin far apart.
  let state = Math.imul(seed + 1, 0x9e37_79b1) | 0
  const part = () => {
    state = (state + 0x6d2b_79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(part() * n)
  return {
    part,
    below,
    between: (from, to) => from + below(to - from + 1),
    chance: (share) => part() < share,
    of: (list) => list[below(list.length)] ?? list[0],
  }
}
