import { textFields } from '../../../../src-shared/model/base-fields.ts'
import { at, type Columns, signatureWords, textAt, type TextColumn } from '../columns/columns.ts'
import { type ExtraValues, foldedAt, saidNull, unread, valueAt } from '../columns/extras.ts'
import { fold } from './fold.ts'
import { writingsOf } from './mac.ts'
import type { Places } from '../places.ts'
import { keep, type Looked, type Test } from './test.ts'

/**
 * The free-text search. Models, sites, rooms and tenants are shared by many rows and are asked once for all of them, as are
 * equal values of the further columns that are held. Names and ids are each row's own; a signature of the pairs of letters in
 * them tells most rows at a glance that a word is not there: sixteen words of 32 bits for the pairs, two for single letters
 * and digits. What passes is then read. A MAC address is found in any of its writings.
 */
export function wordTest(word: string, not: boolean, looked: Looked): Test {
  const writings = writingsOf(word)
  return {
    name: JSON.stringify(['text', not, word]),
    cost: 3,
    topics: ['name', ...textFields, 'place', 'extra'],
    further: null,
    aged: null,
    // What has a writing of a MAC in it need not have the beginning of another one.
    word: not || writings.length > 1 ? null : word,
    narrow: (slots) => withWord(writings, not, slots, looked),
  }
}

function withWord(
  words: readonly string[],
  not: boolean,
  slots: Int32Array,
  { rows, places, extras, placeNotes }: Looked,
): Int32Array {
  const holds = (text: string) => words.some((word) => text.includes(word))
  const shared = textFields.flatMap((field) => sharedText(rows.texts[field], holds) ?? [])
  const names = Uint8Array.from(places.names, (name) => Number(holds(name)))
  const asked: Asked | null = names.includes(1) ? { names, byPlace: placeNotes() } : null
  const own = words.map((word) => ownText(rows, word))
  const further = [...extras.columns.values()].map((column) => heldText(column, holds))
  return keep(slots, (slot) => {
    const found =
      shared.some((has) => has(slot)) ||
      (asked !== null && hasPlace(asked, places, rows.room[slot] as number)) ||
      own.some((has) => has(slot)) ||
      further.some((has) => has(slot))
    return found !== not
  })
}

/** Whether the row's text passes; null where none of the column does. */
function sharedText(
  { texts, values }: TextColumn,
  passes: (text: string) => boolean,
): ((slot: number) => boolean) | null {
  const marks = Uint8Array.from(texts, (text) => Number(passes(fold(text))))
  return marks.includes(1) ? (slot) => marks[values[slot] as number] === 1 : null
}

/** Whether what was read of a column for a row passes; each of its texts is asked about once. */
function heldText(column: ExtraValues, passes: (text: string) => boolean): (slot: number) => boolean {
  const known = new Uint8Array(column.texts.length)
  return (slot) => {
    const value = valueAt(column, slot)
    if (value === unread || value === saidNull) return false
    if (known[value] === 0) known[value] = passes(foldedAt(column, value)) ? yes : no
    return known[value] === yes
  }
}

/** Whether a row's name or id has a word in it. */
function ownText(rows: Columns, word: string): (slot: number) => boolean {
  const needed = signsOf([word])
  const signed = signedBy(rows, needed)
  if (needed.exact) return signed
  // A line break parts the two texts, and belongs to neither.
  if (word.includes('\n'))
    return (slot) => fold(textAt(rows.name, slot)).includes(word) || fold(textAt(rows.id, slot)).includes(word)
  return (slot) => signed(slot) && (rows.hay[slot] ?? '').includes(word)
}

/** Whether the signature of a row's name and id lets all of these signs be in them. */
export function signedBy(rows: Columns, { places, bits }: Signs): (slot: number) => boolean {
  // Nothing is signed before somebody searches.
  if (rows.signature[0]?.length === 0)
    rows.signature.forEach((_, place) => (rows.signature[place] = new Uint32Array(rows.capacity)))
  const columns = places.map((place) => rows.signature[place] ?? new Uint32Array(0))
  const [first, ...others] = columns
  const [firstBits = 0, ...otherBits] = bits
  return (slot) => {
    if (rows.hayMade[slot] !== 1) makeHay(rows, slot)
    if (first && ((first[slot] as number) & firstBits) !== firstBits) return false
    for (let i = 0; i < others.length; i += 1) {
      const wanted = otherBits[i] as number
      if ((((others[i] as Uint32Array)[slot] as number) & wanted) !== wanted) return false
    }
    return true
  }
}

const no = 1
const yes = 2

/** What is known so far of one word: many rooms share a site. */
interface Asked {
  /** By name index: 1 where the word is in it. */
  readonly names: Uint8Array
  /** 0 while not asked. */
  readonly byPlace: Uint8Array
}

function hasPlace(asked: Asked, places: Places, index: number): boolean {
  if (index === -1) return false
  const known = asked.byPlace[index]
  if (known !== 0) return known === yes
  const name = places.nameAt[index] as number
  const found = (name !== -1 && asked.names[name] === 1) || hasPlace(asked, places, places.parentAt[index] as number)
  asked.byPlace[index] = found ? yes : no
  return found
}

/** The signature's words that a search needs set, and which bits of each. */
export interface Signs {
  places: number[]
  /** As 32-bit integers, the way `&` makes them. */
  bits: number[]
  /** True when the signature alone decides: a single letter or digit has a bit of its own. */
  exact: boolean
}

/** The signs of folded texts that must all be there. */
export function signsOf(texts: readonly string[]): Signs {
  const signature = new Uint32Array(signatureWords)
  const own = new Uint32Array(signatureWords)
  for (const text of texts) {
    sign(text, own)
    // Of a longer text the pairs say all that its letters do, and more.
    if (text.length > 1) own.fill(0, pairWords)
    own.forEach((bits, place) => (signature[place] = at(signature, place) | bits))
  }
  const [only] = texts
  const exact = texts.length === 1 && only?.length === 1 && singleBit(only.charCodeAt(0)) !== -1
  const places = [...signature.keys()].filter((place) => signature[place] !== 0)
  return { places, bits: places.map((place) => at(signature, place) | 0), exact }
}

/** Makes the folded text of a row and its signature. */
function makeHay(rows: Columns, slot: number): void {
  const hay = fold(`${textAt(rows.name, slot)}\n${textAt(rows.id, slot)}`)
  rows.hay[slot] = hay
  sign(hay, made)
  for (let place = 0; place < signatureWords; place += 1) (rows.signature[place] as Uint32Array)[slot] = at(made, place)
  rows.hayMade[slot] = 1
}

const pairWords = 16
/** Where a text's signature is made: one for each of a million rows would be a hundred megabytes of garbage. */
const made = new Uint32Array(signatureWords)

function sign(text: string, signature: Uint32Array): void {
  signature.fill(0)
  let before = -1
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (before !== -1) setBit(signature, (Math.imul(before, 31) + Math.imul(code, 7)) & (pairWords * 32 - 1))
    const single = singleBit(code)
    if (single !== -1) setBit(signature, pairWords * 32 + single)
    before = code
  }
}

function setBit(signature: Uint32Array, bit: number): void {
  signature[bit >>> 5] = (signature[bit >>> 5] as number) | (1 << (bit & 31))
}

/** The bit of a letter from a to z or a digit; -1 for any other. */
function singleBit(code: number): number {
  if (code >= 97 && code <= 122) return code - 97
  return code >= 48 && code <= 57 ? code - 48 + 26 : -1
}
