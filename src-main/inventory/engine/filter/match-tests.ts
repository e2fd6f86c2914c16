import type { TextField } from '../../../../src-shared/model/base-fields.ts'
import { at, statusCodes, textAt } from '../columns/columns.ts'
import { fold } from './fold.ts'
import { isMatch, matcherOf, type MatchTerm, testName, type ValueMatcher } from './matcher.ts'
import { isPlaceless, type Place } from '../places.ts'
import { signatureTest, signatureOf } from './search.ts'
import { filterSlots, type FilterContext, type Test } from './test.ts'

const yes = 1
const no = 2

/**
 * The slots whose value in the column passes; each value is tested once. Values are from `-offset`, and `size` is the
 * number of possible values.
 */
export function filterByValue(
  slots: Int32Array,
  column: ArrayLike<number>,
  offset: number,
  size: number,
  passes: (value: number) => boolean,
): Int32Array {
  const known = new Uint8Array(slots.length < 64 ? 0 : size)
  return filterSlots(slots, (slot) => {
    const value = column[slot] as number
    let answer = known[value + offset]
    if (answer === 0 || answer === undefined) {
      answer = passes(value) ? yes : no
      known[value + offset] = answer
    }
    return answer === yes
  })
}

const fieldTest = { extraColumn: null, text: null, aged: null } as const

export function choiceTest(term: MatchTerm, field: 'connected' | 'status', { rows }: FilterContext): Test {
  const matcher = matcherOf(term)
  const texts = field === 'status' ? statusText : connectedText
  const offset = field === 'status' ? 0 : 1
  return {
    ...fieldTest,
    name: testName(term),
    cost: 1,
    topics: ['status'],
    narrow: (slots) =>
      filterByValue(slots, rows[field], offset, 3, (value) => isMatch(matcher, texts[value + offset] ?? null)),
  }
}

const statusText = ['', '', '']
statusText[statusCodes.disconnected] = 'offline'
statusText[statusCodes.unknown] = 'unknown'
statusText[statusCodes.connected] = 'online'
/** From -1 on: not reported, no, yes. */
const connectedText = [null, 'no', 'yes']

export function textFieldTest(term: MatchTerm, field: TextField, { rows }: FilterContext): Test {
  const matcher = matcherOf(term)
  const { texts } = rows.texts[field]
  return {
    ...fieldTest,
    name: testName(term),
    cost: 1,
    topics: [field],
    narrow: (slots) =>
      filterByValue(slots, rows.texts[field].values, 0, texts.length, (value) =>
        isMatch(matcher, fold(textAt(texts, value))),
      ),
  }
}

export function placeTest(term: MatchTerm, kind: Place['kind'], { rows, places }: FilterContext): Test {
  const matcher = matcherOf(term)
  return {
    ...fieldTest,
    name: testName(term),
    cost: 2,
    topics: ['place'],
    narrow(slots) {
      const answers = new Map<string, boolean>()
      const passes = (room: number) => {
        const name = foldedName(places.byIndex[room] ?? null, kind, places.names, places.nameAt)
        const known = answers.get(name ?? '\n')
        if (known !== undefined) return known
        const answer = isMatch(matcher, name)
        answers.set(name ?? '\n', answer)
        return answer
      }
      return filterByValue(slots, rows.room, 0, places.byIndex.length, passes)
    },
  }
}

/** The folded name of the place of this kind above a room; null where there is none. */
function foldedName(
  room: Place | null,
  kind: Place['kind'],
  names: readonly string[],
  nameAt: readonly number[],
): string | null {
  let place = room
  while (place && place.kind !== kind) place = place.parent
  if (!place || isPlaceless(place)) return null
  return kind === 'region' ? fold(place.name) : textAt(names, at(nameAt, place.index))
}

/** With more whole texts than this, they are looked up and not compared one by one. */
const manyTexts = 8

/** Returns the whole texts of a matcher with many; null for one with few, or with wildcards. */
function textSet({ patterns }: ValueMatcher): ReadonlySet<string> | null {
  return patterns.length > manyTexts && patterns.every(({ length }) => length === 1)
    ? new Set(patterns.map(([text = '']) => text))
    : null
}

/** Tests names or ids. The signature excludes most rows without reading them. */
export function nameOrIdTest(term: MatchTerm, field: 'name' | 'id', { rows }: FilterContext): Test {
  const matcher = matcherOf(term)
  const texts = textSet(matcher)
  if (texts !== null)
    return {
      ...fieldTest,
      name: testName(term),
      cost: 3,
      topics: field === 'name' ? ['name'] : [],
      narrow: (slots) =>
        filterSlots(slots, (slot) => {
          const text = fold(textAt(rows[field], slot))
          return (texts.has(text) || (matcher.none && text === '')) !== matcher.not
        }),
    }
  const signatures = matcher.patterns.map(signatureOf)
  return {
    ...fieldTest,
    name: testName(term),
    cost: 3,
    topics: field === 'name' ? ['name'] : [],
    narrow(slots) {
      const signatureTests = signatures.map((needed) => signatureTest(rows, needed))
      const mayFit = (slot: number) => matcher.not || matcher.none || signatureTests.some((has) => has(slot))
      return filterSlots(slots, (slot) => mayFit(slot) && isMatch(matcher, fold(textAt(rows[field], slot))))
    },
  }
}
