import { textFields } from '../../../../src-shared/model/base-fields.ts'
import { at, type Columns, signatureWords, textAt, type TextColumn } from '../columns/columns.ts'
import { type ExtraValues, foldedAt, nullValue, unread, valueAt } from '../columns/extras.ts'
import { fold } from './fold.ts'
import { macFormats } from './mac.ts'
import type { Places } from '../places.ts'
import { notesHave } from './note-tests.ts'
import { filterSlots, type FilterContext, type Test } from './test.ts'

/**
 * The text search. Texts that rows share (plain texts, places, values of loaded extra columns) are tested once each.
 * Names and ids differ from row to row: a signature of their pairs of letters (sixteen words of 32 bits for the pairs,
 * two for single letters and digits) excludes most rows, and the rest is read. A MAC address is found in any of its
 * formats.
 */
export function textTest(needle: string, not: boolean, context: FilterContext): Test {
  const formats = macFormats(needle)
  return {
    name: JSON.stringify(['text', not, needle]),
    cost: 3,
    topics: ['name', ...textFields, 'place', 'extra', 'notes'],
    extraColumn: null,
    aged: null,
    // A match of one MAC format need not match the beginning of another one.
    text: not || formats.length > 1 ? null : needle,
    narrow: (slots) => filterByText(formats, not, slots, context),
  }
}

function filterByText(needles: readonly string[], not: boolean, slots: Int32Array, context: FilterContext): Int32Array {
  const { rows, places, extras, placeScratch } = context
  const holds = (text: string) => needles.some((needle) => text.includes(needle))
  const textColumns = textFields.flatMap((field) => textColumnHas(rows.texts[field], holds) ?? [])
  const names = Uint8Array.from(places.names, (name) => Number(holds(name)))
  const placeSearch: PlaceSearch | null = names.includes(1) ? { names, byPlace: placeScratch() } : null
  const nameOrId = needles.map((needle) => nameOrIdHas(rows, needle))
  const extra = [...extras.columns.values()].map((column) => extraHas(column, holds))
  const noted = notesHave(context, holds)
  return filterSlots(slots, (slot) => {
    const found =
      textColumns.some((has) => has(slot)) ||
      (placeSearch !== null && isPlaceFound(placeSearch, places, rows.room[slot] as number)) ||
      nameOrId.some((has) => has(slot)) ||
      extra.some((has) => has(slot)) ||
      noted?.(slot) === true
    return found !== not
  })
}

/** A test of the row's text; null when no text of the column passes. */
function textColumnHas(
  { texts, values }: TextColumn,
  passes: (text: string) => boolean,
): ((slot: number) => boolean) | null {
  const mask = Uint8Array.from(texts, (text) => Number(passes(fold(text))))
  return mask.includes(1) ? (slot) => mask[values[slot] as number] === 1 : null
}

/** A test of the row's value of an extra column; each text is tested once. */
function extraHas(column: ExtraValues, passes: (text: string) => boolean): (slot: number) => boolean {
  const known = new Uint8Array(column.texts.length)
  return (slot) => {
    const value = valueAt(column, slot)
    if (value === unread || value === nullValue) return false
    if (known[value] === 0) known[value] = passes(foldedAt(column, value)) ? yes : no
    return known[value] === yes
  }
}

/** A test that a row's name or id contains a text. */
function nameOrIdHas(rows: Columns, needle: string): (slot: number) => boolean {
  const needed = signatureOf([needle])
  const signed = signatureTest(rows, needed)
  if (needed.exact) return signed
  // A line break separates the two texts and is part of neither.
  if (needle.includes('\n'))
    return (slot) => fold(textAt(rows.name, slot)).includes(needle) || fold(textAt(rows.id, slot)).includes(needle)
  return (slot) => signed(slot) && (rows.searchText[slot] ?? '').includes(needle)
}

/** A test that the signature of a row's name and id has all of these bits. */
export function signatureTest(rows: Columns, { places, bits }: TextSignature): (slot: number) => boolean {
  // Signatures are made at the first search.
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

/** The results of one search for places: many rooms share a site. */
interface PlaceSearch {
  /** By name index: 1 where the text is found. */
  readonly names: Uint8Array
  /** By place index: 0 while not tested. */
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

/** The bits that a search needs in a signature. */
export interface TextSignature {
  places: number[]
  /** As signed 32-bit integers, the results of `&`. */
  bits: number[]
  /** True when the signature alone decides: a single letter or digit has a bit of its own. */
  exact: boolean
}

/** The bits of folded texts that must all be found. */
export function signatureOf(texts: readonly string[]): TextSignature {
  const signature = new Uint32Array(signatureWords)
  const nameOrId = new Uint32Array(signatureWords)
  for (const text of texts) {
    addSignature(text, nameOrId)
    // The pairs of a longer text imply its letters.
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
/** Reused for all signatures: one array for each of a million rows would be a hundred megabytes of garbage. */
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
