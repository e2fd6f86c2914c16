/** Splits a filter's text into words (filter.ts). Offsets are in UTF-16 units; `to` is exclusive. */

/** A typed text, split at each `*`. */
export type Pattern = readonly string[]

export interface ScannedValue {
  from: number
  to: number
  pattern: Pattern
  quoted: boolean
  /** False for a quotation mark without its end. */
  closed: boolean
}

/** A word: `value`, `field:value`, `field~value,value` or `field:>value`, with an optional `-` in front. */
export interface Scanned {
  from: number
  to: number
  not: boolean
  /** Null for a word without a field. */
  field: { name: string; from: number; to: number } | null
  operator: Operator | null
  /** At least one value, which is empty when nothing was typed. */
  values: ScannedValue[]
}

export const operators = ['>=', '<=', '>', '<'] as const
export type Comparison = (typeof operators)[number]
export type Operator = ':' | '~' | Comparison

const space = /\s/u
/**
 * Matches a whole word of three or more pairs of hexadecimal digits. It begins like a field, but no value looks like
 * that.
 */
const macAddress = /[\da-f]{2}(?::[\da-f]{2}){2,5}(?!\S)/iy
const fieldName = /([A-Za-z_][\w.]*)(:|~)/y

export function scan(text: string): Scanned[] {
  const words: Scanned[] = []
  let at = 0
  while (at < text.length) {
    if (space.test(text.charAt(at))) at += 1
    else {
      const word = scanWord(text, at)
      words.push(word)
      at = word.to
    }
  }
  return words
}

function scanWord(text: string, from: number): Scanned {
  const next = text.charAt(from + 1)
  const not = text.charAt(from) === '-' && next !== '' && !space.test(next)
  const start = not ? from + 1 : from
  fieldName.lastIndex = start
  macAddress.lastIndex = start
  const found = macAddress.test(text) ? null : fieldName.exec(text)
  if (!found) {
    const value = scanValue(text, start, false)
    return { from, to: value.to, not, field: null, operator: null, values: [value] }
  }
  const name = found[1] ?? ''
  const colon = start + name.length
  const comparison = found[2] === ':' ? operators.find((one) => text.startsWith(one, colon + 1)) : undefined
  const operator = comparison ?? (found[2] === ':' ? ':' : '~')
  const values = scanValues(text, colon + 1 + (comparison?.length ?? 0))
  return { from, to: values.at(-1)?.to ?? colon + 1, not, field: { name, from: start, to: colon }, operator, values }
}

function scanValues(text: string, from: number): ScannedValue[] {
  const values = [scanValue(text, from, true)]
  for (let to = values[0]?.to ?? from; text.charAt(to) === ','; to = values.at(-1)?.to ?? to)
    values.push(scanValue(text, to + 1, true))
  return values
}

function scanValue(text: string, from: number, inList: boolean): ScannedValue {
  return text.charAt(from) === '"' ? scanQuoted(text, from) : scanBare(text, from, inList)
}

function scanBare(text: string, from: number, inList: boolean): ScannedValue {
  const end = inList ? /[\s,]|$/gu : /\s|$/gu
  end.lastIndex = from
  const to = end.exec(text)?.index ?? text.length
  return { from, to, pattern: text.slice(from, to).split('*'), quoted: false, closed: true }
}

/** Scans a value in quotation marks, in which a backslash escapes the next character. */
function scanQuoted(text: string, from: number): ScannedValue {
  const pattern = ['']
  const add = (more: string) => pattern.push((pattern.pop() ?? '') + more)
  for (let at = from + 1; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (letter === '"') return { from, to: at + 1, pattern, quoted: true, closed: true }
    if (letter === '*') pattern.push('')
    else if (letter === '\\' && at + 1 < text.length) add(text.charAt((at += 1)))
    else add(letter)
  }
  return { from, to: text.length, pattern, quoted: true, closed: false }
}

// Without quotation marks, an equals sign at the start would be read with the `<` before it.
const needsQuotes = /[\s",\\]|^[<>=]/u

/** Returns a pattern as a value of a field, quoted when necessary. A quoted `none` is a text like any other. */
export function writeValue(pattern: Pattern): string {
  const bare = pattern.join('*')
  const plain =
    bare !== '' &&
    !needsQuotes.test(bare) &&
    bare.toLowerCase() !== 'none' &&
    !pattern.some((piece) => piece.includes('*'))
  return plain ? bare : `"${pattern.map((piece) => piece.replaceAll(/["\\*]/gu, '\\$&')).join('*')}"`
}

/** Returns free text as a word. Its `*` is an ordinary character. */
export function writeText(text: string): string {
  fieldName.lastIndex = 0
  const plain = text !== '' && !/[\s"\\]|^-/u.test(text) && !fieldName.test(text)
  return plain ? text : `"${text.replaceAll(/["\\]/gu, '\\$&')}"`
}
