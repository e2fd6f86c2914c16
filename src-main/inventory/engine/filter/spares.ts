import { type Columns, sharedTextAt, timeAt } from '../columns/columns.ts'
import { fold } from './fold.ts'
import { type MatchTerm, nameOfTest, wantedOf, wants } from './match-tests.ts'
import { keep, type Looked, type SpareRule, type Test } from './test.ts'
import { comparedTime } from './time-tests.ts'

export function spareRule({ models, age }: { models: readonly string[]; age: number | null }): SpareRule {
  return { models: new Set(models.map(fold)), age }
}

/** Of a device that is down. When it was last seen may not be known: that makes it none. */
export function isSpare(rows: Columns, slot: number, { models, age }: SpareRule, now: number): boolean {
  const seen = timeAt(rows.times.lastDetected, slot)
  return (
    (age !== null && seen !== null && seen < now - age) ||
    (models.size > 0 && models.has(fold(sharedTextAt(rows.texts.hardwareModel, slot))))
  )
}

/** `spare:yes`: down after the service's last word, and a spare by this rule. */
export function matchedSpare(term: MatchTerm, looked: Looked): Test {
  const {
    rows,
    spares: { rule },
  } = looked
  const wanted = wantedOf(term)
  const old =
    rule.age === null
      ? null
      : comparedTime(
          {
            kind: 'compare',
            not: false,
            field: 'lastDetected',
            operator: '>',
            amount: { text: '', age: rule.age, date: null, number: null },
          },
          'lastDetected',
          looked,
        )
  return {
    name: `${nameOfTest(term)} ${JSON.stringify([...rule.models, rule.age])}`,
    cost: 2,
    topics: ['status', 'hardwareModel', 'lastDetected'],
    further: null,
    word: null,
    narrow: (slots, now) =>
      keep(slots, (slot) => wants(wanted, rows.connected[slot] === 0 && isSpare(rows, slot, rule, now) ? 'yes' : 'no')),
    aged: old?.aged ?? null,
  }
}
