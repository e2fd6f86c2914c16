import { STATUS_CODES } from 'node:http'
import type { Answer } from '../../net/wire.ts'
import type { Contrary } from '../contrary.ts'

/** The answer of a gateway whose service is away, with nothing of the service in it; null when it is not. Uses up one of the count. */
export function awayAnswer(contrary: Contrary, count: 'awayFor' | 'tokenAwayFor'): Answer | null {
  if (!contrary.take(count)) return null
  const { awayStatus: status } = contrary.is
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...askedToWait(contrary) }
  return { status, headers, body: STATUS_CODES[status] ?? '' }
}

/** `retry-after`, where it says when to come again. */
export function askedToWait({ is }: Contrary): Record<string, string> {
  return is.awaySeconds === 0 ? {} : { 'retry-after': String(is.awaySeconds) }
}
