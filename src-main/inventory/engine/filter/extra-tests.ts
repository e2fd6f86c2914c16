import { own } from '../../../../src-shared/lib/own.ts'
import { compareNames } from '../sort/collate.ts'
import { type ExtraValues, foldedAt, saidNull, unread, valueAt } from '../columns/extras.ts'
import { fold } from './fold.ts'
import { keepAsked, type MatchTerm, nameOfTest, wantedOf, wants } from './match-tests.ts'
import { keep, type Looked, type Test } from './test.ts'
import { type CompareTerm, type ReadTimes, timeTest } from './time-tests.ts'

const plain = { word: null, aged: null, topics: ['extra'] } as const

/**
 * Terms on further columns. A device whose value has not been read meets none of them, negated or not: what is not
 * known is not claimed.
 */
export function matchedExtra(term: MatchTerm, name: string, { extras }: Looked): Test {
  const wanted = wantedOf(term)
  const asBoolean = wantedOf({
    ...term,
    values: term.values.map((value) => (value && own(truth, fold(value.join('*')))) ?? value),
  })
  const textOf = (column: ExtraValues, value: number) => (value === saidNull ? null : foldedAt(column, value))
  return {
    ...plain,
    further: name,
    name: nameOfTest(term),
    cost: 1,
    narrow: (slots) =>
      keepRead(slots, extras.columns.get(name), (column, value) =>
        wants(column.type === 'boolean' ? asBoolean : wanted, textOf(column, value)),
      ),
  }
}

const truth: Record<string, string[]> = { yes: ['true'], no: ['false'] }

/** Those of the slots of which the column was read and whose value passes; each value is asked about once. */
function keepRead(
  slots: Int32Array,
  column: ExtraValues | undefined,
  passes: (column: ExtraValues, value: number) => boolean,
): Int32Array {
  if (!column) return slots.subarray(0, 0)
  const read = keep(slots, (slot) => valueAt(column, slot) !== unread)
  return keepAsked(read, column.values, 0, column.texts.length, (value) => passes(column, value))
}

/** Numbers and times compare by their value, texts in name order. */
export function comparedExtra(term: CompareTerm, name: string, { rows, extras }: Looked): Test {
  const read: ReadTimes = (slots, times) => {
    const column = extras.columns.get(name)
    for (let i = 0; i < slots.length; i += 1)
      times[i] = column?.numbers[valueAt(column, slots[i] as number)] ?? Number.NaN
  }
  const time = timeTest(term, ['extra'], () => rows.top, read)
  const isTime = () => extras.columns.get(name)?.type === 'time'
  return {
    ...plain,
    further: name,
    name: nameOfTest(term),
    cost: 2,
    narrow(slots, now) {
      if (isTime())
        return time.narrow(
          keepRead(slots, extras.columns.get(name), () => true),
          now,
        )
      return keepRead(slots, extras.columns.get(name), (column, value) => isCompared(term, column, value) !== term.not)
    },
    aged:
      time.aged &&
      ((before, now, into) => {
        if (isTime()) time.aged?.(before, now, into)
      }),
  }
}

function isCompared({ operator, amount }: CompareTerm, column: ExtraValues, value: number): boolean {
  if (value === saidNull) return false
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
