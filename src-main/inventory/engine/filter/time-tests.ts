import { assertNever } from '../../../../src-shared/model/fault.ts'
import { isTimeField, type TimeField } from '../../../../src-shared/model/base-fields.ts'
import type { OwnField, Term } from '../../../../src-shared/filter/filter.ts'
import { block, inBlocks } from '../columns/blocks.ts'
import type { Topic } from '../changes.ts'
import { at, type Columns } from '../columns/columns.ts'
import { type MatchTerm, testName } from './matcher.ts'
import type { FilterContext, Test } from './test.ts'

export type CompareTerm = Extract<Term, { kind: 'compare' }>
/** The fields of the filter that are times. */
export type MomentField = Extract<OwnField, 'down' | 'up' | 'seen'> | TimeField

/**
 * Writes the times of a field to the front of `times`, ms; NaN for none. Returned one by one they would be a million
 * garbage numbers each second.
 */
export type MomentReader = (slots: Int32Array, times: Float64Array) => void

function momentReader(field: MomentField, rows: Columns): MomentReader {
  if (isTimeField(field)) return (slots, times) => copyTimes(rows.times[field], slots, times)
  switch (field) {
    case 'down':
      return (slots, times) => {
        for (let i = 0; i < slots.length; i += 1) times[i] = downAt(rows, slots[i] as number)
      }
    case 'up':
      return (slots, times) => {
        for (let i = 0; i < slots.length; i += 1) times[i] = upAt(rows, slots[i] as number)
      }
    case 'seen':
      return (slots, times) => copyTimes(rows.seenAt, slots, times)
    default:
      return assertNever(field)
  }
}

function copyTimes(column: Float64Array, slots: Int32Array, times: Float64Array): void {
  for (let i = 0; i < slots.length; i += 1) times[i] = column[slots[i] as number] as number
}

/**
 * Since when a device has been offline: its transition where Muster saw it, else the known beginning, else
 * `lastDetected`.
 */
function downAt(rows: Columns, slot: number): number {
  if (rows.connected[slot] !== 0) return Number.NaN
  const since = at(rows.sinceAt, slot)
  return Number.isNaN(since) ? at(rows.times.lastDetected, slot) : since
}

/** Since when a device has been online; none where its return was not seen. */
function upAt(rows: Columns, slot: number): number {
  return rows.connected[slot] === 1 ? at(rows.sinceAt, slot) : Number.NaN
}

const ownTopics: Record<Exclude<MomentField, TimeField>, readonly Topic[]> = {
  down: ['status', 'since', 'lastDetected'],
  up: ['status', 'since'],
  seen: ['seenAt'],
}

const topicsOf = (field: MomentField): readonly Topic[] => (isTimeField(field) ? [field] : ownTopics[field])

/** Tests `field:none`, the only match of a time. */
export function noTimeTest(term: MatchTerm, field: MomentField, { rows }: FilterContext): Test {
  return {
    name: testName(term),
    cost: 1,
    topics: topicsOf(field),
    extraColumn: null,
    text: null,
    aged: null,
    narrow: (slots) =>
      filterByTime(slots, momentReader(field, rows), (times, i) => Number.isNaN(times[i]) !== term.not),
  }
}

export function timeFieldTest(term: CompareTerm, field: MomentField, { rows }: FilterContext): Test {
  return timeCompareTest(term, topicsOf(field), () => rows.top, momentReader(field, rows))
}

/** Compares times with a date or an age. Rows without a time pass no comparison. */
export function timeCompareTest(
  term: CompareTerm,
  topics: readonly Topic[],
  top: () => number,
  read: MomentReader,
): Test {
  const { amount, operator, not } = term
  const { age } = amount
  const cutoff = (now: number) => (age === null ? (amount.date ?? Number.NaN) : now - age)
  const inclusive = operator === '>=' || operator === '<='
  // A greater age is an earlier time.
  const earlier = (operator === '>' || operator === '>=') === (age !== null)
  return {
    name: testName(term),
    cost: 2,
    topics,
    extraColumn: null,
    text: null,
    narrow(slots, now) {
      const limit = cutoff(now)
      return filterByTime(slots, read, (times, i) => {
        const time = times[i] as number
        return ((earlier ? time < limit : time > limit) || (inclusive && time === limit)) !== not
      })
    },
    aged:
      age === null
        ? null
        : (before, now, into) => {
            const [from, to] = before < now ? [before - age, now - age] : [now - age, before - age]
            const isBetween = (times: Float64Array, i: number) =>
              (times[i] as number) >= from && (times[i] as number) <= to
            const [slots, times] = [new Int32Array(block), new Float64Array(block)]
            inBlocks(top(), (first, end) => {
              for (let slot = first; slot < end; slot += 1) slots[slot - first] = slot
              for (const slot of filterByTime(slots.subarray(0, end - first), read, isBetween, times)) into.add(slot)
            })
          },
  }
}

/** The slots whose time passes. `passes` gets the block's times and the index in it. */
function filterByTime(
  slots: Int32Array,
  read: MomentReader,
  passes: (times: Float64Array, i: number) => boolean,
  times = new Float64Array(Math.min(slots.length, block)),
): Int32Array {
  let n = 0
  inBlocks(slots.length, (from, to) => {
    read(slots.subarray(from, to), times)
    for (let i = from; i < to; i += 1) if (passes(times, i - from)) slots[n++] = slots[i] as number
  })
  return slots.subarray(0, n)
}
