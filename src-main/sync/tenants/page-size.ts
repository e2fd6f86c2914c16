import { FaultError } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import { tooLarge } from '../../auth/limited-text.ts'

/** Words about the size of a page, and none about points or the number of requests. */
const pageWords = /page.?size|per.?page|page.?limit/i
const countedWords = /\b(limit|first|items|results|records|nodes|edges|rows|devices|page)\b/i
const boundWords = /\b(between|at most|maximum|max|exceed|exceeds|exceeded|less than|too (large|many|big|high|long))\b/i
const otherWords =
  /rate.?limit|requests|points|cost|complexity|token|cursor|depth|deep|nest(ed|ing)|alias|variable|fragment/i
const tellsOfSize = (words: string): boolean =>
  (pageWords.test(words) || (countedWords.test(words) && boundWords.test(words))) && !otherWords.test(words)
/** The figure in such words: "between 1 and 100", "at most 100", "maximum page size is 100", "<= 100". */
const figure =
  /\b(?:between\s\d{1,6}\sand|at most|maximum|max|up to|exceed|less than|less than or equal to|limited to|limit|is|of|to|allowed|value)[:\s]{1,2}(\d{1,6})\b|(?:<=?|≤) ?(\d{1,6})\b/gi
/** Words that call the request wrong, where an answer is good otherwise. */
const requestWords = /bad.?request|bad.?user.?input|invalid|illegal|argument/i
/** Words about the document: no size of a page mends it. */
const schemaWords = /cannot query|unknown (field|argument|type|operation)|syntax|unexpected name|variable "/i
/** Words about the token of the paging, also where it belongs to another page size. */
const tokenWords = /next.?token|cursor|page.?token|pagination.?token/i

/** Statuses of a rejection that says nothing of the request itself. */
const ofTheMoment: ReadonlySet<number> = new Set([401, 403, 404, 405, 408, 425, 429])

/** Whether the service has rejected this request as such: asked for again unchanged, it would be rejected again. */
export function isRejection(error: unknown): error is FaultError {
  if (!(error instanceof FaultError)) return false
  const {
    fault: { kind },
    status,
    words,
  } = error
  if (status === null || schemaWords.test(words)) return false
  if (kind === 'partial') return requestWords.test(words)
  return (
    kind === 'query' || (traitsOf(kind).again === 'once' && status >= 400 && status < 500 && !ofTheMoment.has(status))
  )
}

/** Whether the token of the paging was rejected. */
export const rejectsToken = (error: unknown): boolean =>
  error instanceof FaultError && tokenWords.test(error.words) && !/page.?size/i.test(error.words)

/**
 * The size to ask for next after a page was rejected. `why`: it was `costly` (costs.ts remembers that), `long` (more bytes than
 * are read, which says nothing of other pages), its `size` was named, or nobody says what it was (`unclear`). Null: a smaller
 * page would be rejected as well, or there is none. A figure in the words is taken once: a page of that size that is rejected as
 * well is halved.
 */
export function smallerPage(
  error: unknown,
  size: number | null,
): { size: number; why: 'costly' | 'long' | 'size' | 'unclear' } | null {
  if (!(error instanceof FaultError) || size === null || size <= 1) return null
  if (error.fault.kind === 'cost-limit') return { size: Math.floor(size / 2), why: 'costly' }
  if (error.fault.kind === 'http' && error.fault.detail === tooLarge) return { size: Math.floor(size / 2), why: 'long' }
  if (tellsOfSize(error.words)) {
    const named = [...error.words.matchAll(figure)]
      .map(([, one, other]) => Number(one ?? other))
      .filter((each) => each >= 1 && each < size)
    return {
      size: named.length > 0 ? named.reduce((most, each) => Math.max(most, each)) : Math.floor(size / 2),
      why: 'size',
    }
  }
  return isRejection(error) && !rejectsToken(error) ? { size: Math.max(1, Math.floor(size / 4)), why: 'unclear' } : null
}
