import { type Columns, sharedTextAt, timeAt } from '../columns/columns.ts'
import { fold } from './fold.ts'
import { type MatchTerm, testName, matcherOf, isMatch } from './match-tests.ts'
import { filterSlots, type FilterContext, type SpareRule, type Test } from './test.ts'
import { timeFieldTest } from './time-tests.ts'

export function spareRule({ models, age }: { models: readonly string[]; age: number | null }): SpareRule {
  return { models: new Set(models.map(fold)), age }
}

/** True when an offline device is a spare. A device without `lastDetected` is none by its age. */
export function isSpare(rows: Columns, slot: number, { models, age }: SpareRule, now: number): boolean {
  const lastDetected = timeAt(rows.times.lastDetected, slot)
  return (
    (age !== null && lastDetected !== null && lastDetected < now - age) ||
    (models.size > 0 && models.has(fold(sharedTextAt(rows.texts.hardwareModel, slot))))
  )
}

/** Tests `spare:yes`: reported offline, and a spare by the rule. */
export function spareTest(term: MatchTerm, context: FilterContext): Test {
  const {
    rows,
    spares: { rule },
  } = context
  const matcher = matcherOf(term)
  const ageTest =
    rule.age === null
      ? null
      : timeFieldTest(
          {
            kind: 'compare',
            not: false,
            field: 'lastDetected',
            operator: '>',
            amount: { text: '', age: rule.age, date: null, number: null },
          },
          'lastDetected',
          context,
        )
  return {
    name: `${testName(term)} ${JSON.stringify([...rule.models, rule.age])}`,
    cost: 2,
    topics: ['status', 'hardwareModel', 'lastDetected'],
    extraColumn: null,
    text: null,
    narrow: (slots, now) =>
      filterSlots(slots, (slot) =>
        isMatch(matcher, rows.connected[slot] === 0 && isSpare(rows, slot, rule, now) ? 'yes' : 'no'),
      ),
    aged: ageTest?.aged ?? null,
  }
}
