import { assertNever, FaultError } from '../../../../src-shared/model/fault.ts'
import { isTextField, isTimeField } from '../../../../src-shared/model/base-fields.ts'
import { parseFilter, type Term } from '../../../../src-shared/filter/filter.ts'
import { fold } from './fold.ts'
import { comparedExtra, matchedExtra } from './extra-tests.ts'
import { wordTest } from './search.ts'
import { matchedChoice, matchedOwnText, matchedPlace, matchedText } from './match-tests.ts'
import { matchedSpare } from './spares.ts'
import type { Looked, Test } from './test.ts'
import { comparedTime, matchedTime, type MomentField } from './time-tests.ts'

/** The filter's tests, the cheapest first. Throws a fault of kind `input` that names the word which cannot be used. */
export function testsOf(text: string, looked: Looked): Test[] {
  const {
    terms,
    problems: [problem],
  } = parseFilter(text)
  if (problem)
    throw new FaultError('input', `“${text.slice(problem.from, problem.to).slice(0, 60)}”: ${problem.message}`)
  const words = withoutNeedless(
    terms
      .filter((term) => term.kind === 'text' && !term.not)
      .flatMap((term) => (term.kind === 'text' ? fold(term.text) : [])),
  )
  const others = terms.filter((term) => term.kind !== 'text' || term.not).map((term) => testOf(term, looked))
  const tests = [...others, ...words.map((word) => wordTest(word, false, looked))]
  const distinct = new Map(tests.map((test) => [test.name, test]))
  return [...distinct.values()].sort((a, b) => a.cost - b.cost)
}

/** Longest first (they leave the fewest rows for the next). A word inside of another one asks for nothing more. */
function withoutNeedless(words: string[]): string[] {
  const longestFirst = [...new Set(words)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return longestFirst.filter(
    (word, index) => word !== '' && !longestFirst.slice(0, index).some((longer) => longer.includes(word)),
  )
}

function testOf(term: Term, looked: Looked): Test {
  if (term.kind === 'text') return wordTest(fold(term.text), true, looked)
  const { field } = term
  if (isFurther(field))
    return term.kind === 'match'
      ? matchedExtra(term, field.slice(6), looked)
      : comparedExtra(term, field.slice(6), looked)
  if (isTextField(field)) return matchedText(asMatch(term), field, looked)
  if (isTimeField(field)) return timesTest(term, field, looked)
  switch (field) {
    case 'name':
    case 'id':
      return matchedOwnText(asMatch(term), field, looked)
    case 'site':
    case 'room':
    case 'tenant':
    case 'region':
      return matchedPlace(asMatch(term), field, looked)
    case 'connected':
    case 'status':
      return matchedChoice(asMatch(term), field, looked)
    case 'spare':
      return matchedSpare(asMatch(term), looked)
    case 'down':
    case 'up':
    case 'seen':
      return timesTest(term, field, looked)
    default:
      return assertNever(field)
  }
}

const timesTest = (term: Exclude<Term, { kind: 'text' }>, field: MomentField, looked: Looked): Test =>
  term.kind === 'match' ? matchedTime(term, field, looked) : comparedTime(term, field, looked)

const isFurther = (field: Exclude<Term, { kind: 'text' }>['field']): field is `extra:${string}` =>
  field.startsWith('extra:')

/** The parser lets no comparison with text through. */
function asMatch(term: Exclude<Term, { kind: 'text' }>): Extract<Term, { kind: 'match' }> {
  if (term.kind === 'match') return term
  throw new FaultError('input', `“${term.field}” cannot be compared`)
}
