import { assertNever, FaultError } from '../../../../src-shared/model/fault.ts'
import { isTextField, isTimeField } from '../../../../src-shared/model/base-fields.ts'
import { parseFilter, type Term } from '../../../../src-shared/filter/filter.ts'
import { fold } from './fold.ts'
import { extraCompareTest, extraMatchTest } from './extra-tests.ts'
import { textTest } from './search.ts'
import { noteTest } from './note-tests.ts'
import { choiceTest, nameOrIdTest, placeTest, textFieldTest } from './match-tests.ts'
import { spareTest } from './spares.ts'
import type { FilterContext, Test } from './test.ts'
import { timeFieldTest, noTimeTest, type MomentField } from './time-tests.ts'

/** The tests of a filter, the cheapest first. Throws a fault of kind `input` that names the invalid part. */
export function testsOf(text: string, context: FilterContext): Test[] {
  const {
    terms,
    problems: [problem],
  } = parseFilter(text)
  if (problem)
    throw new FaultError('input', `“${text.slice(problem.from, problem.to).slice(0, 60)}”: ${problem.message}`)
  const texts = withoutContained(
    terms
      .filter((term) => term.kind === 'text' && !term.not)
      .flatMap((term) => (term.kind === 'text' ? fold(term.text) : [])),
  )
  const fieldTests = terms.filter((term) => term.kind !== 'text' || term.not).map((term) => testOf(term, context))
  const tests = [...fieldTests, ...texts.map((text) => textTest(text, false, context))]
  const distinct = new Map(tests.map((test) => [test.name, test]))
  return [...distinct.values()].sort((a, b) => a.cost - b.cost)
}

/** The texts that no other one contains, the longest first, because they exclude the most rows. */
function withoutContained(texts: string[]): string[] {
  const byLength = [...new Set(texts)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return byLength.filter(
    (text, index) => text !== '' && !byLength.slice(0, index).some((longer) => longer.includes(text)),
  )
}

function testOf(term: Term, context: FilterContext): Test {
  if (term.kind === 'text') return textTest(fold(term.text), true, context)
  const { field } = term
  if (isExtraColumn(field))
    return term.kind === 'match'
      ? extraMatchTest(term, field.slice(6), context)
      : extraCompareTest(term, field.slice(6), context)
  if (isTextField(field)) return textFieldTest(asMatch(term), field, context)
  if (isTimeField(field)) return timeTestOf(term, field, context)
  switch (field) {
    case 'name':
    case 'id':
      return nameOrIdTest(asMatch(term), field, context)
    case 'site':
    case 'room':
    case 'account':
    case 'tenant':
    case 'region':
      return placeTest(asMatch(term), field, context)
    case 'connected':
    case 'status':
      return choiceTest(asMatch(term), field, context)
    case 'spare':
      return spareTest(asMatch(term), context)
    case 'tag':
    case 'note':
      return noteTest(asMatch(term), field, context)
    case 'down':
    case 'up':
    case 'seen':
      return timeTestOf(term, field, context)
    default:
      return assertNever(field)
  }
}

const timeTestOf = (term: Exclude<Term, { kind: 'text' }>, field: MomentField, context: FilterContext): Test =>
  term.kind === 'match' ? noTimeTest(term, field, context) : timeFieldTest(term, field, context)

const isExtraColumn = (field: Exclude<Term, { kind: 'text' }>['field']): field is `extra:${string}` =>
  field.startsWith('extra:')

/** The parser lets no comparison with text through. */
function asMatch(term: Exclude<Term, { kind: 'text' }>): Extract<Term, { kind: 'match' }> {
  if (term.kind === 'match') return term
  throw new FaultError('input', `“${term.field}” cannot be compared`)
}
