import { parseFilter, printFilter, printTerm, writtenField, type Term } from '../../../src-shared/filter/filter.ts'
import { numberText, many } from '../../lib/format/numbers.ts'

/** The choices over the table: each is a term of the filter, or (`any`) that there is none on the status. */
export const segments = ['any', 'down', 'connected', 'unknown'] as const
export type Segment = (typeof segments)[number]

/** Spares on the shelf are offline for good: they are not listed with what is, unless somebody asks for them. */
export const withoutSpares = 'spare:no'

const termTexts: Readonly<Record<Exclude<Segment, 'any'>, string>> = {
  down: `connected:no ${withoutSpares}`,
  connected: 'status:online',
  unknown: 'status:unknown',
}

const onStatus = (term: Term) =>
  term.kind === 'match' && (term.field === 'connected' || term.field === 'status' || term.field === 'spare')

/** Which choice a filter amounts to; null for terms on the status that are none of them. */
export function segmentOf(filter: string): Segment | null {
  const said = parseFilter(filter).terms.filter(onStatus).map(printTerm)
  if (said.length === 0) return 'any'
  const [only, more] = said.length === 1 ? said : said.filter((term) => term !== withoutSpares)
  if (more !== undefined) return null
  // With spares or without; or what is offline now, and nothing that only was.
  if (only === 'connected:no' || only === 'status:offline') return 'down'
  return said.length === 1
    ? (segments.find((segment) => segment !== 'any' && only === termTexts[segment]) ?? null)
    : null
}

/** Whether the filter lists what is offline without the spares on the shelf. */
export const leavesOutSpares = (filter: string): boolean =>
  segmentOf(filter) === 'down' && parseFilter(filter).terms.some(isWithoutSpares)

const isWithoutSpares = (term: Term) => printTerm(term) === withoutSpares

/** The filter that lists the spares as well. */
export const withSpares = (filter: string): string =>
  printFilter(parseFilter(filter).terms.filter((term) => !isWithoutSpares(term)))

/** The filter with this choice in the place of what it said of the status; the other terms stay. */
export function withSegment(filter: string, segment: Segment): string {
  const others = parseFilter(filter).terms.filter((term) => !onStatus(term))
  const chosen = segment === 'any' ? [] : parseFilter(termTexts[segment]).terms
  return printFilter([...chosen, ...others])
}

/** A term as a chip shows it. */
export interface Chip {
  /** Of the term, from 0. */
  index: number
  text: string
  /** The term as it is typed, where `text` is shorter. */
  full: string
}

/** None for what a choice over the table says already, all by itself; that spares are left out is said beside the count. */
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

/** More values than this are counted in the chip. */
const mostShown = 3

/** "id: 40 devices", "site: Berlin HQ, Dublin HQ and 10 more"; of few values, the term as it is typed. */
function chipText(term: Term): string {
  if (term.kind !== 'match' || term.values.length <= mostShown) return printTerm(term)
  const field = `${term.not ? 'not ' : ''}${writtenField(term.field)}${term.how === 'is' ? ':' : ' has'}`
  if (term.field === 'id') return `${field} ${many(term.values.length, 'device')}`
  const first = term.values.slice(0, 2).map((value) => value?.join('*') ?? 'none')
  return `${field} ${first.join(', ')} and ${numberText(term.values.length - 2)} more`
}

/** Without the term; what lists online devices too leaves no spares out. */
export function withoutTerm(filter: string, index: number): string {
  const { terms } = parseFilter(filter)
  const left = printFilter(terms.filter((_, each) => each !== index))
  return leavesOutSpares(filter) && !leavesOutSpares(left) ? withSpares(left) : left
}

/** Whether two filters ask the same, however they are spaced or quoted. */
export function sameFilter(one: string, other: string): boolean {
  return one === other || printFilter(parseFilter(one).terms) === printFilter(parseFilter(other).terms)
}
