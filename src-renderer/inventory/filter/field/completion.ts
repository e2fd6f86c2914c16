import { fieldsLike, type Caret } from '../../../../src-shared/filter/caret.ts'
import { ownFields } from '../../../../src-shared/filter/filter.ts'
import { writeValue } from '../../../../src-shared/filter/scan.ts'
import { numberText } from '../../../lib/format/numbers.ts'

/** A completion of the filter's text. */
export interface Suggestion {
  /** Its label in the list. */
  label: string
  /** Its description, or the number of devices with it. */
  hint: string
  /** Replaces the text from `from` to `to`. */
  text: string
  from: number
  to: number
  /** True for a filter from the history, which replaces the whole text. */
  past: boolean
}

/** The query for values of a field at the caret; null without one. */
export interface ValueAsk {
  field: string
  text: string
}

const amounts = [
  { text: '15m', words: '15 minutes' },
  { text: '1h', words: '1 hour' },
  { text: '2h', words: '2 hours' },
  { text: '1d', words: '1 day' },
  { text: '7d', words: '7 days' },
]

const comparisons = [
  { sign: '>', word: 'longer' },
  { sign: '<', word: 'shorter' },
] as const

/** Returns durations that complete the typed text. After a comparison sign only the amount is missing. */
function lengths(before: string, typed: string): readonly { text: string; hint: string }[] {
  const sign = /[<>]=?$/u.exec(before)?.[0] ?? ''
  const words = comparisons.filter((each) => sign === '' || sign.startsWith(each.sign))
  const all = words.flatMap((each) =>
    amounts.map(({ text, words: amount }) => ({
      text: sign === '' ? each.sign + text : text,
      hint: `${each.word} than ${amount}`,
    })),
  )
  return all.filter(({ text }) => text.startsWith(typed))
}

const ownOf = (written: string) => {
  const name = written.toLowerCase()
  return ownFields.find((field) => field.name.toLowerCase() === name || field.short === name)
}

export function askAt(at: Caret | null): ValueAsk | null {
  if (at === null || at.kind !== 'value') return null
  const own = ownOf(at.field)
  return own !== undefined && own.kind !== 'text' ? null : { field: at.field, text: at.typed }
}

/** Returns the completions that need no query: fields, choices, durations. */
export function suggestionsAt(text: string, at: Caret | null, columns: readonly string[]): readonly Suggestion[] {
  if (at === null) return []
  const place = { from: at.from, to: at.to, past: false }
  if (at.kind === 'field')
    return at.typed === '' ? [] : fieldOffers(at.typed, columns).map((offer) => ({ ...offer, ...place }))
  const own = ownOf(at.field)
  if (own?.choices !== undefined)
    return own.choices
      .filter((choice) => choice.startsWith(at.typed.toLowerCase()))
      .map((choice) => ({ label: choice, hint: '', text: choice, ...place }))
  if (own !== undefined && own.kind !== 'text')
    return lengths(text.slice(0, at.from), at.typed).map((length) => ({
      label: length.text,
      hint: length.hint,
      text: length.text,
      ...place,
    }))
  return []
}

function fieldOffers(typed: string, columns: readonly string[]) {
  return fieldsLike(typed, columns)
    .slice(0, 8)
    .map(({ written, hint }) => ({ label: `${written}:`, hint, text: `${written}:` }))
}

/**
 * Returns the core's values as completions: first those that begin with the typed text, then those that contain it; the
 * most frequent first.
 */
export function valueSuggestions(
  at: Caret,
  values: readonly { value: string; count: number }[],
): readonly Suggestion[] {
  const typed = at.typed.toLocaleLowerCase()
  const begins = (value: string) => Number(value.toLocaleLowerCase().startsWith(typed))
  return values
    .toSorted((one, other) => begins(other.value) - begins(one.value))
    .map(({ value, count }) => ({
      label: value,
      hint: numberText(count),
      text: writeValue([value]),
      from: at.from,
      to: at.to,
      past: false,
    }))
}

/** Returns the recent filters that contain the typed text. They replace the whole text. */
export function pastSuggestions(text: string, history: readonly string[], max: number): readonly Suggestion[] {
  const typed = text.trim().toLowerCase()
  return history
    .filter((past) => past !== text.trim() && past.toLowerCase().includes(typed))
    .slice(0, max)
    .map((past) => ({ label: past, hint: 'used before', text: past, from: 0, to: text.length, past: true }))
}

/** Returns the text and the caret after a completion. A space follows a value, so that the next word can begin. */
export function accepted(text: string, { text: put, from, to, past }: Suggestion): { text: string; caret: number } {
  const value = !past && !put.endsWith(':')
  const rest = text.slice(to)
  const gap = value && !/^[\s,]/u.test(rest) ? ' ' : ''
  return { text: text.slice(0, from) + put + gap + rest, caret: from + put.length + (value ? 1 : 0) }
}

/** Returns the history with this filter at its front, without duplicates, at most `max` long. */
export function withHistory(history: readonly string[], filter: string, max = 50): readonly string[] {
  return filter === '' ? history : [filter, ...history.filter((past) => past !== filter)].slice(0, max)
}
