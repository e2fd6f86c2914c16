import { FaultError, type Fault } from '../../../src-shared/model/fault.ts'
import { waitMs as heeded } from '../../../src-shared/lib/retry-after.ts'
import { readErrors, redacted } from '../../api/classify.ts'
import { retryDelay } from './backoff.ts'

/** What is rejected is tried this slowly at the most, so that Muster never locks an account out. */
const rejectedCapMs = 5 * 60_000
/** Live again within half a minute of the service's being ready, with the time that it takes to connect. */
const readyCapMs = 25_000
/** Where the service asks to be left alone, at least this long. */
const waitMs = 10_000

/** What was asked for is waited, and then as long as before this attempt (see `retryDelay`). */
const afterAskedAttempt = 3

/** How soon the next try may come: as after any break, slowly where the same would most likely happen again, or not before a while. */
export type RetryPace = 'usual' | 'slow' | 'wait'

/** Why a live connection ended. */
export interface CloseReason {
  fault: Fault
  pace: RetryPace
  /** The service asks to be left alone for so many ms. */
  askedMs?: number
}

/** Codes of `graphql-transport-ws` and of WebSockets that say more than that it is over. */
const meanings: Record<number, { words: string; pace: RetryPace }> = {
  1001: { words: 'the service goes away', pace: 'usual' },
  1009: { words: 'what Muster said was too long for the service', pace: 'slow' },
  1011: { words: 'the service met an error', pace: 'usual' },
  1012: { words: 'the service restarts', pace: 'usual' },
  1013: { words: 'the service is busy and asks to wait', pace: 'wait' },
  4400: { words: 'the service did not understand Muster', pace: 'slow' },
  4406: { words: 'the service speaks another protocol', pace: 'slow' },
  4408: { words: 'the service heard nothing of Muster in time', pace: 'usual' },
  4409: { words: 'the service takes a subscription for one that it has', pace: 'usual' },
  4429: { words: 'too many connections or requests for the service', pace: 'wait' },
  4500: { words: 'the service failed inside', pace: 'slow' },
}

type Hide = (text: string) => string

/** What the constructor of a socket threw, or what the port says of one that failed. */
export function dialCloseReason(thrown: unknown): CloseReason {
  const fault: Fault =
    thrown instanceof FaultError
      ? thrown.fault
      : { kind: 'connect', detail: 'that is not an address that can be called' }
  // A wrong path does not mend itself.
  return { fault, pace: fault.kind === 'not-found' ? 'slow' : 'usual', ...askedBy(thrown) }
}

/** The time for which the server that rejected the upgrade or a token asks to be left alone. */
export const askedBy = (thrown: unknown): Pick<CloseReason, 'askedMs'> =>
  thrown instanceof FaultError && thrown.fault.kind === 'unavailable' && thrown.retryAfter !== null
    ? { askedMs: thrown.retryAfter }
    : {}

/** A close event, the bare error event before one, or the error of a parser that could not read the message. */
export function closeReasonOf(thrown: unknown, redact: Hide): CloseReason {
  const event = typeof thrown === 'object' && thrown !== null ? thrown : {}
  const code = 'code' in event ? Number(event.code) : 0
  if (thrown instanceof Error && !Number.isInteger(code)) return usual({ kind: 'reset', detail: 'live connection' })
  if (thrown instanceof Error)
    return {
      fault: { kind: 'socket', detail: 'the service said something that Muster does not understand' },
      pace: 'slow',
    }
  if (code === 4401 || code === 4403) return usual({ kind: 'token', detail: `live connection closed with ${code}` })
  if (code === 1006 || !Number.isFinite(code) || code === 0) return usual({ kind: 'reset', detail: 'live connection' })
  const { words, pace } = meanings[code] ?? { words: reasonOf(event, redact), pace: 'usual' as const }
  return { fault: { kind: 'socket', detail: `closed with ${code}${words === '' ? '' : `: ${words}`}` }, pace }
}

const usual = (fault: Fault): CloseReason => ({ fault, pace: 'usual' })

/** The service's own words, where its code tells nothing. */
function reasonOf(event: object, redact: Hide): string {
  return 'reason' in event && typeof event.reason === 'string' ? redacted(redact(event.reason)) : ''
}

/** Who closed the connection, with which code and words, for the log; null: nobody was reached, and the fault that follows says why. */
export function closeWords(thrown: unknown, redact: Hide, wasOpen: boolean): string | null {
  const event = typeof thrown === 'object' && thrown !== null ? thrown : {}
  const code = 'code' in event && Number.isInteger(event.code) ? Number(event.code) : null
  // What a terminal would obey is left out.
  const reason = reasonOf(event, redact).replaceAll(/\p{Cc}/gu, '')
  // No end of a connection has this code: it stands for one that ended without a word.
  if (code === 1006) return wasOpen ? 'was cut without a word of the service' : null
  return `was closed by the service ${code === null ? 'without a code' : `with ${code}`}${reason === '' ? '' : ` (${reason})`}`
}

/** A subscription that was rejected, or an event of errors alone. */
export function subscriptionCloseReason(thrown: unknown, redact: Hide): CloseReason {
  if (!Array.isArray(thrown)) return closeReasonOf(thrown, redact)
  const [first] = readErrors(thrown, redact)
  const detail = redacted(first?.message ?? '')
  if (first?.code === 'UNAUTHENTICATED') return usual({ kind: 'token', detail })
  // Rights do not come back by themselves.
  if (first?.code === 'FORBIDDEN') return { fault: { kind: 'forbidden', detail }, pace: 'slow' }
  const unknown =
    first?.code === 'GRAPHQL_VALIDATION_FAILED' ||
    /cannot query field|unknown argument|schema is not configured/i.test(detail)
  return usual(unknown ? { kind: 'no-stream', detail } : { kind: 'socket', detail })
}

/** How long to wait before the next attempt, ms; `random` in [0, 1). */
export function delayAfter({ fault, pace, askedMs }: CloseReason, attempt: number, random: number): number {
  // Many who were told the same moment do not come back at it together.
  if (askedMs !== undefined) return heeded(askedMs) + retryDelay(afterAskedAttempt, random)
  if (fault.kind === 'credentials' || fault.kind === 'not-found') return retryDelay(attempt + 4, random, rejectedCapMs)
  if (pace === 'wait') return waitMs + retryDelay(attempt + 4, random, readyCapMs - waitMs)
  // A fresh token is asked for each time.
  return retryDelay(pace === 'slow' ? attempt + 2 : attempt, random, readyCapMs)
}
