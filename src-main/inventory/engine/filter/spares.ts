import { sharedTextAt, timeAt } from '../columns/columns.ts'
import { hasSpareTag, noteReader } from '../notes.ts'
import { fold } from './fold.ts'
import { type MatchTerm, testName, matcherOf, isMatch } from './matcher.ts'
import { filterSlots, type FilterContext, type SpareRule, type Test } from './test.ts'
import { timeFieldTest } from './time-tests.ts'

export function spareRule({ models, age }: { models: readonly string[]; age: number | null }): SpareRule {
  return { models: new Set(models.map(fold)), age }
}

/**
 * Returns a test of whether an offline device is a spare at `now`, ms: by its age, its model, or a tag of it or its place. A device
 * without `lastDetected` is none by its age. It holds until the next change.
 */
export function isSpare(
  context: Pick<FilterContext, 'rows' | 'places' | 'notes'>,
  { models, age }: SpareRule,
  now: number,
): (slot: number) => boolean {
  const { rows } = context
  const notesOf = noteReader(context)
  return (slot) => {
    const lastDetected = timeAt(rows.times.lastDetected, slot)
    return (
      (age !== null && lastDetected !== null && lastDetected < now - age) ||
      (models.size > 0 && models.has(fold(sharedTextAt(rows.texts.hardwareModel, slot)))) ||
      hasSpareTag(notesOf(slot))
    )
  }
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
    topics: ['status', 'hardwareModel', 'lastDetected', 'notes'],
    extraColumn: null,
    text: null,
    narrow(slots, now) {
      const isSpareAt = isSpare(context, rule, now)
      return filterSlots(slots, (slot) =>
        isMatch(matcher, rows.connected[slot] === 0 && isSpareAt(slot) ? 'yes' : 'no'),
      )
    },
    aged: ageTest?.aged ?? null,
  }
}
