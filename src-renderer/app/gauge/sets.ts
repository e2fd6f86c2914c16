import type { Gauge } from '../../../src-shared/model/gauge.ts'

/** With more credential sets than this, the list has a search field. */
export const manySets = 8
/** The maximum number of listed credential sets. */
export const shownSets = 25

/** A gauge with a unique key, because two credential sets may have the same name. */
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

/**
 * Returns the credential sets in the order of `keys`, which is that of the moment when the list was opened, so that no
 * line moves. New ones are last.
 */
export function inOrderOf(keys: readonly string[], sets: readonly Named[]): Named[] {
  const places = new Map(keys.map((key, index) => [key, index]))
  return sets.toSorted((one, other) => (places.get(one.key) ?? keys.length) - (places.get(other.key) ?? keys.length))
}

/** Returns the credential sets whose name contains every typed word, regardless of case. */
export function matchingSets(sets: readonly Named[], text: string): Named[] {
  const words = text
    .toLocaleLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  return sets.filter(({ gauge }) => words.every((word) => gauge.name.toLocaleLowerCase().includes(word)))
}
