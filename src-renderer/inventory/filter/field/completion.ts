import { fieldsLike, type Caret } from '../../../../src-shared/filter/caret.ts'
import { ownFields } from '../../../../src-shared/filter/filter.ts'
import { writeValue } from '../../../../src-shared/filter/scan.ts'
import { numberText } from '../../../lib/format/numbers.ts'

/** One thing that can be taken into the filter's text. */
export interface Suggestion {
  /** What stands in the list. */
  label: string
  /** Beside it: what it is, or how many devices have it. */
  hint: string
  /** Replaces the text from `from` to `to`. */
  text: string
  from: number
  to: number
  /** A filter of the history: takes the place of all. */
  past: boolean
}

/** What must be asked of the core to complete at the caret: values of a field; null when nothing must. */
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

/** Lengths of time as they may go on: after a sign only the amount is missing. */
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

/** What can be said at the caret without asking: fields, choices, lengths of time. */
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

/** Values that the core knows of, as offers: those that begin with what is typed, then those that have it in them; the most frequent first. */
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

/** Filters that were used and hold what is typed; the whole text is replaced. */
export function pastSuggestions(text: string, history: readonly string[], most: number): readonly Suggestion[] {
  const typed = text.trim().toLowerCase()
  return history
    .filter((past) => past !== text.trim() && past.toLowerCase().includes(typed))
    .slice(0, most)
    .map((past) => ({ label: past, hint: 'used before', text: past, from: 0, to: text.length, past: true }))
}

/** The text and the caret after an offer is taken; a value is followed by a space, so that the next word can begin. */
export function accepted(text: string, { text: put, from, to, past }: Suggestion): { text: string; caret: number } {
  const value = !past && !put.endsWith(':')
  const rest = text.slice(to)
  const gap = value && !/^[\s,]/u.test(rest) ? ' ' : ''
  return { text: text.slice(0, from) + put + gap + rest, caret: from + put.length + (value ? 1 : 0) }
}

/** The history with this filter at its front, each once, at most `most`. */
export function withHistory(history: readonly string[], filter: string, most = 50): readonly string[] {
  return filter === '' ? history : [filter, ...history.filter((past) => past !== filter)].slice(0, most)
}
