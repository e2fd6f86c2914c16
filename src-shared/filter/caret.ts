import { ownFields, type TermField, writtenField } from './filter.ts'
import { scan, type Scanned } from './scan.ts'

/** The part of a filter at the caret, for completion. */
export interface Caret {
  /** `field`: a word that may become a field's name. `value`: a value of `field`. */
  kind: 'field' | 'value'
  /** The field, as written, whose values are completed; '' for kind `field`. */
  field: string
  /** The range that a completion replaces. */
  from: number
  to: number
  /** The typed text up to the caret, without quotation marks. */
  typed: string
}

/** Returns the part to complete; null inside free text in quotation marks. */
export function caretIn(text: string, caret: number): Caret | null {
  const word = scan(text).find(({ from, to }) => from < caret && caret <= to)
  if (!word) return { kind: 'field', field: '', from: caret, to: caret, typed: '' }
  if (word.field && caret > word.field.to) return valueIn(text, caret, word, word.field.name)
  if (!word.field && word.values[0]?.quoted) return null
  const from = word.from + Number(word.not)
  const to = word.field?.to ?? word.to
  return { kind: 'field', field: '', from, to, typed: text.slice(from, Math.max(from, caret)) }
}

/**
 * Returns the start of the word at the caret, and whether it is free text that may become a field. Returns null between
 * words and inside quotation marks.
 */
export function wordIn(text: string, caret: number): { from: number; free: boolean } | null {
  const word = scan(text).find(({ from, to }) => from < caret && caret <= to)
  if (!word || (!word.field && word.values[0]?.quoted)) return null
  return { from: word.from, free: !word.field }
}

function valueIn(text: string, caret: number, { values }: Scanned, field: string): Caret | null {
  const value = values.find(({ from, to }) => from <= caret && caret <= to)
  if (!value) return null
  const typed = text.slice(value.from, caret).replace(/^"/u, '').replace(/"$/u, '').replaceAll(/\\(.)/gu, '$1')
  return { kind: 'value', field, from: value.from, to: value.to, typed }
}

/** Returns the fields whose written names begin with the typed text, the language's own first. */
export function fieldsLike(
  typed: string,
  columns: readonly string[],
): { field: TermField; written: string; hint: string }[] {
  const own = ownFields.map(({ name, hint }) => ({ field: name, written: writtenField(name), hint }))
  const extraColumns = columns.map((name) => ({ field: `extra:${name}` as const, written: name, hint: 'extra column' }))
  const lower = typed.toLowerCase()
  return [...own, ...extraColumns].filter(
    ({ field, written }) => written.toLowerCase().startsWith(lower) || field.toLowerCase().startsWith(lower),
  )
}
