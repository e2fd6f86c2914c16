/**
 * The longest wait that is observed, in ms. After it Muster asks again, whatever the service requested; a refresh by
 * the operator never waits.
 */
export const longestWaitMs = 5 * 60_000
/** The wait in ms when a service does not say how long. */
const defaultMs = 10_000
const leastMs = 1_000

/**
 * Returns the seconds of a `retry-after` header, which is a number or a date (RFC 9110, section 10.2.3); null without
 * one. A date counts from the response's own `date`, so that the two clocks need not agree, or else from `wall` (ms
 * since the epoch); without both the result is null.
 */
export function retryAfterIn(headers: { get(name: string): string | null }, wall: number | null): number | null {
  const header = headers.get('retry-after') ?? ''
  if (/^\d{1,9}$/u.test(header.trim())) return Number(header)
  const until = Date.parse(header)
  const theirs = Date.parse(headers.get('date') ?? '')
  const from = Number.isNaN(theirs) ? wall : theirs
  return Number.isNaN(until) || from === null ? null : Math.max(0, Math.ceil((until - from) / 1000))
}

/** Returns how long to wait, in ms, when a service asks for `askedMs`; null means that it did not say how long. */
export function waitMs(askedMs: number | null): number {
  return Math.min(longestWaitMs, Math.max(leastMs, askedMs ?? defaultMs))
}

/**
 * Returns whether a response asks to wait: too many requests, or a temporary outage with a stated wait. `seconds`: its
 * `retry-after`.
 */
export function asksToWait(status: number, seconds: number | null): boolean {
  return status === 429 || (seconds !== null && (status === 502 || status === 503 || status === 504))
}

/** Returns for example "asks to wait 40 s", or "asks to wait" when the time is unknown. */
export const askedWords = (seconds: number | null): string =>
  seconds === null ? 'asks to wait' : `asks to wait ${seconds} s`
