import { at, type Columns, signatureWords, textAt } from './columns.ts'
import { fold } from './fold.ts'
import type { Places } from './places.ts'
import type { Looked, Test } from './test.ts'

/**
 * The free-text search. Models, sites, rooms and tenants are shared by many rows and are asked once for all of them.
 * Names and ids are each row's own; a signature of the pairs of letters in them tells most rows at a glance that a word
 * is not there: eight words of 32 bits for the pairs, two for single letters and digits. What passes is then read.
 */
export function wordTest(word: string, not: boolean, { rows, places }: Looked): Test {
  return {
    name: JSON.stringify(['text', not, word]), cost: 3, topics: ['name', 'hardwareModel', 'place'], further: null, aged: null,
    word: not ? null : word,
    narrow: (slots) => withWord(word, not, slots, rows, places),
  }
}

function withWord(word: string, not: boolean, slots: Int32Array, rows: Columns, places: Places): Int32Array {
  const models = Uint8Array.from(rows.models, (model) => Number(fold(model).includes(word)))
  const asked: Asked = { word, byPlace: new Uint8Array(places.byIndex.length), byName: new Uint8Array(places.names.length) }
  const needed = signsOf([word])
  const left = new Int32Array(slots.length)
  let n = 0
  for (let i = 0; i < slots.length; i += 1) {
    const slot = slots[i] as number
    const found = models[rows.model[slot] as number] === 1 || ownTextHas(rows, slot, word, needed)
      || hasPlace(asked, places, rows.room[slot] as number)
    if (found !== not) left[n++] = slot
  }
  return left.subarray(0, n)
}

function ownTextHas(rows: Columns, slot: number, word: string, needed: Signs): boolean {
  if (!hasSigns(rows, slot, needed)) return false
  // A line break parts the two texts, and belongs to neither.
  if (word.includes('\n')) return fold(textAt(rows.name, slot)).includes(word) || fold(textAt(rows.id, slot)).includes(word)
  return needed.exact || (rows.hay[slot] ?? '').includes(word)
}

/** Whether the signature of a row's name and id lets all of these signs be in them. */
export function hasSigns(rows: Columns, slot: number, needed: Signs): boolean {
  if (rows.signature.length === 0) rows.signature = new Uint32Array(rows.capacity * signatureWords)
  const { signature } = rows
  const from = slot * signatureWords
  if (signature[from + signatureWords - 1] === 0) makeHay(rows, slot)
  for (let i = 0; i < needed.places.length; i += 1) {
    const bits = needed.bits[i] as number
    if (((signature[from + (needed.places[i] as number)] as number) & bits) !== bits) return false
  }
  return true
}

const no = 1
const yes = 2

/** What is known so far of one word: many rooms share a site, and many sites have rooms of the same names. */
interface Asked {
  readonly word: string
  /** 0 while not asked. */
  readonly byPlace: Uint8Array
  readonly byName: Uint8Array
}

function hasPlace(asked: Asked, places: Places, index: number): boolean {
  if (index === -1) return false
  const known = asked.byPlace[index]
  if (known !== 0) return known === yes
  const found = nameHas(asked, places, places.nameAt[index] as number) || hasPlace(asked, places, places.parentAt[index] as number)
  asked.byPlace[index] = found ? yes : no
  return found
}

function nameHas({ word, byName }: Asked, places: Places, name: number): boolean {
  if (name === -1) return false
  if (byName[name] === 0) byName[name] = textAt(places.names, name).includes(word) ? yes : no
  return byName[name] === yes
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
  for (const text of texts) {
    const own = new Uint32Array(signatureWords)
    sign(own, 0, text)
    // Of a longer text the pairs say all that its letters do, and more.
    if (text.length > 1) own.fill(0, pairWords)
    own.forEach((bits, place) => (signature[place] = at(signature, place) | bits))
  }
  const [only] = texts
  const exact = texts.length === 1 && only?.length === 1 && singleBit(only.charCodeAt(0)) !== -1
  const places = [...signature.keys()].filter((place) => signature[place] !== 0)
  return { places, bits: places.map((place) => at(signature, place) | 0), exact }
}

/** Makes the folded text of a row. */
function makeHay(rows: Columns, slot: number): void {
  const hay = fold(`${textAt(rows.name, slot)}\n${textAt(rows.id, slot)}`)
  rows.hay[slot] = hay
  sign(rows.signature, slot * signatureWords, hay)
  setBit(rows.signature, slot * signatureWords, made)
}

const pairWords = 8
/** The signature's last bit: a row without it has no signature yet. */
const made = signatureWords * 32 - 1

function sign(signature: Uint32Array, from: number, text: string): void {
  let before = -1
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (before !== -1) setBit(signature, from, (Math.imul(before, 31) + Math.imul(code, 7)) & 0xff)
    const single = singleBit(code)
    if (single !== -1) setBit(signature, from, pairWords * 32 + single)
    before = code
  }
}

function setBit(signature: Uint32Array, from: number, bit: number): void {
  const place = from + (bit >>> 5)
  signature[place] = (signature[place] as number) | (1 << (bit & 31))
}

/** The bit of a letter from a to z or a digit; -1 for any other. */
function singleBit(code: number): number {
  if (code >= 97 && code <= 122) return code - 97
  return code >= 48 && code <= 57 ? code - 48 + 26 : -1
}
