const hour = 3_600_000

/** The time ranges of a strip, in equal parts of whole or quarter hours. `page`: the step of a page key (ms). */
export const spans = [
  { value: '24 h', word: '24 h', phrase: 'the last 24 hours', length: 24 * hour, parts: 96, page: 3 * hour },
  { value: '7 d', word: '7 d', phrase: 'the last 7 days', length: 7 * 24 * hour, parts: 84, page: 24 * hour },
  { value: '30 d', word: '30 d', phrase: 'the last 30 days', length: 30 * 24 * hour, parts: 90, page: 24 * hour },
] as const

export type SpanName = (typeof spans)[number]['value']
export type Span = (typeof spans)[number]

export function spanOf(name: SpanName): Span {
  return spans.find(({ value }) => value === name) ?? spans[0]
}
