import type { tableColumns } from '../../../../src-shared/model/query-table.ts'
import {
  innerEnd,
  isClosed,
  kindAt,
  lineAfter,
  memberReader,
  valueEnd,
  valuesAt,
  type Outline,
  type PathNode,
  type Source,
} from './outline.ts'

/** A column: a path within the rows. */
export interface TableColumn {
  /** `site.name`; a member whose name is no plain word is `["a.b"]`. `(value)` is the row itself. */
  name: string
  node: PathNode
}

/** A list of objects, or all lists at the same path in the elements of others. */
export interface FoundTable {
  /** `tenants[].devices`, below `data` where the answer has that; '' for an answer that is a list. */
  name: string
  /** The path of the list. */
  list: PathNode
  /** The path of its elements; of their `node` where it is a GraphQL connection's `edges`. */
  row: PathNode
  /** Number of elements. */
  count: number
  /** How many lists are around it: 0 for one that is in no other. */
  within: number
}

/** Most columns of a table. */
export const maxColumns: typeof tableColumns = 200
/** Most values whose places are kept: 8 bytes each. */
const maxKept = 8_000_000
/** Most tables that are offered. */
export const maxTables = 50

const plainName = /^[\w$@ -]+$/u

function pathName(names: readonly string[]): string {
  let path = ''
  for (const name of names) {
    if (name === '[]') path += '[]'
    else if (plainName.test(name)) path += path === '' ? name : `.${name}`
    else path += `[${JSON.stringify(name)}]`
  }
  return path
}

/** Returns the names from a path's outermost value to it. */
function namesTo(node: PathNode, from: PathNode | null = null): string[] {
  const names: string[] = []
  for (let at: PathNode | null = node; at !== null && at !== from && at.parent !== null; at = at.parent)
    names.push(at.key === null ? '[]' : at.name)
  return names.toReversed()
}

/** Returns the tables of an answer: the lists that are in no other first, then the longest. */
export function tablesIn({ root }: Outline): FoundTable[] {
  const found: FoundTable[] = []
  // An answer of GraphQL: its errors have a place of their own.
  const data = root.byName.get('data')
  const add = (list: PathNode, within: number) => {
    const { element } = list
    if (element === null) return
    const node = element.byName.get('node')
    const isConnection = list.name === 'edges' && node !== undefined && node.objects > 0
    const inner = isConnection ? node : element
    if (element.objects > 0)
      found.push({
        name: pathName(namesTo(isConnection ? (list.parent ?? list) : list, data)),
        list,
        row: inner,
        count: valuesAt(element),
        within,
      })
    visit(element, within + 1)
  }
  // As deep as the outline, which is bounded.
  const visit = (node: PathNode, within: number) => {
    add(node, within)
    for (const child of node.children) visit(child, within)
  }
  visit(data ?? root, 0)
  return found.toSorted((one, other) => other.count - one.count || one.within - other.within)
}

const isLeaf = ({ scalars, lists, nulls, objects, empty, deep, children }: PathNode): boolean =>
  scalars + lists + deep > 0 || (nulls > 0 && objects === 0) || (empty > 0 && children.length === 0)

/** Returns all columns of a table: members of an object stay together, each where it first occurs. */
export function columnsIn({ list, row }: FoundTable): TableColumn[] {
  const columns: TableColumn[] = []
  const { element } = list
  const visit = (node: PathNode) => {
    if (node !== row && node !== element && isLeaf(node)) columns.push({ name: pathName(namesTo(node, row)), node })
    for (const child of node.children) if (child !== row) visit(child)
  }
  if (row.scalars + row.lists > 0) columns.push({ name: '(value)', node: row })
  visit(row)
  // What an edge says beside its node, such as its cursor.
  if (element !== null && element !== row) {
    for (const child of element.children)
      if (child !== row)
        for (const node of leavesOf(child)) columns.push({ name: `edge.${pathName(namesTo(node, element))}`, node })
  }
  return columns
}

function leavesOf(node: PathNode): PathNode[] {
  return [...(isLeaf(node) ? [node] : []), ...node.children.flatMap(leavesOf)]
}

/** The rows of a table, of which one at a time is read. */
export interface TableRows {
  count: number
  /** The last element is not there as a whole: the text was cut within it, and it is no row. */
  isCut: boolean
  /** Reads a row: then `froms` has the first byte of each column's value (-1: none), and `lines` its line. */
  read(row: number): void
  froms: Int32Array
  lines: Int32Array
  /**
   * Keeps where each value is, from the next reading on: for what reads all rows. Nothing where that were more than 64 MB.
   */
  keep(): void
  /** Forgets what `keep` keeps. */
  release(): void
  /** First byte of a row, and the byte after it. */
  range(row: number): [from: number, to: number]
}

/** Returns the first lines of the elements of all lists at a table's path. */
function elementLines(source: Source, { list, count }: FoundTable): { lines: Uint32Array; isCut: boolean } {
  const { index } = source
  const lines = new Uint32Array(count)
  const path = new Set<PathNode>()
  for (let at: PathNode | null = list; at !== null; at = at.parent) path.add(at)
  const members = memberReader(source, () => null)
  let found = 0
  let isCut = false
  const elements = (line: number) => {
    const end = innerEnd(source, line)
    const isWhole = isClosed(source, line)
    for (let at = line + 1; at < end; at = lineAfter(index, at)) {
      const opens = (index.closes[at] ?? 0) > at
      // The last value of a text that was cut may be a part of one.
      if (opens ? !isClosed(source, at) : !isWhole && lineAfter(index, at) >= index.count) isCut = true
      else if (found < count) lines[found++] = at
    }
  }
  const visit = (node: PathNode, line: number, from: number) => {
    if ((index.closes[line] ?? 0) <= line) return
    const kind = kindAt(source, from)
    if (kind === 'list') {
      if (node === list) elements(line)
      const { element } = node
      if (element === null || !path.has(element)) return
      const end = innerEnd(source, line)
      for (let at = line + 1; at < end; at = lineAfter(index, at)) visit(element, at, index.starts[at] ?? 0)
    } else if (kind === 'object') {
      const end = innerEnd(source, line)
      let last: PathNode | null = null
      for (let at = line + 1; at < end; at = lineAfter(index, at)) {
        const member = members.find(node, at, last)
        last = member ?? last
        if (member !== null && path.has(member)) visit(member, at, members.at)
      }
    }
  }
  let root = list
  while (root.parent !== null) root = root.parent
  if (index.count > 0) visit(root, 0, index.starts[0] ?? 0)
  return { lines: lines.subarray(0, found), isCut }
}

/** The values of one row: as `TableRows`. */
type RowReader = Pick<TableRows, 'read' | 'froms' | 'lines'>

/** `starts`: first lines of the rows. */
function rowReader(
  source: Source,
  { list }: FoundTable,
  columns: readonly TableColumn[],
  starts: Uint32Array,
): RowReader {
  const { index } = source
  const froms = new Int32Array(columns.length)
  const lines = new Int32Array(columns.length)
  for (const [at, { node }] of columns.entries()) node.column = at
  const mixed = columns.flatMap(({ node }, at) => (node.children.length > 0 ? [at] : []))
  const members = memberReader(source, () => null)
  let objects = 0
  /** A name that occurs twice has its last value, as in JSON.parse. */
  const unset = (node: PathNode) => {
    if (node.column >= 0) froms[node.column] = -1
    for (const child of node.children) unset(child)
  }
  const value = (node: PathNode, line: number, from: number) => {
    if (node.column >= 0) {
      froms[node.column] = from
      lines[node.column] = line
    }
    if (node.children.length > 0 && kindAt(source, from) === 'object' && (index.closes[line] ?? 0) > line)
      object(node, line)
  }
  function object(node: PathNode, line: number): void {
    objects += 1
    const present = objects
    const end = innerEnd(source, line)
    let last: PathNode | null = null
    for (let at = line + 1; at < end; at = lineAfter(index, at)) {
      const member = members.find(node, at, last)
      if (member === null) continue
      const from = members.at
      if (member.seenIn === present) unset(member)
      member.seenIn = present
      last = member
      value(member, at, from)
    }
  }
  return {
    froms,
    lines,
    read(row) {
      froms.fill(-1)
      const line = starts[row] ?? 0
      if (list.element !== null) value(list.element, line, index.starts[line] ?? 0)
      // An object whose members are columns is no value itself.
      for (const at of mixed) {
        const from = froms[at] ?? -1
        if (from >= 0 && kindAt(source, from) === 'object') froms[at] = -1
      }
    },
  }
}

/** `columns`: those that are read; each path is in one table only. */
export function rowsOf(source: Source, table: FoundTable, columns: readonly TableColumn[]): TableRows {
  const { lines: starts, isCut } = elementLines(source, table)
  const reader = rowReader(source, table, columns, starts)
  const { froms, lines } = reader
  const width = columns.length
  let kept: { froms: Int32Array; lines: Int32Array } | null = null
  return {
    count: starts.length,
    isCut,
    froms,
    lines,
    read(row) {
      if (kept === null) return reader.read(row)
      const at = row * width
      froms.set(kept.froms.subarray(at, at + width))
      lines.set(kept.lines.subarray(at, at + width))
    },
    keep() {
      const cells = starts.length * width
      if (kept !== null || cells > maxKept) return
      const all = { froms: new Int32Array(cells), lines: new Int32Array(cells) }
      for (let row = 0; row < starts.length; row += 1) {
        reader.read(row)
        all.froms.set(froms, row * width)
        all.lines.set(lines, row * width)
      }
      kept = all
    },
    release() {
      kept = null
    },
    range(row) {
      const line = starts[row] ?? 0
      return [source.index.starts[line] ?? 0, valueEnd(source, line)]
    },
  }
}
