import { systemClock } from '../../src-shared/lib/clock.ts'
import type { ChangeKind } from '../../src-shared/contract/changes-calls.ts'
import type { Times } from '../lib/format/time.ts'
import { createStore } from '../lib/store.ts'

const hourMs = 3_600_000

/** The offered times, by their length in ms. Null: since the last visit, or the operator enters both ends. */
export const spans = [
  { value: 'visit', word: 'Since last visit', ms: null },
  { value: 'hour', word: '1 h', ms: hourMs },
  { value: 'day', word: '24 h', ms: 24 * hourMs },
  { value: 'week', word: '7 d', ms: 7 * 24 * hourMs },
  { value: 'month', word: '30 d', ms: 30 * 24 * hourMs },
  { value: 'custom', word: 'Custom', ms: null },
] as const
export type SpanChoice = (typeof spans)[number]['value']

/** What the screen shows; it stays while another screen is shown. Times in ms; null until it is first shown. */
export interface ChangesQuery {
  span: SpanChoice
  from: number
  until: number
  kinds: readonly ChangeKind[]
  text: string
  page: number
}

export const changesQuery = createStore<ChangesQuery | null>(null)

/** What the screen shows: what changed over time, or the comparison of two sides. */
export const changesParts = [
  { value: 'time', word: 'Over time' },
  { value: 'compare', word: 'Compare' },
] as const
export const changesPart = createStore<(typeof changesParts)[number]['value']>('time')

/** Has the screen show the changes of the last 7 days with this text. */
export function searchedChanges(text: string): void {
  const now = systemClock.now()
  const span = { span: 'week', from: now - 7 * 24 * hourMs, until: now } as const
  changesQuery.set({ ...span, kinds: [], text: text.slice(0, 200), page: 0 })
}

/** Returns the query for a time that ends now. A custom time stays as it is. `lastVisit`: when it ended; null: not known. */
export function upToNow(query: ChangesQuery, span: SpanChoice, now: number, lastVisit: number | null): ChangesQuery {
  const ms = spans.find(({ value }) => value === span)?.ms ?? null
  const from = span === 'visit' ? lastVisit : ms === null ? null : now - ms
  return from === null ? { ...query, span } : { ...query, span, from, until: now, page: 0 }
}

/** Returns what the screen shows first: since the last visit, or the last 24 hours. */
export function firstQuery(now: number, lastVisit: number | null): ChangesQuery {
  const query: ChangesQuery = { span: 'day', from: now, until: now, kinds: [], text: '', page: 0 }
  return upToNow(query, lastVisit === null ? 'day' : 'visit', now, lastVisit)
}

/** Returns a time as an input of type `datetime-local` has it. */
export function inputTime(at: number, times: Times): string {
  const shifted = times === 'utc' ? at : at - new Date(at).getTimezoneOffset() * 60_000
  return new Date(shifted).toISOString().slice(0, 16)
}

/** Returns the time (ms) that was entered; null for none. */
export function enteredTime(text: string, times: Times): number | null {
  const at = Date.parse(times === 'utc' ? `${text}Z` : text)
  return Number.isNaN(at) ? null : at
}
