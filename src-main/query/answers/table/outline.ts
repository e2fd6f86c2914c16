import { endOfString, type LineIndex } from '../line-index.ts'

/** The text of an answer with its lines. */
export interface Source {
  bytes: Buffer
  index: LineIndex
}

/** A path that occurs in an answer, `data.tenants[].name`, with what stands there. */
export interface PathNode {
  /** Name of the member; '' for the outermost value and for elements of a list. */
  readonly name: string
  /** The member's name as the answer writes it, with quotation marks; null for elements. */
  readonly key: Uint8Array | null
  readonly parent: PathNode | null
  /** Members, in the order of their first occurrence. */
  readonly children: PathNode[]
  readonly byName: Map<string, PathNode>
  /** Elements, where a list occurs. */
  element: PathNode | null
  /** How many values of each kind stand there. `empty`: objects without members. `deep`: objects that are not read. */
  objects: number
  lists: number
  scalars: number
  nulls: number
  empty: number
  deep: number
  /** The member that came first, and the one that followed this one, the last time: mostly they come in one order. */
  first: PathNode | null
  next: PathNode | null
  /** The object in which it was last read, to find names that occur twice. */
  seenIn: number
  /** Index of its column; -1: none. */
  column: number
}

export interface Outline {
  root: PathNode
  /** There are more paths, or deeper ones, than are read. */
  isCut: boolean
}

/** Most paths of an answer: an object with ids as names has one for each. */
const maxPaths = 20_000
/** Deepest value that is read. */
export const maxDepth = 40

const [quote, comma, colon] = [0x22, 0x2c, 0x3a]
const [openBracket, openBrace, closeBracket, closeBrace] = [0x5b, 0x7b, 0x5d, 0x7d]
const letterN = 0x6e

const newNode = (name: string, key: Uint8Array | null, parent: PathNode | null): PathNode => ({
  name,
  key,
  parent,
  children: [],
  byName: new Map(),
  element: null,
  objects: 0,
  lists: 0,
  scalars: 0,
  nulls: 0,
  empty: 0,
  deep: 0,
  first: null,
  next: null,
  seenIn: -1,
  column: -1,
})

/** Returns whether a line opens an object or list whose content is on the lines after it. */
const opensLines = ({ closes }: LineIndex, line: number): boolean => (closes[line] ?? 0) > line

/** Returns the line after a value that begins on this line. */
export const lineAfter = ({ closes }: LineIndex, line: number): number => Math.max(closes[line] ?? 0, line) + 1

/** Returns whether the object or list that a line opens is closed: not in a text that was cut. */
export function isClosed({ bytes, index }: Source, line: number): boolean {
  if (!opensLines(index, line)) return true
  const last = index.closes[line] ?? 0
  const byte = bytes[index.starts[last] ?? 0]
  return (byte === closeBrace || byte === closeBracket) && index.depths[last] === index.depths[line]
}

/** Returns the end (exclusive) of the lines within the object or list that a line opens. */
export function innerEnd(source: Source, line: number): number {
  const last = source.index.closes[line] ?? 0
  return isClosed(source, line) ? last : last + 1
}

/** The kind of a value by its first byte; what is no JSON is a scalar. */
export type ValueKind = 'object' | 'list' | 'null' | 'scalar'

export function kindAt({ bytes }: Source, from: number): ValueKind {
  switch (bytes[from]) {
    case openBrace:
      return 'object'
    case openBracket:
      return 'list'
    case letterN:
      return 'null'
    default:
      return 'scalar'
  }
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Returns the end (exclusive) of a value on this line, without the comma behind it. */
export function valueEnd({ bytes, index }: Source, line: number): number {
  const last = opensLines(index, line) ? (index.closes[line] ?? line) : line
  let end = index.ends[last] ?? 0
  if (bytes[end - 1] === comma) end -= 1
  while (isSpace(bytes[end - 1])) end -= 1
  return end
}

/** Reads members of objects by their paths. `at`: first byte of the value of the member that was last found. */
export interface MemberReader {
  at: number
  /**
   * Returns the path of the member on a line; null where there is none, or none that is kept. `last`: the path of the member
   * before it.
   */
  find(parent: PathNode, line: number, last: PathNode | null): PathNode | null
}

/** `add`: makes a new path for a name that was not there before; null: there are too many. */
export function memberReader(
  { bytes, index: { starts, ends } }: Source,
  add: (parent: PathNode, name: string, key: Uint8Array) => PathNode | null,
): MemberReader {
  const reader: MemberReader = { at: 0, find }
  function find(parent: PathNode, line: number, last: PathNode | null): PathNode | null {
    const start = starts[line] ?? 0
    if (bytes[start] !== quote) return null
    const guess = last === null ? parent.first : last.next
    const isGuess = guess !== null && guess.key !== null && hasBytes(bytes, start, guess.key)
    const end = isGuess ? start + (guess.key?.length ?? 0) : endOfString(bytes, start)
    let at = end
    while (isSpace(bytes[at])) at += 1
    if (bytes[at] !== colon || at >= (ends[line] ?? 0)) return null
    at += 1
    while (isSpace(bytes[at])) at += 1
    reader.at = at
    if (isGuess) return guess
    const name = textOf(bytes, start, end)
    const found = parent.byName.get(name) ?? add(parent, name, bytes.subarray(start, end))
    if (found !== null && last === null) parent.first = found
    else if (found !== null && last !== null) last.next = found
    return found
  }
  return reader
}

function hasBytes(bytes: Uint8Array, from: number, key: Uint8Array): boolean {
  for (let at = 0; at < key.length; at += 1) if (bytes[from + at] !== key[at]) return false
  return true
}

/** Returns the text of a JSON string with its quotation marks; one with an escape that JSON has not, as it is written. */
export function textOf(bytes: Buffer, start: number, end: number): string {
  const inner = bytes.toString('utf8', start + 1, bytes[end - 1] === quote && end - 1 > start ? end - 1 : end)
  if (!inner.includes('\\')) return inner
  try {
    return String(JSON.parse(`"${inner}"`))
  } catch {
    return inner
  }
}

/** Reads which paths an answer has, and how often. Reads each line once. */
export function outlineOf(source: Source): Outline {
  const outline: Outline = { root: newNode('', null, null), isCut: false }
  let paths = 0
  const members = memberReader(source, (parent, name, key) => {
    if (paths >= maxPaths) {
      outline.isCut = true
      return null
    }
    paths += 1
    const node = newNode(name, Uint8Array.from(key), parent)
    parent.children.push(node)
    parent.byName.set(name, node)
    return node
  })
  /** Counts the value at a path, which begins on this line at this byte; returns the line after it. */
  function value(node: PathNode, line: number, from: number, depth: number): number {
    const kind = kindAt(source, from)
    if (kind === 'null') node.nulls += 1
    else if (kind === 'scalar') node.scalars += 1
    else if (kind === 'list') list(node, line, depth)
    else if (!opensLines(source.index, line)) node.empty += 1
    else if (depth >= maxDepth) {
      outline.isCut = true
      node.deep += 1
    } else object(node, line, depth)
    return lineAfter(source.index, line)
  }
  function object(node: PathNode, line: number, depth: number): void {
    node.objects += 1
    const end = innerEnd(source, line)
    let last: PathNode | null = null
    for (let at = line + 1; at < end;) {
      const member = members.find(node, at, last)
      if (member === null) at = lineAfter(source.index, at)
      else {
        at = value(member, at, members.at, depth + 1)
        last = member
      }
    }
  }
  function list(node: PathNode, line: number, depth: number): void {
    node.lists += 1
    if (!opensLines(source.index, line)) return
    if (depth >= maxDepth) {
      outline.isCut = true
      return
    }
    node.element ??= newNode('', null, node)
    const end = innerEnd(source, line)
    for (let at = line + 1; at < end;) at = value(node.element, at, source.index.starts[at] ?? 0, depth + 1)
  }
  if (source.index.count > 0) value(outline.root, 0, source.index.starts[0] ?? 0, 0)
  return outline
}

/** Returns how many values stand at a path. */
export const valuesAt = ({ objects, lists, scalars, nulls, empty, deep }: PathNode): number =>
  objects + lists + scalars + nulls + empty + deep
