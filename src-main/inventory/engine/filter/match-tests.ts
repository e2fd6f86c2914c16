import type { Term } from '../../../../src-shared/filter/filter.ts'
import type { Pattern } from '../../../../src-shared/filter/scan.ts'
import type { TextField } from '../../../../src-shared/model/base-fields.ts'
import { at, codes, textAt } from '../columns/columns.ts'
import { fold } from './fold.ts'
import { writingsOf } from './mac.ts'
import { isPlaceless, type Place } from '../places.ts'
import { signedBy, signsOf } from './search.ts'
import { keep, type Looked, type Test } from './test.ts'

export type MatchTerm = Extract<Term, { kind: 'match' }>

export const nameOfTest = (term: Term): string =>
  JSON.stringify(
    term.kind === 'match' ? { ...term, values: term.values.map((value) => value?.map(fold) ?? null) } : term,
  )

/** A term's values in the form in which rows are asked. */
export interface Wanted {
  readonly none: boolean
  readonly patterns: readonly Pattern[]
  readonly not: boolean
}

export function wantedOf({ values, how, not }: MatchTerm): Wanted {
  const patterns = values.flatMap((value) => (value === null ? [] : inWritings(value.map(fold))))
  return {
    none: values.includes(null),
    patterns: how === 'is' ? patterns : patterns.map((pattern) => ['', ...pattern, '']),
    not,
  }
}

/** A MAC address that is asked for is meant in any of its writings. */
function inWritings(pattern: Pattern): readonly Pattern[] {
  const [text] = pattern
  return text === undefined || pattern.length > 1 ? [pattern] : writingsOf(text).map((writing) => [writing])
}

/** Whether a folded text is one of the wanted. A text that is empty is none; so is what has no text. */
export function wants({ none, patterns, not }: Wanted, text: string | null): boolean {
  const found =
    (none && (text === null || text === '')) || (text !== null && patterns.some((pattern) => fits(pattern, text)))
  return found !== not
}

/** Whether the pieces stand in the text one behind the other, the first at its beginning and the last at its end. */
export function fits(pattern: Pattern, text: string): boolean {
  const first = pattern[0] ?? ''
  if (pattern.length === 1) return text === first
  const end = pattern.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(end) || text.length < first.length + end.length) return false
  const until = text.length - end.length
  let from = first.length
  for (const piece of pattern.slice(1, -1)) {
    const found = text.indexOf(piece, from)
    if (found === -1 || found + piece.length > until) return false
    from = found + piece.length
  }
  return true
}

const yes = 1
const no = 2

/**
 * The slots whose cell of the column is wanted; each value is asked about once. Cells are `offset` below 0 at most,
 * and `size` counts the values that they can have.
 */
export function keepAsked(
  slots: Int32Array,
  column: ArrayLike<number>,
  offset: number,
  size: number,
  ask: (value: number) => boolean,
): Int32Array {
  const known = new Uint8Array(slots.length < 64 ? 0 : size)
  return keep(slots, (slot) => {
    const value = column[slot] as number
    let answer = known[value + offset]
    if (answer === 0 || answer === undefined) {
      answer = ask(value) ? yes : no
      known[value + offset] = answer
    }
    return answer === yes
  })
}

const plain = { further: null, word: null, aged: null } as const

export function matchedChoice(term: MatchTerm, field: 'connected' | 'status', { rows }: Looked): Test {
  const wanted = wantedOf(term)
  const words = field === 'status' ? statusWords : connectedWords
  const offset = field === 'status' ? 0 : 1
  return {
    ...plain,
    name: nameOfTest(term),
    cost: 1,
    topics: ['status'],
    narrow: (slots) =>
      keepAsked(slots, rows[field], offset, 3, (value) => wants(wanted, words[value + offset] ?? null)),
  }
}

const statusWords = ['', '', '']
statusWords[codes.disconnected] = 'offline'
statusWords[codes.unknown] = 'unknown'
statusWords[codes.connected] = 'online'
/** From -1 on: the service does not say, no, yes. */
const connectedWords = [null, 'no', 'yes']

export function matchedText(term: MatchTerm, field: TextField, { rows }: Looked): Test {
  const wanted = wantedOf(term)
  const { texts } = rows.texts[field]
  return {
    ...plain,
    name: nameOfTest(term),
    cost: 1,
    topics: [field],
    narrow: (slots) =>
      keepAsked(slots, rows.texts[field].values, 0, texts.length, (value) => wants(wanted, fold(textAt(texts, value)))),
  }
}

export function matchedPlace(term: MatchTerm, kind: Place['kind'], { rows, places }: Looked): Test {
  const wanted = wantedOf(term)
  return {
    ...plain,
    name: nameOfTest(term),
    cost: 2,
    topics: ['place'],
    narrow(slots) {
      const asked = new Map<string, boolean>()
      const ask = (room: number) => {
        const name = foldedName(places.byIndex[room] ?? null, kind, places.names, places.nameAt)
        const known = asked.get(name ?? '\n')
        if (known !== undefined) return known
        const answer = wants(wanted, name)
        asked.set(name ?? '\n', answer)
        return answer
      }
      return keepAsked(slots, rows.room, 0, places.byIndex.length, ask)
    },
  }
}

/** The folded name of the place of this kind that a room lies in; null where there is none. */
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

/** Names and ids are each row's own; the signature spares most rows the look at them. */
export function matchedOwnText(term: MatchTerm, field: 'name' | 'id', { rows }: Looked): Test {
  const wanted = wantedOf(term)
  const signs = wanted.patterns.map(signsOf)
  return {
    ...plain,
    name: nameOfTest(term),
    cost: 3,
    topics: field === 'name' ? ['name'] : [],
    narrow(slots) {
      const signed = signs.map((needed) => signedBy(rows, needed))
      const mayFit = (slot: number) => wanted.not || wanted.none || signed.some((has) => has(slot))
      return keep(slots, (slot) => mayFit(slot) && wants(wanted, fold(textAt(rows[field], slot))))
    },
  }
}
