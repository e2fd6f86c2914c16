import type { ChangeKind } from '../../src-shared/contract/changes-calls.ts'
import type { Times } from '../lib/format/time.ts'
import { createStore } from '../lib/store.ts'

const hourMs = 3_600_000

/** The offered times, by their length in ms; null: the operator enters both ends. */
export const spans = [
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

/** Returns the query for a time that ends now. A custom time stays as it is. */
export function upToNow(query: ChangesQuery, span: SpanChoice, now: number): ChangesQuery {
  const ms = spans.find(({ value }) => value === span)?.ms ?? null
  return ms === null ? { ...query, span } : { ...query, span, from: now - ms, until: now, page: 0 }
}

export const firstQuery = (now: number): ChangesQuery =>
  upToNow({ span: 'day', from: now, until: now, kinds: [], text: '', page: 0 }, 'day', now)

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
