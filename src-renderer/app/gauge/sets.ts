import type { Gauge } from '../../../src-shared/model/gauge.ts'

/** More credential sets than these are looked for by name. */
export const manySets = 8
/** And not more than these are listed at once. */
export const shownSets = 25

/** A gauge with a name of its own: two credential sets may be called alike. */
export interface Named {
  key: string
  gauge: Gauge
}

export function named(gauges: readonly Gauge[]): Named[] {
  const seen = new Map<string, number>()
  return gauges.map((gauge) => {
    const nth = (seen.get(gauge.name) ?? 0) + 1
    seen.set(gauge.name, nth)
    return { key: `${gauge.name} ${nth}`, gauge }
  })
}

/** In the order of `keys`, which is the order of the moment when they were opened: nothing moves away under the reader. What is new comes last. */
export function inOrderOf(keys: readonly string[], sets: readonly Named[]): Named[] {
  const places = new Map(keys.map((key, index) => [key, index]))
  return sets.toSorted((one, other) => (places.get(one.key) ?? keys.length) - (places.get(other.key) ?? keys.length))
}

/** Those in whose name every typed word is found, whatever the case. */
export function called(sets: readonly Named[], text: string): Named[] {
  const words = text
    .toLocaleLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  return sets.filter(({ gauge }) => words.every((word) => gauge.name.toLocaleLowerCase().includes(word)))
}
