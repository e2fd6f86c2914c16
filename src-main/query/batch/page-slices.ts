import { endOfString } from '../answers/line-index.ts'
import type { SlicePlan } from './paged-operation.ts'

/** A range of bytes: its first one, and the one after it. */
type Range = [from: number, until: number]

/** An error beside data, as the service wrote it. */
export interface SlicedError {
  message: string
  path: string
  code: string | null
}

/** What a page of an answer holds, without a copy of it. */
export interface Slices {
  /** `page`: rows were found, perhaps none; `null`: what holds them is null; `list`: it is in a list (`at`); `unreadable`: no JSON. */
  is: 'page' | 'null' | 'list' | 'unreadable'
  at: string
  /** Where each row begins, and the byte after it, in turn: a page of empty objects has millions of them. */
  rows: number[]
  /** Elements that are null. */
  missing: number
  token: string | null
  /** Null where the answer does not say. */
  more: boolean | null
  total: number | null
  errors: SlicedError[]
  errorCount: number
}

const [quote, colon, comma, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x3a, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
]
const letterN = 0x6e
const backslash = 0x5c
const decoder = new TextDecoder()
/** Longest list of errors, and longest `pageInfo`, that are read, bytes. */
const maxErrors = 1_000_000
const maxInfo = 100_000
/** Most errors that are passed on; all are counted. */
const maxShown = 50
/** Deepest object in which a list is looked for. */
const maxDepth = 100

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Returns the rows of the connection in an answer, read once from beginning to end. */
export function slicePage(bytes: Uint8Array, plan: SlicePlan): Slices {
  const found = newSlices()
  let info: Range | null = null
  let hasList = false
  const connection = (at: number): number =>
    walkObject(bytes, at, (key, value) => {
      if (key === plan.list) {
        hasList = true
        return elements(bytes, value, plan.node, found)
      }
      const end = endOfValue(bytes, value)
      if (key === plan.info) info = [value, end]
      return end
    })
  const descend = (at: number, depth: number): number => {
    if (bytes[at] === letterN) return stop(found, bytes, at, ['null', plan.path.slice(0, depth)])
    if (bytes[at] === openBracket) return stop(found, bytes, at, ['list', plan.path.slice(0, depth)])
    if (depth === plan.path.length) {
      found.is = 'page'
      return connection(at)
    }
    return walkObject(bytes, at, (key, value) =>
      key === plan.path[depth] ? descend(value, depth + 1) : endOfValue(bytes, value),
    )
  }
  readAnswer(bytes, found, (at) => descend(at, 0))
  if (found.is === 'page' && !hasList) found.is = 'null'
  if (info !== null) readInfo(bytes, info, plan.token, found)
  return found
}

/** Returns the rows of the only list of objects in an answer; else its data, of which one object alone is unwrapped, as one row. */
export function sliceData(bytes: Uint8Array): Slices {
  const found = newSlices()
  const lists: { key: string; at: number }[] = []
  const roots: { at: number; end: number }[] = []
  const look = (at: number, key: string, depth: number): number => {
    if (bytes[at] === openBracket) {
      const first = bytes[skipSpace(bytes, at + 1)]
      if (first === openBrace || first === closeBracket || first === letterN) lists.push({ key, at })
      return endOfValue(bytes, at)
    }
    if (bytes[at] !== openBrace || depth > maxDepth) return endOfValue(bytes, at)
    return walkObject(bytes, at, (name, value) => look(value, name, depth + 1))
  }
  let data: Range | null = null
  readAnswer(bytes, found, (start) => {
    if (bytes[start] !== openBrace) return stop(found, bytes, start, ['null', []])
    const end = walkObject(bytes, start, (key, value) => {
      const after = look(value, key, 1)
      if (bytes[value] !== letterN) roots.push({ at: value, end: after })
      return after
    })
    data = [start, end]
    found.is = roots.length === 0 ? 'null' : 'page'
    return end
  })
  const [list, ...others] = lists
  const [root, ...more] = roots
  if (found.is !== 'page' || data === null) return found
  if (list !== undefined && others.length === 0)
    void elements(bytes, list.at, list.key === 'edges' ? 'node' : null, found)
  else found.rows = root !== undefined && more.length === 0 && bytes[root.at] === openBrace ? [root.at, root.end] : data
  return found
}

const newSlices = (): Slices => ({
  is: 'unreadable',
  at: '',
  rows: [],
  missing: 0,
  token: null,
  more: null,
  total: null,
  errors: [],
  errorCount: 0,
})

/** Reads the members of an answer: `onData` reads `data`, and returns the position after it. */
function readAnswer(bytes: Uint8Array, found: Slices, onData: (at: number) => number): void {
  const start = skipSpace(bytes, 0)
  let errors: Range | null = null
  const end = walkObject(bytes, start, (key, value) => {
    if (key === 'data') return onData(value)
    const after = endOfValue(bytes, value)
    if (key === 'errors') errors = [value, after]
    return after
  })
  // Cut, or no JSON: its last rows may be half ones.
  if (end > bytes.length || skipSpace(bytes, end) < bytes.length) Object.assign(found, newSlices())
  if (errors !== null) readErrors(bytes, errors, found)
}

function stop(found: Slices, bytes: Uint8Array, at: number, [is, path]: ['null' | 'list', readonly string[]]): number {
  found.is = is
  found.at = path.join('.')
  return endOfValue(bytes, at)
}

/** Notes the rows of a list. `node`: the member of each element that is the row; null: the element is. */
function elements(bytes: Uint8Array, at: number, node: string | null, found: Slices): number {
  found.rows = []
  found.missing = 0
  if (bytes[at] !== openBracket) {
    found.missing += 1
    return endOfValue(bytes, at)
  }
  let position = skipSpace(bytes, at + 1)
  while (position < bytes.length && bytes[position] !== closeBracket) {
    const end = node === null ? addRow(bytes, position, found) : nodeIn(bytes, position, node, found)
    const next = skipSpace(bytes, end)
    position = bytes[next] === comma ? skipSpace(bytes, next + 1) : next
    if (bytes[next] !== comma && bytes[next] !== closeBracket) return unended(bytes)
  }
  return position + 1
}

/** Notes the value that begins here as a row, unless it is null. Returns the position after it. */
function addRow(bytes: Uint8Array, at: number, found: Slices): number {
  const end = endOfValue(bytes, at)
  if (bytes[at] === letterN) found.missing += 1
  else found.rows.push(at, end)
  return end
}

function nodeIn(bytes: Uint8Array, at: number, node: string, found: Slices): number {
  const before = found.rows.length + found.missing
  const end =
    bytes[at] === openBrace
      ? walkObject(bytes, at, (key, value) => (key === node ? addRow(bytes, value, found) : endOfValue(bytes, value)))
      : endOfValue(bytes, at)
  if (found.rows.length + found.missing === before) found.missing += 1
  return end
}

function readInfo(bytes: Uint8Array, [from, until]: Range, token: string, found: Slices): void {
  const info = until - from > maxInfo ? null : parsed(bytes, from, until)
  if (typeof info !== 'object' || info === null) return
  const members = new Map<string, unknown>(Object.entries(info))
  const next = members.get(token)
  // A service may write its tokens as numbers.
  found.token = typeof next === 'string' && next !== '' ? next : typeof next === 'number' ? String(next) : null
  const more = members.get('hasNextPage')
  found.more = typeof more === 'boolean' ? more : null
  const total = Number(members.get('totalCount') ?? Number.NaN)
  found.total = Number.isSafeInteger(total) && total >= 0 ? total : null
}

function readErrors(bytes: Uint8Array, [from, until]: Range, found: Slices): void {
  if (bytes[from] === letterN) return
  const errors = until - from > maxErrors ? null : parsed(bytes, from, until)
  const list: unknown[] = Array.isArray(errors) ? errors : ['The service names more errors than are read.']
  found.errorCount = list.length
  found.errors = list.slice(0, maxShown).map(errorOf)
}

function errorOf(each: unknown): SlicedError {
  const error = typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {}
  const { message, path, extensions } = error
  const { code } = (typeof extensions === 'object' && extensions !== null ? extensions : {}) as Record<string, unknown>
  return {
    message: (typeof message === 'string' ? message : JSON.stringify(each)).slice(0, 2_000),
    path: Array.isArray(path) ? path.map(String).join('.').slice(0, 500) : '',
    code: typeof code === 'string' ? code.slice(0, 100) : null,
  }
}

function parsed(bytes: Uint8Array, from: number, until: number): unknown {
  try {
    return JSON.parse(decoder.decode(bytes.subarray(from, until)))
  } catch {
    return null
  }
}

/**
 * Calls `onMember` with each member of an object: its name, and where its value begins; it returns where that ends. Returns the
 * position after the object; `unended` where it is no object or does not end.
 */
export function walkObject(bytes: Uint8Array, at: number, onMember: (key: string, value: number) => number): number {
  if (bytes[at] !== openBrace) return unended(bytes)
  let position = skipSpace(bytes, at + 1)
  while (bytes[position] === quote) {
    const afterKey = endOfString(bytes, position)
    const mark = skipSpace(bytes, afterKey)
    if (bytes[mark] !== colon) return unended(bytes)
    const next = skipSpace(bytes, onMember(keyIn(bytes, position, afterKey), skipSpace(bytes, mark + 1)))
    if (bytes[next] === closeBrace) return next + 1
    if (bytes[next] !== comma) return unended(bytes)
    position = skipSpace(bytes, next + 1)
  }
  return bytes[position] === closeBrace ? position + 1 : unended(bytes)
}

/** The position after a value that does not end: beyond the text. */
const unended = (bytes: Uint8Array): number => bytes.length + 1

/** Longest name that is read, bytes: no name of GraphQL is longer. */
const maxKey = 1_000

function keyIn(bytes: Uint8Array, from: number, until: number): string {
  const text = decoder.decode(bytes.subarray(from + 1, Math.min(until - 1, from + maxKey)))
  if (!text.includes('\\')) return text
  const key = parsed(bytes, from, until)
  return typeof key === 'string' ? key : text
}

/** Returns the position after the value that begins here; `unended` where it does not end. */
export function endOfValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === quote) return endOfString(bytes, at)
  let position = at
  if (first !== openBrace && first !== openBracket) {
    while (position < bytes.length && !endsWord(bytes[position])) position += 1
    return position
  }
  let depth = 0
  // Most of the time of a page is spent here: strings are skipped without a call.
  for (let inString = false; position < bytes.length; position += 1) {
    const byte = bytes[position] ?? 0
    if (byte === quote) inString = !inString
    else if (inString) position += byte === backslash ? 1 : 0
    else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  return unended(bytes)
}

const endsWord = (byte: number | undefined): boolean =>
  byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)

export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at += 1
  return at
}
