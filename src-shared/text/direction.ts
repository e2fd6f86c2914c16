/*
 * Characters that turn the direction of text (Unicode, UAX #9). A name of a service may hold them without their ends, and would
 * reverse what stands beside it: also beside a <bdi>, which an end without a beginning closes too soon.
 */

/** Embeddings and overrides with their end; isolates with theirs. */
const turning = /[\u202A-\u202E\u2066-\u2069]/gu
const marks = /[\u200E\u200F\u061C]/gu
/** Also control characters: some end a paragraph, and with it all that is open. */
const structure = /[\u202A-\u202E\u2066-\u2069]|[\p{Cc}\u2028\u2029]/gu
/** Written from right to left, at least in part. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const [isolate, endIsolate, endEmbedding] = ['\u2068', '\u2069', '\u202C']
/** UAX #9 takes no more than 125 levels, and a beginning takes up to two. */
const deepest = 60

/** Text that turns nothing beside it when it stands in an element of its own (<bdi>, a cell, a tooltip): unchanged where each turn ends in it, else without any. */
export function contained(text: string): string {
  return isBalanced(text) ? text : text.replaceAll(turning, '')
}

/** Text that turns nothing around it in the middle of a plain sentence: on one line, without embeddings, overrides and marks; what is written from right to left stands in an isolate. */
export function isolated(text: string): string {
  const bare = text
    .replaceAll(/[\u202A-\u202E]/gu, '')
    .replaceAll(marks, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const line = contained(bare)
  return rightToLeft.test(outside(line)) ? `${isolate}${line}${endIsolate}` : line
}

/** Text without any character that turns direction. */
export const undirected = (text: string): string => text.replaceAll(turning, '').replaceAll(marks, '')

function isBalanced(text: string): boolean {
  const open: string[] = []
  for (const [sign] of text.matchAll(structure)) {
    if (sign === endIsolate || sign === endEmbedding) {
      if (open.pop() !== sign) return false
    } else if (sign.search(turning) < 0) {
      if (open.length > 0) return false
    } else if (open.push(sign >= '\u2066' ? endIsolate : endEmbedding) > deepest) return false
  }
  return open.length === 0
}

/** What stands in no isolate. The text is balanced. */
function outside(text: string): string {
  let depth = 0
  return text
    .split(/([\u2066-\u2069])/u)
    .filter((part) => {
      if (part === endIsolate) depth -= 1
      else if (/^[\u2066-\u2068]$/u.test(part)) depth += 1
      return depth === 0
    })
    .join('')
}
