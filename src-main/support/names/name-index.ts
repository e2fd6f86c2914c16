/** An index of known names: found in a text in one pass, however many there are, and extended one by one. */
export interface NameIndex<T> {
  add(name: string, value: T): void
  /** Returns in `lowerCase(text)` the first match at or after `from`, the longest of those that begin there; null: none. */
  next(text: string, from: number): FoundName<T> | null
}

export interface FoundName<T> {
  at: number
  end: number
  value: T
}

interface Group<T> {
  names: Map<string, T>
  /** In descending order. */
  lengths: number[]
}

const firstPart = /[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu
const letterBefore = /[\p{L}\p{N}]$/u
const continues = /^\.?[\p{L}\p{N}]/u

/** Creates an index by first parts: matches at a position are found with one lookup for each length. */
export function createNameIndex<T>(): NameIndex<T> {
  const groups = new Map<string, Group<T>>()
  return {
    add(given, value) {
      const name = lowerCase(given.trim())
      const [first] = name.match(firstPart) ?? []
      if (first === undefined) return
      const group: Group<T> = groups.get(first) ?? { names: new Map<string, T>(), lengths: [] }
      groups.set(first, group)
      group.names.set(name, value)
      if (!group.lengths.includes(name.length))
        group.lengths = [...group.lengths, name.length].toSorted((one, other) => other - one)
    },
    next(text, from) {
      const parts = new RegExp(firstPart)
      parts.lastIndex = from
      for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
        const found = longestAt(groups.get(part[0]), text, part.index)
        if (found !== null) return found
      }
      return null
    },
  }
}

/**
 * Returns the longest whole-word match at a position: "Ive" is not found in "received", nor a host as the start of a
 * longer one.
 */
function longestAt<T>(group: Group<T> | undefined, text: string, at: number): FoundName<T> | null {
  if (group === undefined || letterBefore.test(text.slice(Math.max(0, at - 2), at))) return null
  for (const length of group.lengths) {
    const end = at + length
    const value = group.names.get(text.slice(at, end))
    if (value !== undefined && !continues.test(text.slice(end, end + 3))) return { at, end, value }
  }
  return null
}

/** Returns the text in lower case with its length unchanged: a letter that would become two stays. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return [...text]
    .map((letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))
    .join('')
}
