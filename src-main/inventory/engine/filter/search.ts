import { textFields } from '../../../../src-shared/model/base-fields.ts'
import { at, type Columns, signatureWords, textAt, type TextColumn } from '../columns/columns.ts'
import { type ExtraValues, foldedAt, nullValue, unread, valueAt } from '../columns/extras.ts'
import { fold } from './fold.ts'
import { macFormats } from './mac.ts'
import type { Places } from '../places.ts'
import { filterSlots, type FilterContext, type Test } from './test.ts'

/**
 * The free-text search. Models, sites, rooms and tenants are shared by many rows and are asked once for all of them, as are
 * equal values of the further columns that are held. Names and ids are each row's own; a signature of the pairs of letters in
 * them tells most rows at a glance that a word is not there: sixteen words of 32 bits for the pairs, two for single letters
 * and digits. What passes is then read. A MAC address is found in any of its writings.
 */
export function textTest(word: string, not: boolean, context: FilterContext): Test {
  const formats = macFormats(word)
  return {
    name: JSON.stringify(['text', not, word]),
    cost: 3,
    topics: ['name', ...textFields, 'place', 'extra'],
    extraColumn: null,
    aged: null,
    // What has a writing of a MAC in it need not have the beginning of another one.
    text: not || formats.length > 1 ? null : word,
    narrow: (slots) => filterByText(formats, not, slots, context),
  }
}

function filterByText(
  words: readonly string[],
  not: boolean,
  slots: Int32Array,
  { rows, places, extras, placeMarks }: FilterContext,
): Int32Array {
  const holds = (text: string) => words.some((word) => text.includes(word))
  const textColumns = textFields.flatMap((field) => textColumnHas(rows.texts[field], holds) ?? [])
  const names = Uint8Array.from(places.names, (name) => Number(holds(name)))
  const placeSearch: PlaceSearch | null = names.includes(1) ? { names, byPlace: placeMarks() } : null
  const nameOrId = words.map((word) => nameOrIdHas(rows, word))
  const extra = [...extras.columns.values()].map((column) => extraHas(column, holds))
  return filterSlots(slots, (slot) => {
    const found =
      textColumns.some((has) => has(slot)) ||
      (placeSearch !== null && isPlaceFound(placeSearch, places, rows.room[slot] as number)) ||
      nameOrId.some((has) => has(slot)) ||
      extra.some((has) => has(slot))
    return found !== not
  })
}

/** Whether the row's text passes; null where none of the column does. */
function textColumnHas(
  { texts, values }: TextColumn,
  passes: (text: string) => boolean,
): ((slot: number) => boolean) | null {
  const marks = Uint8Array.from(texts, (text) => Number(passes(fold(text))))
  return marks.includes(1) ? (slot) => marks[values[slot] as number] === 1 : null
}

/** Whether what was read of a column for a row passes; each of its texts is asked about once. */
function extraHas(column: ExtraValues, passes: (text: string) => boolean): (slot: number) => boolean {
  const known = new Uint8Array(column.texts.length)
  return (slot) => {
    const value = valueAt(column, slot)
    if (value === unread || value === nullValue) return false
    if (known[value] === 0) known[value] = passes(foldedAt(column, value)) ? yes : no
    return known[value] === yes
  }
}

/** Whether a row's name or id has a word in it. */
function nameOrIdHas(rows: Columns, word: string): (slot: number) => boolean {
  const needed = signatureOf([word])
  const signed = signatureTest(rows, needed)
  if (needed.exact) return signed
  // A line break parts the two texts, and belongs to neither.
  if (word.includes('\n'))
    return (slot) => fold(textAt(rows.name, slot)).includes(word) || fold(textAt(rows.id, slot)).includes(word)
  return (slot) => signed(slot) && (rows.searchText[slot] ?? '').includes(word)
}

/** Whether the signature of a row's name and id lets all of these signs be in them. */
export function signatureTest(rows: Columns, { places, bits }: TextSignature): (slot: number) => boolean {
  // Nothing is signed before somebody searches.
  if (rows.signature[0]?.length === 0)
    rows.signature.forEach((_, place) => (rows.signature[place] = new Uint32Array(rows.capacity)))
  const columns = places.map((place) => rows.signature[place] ?? new Uint32Array(0))
  const [first, ...others] = columns
  const [firstBits = 0, ...otherBits] = bits
  return (slot) => {
    if (rows.searchTextReady[slot] !== 1) makeSearchText(rows, slot)
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
interface PlaceSearch {
  /** By name index: 1 where the word is in it. */
  readonly names: Uint8Array
  /** 0 while not asked. */
  readonly byPlace: Uint8Array
}

function isPlaceFound(placeSearch: PlaceSearch, places: Places, index: number): boolean {
  if (index === -1) return false
  const known = placeSearch.byPlace[index]
  if (known !== 0) return known === yes
  const name = places.nameAt[index] as number
  const found =
    (name !== -1 && placeSearch.names[name] === 1) ||
    isPlaceFound(placeSearch, places, places.parentAt[index] as number)
  placeSearch.byPlace[index] = found ? yes : no
  return found
}

/** The signature's words that a search needs set, and which bits of each. */
export interface TextSignature {
  places: number[]
  /** As 32-bit integers, the way `&` makes them. */
  bits: number[]
  /** True when the signature alone decides: a single letter or digit has a bit of its own. */
  exact: boolean
}

/** The signs of folded texts that must all be there. */
export function signatureOf(texts: readonly string[]): TextSignature {
  const signature = new Uint32Array(signatureWords)
  const nameOrId = new Uint32Array(signatureWords)
  for (const text of texts) {
    addSignature(text, nameOrId)
    // Of a longer text the pairs say all that its letters do, and more.
    if (text.length > 1) nameOrId.fill(0, pairWords)
    nameOrId.forEach((bits, place) => (signature[place] = at(signature, place) | bits))
  }
  const [only] = texts
  const exact = texts.length === 1 && only?.length === 1 && singleBit(only.charCodeAt(0)) !== -1
  const places = [...signature.keys()].filter((place) => signature[place] !== 0)
  return { places, bits: places.map((place) => at(signature, place) | 0), exact }
}

/** Makes the folded text of a row and its signature. */
function makeSearchText(rows: Columns, slot: number): void {
  const searchText = fold(`${textAt(rows.name, slot)}\n${textAt(rows.id, slot)}`)
  rows.searchText[slot] = searchText
  addSignature(searchText, scratch)
  for (let place = 0; place < signatureWords; place += 1)
    (rows.signature[place] as Uint32Array)[slot] = at(scratch, place)
  rows.searchTextReady[slot] = 1
}

const pairWords = 16
/** Where a text's signature is made: one for each of a million rows would be a hundred megabytes of garbage. */
const scratch = new Uint32Array(signatureWords)

function addSignature(text: string, signature: Uint32Array): void {
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
