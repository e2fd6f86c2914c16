import type { AnswerLine, AnswerSummary } from '../../../src-shared/model/query.ts'
import { endOfString, lineIndex, type LineIndex } from './line-index.ts'
import { createTables, type Tables } from './table/tables.ts'

/** The answers that are shown, by their ids: their bytes and the index of their lines. */
export interface Answers extends Tables {
  /** Takes a part of an answer, in order. */
  append(id: string, part: Uint8Array): void
  /** Ends an answer: it can be shown from now on. An answer without parts is empty. */
  finish(id: string): AnswerSummary
  /** Returns these lines (from 0) of an answer; none of one that is not kept. */
  lines(id: string, from: number, count: number): AnswerLine[]
  /** Returns the first line at or after `from` that contains the text; null: none. From the beginning again after the end. */
  find(id: string, text: string, from: number): number | null
  /**
   * Returns the text of an answer from this byte on, in whole characters, also what is not shown; '' behind its end. `next`: the
   * byte after it.
   */
  text(id: string, from: number): { text: string; next: number }
  forget(id: string): void
}

/** Longest shown line, bytes. */
const maxLine = 4_000
/** Bytes of all answers together, and of one that is shown: what is longer can only be saved. */
const keptBytes = 256 * 1024 * 1024
const shownBytes = 128 * 1024 * 1024
/** Bytes of one part of the text. */
const partBytes = 1_000_000
/** Longest list of errors that is read, bytes. */
const maxErrors = 1_000_000
/** Most members of that name that are looked at from the end of a long answer. */
const maxTried = 20
/** Most errors that are shown beside the answer, which has all. */
const maxShown = 50

interface Kept {
  /** Parts that came, until the answer ends; then those behind `bytes`. */
  parts: Uint8Array[]
  bytes: Buffer
  index: LineIndex | null
}

const newKept = (): Kept => ({ parts: [], bytes: Buffer.alloc(0), index: null })
const nothing: Kept = newKept()

/**
 * `mostBytes`: of all answers together; the oldest ones are forgotten, and the last one is always kept. `mostShown`: of one answer
 * that is shown.
 */
export function createAnswers(mostBytes = keptBytes, mostShown = shownBytes): Answers {
  const kept = new Map<string, Kept>()
  const at = (id: string): Kept => {
    const found = kept.get(id) ?? newKept()
    kept.set(id, found)
    return found
  }
  const sourceOf = (id: string) => {
    const { bytes, index } = kept.get(id) ?? nothing
    return index === null ? null : { bytes, index }
  }
  return {
    ...createTables(sourceOf),
    append: (id, part) => void at(id).parts.push(part),
    finish(id) {
      const answer = at(id)
      const { shown, rest } = divided(answer.parts, mostShown)
      answer.bytes = joined(shown)
      answer.parts = rest
      answer.index = lineIndex(answer.bytes)
      forgetOld(kept, id, mostBytes)
      return summaryOf(answer, answer.index)
    },
    lines(id, from, count) {
      const { bytes, index } = at(id)
      if (index === null) return []
      const until = Math.min(index.count, from + count)
      const lines: AnswerLine[] = []
      for (let line = from; line < until; line += 1) lines.push(lineAt(bytes, index, line))
      return lines
    },
    find(id, text, from) {
      const { bytes, index } = at(id)
      if (index === null || text === '') return null
      const start = index.starts[from] ?? 0
      const position = bytes.indexOf(text, start)
      const first = position === -1 ? bytes.indexOf(text) : position
      return first === -1 ? null : lineOf(index, first)
    },
    text(id, from) {
      const answer = kept.get(id) ?? nothing
      const bytes = slice(answer, from, from + partBytes)
      const end = from + bytes.length < lengthOf(answer) ? wholeCharacters(bytes) : bytes.length
      return { text: decoder.decode(bytes.subarray(0, end)), next: from + end }
    },
    forget: (id) => void kept.delete(id),
  }
}

function forgetOld(kept: Map<string, Kept>, last: string, mostBytes: number): void {
  let total = [...kept.values()].reduce((sum, each) => sum + lengthOf(each), 0)
  for (const [id, each] of kept) {
    if (total <= mostBytes) return
    if (id === last) continue
    total -= lengthOf(each)
    kept.delete(id)
  }
}

const lengthOf = ({ bytes, parts }: Kept): number => parts.reduce((sum, part) => sum + part.length, bytes.length)

/** Divides an answer into what is shown and the rest. */
function divided(parts: readonly Uint8Array[], most: number): { shown: Uint8Array[]; rest: Uint8Array[] } {
  const [shown, rest]: [Uint8Array[], Uint8Array[]] = [[], []]
  let left = most
  for (const part of parts) {
    if (left > 0) shown.push(part.subarray(0, left))
    if (part.length > left) rest.push(part.subarray(left))
    left = Math.max(0, left - part.length)
  }
  return { shown, rest }
}

/** Returns these bytes of an answer, shown or not. */
function slice({ bytes, parts }: Kept, from: number, until: number): Buffer {
  const found: Uint8Array[] = []
  let start = 0
  for (const part of [bytes, ...parts]) {
    const end = start + part.length
    if (end > from && start < until) found.push(part.subarray(Math.max(0, from - start), until - start))
    start = end
  }
  return joined(found)
}

/** Returns how many of the bytes do not end within a character, whose later bytes are 10xxxxxx. */
function wholeCharacters(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  if (end > 0 && (bytes[end - 1] ?? 0) >= 0xc0) end -= 1
  return end === 0 ? bytes.length : end
}

const decoder = new TextDecoder()

/** Returns the parts as one. A single one, as a list of rows is, is not copied. */
function joined(parts: readonly Uint8Array[]): Buffer {
  const [only, ...more] = parts
  return only !== undefined && more.length === 0
    ? Buffer.from(only.buffer, only.byteOffset, only.length)
    : Buffer.concat(parts)
}

function lineAt(bytes: Uint8Array, { starts, ends, depths, closes }: LineIndex, line: number): AnswerLine {
  const [start, end] = [starts[line] ?? 0, ends[line] ?? 0]
  const isCut = end - start > maxLine
  return {
    text: spaced(bytes, start, isCut ? start + maxLine : end),
    depth: depths[line] ?? 0,
    closes: closes[line] ?? 0,
    isCut,
  }
}

/** Returns a line with one space after the colon of a member, whatever the service wrote. */
function spaced(bytes: Uint8Array, start: number, end: number): string {
  const name = bytes[start] === 0x22 ? Math.min(end, endOfString(bytes, start)) : start
  if (name === start) return decoder.decode(bytes.subarray(start, end))
  const rest = decoder.decode(bytes.subarray(name, end))
  const value = /^\s*:\s*/u.exec(rest)
  return `${decoder.decode(bytes.subarray(start, name))}${value === null ? rest : `: ${rest.slice(value[0].length)}`}`
}

/** Returns the line that contains a position. */
function lineOf({ starts, count }: LineIndex, position: number): number {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

function summaryOf(answer: Kept, index: LineIndex): AnswerSummary {
  const { bytes } = answer
  const [length, shown] = [lengthOf(answer), bytes.length]
  const members = membersOf(bytes, index)
  const data = members.get('data')
  return {
    bytes: length,
    shown,
    lines: index.count,
    isCut: index.isCut,
    hasData: data !== undefined && !/^null,?$/u.test(valueText(bytes, data.start, Math.min(data.end, data.start + 10))),
    errors:
      shown < length && !members.has('errors') ? errorsAtEnd(answer, length) : errorsIn(bytes, members.get('errors')),
  }
}

/** Returns the errors that follow data which is too long to be shown. */
function errorsAtEnd(answer: Kept, length: number): AnswerSummary['errors'] {
  const text = decoder.decode(slice(answer, Math.max(0, length - maxErrors), length))
  let at = text.length
  for (let tried = 0; tried < maxTried; tried += 1) {
    at = text.lastIndexOf('"errors"', at - 1)
    if (at <= 0) break
    try {
      // The members that follow data end the answer; those of an object within it do not.
      const { errors } = JSON.parse(`{${text.slice(at)}`) as { errors: unknown }
      return (Array.isArray(errors) ? errors : []).slice(0, maxShown).map(errorOf)
    } catch {
      // An object of the data.
    }
  }
  return []
}

interface Member {
  /** First byte of its value, and the byte after it. */
  start: number
  end: number
}

/** Returns the members of the outermost object. */
function membersOf(bytes: Uint8Array, { starts, ends, depths, closes, count }: LineIndex): Map<string, Member> {
  const members = new Map<string, Member>()
  for (let line = 1; line < count; line += 1) {
    const start = starts[line] ?? 0
    if (depths[line] !== 1 || bytes[start] !== 0x22) continue
    const colon = endOfString(bytes, start)
    const name = decoder.decode(bytes.subarray(start + 1, Math.min(colon - 1, start + 100)))
    const last = closes[line] || line
    members.set(name, { start: bytes.indexOf(0x3a, colon) + 1, end: ends[last] ?? 0 })
    line = last
  }
  return members
}

const valueText = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end)).trim()

function errorsIn(bytes: Uint8Array, member: Member | undefined): AnswerSummary['errors'] {
  if (member === undefined || member.end - member.start > maxErrors) return []
  try {
    const found: unknown = JSON.parse(valueText(bytes, member.start, member.end).replace(/,$/u, ''))
    return (Array.isArray(found) ? found : []).slice(0, maxShown).map(errorOf)
  } catch {
    return []
  }
}

function errorOf(each: unknown): AnswerSummary['errors'][number] {
  const error = typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {}
  const { message, path } = error
  return {
    message: (typeof message === 'string' ? message : JSON.stringify(each)).slice(0, 2_000),
    path: Array.isArray(path) ? path.map(String).join('.').slice(0, 500) : '',
  }
}
