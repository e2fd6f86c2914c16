import type { Term } from '../../../../src-shared/filter/filter.ts'
import type { Pattern } from '../../../../src-shared/filter/scan.ts'
import { fold } from './fold.ts'
import { macFormats } from './mac.ts'

export type MatchTerm = Extract<Term, { kind: 'match' }>

export const testName = (term: Term): string =>
  JSON.stringify(
    term.kind === 'match' ? { ...term, values: term.values.map((value) => value?.map(fold) ?? null) } : term,
  )

/** A term's values, prepared for matching. */
export interface ValueMatcher {
  readonly none: boolean
  readonly patterns: readonly Pattern[]
  readonly not: boolean
}

export function matcherOf({ values, how, not }: MatchTerm): ValueMatcher {
  const patterns = values.flatMap((value) => (value === null ? [] : inMacFormats(value.map(fold))))
  return {
    none: values.includes(null),
    patterns: how === 'is' ? patterns : patterns.map((pattern) => ['', ...pattern, '']),
    not,
  }
}

/** A MAC address matches in any of its formats. */
function inMacFormats(pattern: Pattern): readonly Pattern[] {
  const [text] = pattern
  return text === undefined || pattern.length > 1 ? [pattern] : macFormats(text).map((format) => [format])
}

/** True when a folded text matches. Null and the empty text are "none". */
export function isMatch({ none, patterns, not }: ValueMatcher, text: string | null): boolean {
  const found =
    (none && (text === null || text === '')) ||
    (text !== null && patterns.some((pattern) => fitsPattern(pattern, text)))
  return found !== not
}

/** True when the text consists of the pieces in their order, with any text between them. */
export function fitsPattern(pattern: Pattern, text: string): boolean {
  const first = pattern[0] ?? ''
  if (pattern.length === 1) return text === first
  const end = pattern.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(end) || text.length < first.length + end.length) return false
  const until = text.length - end.length
  let from = first.length
  for (const piece of pattern.slice(1, -1)) {
    const found = text.indexOf(piece, from)
    if (found === -1 || found + piece.length > until) return false
    from = found + piece.length
  }
  return true
}
