import type { Clock } from '../../../src-shared/lib/clock.ts'
import { retryAfterIn } from '../../../src-shared/lib/retry-after.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { StartedTokens } from '../../auth/token.ts'
import { readCostReport } from '../../pacing/balance/ledger.ts'
import type { Item } from '../../pacing/balance/account.ts'
import type { Pacer, Sent } from '../../pacing/pacer.ts'
import { UnsentError, type Link } from '../../ports.ts'
import { classify, readErrors, type ServiceError } from '../classify.ts'
import { costReportOf, postDocument } from '../client.ts'
import type { Turns } from '../event-loop-turns.ts'
import { followToken } from '../follow-token.ts'
import type { Sending } from './documents.ts'
import type { SendSignals } from './mutations.ts'

export interface SendOptions {
  fetchOnce: Link['fetchOnce']
  clock: Clock
  graphqlUrl: string
  tokens: StartedTokens
  pacer: Pacer
  turns: Turns
  /** Called with the header `Date` of each answer. */
  onDate?: (date: string | null) => void
}

/** How the sending of an operation ended. `lost`: it may have been executed, and there is no readable answer. */
export type Exchange =
  | { is: 'answered'; status: number; data: unknown; errors: readonly ServiceError[] }
  | { is: 'lost'; fault: Fault; status: number | null }
  | { is: 'not-sent'; fault: Fault }

/**
 * Sends one operation once, when the balance allows it, with a token that was got before. A rejected token is renewed
 * for the next operation; this one is not sent again. Once it was handed to the network it is not withdrawn, and a signal
 * that aborts leaves it lost, unless it certainly did not leave. Never rejects.
 */
export async function sendOnce(options: SendOptions, sending: Sending, signals: SendSignals): Promise<Exchange> {
  const { name, shape } = sending.operation
  const item = { name, shape, lane: 'visible', size: sending.size } as const
  const handed = await handOver(options, item, signals, (token) => post(options, sending, signals.signal, token))
  if ('fault' in handed) return { is: 'not-sent', fault: handed.fault }
  return handed.posted?.exchange ?? { is: 'lost', fault: { kind: 'internal', detail: '' }, status: null }
}

/**
 * Waits until the balance allows an operation, and posts it once, with a token that was got before. Resolves with what
 * `post` resolves with, null where that rejected; or with why it was not posted. Never rejects.
 */
export async function handOver<P extends { sent: Sent<void> }>(
  { pacer, tokens }: Pick<SendOptions, 'pacer' | 'tokens'>,
  item: Item,
  { signal, withdraw }: SendSignals,
  post: (token: string) => Promise<P>,
): Promise<{ posted: P | null } | { fault: Fault }> {
  const waiting = AbortSignal.any([signal, withdraw])
  const posting: Promise<P>[] = []
  try {
    await pacer.run<void>({
      ...item,
      signal: waiting,
      once: true,
      async send() {
        const token = await tokens.get()
        if (waiting.aborted) throw waiting.reason
        const posted = post(token)
        posting.push(posted)
        return (await posted).sent
      },
    })
  } catch (error) {
    // A signal that aborts ends the wait at once, also where the operation has left.
    if (posting.length === 0) return { fault: waiting.aborted ? abortOf(waiting) : toFault(error) }
  }
  return { posted: (await posting[0]?.catch(() => null)) ?? null }
}

/** Returns why a signal aborted. */
export const abortOf = ({ reason }: AbortSignal): Fault =>
  reason instanceof FaultError ? reason.fault : { kind: 'abort', detail: '' }

interface Posted {
  exchange: Exchange
  /** The same for the pacer, which learns the cost from it. */
  sent: Sent<void>
}

/** Never rejects. */
async function post(options: SendOptions, sending: Sending, signal: AbortSignal, token: string): Promise<Posted> {
  const request = { operation: sending.operation, size: sending.size, variables: sending.variables, signal }
  try {
    const { answer } = await postDocument(
      { ...options, fetch: options.fetchOnce },
      request,
      sending.operation.document,
      token,
    )
    options.onDate?.(answer.headers.get('date'))
    const errors = readErrors(answer.errors, options.tokens.redact)
    const { status, data } = answer
    const wall = options.clock.now()
    const hasData = typeof data === 'object' && data !== null
    const error = classify({ status, errors, hasData, retryAfter: retryAfterIn(answer.headers, wall) })
    followToken(options.tokens, token, error, errors)
    return {
      exchange: { is: 'answered', status, data, errors },
      sent: { report: costReportOf(answer, wall), result: error === null ? { value: undefined } : { error } },
    }
  } catch (thrown) {
    const error = thrown instanceof FaultError ? thrown : new FaultError('internal', toFault(thrown).detail)
    followToken(options.tokens, token, error, [])
    const { fault, status } = error
    return {
      exchange: error instanceof UnsentError ? { is: 'not-sent', fault } : { is: 'lost', fault, status },
      sent: { report: readCostReport(new Headers(), 0), result: { error } },
    }
  }
}
