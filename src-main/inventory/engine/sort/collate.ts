/**
 * The order of names: English rules, case and accents last, numbers by value ("Room 2" before "Room 10"). It is the
 * same on every machine.
 */
const collator = new Intl.Collator('en', { numeric: true })

export const compareNames: (a: string, b: string) => number = collator.compare

/** Code unit order, for keys and ids. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Dense ranks of texts in name order; texts that the collator considers equal share one. */
export function ranksOf(texts: readonly string[]): Uint32Array {
  const order = texts.map((_, index) => index).sort((a, b) => compareNames(texts[a] ?? '', texts[b] ?? ''))
  const ranks = new Uint32Array(texts.length)
  order.forEach((index, at) => {
    const before = order[at - 1]
    if (before === undefined) return
    const same = compareNames(texts[before] ?? '', texts[index] ?? '') === 0
    ranks[index] = (ranks[before] ?? 0) + (same ? 0 : 1)
  })
  return ranks
}
