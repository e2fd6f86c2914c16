import { assertNever } from '../../../src-shared/fault.ts'
import type { OwnField, Term } from '../../../src-shared/filter.ts'
import { downSince, upSince } from '../../../src-shared/since.ts'
import type { Topic } from './changes.ts'
import { at, type Columns, connectedAt, sinceAt, timeAt } from './columns.ts'
import { type MatchTerm, nameOfTest } from './match-tests.ts'
import { keep, type Looked, type Test } from './test.ts'

export type CompareTerm = Extract<Term, { kind: 'compare' }>
type TimeField = Extract<OwnField, 'down' | 'up' | 'seen' | 'lastDetected' | 'lastConfigRequestDate'>

/** The moment that a field counts from, ms; NaN for none. */
export type TimeOf = (slot: number) => number

function timesOf(field: TimeField, rows: Columns): TimeOf {
  switch (field) {
    case 'down': return (slot) => (rows.connected[slot] === 0 ? downAt(rows, slot) : Number.NaN)
    case 'up': return (slot) => upSince({ connected: connectedAt(rows, slot), since: sinceAt(rows, slot) })?.at ?? Number.NaN
    case 'seen': return (slot) => at(rows.seenAt, slot)
    case 'lastDetected':
    case 'lastConfigRequestDate': return (slot) => at(rows[field], slot)
    default: return assertNever(field)
  }
}

function downAt(rows: Columns, slot: number): number {
  return downSince({ connected: false, since: sinceAt(rows, slot), lastDetected: timeAt(rows.lastDetected, slot) })?.at ?? Number.NaN
}

const topicsOf: Record<TimeField, readonly Topic[]> = {
  down: ['status', 'since', 'lastDetected'], up: ['status', 'since'], seen: ['seenAt'], lastDetected: ['lastDetected'],
  lastConfigRequestDate: ['lastConfigRequestDate'],
}

/** `field:none`: the only match that a time knows. */
export function matchedTime(term: MatchTerm, field: TimeField, { rows }: Looked): Test {
  const timeOf = timesOf(field, rows)
  return {
    name: nameOfTest(term), cost: 1, topics: topicsOf[field], further: null, word: null, aged: null,
    narrow: (slots) => keep(slots, (slot) => Number.isNaN(timeOf(slot)) !== term.not),
  }
}

export function comparedTime(term: CompareTerm, field: TimeField, { rows }: Looked): Test {
  return timeTest(term, topicsOf[field], () => rows.top, timesOf(field, rows))
}

/** A comparison of times with a date, or with the time that lies so far back. What has no time meets none. */
export function timeTest(term: CompareTerm, topics: readonly Topic[], top: () => number, timeOf: TimeOf): Test {
  const { amount, operator, not } = term
  const { age } = amount
  const cutoff = (now: number) => (age === null ? (amount.date ?? Number.NaN) : now - age)
  const inclusive = operator === '>=' || operator === '<='
  // A longer age is an earlier time.
  const earlier = (operator === '>' || operator === '>=') === (age !== null)
  return {
    name: nameOfTest(term), cost: 2, topics, further: null, word: null,
    narrow: (slots, now) => keepTimes(slots, timeOf, cutoff(now), earlier, inclusive, not),
    aged: age === null ? null : (before, now, into) => {
      const [from, to] = before < now ? [before - age, now - age] : [now - age, before - age]
      for (let slot = 0, end = top(); slot < end; slot += 1) {
        const time = timeOf(slot)
        if (time >= from && time <= to) into.add(slot)
      }
    },
  }
}

function keepTimes(slots: Int32Array, timeOf: TimeOf, cutoff: number, earlier: boolean, inclusive: boolean, not: boolean): Int32Array {
  return keep(slots, (slot) => {
    const time = timeOf(slot)
    const found = earlier ? time < cutoff : time > cutoff
    return (found || (inclusive && time === cutoff)) !== not
  })
}
