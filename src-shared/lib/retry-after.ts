/** Nobody is waited for longer, whatever a service asks: then it is asked again. A refresh by a person tries at once. */
export const longestWaitMs = 5 * 60_000
/** Where it asks to wait and does not say for how long. */
const untoldMs = 10_000
const leastMs = 1_000

/**
 * Seconds of a `retry-after`, which is a number or a date (RFC 9110, section 10.2.3); null where there is none. A date counts from the
 * answer's own, so that two clocks do not matter; where it has none, from `wall`, ms since the epoch (null: then there is none).
 */
export function retryAfterIn(headers: { get(name: string): string | null }, wall: number | null): number | null {
  const said = headers.get('retry-after') ?? ''
  if (/^\d{1,9}$/u.test(said.trim())) return Number(said)
  const until = Date.parse(said)
  const theirs = Date.parse(headers.get('date') ?? '')
  const from = Number.isNaN(theirs) ? wall : theirs
  return Number.isNaN(until) || from === null ? null : Math.max(0, Math.ceil((until - from) / 1000))
}

/** How long it is waited, ms, for whoever asks for `askedMs`; null: for how long is not said. */
export function waitMs(askedMs: number | null): number {
  return Math.min(longestWaitMs, Math.max(leastMs, askedMs ?? untoldMs))
}

/** Whether an answer asks to wait: too many requests, or a service that is away for now and says for how long. `seconds`: its `retry-after`. */
export function asksToWait(status: number, seconds: number | null): boolean {
  return status === 429 || (seconds !== null && (status === 502 || status === 503 || status === 504))
}

/** "asks to wait 40 s"; "asks to wait" where the time is not said. */
export const askedWords = (seconds: number | null): string =>
  seconds === null ? 'asks to wait' : `asks to wait ${seconds} s`
