/**
 * The lines of a JSON text as they are shown: one for each member and element, and for each bracket that closes others.
 * Nothing of the text is copied: a line is a part of its bytes.
 */
export interface LineIndex {
  readonly count: number
  /** First byte of each line, and the byte after its last one, without white space around. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly depths: Uint16Array
  /** For a line that opens an object or list: the line that closes it, or the last one in a text that was cut. Else 0. */
  readonly closes: Uint32Array
  /** The text has more lines than are indexed. */
  readonly isCut: boolean
}

/** Most lines of an index: each takes 14 bytes, and a list of single digits has a line every two bytes. */
export const maxLines = 5_000_000

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const opens = (byte: number | undefined): boolean => byte === openBrace || byte === openBracket
const closing = (byte: number): boolean => byte === closeBrace || byte === closeBracket

/** Returns the lines of a JSON text. Another text has lines too, in which nothing is promised. Reads it once, without recursion. */
export function lineIndex(bytes: Uint8Array, most = maxLines): LineIndex {
  const lines = newLines(Math.min(most, Math.ceil(bytes.length / 16) + 16))
  const open: number[] = []
  let start = -1
  let end = 0
  const push = () => {
    if (start >= 0) add(lines, start, end, open.length)
    start = -1
  }
  const content = (from: number, until: number) => {
    if (start < 0) start = from
    end = until
  }
  let at = 0
  while (at < bytes.length && lines.count < most) {
    const byte = bytes[at] ?? 0
    if (byte === quote) {
      const after = endOfString(bytes, at)
      content(at, after)
      at = after
    } else if (isSpace(byte)) at += 1
    else if (opens(byte)) {
      const next = skipSpace(bytes, at + 1)
      if (closing(bytes[next] ?? 0)) {
        // An empty object or list stays on its line.
        content(at, next + 1)
        at = next + 1
        continue
      }
      content(at, at + 1)
      push()
      open.push(lines.count - 1)
      at += 1
    } else if (closing(byte)) {
      push()
      const opened = open.pop()
      if (opened !== undefined) lines.closes[opened] = lines.count
      content(at, at + 1)
      at += 1
    } else if (byte === comma) {
      content(at, at + 1)
      push()
      at += 1
    } else {
      content(at, at + 1)
      at += 1
    }
  }
  if (lines.count < most) push()
  for (const opened of open) lines.closes[opened] = Math.max(0, lines.count - 1)
  return { ...trimmed(lines), isCut: at < bytes.length }
}

interface Lines {
  count: number
  starts: Uint32Array
  ends: Uint32Array
  depths: Uint16Array
  closes: Uint32Array
}

const newLines = (size: number): Lines => ({
  count: 0,
  starts: new Uint32Array(size),
  ends: new Uint32Array(size),
  depths: new Uint16Array(size),
  closes: new Uint32Array(size),
})

function add(lines: Lines, start: number, end: number, depth: number): void {
  if (lines.count === lines.starts.length) {
    const size = Math.min(maxLines, lines.starts.length * 2)
    lines.starts = copied(new Uint32Array(size), lines.starts)
    lines.ends = copied(new Uint32Array(size), lines.ends)
    lines.depths = copied(new Uint16Array(size), lines.depths)
    lines.closes = copied(new Uint32Array(size), lines.closes)
  }
  lines.starts[lines.count] = start
  lines.ends[lines.count] = end
  lines.depths[lines.count] = Math.min(depth, 0xffff)
  lines.count += 1
}

function copied<T extends Uint32Array | Uint16Array>(into: T, from: T): T {
  into.set(from)
  return into
}

const trimmed = ({ count, starts, ends, depths, closes }: Lines): Omit<LineIndex, 'isCut'> => ({
  count,
  starts: starts.subarray(0, count),
  ends: ends.subarray(0, count),
  depths: depths.subarray(0, count),
  closes: closes.subarray(0, count),
})

/** Returns the position after the string that begins here; the end of the text where it does not end. */
export function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1
    else if (bytes[at] === quote) return at + 1
  }
  return bytes.length
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at += 1
  return at
}
