import { own } from '../../../../src-shared/lib/own.ts'
import { compareNames } from '../sort/collate.ts'
import { type ExtraValues, foldedAt, nullValue, unread, valueAt } from '../columns/extras.ts'
import { fold } from './fold.ts'
import { filterByValue } from './match-tests.ts'
import { type MatchTerm, testName, matcherOf, isMatch } from './matcher.ts'
import { filterSlots, type FilterContext, type Test } from './test.ts'
import { type CompareTerm, type MomentReader, timeCompareTest } from './time-tests.ts'

const extraTest = { text: null, aged: null, topics: ['extra'] } as const

/**
 * Tests of extra columns. A device whose value has not been read passes none of them, negated or not.
 */
export function extraMatchTest(term: MatchTerm, name: string, { extras }: FilterContext): Test {
  const wanted = matcherOf(term)
  const asBoolean = matcherOf({
    ...term,
    values: term.values.map((value) => (value && own(booleanTexts, fold(value.join('*')))) ?? value),
  })
  const textOf = (column: ExtraValues, value: number) => (value === nullValue ? null : foldedAt(column, value))
  return {
    ...extraTest,
    extraColumn: name,
    name: testName(term),
    cost: 1,
    narrow: (slots) =>
      filterLoaded(slots, extras.columns.get(name), (column, value) =>
        isMatch(column.type === 'boolean' ? asBoolean : wanted, textOf(column, value)),
      ),
  }
}

const booleanTexts: Record<string, string[]> = { yes: ['true'], no: ['false'] }

/** The slots whose value was read and passes; each value is tested once. */
function filterLoaded(
  slots: Int32Array,
  column: ExtraValues | undefined,
  passes: (column: ExtraValues, value: number) => boolean,
): Int32Array {
  if (!column) return slots.subarray(0, 0)
  const read = filterSlots(slots, (slot) => valueAt(column, slot) !== unread)
  return filterByValue(read, column.values, 0, column.texts.length, (value) => passes(column, value))
}

/** Numbers and times compare by their value, texts in name order. */
export function extraCompareTest(term: CompareTerm, name: string, { rows, extras }: FilterContext): Test {
  const read: MomentReader = (slots, times) => {
    const column = extras.columns.get(name)
    for (let i = 0; i < slots.length; i += 1)
      times[i] = column?.numbers[valueAt(column, slots[i] as number)] ?? Number.NaN
  }
  const time = timeCompareTest(term, ['extra'], () => rows.top, read)
  const isTime = () => extras.columns.get(name)?.type === 'time'
  return {
    ...extraTest,
    extraColumn: name,
    name: testName(term),
    cost: 2,
    narrow(slots, now) {
      if (isTime())
        return time.narrow(
          filterLoaded(slots, extras.columns.get(name), () => true),
          now,
        )
      return filterLoaded(
        slots,
        extras.columns.get(name),
        (column, value) => isCompared(term, column, value) !== term.not,
      )
    },
    aged:
      time.aged &&
      ((before, now, into) => {
        if (isTime()) time.aged?.(before, now, into)
      }),
  }
}

function isCompared({ operator, amount }: CompareTerm, column: ExtraValues, value: number): boolean {
  if (value === nullValue) return false
  const difference =
    column.type === 'number'
      ? (column.numbers[value] ?? Number.NaN) - (amount.number ?? Number.NaN)
      : compareNames(column.texts[value] ?? '', amount.text)
  switch (operator) {
    case '>':
      return difference > 0
    case '>=':
      return difference >= 0
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
  }
}
