import { FaultError, type Fault } from '../../../src-shared/model/fault.ts'
import { waitMs as boundedWait } from '../../../src-shared/lib/retry-after.ts'
import { readErrors, redacted } from '../../api/classify.ts'
import { retryDelay } from './backoff.ts'

/** Longest delay after a rejection, ms, so that Muster never locks an account out. */
const rejectedCapMs = 5 * 60_000
/**
 * Longest delay otherwise, ms: live again within half a minute of the service's return, including the time to connect.
 */
const retryCapMs = 25_000
/** Shortest delay where the service asks to wait, ms. */
const waitMs = 10_000

/** After the delay that the service asked for, the delay of this attempt is added (see `retryDelay`). */
const afterAskedAttempt = 3

/**
 * Pace of the next attempt: `usual` as after any disconnect, `slow` where the same would most likely happen again,
 * `wait` where the service asks for a delay.
 */
export type RetryPace = 'usual' | 'slow' | 'wait'

/** The reason why a live connection ended. */
export interface CloseReason {
  fault: Fault
  pace: RetryPace
  /** The delay that the service asks for, ms. */
  askedMs?: number
}

/** Close codes of `graphql-transport-ws` and of WebSockets with a specific meaning. */
const meanings: Record<number, { text: string; pace: RetryPace }> = {
  1001: { text: 'the service goes away', pace: 'usual' },
  1009: { text: 'a message of Muster was too long for the service', pace: 'slow' },
  1011: { text: 'the service met an error', pace: 'usual' },
  1012: { text: 'the service restarts', pace: 'usual' },
  1013: { text: 'the service is busy and asks to wait', pace: 'wait' },
  4400: { text: 'the service did not understand Muster', pace: 'slow' },
  4406: { text: 'the service speaks another protocol', pace: 'slow' },
  4408: { text: 'the service received nothing from Muster in time', pace: 'usual' },
  4409: { text: 'the service treats a subscription as a duplicate', pace: 'usual' },
  4429: { text: 'too many connections or requests for the service', pace: 'wait' },
  4500: { text: 'the service failed internally', pace: 'slow' },
}

type Redact = (text: string) => string

/** Returns the reason from an error of the socket's constructor, or from the port's error for a failed one. */
export function dialCloseReason(thrown: unknown): CloseReason {
  const fault: Fault =
    thrown instanceof FaultError
      ? thrown.fault
      : { kind: 'connect', detail: 'that is not an address that can be called' }
  // A wrong path does not resolve itself.
  return { fault, pace: fault.kind === 'not-found' ? 'slow' : 'usual', ...askedBy(thrown) }
}

/** Returns the delay that the server asked for when it rejected the upgrade or a token. */
export const askedBy = (thrown: unknown): Pick<CloseReason, 'askedMs'> =>
  thrown instanceof FaultError && thrown.fault.kind === 'unavailable' && thrown.retryAfter !== null
    ? { askedMs: thrown.retryAfter }
    : {}

/**
 * Returns the reason from a close event, the bare error event before one, or the error of a parser that could not read
 * the message.
 */
export function closeReasonOf(thrown: unknown, redact: Redact): CloseReason {
  const event = typeof thrown === 'object' && thrown !== null ? thrown : {}
  const code = 'code' in event ? Number(event.code) : 0
  if (thrown instanceof Error && !Number.isInteger(code)) return usual({ kind: 'reset', detail: 'live connection' })
  if (thrown instanceof Error)
    return {
      fault: { kind: 'socket', detail: 'the service sent a message that Muster cannot read' },
      pace: 'slow',
    }
  if (code === 4401 || code === 4403) return usual({ kind: 'token', detail: `live connection closed with ${code}` })
  if (code === 1006 || !Number.isFinite(code) || code === 0) return usual({ kind: 'reset', detail: 'live connection' })
  const { text, pace } = meanings[code] ?? { text: reasonOf(event, redact), pace: 'usual' as const }
  return { fault: { kind: 'socket', detail: `closed with ${code}${text === '' ? '' : `: ${text}`}` }, pace }
}

const usual = (fault: Fault): CloseReason => ({ fault, pace: 'usual' })

/** Returns the service's own reason, redacted, for a code without a specific meaning. */
function reasonOf(event: object, redact: Redact): string {
  return 'reason' in event && typeof event.reason === 'string' ? redacted(redact(event.reason)) : ''
}

/**
 * Describes for the log which side closed the connection, with code and reason; null: no server was reached, and the
 * fault that follows says why.
 */
export function closeText(thrown: unknown, redact: Redact, wasOpen: boolean): string | null {
  const event = typeof thrown === 'object' && thrown !== null ? thrown : {}
  const code = 'code' in event && Number.isInteger(event.code) ? Number(event.code) : null
  // Removes control characters, which a terminal would interpret.
  const reason = reasonOf(event, redact).replaceAll(/\p{Cc}/gu, '')
  // Code 1006 is never sent: it stands for a connection that ended without a close frame.
  if (code === 1006) return wasOpen ? 'ended without a close frame' : null
  return `was closed by the service ${code === null ? 'without a code' : `with ${code}`}${reason === '' ? '' : ` (${reason})`}`
}

/** Returns the reason from a rejected subscription, or an event that contains only errors. */
export function subscriptionCloseReason(thrown: unknown, redact: Redact): CloseReason {
  if (!Array.isArray(thrown)) return closeReasonOf(thrown, redact)
  const [first] = readErrors(thrown, redact)
  const detail = redacted(first?.message ?? '')
  if (first?.code === 'UNAUTHENTICATED') return usual({ kind: 'token', detail })
  // Missing rights do not return by themselves.
  if (first?.code === 'FORBIDDEN') return { fault: { kind: 'forbidden', detail }, pace: 'slow' }
  const unknown =
    first?.code === 'GRAPHQL_VALIDATION_FAILED' ||
    /cannot query field|unknown argument|schema is not configured/i.test(detail)
  return usual(unknown ? { kind: 'no-stream', detail } : { kind: 'socket', detail })
}

/** Returns the delay before the next attempt, ms; `random` in [0, 1). */
export function delayAfter({ fault, pace, askedMs }: CloseReason, attempt: number, random: number): number {
  // Jitter: many clients that were given the same delay should not return together.
  if (askedMs !== undefined) return boundedWait(askedMs) + retryDelay(afterAskedAttempt, random)
  if (fault.kind === 'credentials' || fault.kind === 'not-found') return retryDelay(attempt + 4, random, rejectedCapMs)
  if (pace === 'wait') return waitMs + retryDelay(attempt + 4, random, retryCapMs - waitMs)
  // Each attempt uses a fresh token.
  return retryDelay(pace === 'slow' ? attempt + 2 : attempt, random, retryCapMs)
}
