import { caretIn, wordIn } from '../../../src-shared/filter/caret.ts'
import type { Problem } from '../../../src-shared/filter/filter.ts'

/** A word that is asked as free text while it is typed and may become a field: where it begins, and the filter that was in force before it. */
export interface Begun {
  from: number
  before: string
}

/** The word that is being typed after this letter, the text being a filter that can be understood. `inForce`: the filter up to now. */
export function begunBy(begun: Begun | null, text: string, caret: number, inForce: string): Begun | null {
  const word = wordIn(text, caret)
  if (word === null || !word.free) return null
  return begun?.from === word.from ? begun : { from: word.from, before: inForce }
}

/** What stays in force when the text becomes faulty: its letters were no text to look for when the word turns out to be a field. */
export function fallback(begun: Begun | null, text: string, caret: number, inForce: string): string {
  const word = wordIn(text, caret)
  return begun !== null && word?.from === begun.from && !word.free ? begun.before : inForce
}

/** A field whose value is yet to be typed, the caret standing where it goes, is no mistake. `caret` null: the field was left. */
export function isUnfinished({ from, to }: Problem, text: string, caret: number | null): boolean {
  if (caret === null || caret < from || caret > to) return false
  const at = caretIn(text, caret)
  return at !== null && at.kind === 'value' && at.typed === ''
}
