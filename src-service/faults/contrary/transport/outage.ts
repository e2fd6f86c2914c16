import { STATUS_CODES } from 'node:http'
import type { Answer } from '../../../net/wire.ts'
import type { Contrary } from '../contrary.ts'

/**
 * Returns the answer of a gateway whose service is unavailable; null when it is available. Takes one from the counter.
 */
export function outageAnswer(contrary: Contrary, count: 'awayFor' | 'tokenAwayFor'): Answer | null {
  if (!contrary.take(count)) return null
  const { awayStatus: status } = contrary.is
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...retryAfterHeader(contrary) }
  return { status, headers, body: STATUS_CODES[status] ?? '' }
}

/** Returns the header `retry-after` where a delay is set. */
export function retryAfterHeader({ is }: Contrary): Record<string, string> {
  return is.awaySeconds === 0 ? {} : { 'retry-after': String(is.awaySeconds) }
}
