/*
 * Characters that control the direction of text (Unicode, UAX #9). A name of a service may contain them unbalanced and
 * would reverse the adjacent text, even next to a <bdi>, which an unmatched end closes too soon.
 */

/** Embeddings and overrides with their end; isolates with theirs. */
const turning = /[\u202A-\u202E\u2066-\u2069]/gu
const marks = /[\u200E\u200F\u061C]/gu
/** Includes control characters, because some end a paragraph and with it all open embeddings. */
const structure = /[\u202A-\u202E\u2066-\u2069]|[\p{Cc}\u2028\u2029]/gu
/** Matches characters of right-to-left scripts. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const [isolate, endIsolate, endEmbedding] = ['\u2068', '\u2069', '\u202C']
/** UAX #9 allows 125 levels, and each embedding takes up to two. */
const deepest = 60

/**
 * Returns text that does not affect adjacent text when it is in an element of its own (<bdi>, a cell, a tooltip):
 * unchanged when its direction controls are balanced, or else without them.
 */
export function contained(text: string): string {
  return isBalanced(text) ? text : text.replaceAll(turning, '')
}

/**
 * Returns text that does not affect its surroundings within a plain sentence: on one line, without embeddings,
 * overrides and marks, and isolated if it contains right-to-left text.
 */
export function isolated(text: string): string {
  const bare = text
    .replaceAll(/[\u202A-\u202E]/gu, '')
    .replaceAll(marks, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const line = contained(bare)
  return rightToLeft.test(outside(line)) ? `${isolate}${line}${endIsolate}` : line
}

/** Returns text without any direction controls. */
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

/** Returns the parts of a balanced text that are in no isolate. */
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
