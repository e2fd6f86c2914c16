/**
 * How much a service may send, whatever it is: checked while it streams and before it is parsed (design, invariant 15). What is over a bound is
 * refused or cut, and said; none of them is near what a service of this kind has reason to send.
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

/** Whether a text of JSON is nested so deep that whoever walks through what it holds may not come back. Reads it once. */
export function isTooDeep(text: string, most = deepest): boolean {
  let depth = 0
  return someBracket(text, (_at, opens) => {
    depth += opens ? 1 : -1
    return depth > most
  })
}

/** Visits the brackets and braces of a text of JSON, but those within its strings, until a visit answers true; whether one did. */
export function someBracket(text: string, visit: (at: number, opens: boolean) => boolean): boolean {
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === backslash) at += 1
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === brace || code === bracket) {
      if (visit(at, true)) return true
    } else if ((code === brace + closes || code === bracket + closes) && visit(at, false)) return true
  }
  return false
}

const [quote, backslash, bracket, brace, closes] = [0x22, 0x5C, 0x5B, 0x7B, 2]
