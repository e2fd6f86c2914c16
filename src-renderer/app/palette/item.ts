/** An item of the palette. */
export interface Item {
  id: string
  /** The heading of its group. */
  group: string
  label: string
  hint: string
  /** Its keyboard shortcut; '' for none. */
  keys: string
  /** Further search words. */
  also: string
  /** Why it is disabled; '' when it is not. */
  reason: string
  run: () => void
}

/** Returns an item. Missing texts are empty. */
export function item(part: Pick<Item, 'id' | 'group' | 'label' | 'run'> & Partial<Item>): Item {
  return { hint: '', keys: '', also: '', reason: '', ...part }
}

const fold = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()

/**
 * Returns the items that contain every typed word, regardless of case and accents: first those whose label begins with
 * the text, then those with such a word, then the others, each in its own order.
 */
export function matching(items: readonly Item[], typed: string): readonly Item[] {
  const text = fold(typed.trim())
  if (text === '') return items
  const words = text.split(/\s+/u)
  const ranked = items.map((each) => ({ each, rank: rankOf(each, text, words) })).filter(({ rank }) => rank !== null)
  return ranked.toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0)).map(({ each }) => each)
}

function rankOf({ label, also }: Item, text: string, words: readonly string[]): number | null {
  const folded = fold(label)
  if (folded.startsWith(text)) return 0
  const all = `${folded} ${fold(also)}`
  if (!words.every((word) => all.includes(word))) return null
  return words.every((word) => all.split(/[\s:·]+/u).some((part) => part.startsWith(word))) ? 1 : 2
}

/** Groups items by heading, in the order of the first item of each. */
export function grouped(items: readonly Item[]): readonly { group: string; items: readonly Item[] }[] {
  const groups = new Map<string, Item[]>()
  for (const each of items) groups.set(each.group, [...(groups.get(each.group) ?? []), each])
  return [...groups].map(([group, its]) => ({ group, items: its }))
}
