/**
 * How much a service may send, whatever it is: checked while it streams and before it is parsed (design, invariant 15). What is over a bound is
 * rejected or cut, and said; none of them is near what a service of this kind has reason to send.
 */

/** Characters of a token of the paging, which is sent back. */
export const longestPageToken = 16_384

/** Devices in one page, whatever was asked for. */
export const mostEdges = 5_000

const kB = 1024
/** Bytes of an answer that has no pages, once it is unpacked. */
const otherBytes = 4 * kB * kB
/** Of the list of tenants: some eight hundred bytes for each. */
export const tenantsBytes = 16 * kB * kB
/** Of a page: as many for each device that was asked for, and so many besides; also where a service does not heed what was asked for. */
const eachDeviceBytes = 16 * kB
const pageBytes = 2 * kB * kB

/** Bytes that an answer to an operation may have; `size` is that of the page. */
export const mostBytes = (size: number): number => Math.min(otherBytes, pageBytes + size * eachDeviceBytes)

/** Characters of a page after which the next one is asked for in half the size: what is parsed in one stroke stays short. */
export const longPage = kB * kB

/** No answer to what Muster asks is nested deeper. */
const deepest = 64

/**
 * Objects, lists, members and elements in an answer. Few bytes can be many of them: 4 MB of members with names of their own took the
 * parser, and whatever else waited for the thread, 275 ms, 16 MB of short texts 800 ms; this many take a tenth of a second at the most. A
 * page of 5,000 devices has some 85,000.
 */
export const mostParts = 150_000

/** Where a text of JSON holds more than `mostParts`, or is nested so deep that a recursive walk may overflow the stack; null where it is neither. Reads it once. */
export function overAt(text: string, most = deepest): { at: number; isDeep: boolean } | null {
  let [depth, parts] = [0, 0]
  let over: { at: number; isDeep: boolean } | null = null
  someMark(text, (at, mark) => {
    if (mark === 'opens') depth += 1
    if (mark === 'closes') depth -= 1
    else parts += 1
    if (depth > most || parts > mostParts) over = { at, isDeep: depth > most }
    return over !== null
  })
  return over
}

/** What begins or ends an object or a list, and what divides its parts. */
export type Mark = 'opens' | 'closes' | 'divides'

/** Visits these marks in a text of JSON, but those within its strings, until a visit answers true; whether one did. */
export function someMark(text: string, visit: (at: number, mark: Mark) => boolean): boolean {
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === backslash) at += 1
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === brace || code === bracket) {
      if (visit(at, 'opens')) return true
    } else if (code === comma) {
      if (visit(at, 'divides')) return true
    } else if ((code === brace + closes || code === bracket + closes) && visit(at, 'closes')) return true
  }
  return false
}

const [quote, backslash, comma, bracket, brace, closes] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b, 2]
