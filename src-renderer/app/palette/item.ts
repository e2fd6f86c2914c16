/** One thing that the palette offers. */
export interface Item {
  id: string
  /** Under which heading it stands. */
  group: string
  label: string
  hint: string
  /** The key that does the same; '' for none. */
  keys: string
  /** Other words by which it is found. */
  also: string
  /** Why it cannot be done now; '' when it can. */
  reason: string
  run: () => void
}

/** An item of the present texts; what is left out is empty. */
export function item(part: Pick<Item, 'id' | 'group' | 'label' | 'run'> & Partial<Item>): Item {
  return { hint: '', keys: '', also: '', reason: '', ...part }
}

const fold = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()

/**
 * The items in which every typed word is found, whatever the case and the accents: those whose label begins with the
 * text first, then those with a word that does, then the others; each in its own order.
 */
export function matching(items: readonly Item[], typed: string): readonly Item[] {
  const text = fold(typed.trim())
  if (text === '') return items
  const words = text.split(/\s+/u)
  const ranked = items.map((each) => ({ each, rank: rankOf(each, text, words) })).filter(({ rank }) => rank !== null)
  return ranked.toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0)).map(({ each }) => each)
}

function rankOf({ label, also }: Item, text: string, words: readonly string[]): number | null {
  const said = fold(label)
  if (said.startsWith(text)) return 0
  const all = `${said} ${fold(also)}`
  if (!words.every((word) => all.includes(word))) return null
  return words.every((word) => all.split(/[\s:·]+/u).some((part) => part.startsWith(word))) ? 1 : 2
}

/** Items under their headings, in the order in which the headings first come. */
export function grouped(items: readonly Item[]): readonly { group: string; items: readonly Item[] }[] {
  const groups = new Map<string, Item[]>()
  for (const each of items) groups.set(each.group, [...(groups.get(each.group) ?? []), each])
  return [...groups].map(([group, its]) => ({ group, items: its }))
}
