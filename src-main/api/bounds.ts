/**
 * Limits of what a service may send: checked while an answer streams and before it is parsed (design, invariant 15). An
 * answer over a limit is rejected or cut, and this is reported; a real service stays far below them.
 */

/** Longest token of the next page, characters; it is sent back with the next request. */
export const maxPageToken = 16_384

/** Devices in one page, whatever size was requested. */
export const maxEdges = 5_000

const kB = 1024
/** Largest answer without pages, bytes after decompression. */
const otherBytes = 4 * kB * kB
/** Largest list of tenants, bytes; a tenant takes about eight hundred. */
export const tenantsBytes = 16 * kB * kB
/**
 * Largest page: bytes for each requested device, and bytes besides; also where a service ignores the requested size.
 */
const eachDeviceBytes = 16 * kB
const pageBytes = 2 * kB * kB

/** Returns the largest size of an answer to an operation, bytes; `size` is the page size. */
export const maxAnswerBytes = (size: number): number => Math.min(otherBytes, pageBytes + size * eachDeviceBytes)

/**
 * Length of a page, characters, above which the next one is requested in half the size, so that parsing stays short.
 */
export const longPage = kB * kB

/** Deepest nesting of an answer. */
const maxDepth = 64

/**
 * Largest number of objects, lists, members and elements in an answer. Few bytes can hold many of them: 4 MB of members
 * with distinct names blocked the thread for 275 ms in the parser, 16 MB of short texts for 800 ms; this many take a
 * tenth of a second at most. A page of 5,000 devices has about 85,000.
 */
export const maxParts = 150_000

/**
 * Returns the position at which a JSON text exceeds `maxParts`, or is nested so deep that a recursive walk may
 * overflow the stack; null where neither. Reads the text once.
 */
export function excessAt(text: string, depthLimit = maxDepth): { at: number; isDeep: boolean } | null {
  let [depth, parts] = [0, 0]
  let over: { at: number; isDeep: boolean } | null = null
  visitMarks(text, (at, mark) => {
    if (mark === 'opens') depth += 1
    if (mark === 'closes') depth -= 1
    else parts += 1
    if (depth > depthLimit || parts > maxParts) over = { at, isDeep: depth > depthLimit }
    return over !== null
  })
  return over
}

/** The start or the end of an object or a list, or the comma between its parts. */
export type JsonMark = 'opens' | 'closes' | 'divides'

/** Visits these marks in a JSON text, except within strings, until a visit returns true. Returns whether one did. */
export function visitMarks(text: string, visit: (at: number, mark: JsonMark) => boolean): boolean {
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
