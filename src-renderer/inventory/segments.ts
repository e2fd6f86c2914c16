import { parseFilter, printFilter, printTerm, writtenField, type Term } from '../../src-shared/filter.ts'
import { figure, many } from '../words/numbers.ts'

/** The choices over the table: each is a term of the filter, or (`any`) that there is none on the status. */
export const segments = ['any', 'down', 'connected', 'unknown'] as const
export type Segment = (typeof segments)[number]

const termTexts: Readonly<Record<Exclude<Segment, 'any'>, string>> = {
  down: 'connected:no',
  connected: 'status:online',
  unknown: 'status:unknown',
}

const onStatus = (term: Term) => term.kind === 'match' && (term.field === 'connected' || term.field === 'status')

/** Which choice a filter amounts to; null for terms on the status that are none of them. */
export function segmentOf(filter: string): Segment | null {
  const said = parseFilter(filter).terms.filter(onStatus).map(printTerm)
  if (said.length === 0) return 'any'
  const [only] = said.length === 1 ? said : []
  // What is offline now, and nothing that only was.
  if (only === 'status:offline') return 'down'
  return segments.find((segment) => segment !== 'any' && only === termTexts[segment]) ?? null
}

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

/** None for what a choice over the table says already, all by itself. */
export function chipsOf(filter: string): readonly Chip[] {
  const { terms } = parseFilter(filter)
  const segment = segmentOf(filter)
  if (terms.length === 1 && segment !== null && segment !== 'any' && terms.map(printTerm)[0] === termTexts[segment]) return []
  return terms.map((term, index) => ({ index, text: chipText(term), full: printTerm(term) }))
}

/** More values than this are counted in the chip. */
const mostShown = 3

/** "id: 40 devices", "site: Berlin HQ, Dublin HQ and 10 more"; of few values, the term as it is typed. */
function chipText(term: Term): string {
  if (term.kind !== 'match' || term.values.length <= mostShown) return printTerm(term)
  const field = `${term.not ? 'not ' : ''}${writtenField(term.field)}${term.how === 'is' ? ':' : ' has'}`
  if (term.field === 'id') return `${field} ${many(term.values.length, 'device')}`
  const first = term.values.slice(0, 2).map((value) => value?.join('*') ?? 'none')
  return `${field} ${first.join(', ')} and ${figure(term.values.length - 2)} more`
}

export function withoutTerm(filter: string, index: number): string {
  return printFilter(parseFilter(filter).terms.filter((_, each) => each !== index))
}

/** Whether two filters ask the same, however they are spaced or quoted. */
export function sameFilter(one: string, other: string): boolean {
  return one === other || printFilter(parseFilter(one).terms) === printFilter(parseFilter(other).terms)
}
