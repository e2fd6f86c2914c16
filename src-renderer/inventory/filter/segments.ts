import { parseFilter, printFilter, printTerm, writtenField, type Term } from '../../../src-shared/filter/filter.ts'
import { numberText, many } from '../../lib/format/numbers.ts'

/** The status choices. Each is a term of the filter, or (`any`) no status term. */
export const segments = ['any', 'down', 'connected', 'unknown'] as const
export type Segment = (typeof segments)[number]

/** Spares are permanently offline, so the offline choice leaves them out by default. */
export const withoutSpares = 'spare:no'

const termTexts: Readonly<Record<Exclude<Segment, 'any'>, string>> = {
  down: `connected:no ${withoutSpares}`,
  connected: 'status:online',
  unknown: 'status:unknown',
}

const onStatus = (term: Term) =>
  term.kind === 'match' && (term.field === 'connected' || term.field === 'status' || term.field === 'spare')

/** Returns the status choice of a filter; null for other status terms. */
export function segmentOf(filter: string): Segment | null {
  const statusTerms = parseFilter(filter).terms.filter(onStatus).map(printTerm)
  if (statusTerms.length === 0) return 'any'
  const [only, more] = statusTerms.length === 1 ? statusTerms : statusTerms.filter((term) => term !== withoutSpares)
  if (more !== undefined) return null
  // Accepts both terms for offline devices, with spares or without.
  if (only === 'connected:no' || only === 'status:offline') return 'down'
  return statusTerms.length === 1
    ? (segments.find((segment) => segment !== 'any' && only === termTexts[segment]) ?? null)
    : null
}

/** Returns whether the filter lists offline devices without spares. */
export const excludesSpares = (filter: string): boolean =>
  segmentOf(filter) === 'down' && parseFilter(filter).terms.some(isWithoutSpares)

const isWithoutSpares = (term: Term) => printTerm(term) === withoutSpares

/** Returns the filter that lists spares too. */
export const withSpares = (filter: string): string =>
  printFilter(parseFilter(filter).terms.filter((term) => !isWithoutSpares(term)))

/** Returns the filter with another status choice; the other terms stay. */
export function withSegment(filter: string, segment: Segment): string {
  const others = parseFilter(filter).terms.filter((term) => !onStatus(term))
  const chosen = segment === 'any' ? [] : parseFilter(termTexts[segment]).terms
  return printFilter([...chosen, ...others])
}

/** A term as a chip shows it. */
export interface Chip {
  /** Index of the term, from 0. */
  index: number
  text: string
  /** The complete term, when `text` is shortened. */
  full: string
}

/**
 * Returns the chips of a filter. A status choice alone has none, and hidden spares are shown beside the count instead.
 */
export function chipsOf(filter: string): readonly Chip[] {
  const { terms } = parseFilter(filter)
  const segment = segmentOf(filter)
  const chips = terms.flatMap((term, index) =>
    segment === 'down' && isWithoutSpares(term) ? [] : [{ index, text: chipText(term), full: printTerm(term) }],
  )
  const [only] = chips.length === 1 ? chips : []
  const isChoice =
    only !== undefined && segment !== null && segment !== 'any' && only.full === withSpares(termTexts[segment])
  return isChoice ? [] : chips
}

/** With more values than this, the chip shows their number. */
const maxShown = 3

/**
 * Returns for example "id: 40 devices" or "site: Berlin HQ, Dublin HQ and 10 more"; with few values, the term as typed.
 */
function chipText(term: Term): string {
  if (term.kind !== 'match' || term.values.length <= maxShown) return printTerm(term)
  const field = `${term.not ? 'not ' : ''}${writtenField(term.field)}${term.how === 'is' ? ':' : ' has'}`
  if (term.field === 'id') return `${field} ${many(term.values.length, 'device')}`
  const first = term.values.slice(0, 2).map((value) => value?.join('*') ?? 'none')
  return `${field} ${first.join(', ')} and ${numberText(term.values.length - 2)} more`
}

/**
 * Returns the filter without a term. A filter that then lists online devices too also drops the exclusion of spares.
 */
export function withoutTerm(filter: string, index: number): string {
  const { terms } = parseFilter(filter)
  const left = printFilter(terms.filter((_, each) => each !== index))
  return excludesSpares(filter) && !excludesSpares(left) ? withSpares(left) : left
}

/** Returns whether two filters are equivalent, regardless of spaces and quotation marks. */
export function sameFilter(one: string, other: string): boolean {
  return one === other || printFilter(parseFilter(one).terms) === printFilter(parseFilter(other).terms)
}
