import { FaultError } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import { tooLarge } from '../../auth/limited-text.ts'

/** Text about the page size, and none about points or the number of requests. */
const sizeText = /page.?size|per.?page|page.?limit/i
const itemText = /\b(limit|first|items|results|records|nodes|edges|rows|devices|page)\b/i
const boundText = /\b(between|at most|maximum|max|exceed|exceeds|exceeded|less than|too (large|many|big|high|long))\b/i
const otherText =
  /rate.?limit|requests|points|cost|complexity|token|cursor|depth|deep|nest(ed|ing)|alias|variable|fragment/i
const mentionsSize = (text: string): boolean =>
  (sizeText.test(text) || (itemText.test(text) && boundText.test(text))) && !otherText.test(text)
/** The number in such a text: "between 1 and 100", "at most 100", "maximum page size is 100", "<= 100". */
const limitText =
  /\b(?:between\s\d{1,6}\sand|at most|maximum|max|up to|exceed|less than|less than or equal to|limited to|limit|is|of|to|allowed|value)[:\s]{1,2}(\d{1,6})\b|(?:<=?|≤) ?(\d{1,6})\b/gi
/** Text of an invalid request, in an otherwise valid answer. */
const requestText = /bad.?request|bad.?user.?input|invalid|illegal|argument/i
/** Text about the document, which no page size corrects. */
const schemaText = /cannot query|unknown (field|argument|type|operation)|syntax|unexpected name|variable "/i
/** Text about the token of the next page, also where it belongs to another page size. */
const tokenText = /next.?token|cursor|page.?token|pagination.?token/i

/** Statuses of a rejection that are independent of the request itself. */
const transientStatuses: ReadonlySet<number> = new Set([401, 403, 404, 405, 408, 425, 429])

/** Returns whether the service has rejected this request itself, so that it would be rejected again. */
export function isRejection(error: unknown): error is FaultError {
  if (!(error instanceof FaultError)) return false
  const {
    fault: { kind },
    status,
    answerText,
  } = error
  if (status === null || schemaText.test(answerText)) return false
  if (kind === 'partial') return requestText.test(answerText)
  return (
    kind === 'query' ||
    (traitsOf(kind).again === 'once' && status >= 400 && status < 500 && !transientStatuses.has(status))
  )
}

/** Returns whether the token of the next page was rejected. */
export const rejectsToken = (error: unknown): boolean =>
  error instanceof FaultError && tokenText.test(error.answerText) && !/page.?size/i.test(error.answerText)

/**
 * Returns the next size after a page was rejected. `why`: it was `costly` (costs.ts remembers that), `long` (more bytes
 * than are read, which does not concern other pages), its `size` was named, or the reason is unknown (`unclear`). Null:
 * a smaller page would be rejected too, or there is none. A number in the text is used once: when that size is
 * rejected too, it is halved.
 */
export function smallerPage(
  error: unknown,
  size: number | null,
): { size: number; why: 'costly' | 'long' | 'size' | 'unclear' } | null {
  if (!(error instanceof FaultError) || size === null || size <= 1) return null
  if (error.fault.kind === 'cost-limit') return { size: Math.floor(size / 2), why: 'costly' }
  if (error.fault.kind === 'http' && error.fault.detail === tooLarge) return { size: Math.floor(size / 2), why: 'long' }
  if (mentionsSize(error.answerText)) {
    const named = [...error.answerText.matchAll(limitText)]
      .map(([, one, other]) => Number(one ?? other))
      .filter((each) => each >= 1 && each < size)
    return {
      size: named.length > 0 ? named.reduce((largest, each) => Math.max(largest, each)) : Math.floor(size / 2),
      why: 'size',
    }
  }
  return isRejection(error) && !rejectsToken(error) ? { size: Math.max(1, Math.floor(size / 4)), why: 'unclear' } : null
}
