import type { DeviceRow, InventoryQuery, Sort, TenantRef, TreeRow } from '../../../src-shared/model/inventory.ts'
import { parseFilter, type Amount, type Term } from '../../../src-shared/filter/filter.ts'
import { type NoteContent, spareTags } from '../../../src-shared/model/notes.ts'
import * as keys from '../../../src-main/inventory/keys.ts'

/**
 * The same answers as the engine's over plain objects, written the plain way: the measure that the engine is held to.
 */
const collator = new Intl.Collator('en', { numeric: true })

const cut = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ς', 'σ')

const byCode = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** `types` of the extra columns that are on. */
export interface Asked {
  query: InventoryQuery
  now: number
  types: Record<string, 'text' | 'number' | 'time' | 'boolean'>
  /** The rule of spares: models, and an age in ms. */
  spares: { models: readonly string[]; age: number | null }
  notes: ReadonlyMap<string, NoteContent>
}

/** The notes of a device and the places that it is in, the nearest first. */
export const notesOf = (row: DeviceRow, notes: ReadonlyMap<string, NoteContent>): NoteContent[] =>
  nodesOf(row)
    .toReversed()
    .flatMap((node) => notes.get(node) ?? [])

export function shownNotes(notes: readonly NoteContent[]): Pick<DeviceRow, 'tags' | 'note'> {
  const all = notes.flatMap(({ tags }) => tags)
  const tags = all.filter((tag, index) => all.findIndex((other) => cut(other) === cut(tag)) === index)
  const text = notes.find((note) => note.text !== '')?.text.trim()
  return { tags: tags.length > 0 ? tags : undefined, note: text === '' ? undefined : text }
}

export function naiveRows(rows: DeviceRow[], asked: Asked): DeviceRow[] {
  const { query } = asked
  const { terms } = parseFilter(query.filter)
  return rows
    .filter((row) => query.scope === 'all' || nodesOf(row).includes(query.scope))
    .filter((row) => terms.every((term) => meets(row, term, asked)))
    .toSorted((a, b) => compare(a, b, asked))
}

/** The extra columns that a query asks of, with how many devices of its scope they are read for. */
export function naiveUnread(
  rows: DeviceRow[],
  { query, types }: Asked,
): { column: string; read: number; of: number }[] {
  const terms = parseFilter(query.filter).terms.flatMap((term) => (term.kind === 'text' ? [] : term.field))
  const asked = new Set(
    [...terms, ...query.sort.map(({ column }) => column)].filter((name) => name.startsWith('extra:')),
  )
  const scope = rows.filter((row) => query.scope === 'all' || nodesOf(row).includes(query.scope))
  return [...asked]
    .toSorted()
    .map((column) => {
      const name = column.slice(6)
      return {
        column,
        read: types[name] ? scope.filter(({ extra }) => extra[name] !== undefined).length : 0,
        of: scope.length,
      }
    })
    .filter(({ read, of }) => read < of)
}

/** A field's values in a scope, most frequent first. */
export function naiveValues(
  rows: DeviceRow[],
  scope: string,
  name: Parameters<typeof field>[1],
  text: string,
): { value: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    if (scope !== 'all' && !nodesOf(row).includes(scope)) continue
    const one = name === 'connected' ? (field(row, name) ?? 'none') : field(row, name)
    for (const value of name === 'tag' ? (row.tags ?? []) : [one])
      if (typeof value === 'string' && value !== '' && cut(value).includes(cut(text)))
        counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || collator.compare(a.value, b.value) || byCode(a.value, b.value))
}

function meets(row: DeviceRow, term: Term, asked: Asked): boolean {
  const notes = notesOf(row, asked.notes)
  if (term.kind === 'text') {
    const noted = notes.flatMap(({ text, contact, tags }) => [text, contact, ...tags])
    return [...anywhere(row), ...noted].some((text) => cut(text).includes(cut(term.text))) !== term.not
  }
  if (term.kind === 'match' && (term.field === 'tag' || term.field === 'note')) {
    const texts = notes.flatMap((note) =>
      term.field === 'tag' ? note.tags : [note.text, note.contact].filter((text) => text !== ''),
    )
    const isOne = (pattern: (typeof term.values)[number]) =>
      pattern === null ? texts.length === 0 : texts.some((text) => fits(pattern, term.how, text))
    return term.values.some(isOne) !== term.not
  }
  const value = term.field === 'spare' ? spareWord(row, asked) : field(row, term.field)
  if (value === undefined) return false
  if (term.kind === 'compare') return isCompared(value, term, asked) !== term.not
  const texts = term.values.map((pattern) =>
    pattern && asked.types[term.field.slice(6)] === 'boolean' ? booleanWord(pattern) : pattern,
  )
  return (
    texts.some((pattern) => (pattern === null ? value === null || value === '' : fits(pattern, term.how, value))) !==
    term.not
  )
}

function spareWord(row: DeviceRow, { now, notes, spares: { models, age } }: Asked): 'yes' | 'no' {
  const { connected, hardwareModel, lastDetected } = row
  const isTagged = notesOf(row, notes).some(({ tags }) => tags.some((tag) => spareTags.includes(cut(tag))))
  const second = Math.floor(now / 1000) * 1000
  const isOld = age !== null && lastDetected !== null && second - lastDetected > age
  return connected === false && (isOld || isTagged || models.some((model) => cut(model) === cut(hardwareModel)))
    ? 'yes'
    : 'no'
}

const booleanWord = (pattern: readonly string[]) =>
  ({ yes: ['true'], no: ['false'] })[pattern.join('*').toLowerCase()] ?? pattern

const anywhere = (row: DeviceRow) => [
  row.name,
  row.hardwareModel,
  row.site?.name ?? '',
  row.room?.name ?? '',
  row.tenant.name,
  row.id,
  ...Object.values(row.extra).flatMap((value) => value ?? []),
]

/** Undefined: not read. A number: a moment. */
function field(row: DeviceRow, name: Exclude<Term, { kind: 'text' }>['field']): string | number | null | undefined {
  switch (name) {
    case 'connected':
      return row.connected === null ? null : row.connected ? 'yes' : 'no'
    case 'status':
      return { connected: 'online', disconnected: 'offline', unknown: 'unknown' }[row.status]
    case 'site':
      return row.site?.name ?? null
    case 'room':
      return row.room?.name ?? null
    case 'tenant':
      return row.tenant.name
    case 'account':
      return row.account?.name ?? null
    case 'region':
      return row.tenant.region
    case 'spare':
    case 'tag':
    case 'note':
      return undefined
    case 'down':
      return row.connected === false ? (row.since?.at ?? row.lastDetected) : null
    case 'up':
      return row.connected === true ? (row.since?.at ?? null) : null
    case 'seen':
      return row.seenAt
    case 'name':
    case 'hardwareModel':
    case 'id':
    case 'lastDetected':
    case 'lastConfigRequestDate':
      return row[name]
    default:
      return row.extra[name.slice(6)]
  }
}

function fits(pattern: readonly string[], how: 'is' | 'has', value: string | number | null): boolean {
  if (value === null) return false
  const middle = pattern.map((piece) => cut(piece).replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('.*')
  return new RegExp(how === 'is' ? `^(?:${middle})$` : middle, 's').test(cut(String(value)))
}

function isCompared(
  value: string | number | null,
  { field: name, operator, amount }: Extract<Term, { kind: 'compare' }>,
  asked: Asked,
): boolean {
  if (value === null) return false
  const second = Math.floor(asked.now / 1000) * 1000
  const type = asked.types[name.slice(6)]
  const difference =
    typeof value === 'number'
      ? momentDifference(value, amount, second)
      : type === 'number'
        ? (value.trim() === '' ? Number.NaN : Number(value)) - (amount.number ?? Number.NaN)
        : type === 'time'
          ? momentDifference(momentOf(value), amount, second)
          : collator.compare(value, amount.text)
  switch (operator) {
    case '>':
      return difference > 0
    case '<':
      return difference < 0
    case '>=':
      return difference >= 0
    case '<=':
      return difference <= 0
  }
}

/** Ages count backwards. */
function momentDifference(at: number, { age, date }: Amount, now: number): number {
  return age === null ? at - (date ?? Number.NaN) : now - at - age
}

function momentOf(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) return text.trim() === '' ? Number.NaN : Date.parse(text)
  return Math.abs(number) < 1e11 ? number * 1000 : number
}

function compare(a: DeviceRow, b: DeviceRow, { query, types }: Asked): number {
  for (const one of query.sort) {
    const difference = compareColumn(valueOf(a, one.column, types), valueOf(b, one.column, types), one)
    if (difference !== 0) return difference
  }
  return collator.compare(a.name, b.name) || byCode(a.key, b.key)
}

function compareColumn(x: string | number | null, y: string | number | null, { column, direction }: Sort): number {
  if (x === null || y === null) return Number(x === null) - Number(y === null)
  const sign = direction === 'desc' ? -1 : 1
  if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
  return sign * (column === 'id' ? byCode(String(x), String(y)) : collator.compare(String(x), String(y)))
}

function valueOf(row: DeviceRow, column: Sort['column'], types: Asked['types']): string | number | null {
  switch (column) {
    case 'status':
      return ['disconnected', 'unknown', 'connected'].indexOf(row.status)
    case 'since':
      return row.since?.at ?? null
    case 'site':
      return row.site?.name ?? null
    case 'room':
      return row.room?.name ?? null
    case 'tenant':
      return row.tenant.name
    case 'region':
      return row.tenant.region
    case 'tags':
      return row.tags?.join(', ') ?? null
    case 'note':
      return row.note ?? null
    case 'name':
    case 'hardwareModel':
    case 'lastDetected':
    case 'lastConfigRequestDate':
    case 'id':
    case 'seenAt':
    case 'placedAt':
      return row[column]
    default:
      return furtherValue(row.extra[column.slice(6)] ?? null, types[column.slice(6)])
  }
}

/** Numbers and times by their value; what is neither is none. */
function furtherValue(text: string | null, type: string | undefined): string | number | null {
  if (text === null || type === undefined || type === 'text' || type === 'boolean')
    return type === undefined ? null : text
  const number = type === 'number' ? (text.trim() === '' ? Number.NaN : Number(text)) : momentOf(text)
  return Number.isFinite(number) ? number : null
}

type Step = Pick<TreeRow, 'id' | 'kind' | 'name' | 'placeless'>

interface Node extends Pick<TreeRow, 'id' | 'kind' | 'name' | 'placeless'> {
  children: Map<string, Node>
  rows: DeviceRow[]
}

/** Ids of the nodes above a device, the device's own last. */
export function nodesOf(row: DeviceRow): string[] {
  return pathOf(row).map((node) => node.id)
}

function abovePath(tenant: TenantRef): Step[] {
  return [
    {
      id: keys.regionNode(decodeURIComponent(tenant.key.split('/')[0] ?? ''), tenant.region),
      kind: 'region',
      name: tenant.region ?? 'No region',
      placeless: tenant.region === null,
    },
    { id: keys.tenantNode(tenant.key), kind: 'tenant', name: tenant.name, placeless: false },
  ]
}

function pathOf({ tenant, site, room, key, name }: DeviceRow): Step[] {
  return [
    ...abovePath(tenant),
    { id: keys.siteNode(tenant.key, site?.id ?? null), kind: 'site', name: site?.name ?? 'No site', placeless: !site },
    {
      id: keys.roomNode(tenant.key, site?.id ?? null, room?.id ?? null),
      kind: 'room',
      name: room?.name ?? 'No room',
      placeless: !room,
    },
    { id: keys.deviceNode(key), kind: 'device', name, placeless: false },
  ]
}

/** The visible lines, without `readAt`. Tenants are lines also when they have no devices. */
export function naiveTree(tenants: TenantRef[], rows: DeviceRow[], expanded: string[]): Omit<TreeRow, 'readAt'>[] {
  const roots = new Map<string, Node>()
  for (const tenant of tenants) put(roots, abovePath(tenant), null)
  for (const row of rows) put(roots, pathOf(row), row)
  return linesOf(roots, null, 1, new Set(expanded))
}

function put(roots: Map<string, Node>, path: Step[], row: DeviceRow | null): void {
  let level = roots
  for (const step of path) {
    const node: Node = level.get(step.id) ?? { ...step, children: new Map<string, Node>(), rows: [] }
    level.set(step.id, node)
    if (row) node.rows.push(row)
    level = node.children
  }
}

function linesOf(
  nodes: Map<string, Node>,
  parent: string | null,
  level: number,
  expanded: Set<string>,
): Omit<TreeRow, 'readAt'>[] {
  const sorted = [...nodes.values()].toSorted(
    (a, b) => Number(a.placeless) - Number(b.placeless) || collator.compare(a.name, b.name) || byCode(a.id, b.id),
  )
  return sorted.flatMap((node, index) => {
    const isOpen = node.kind !== 'device' && expanded.has(node.id)
    const count = (status: string) => node.rows.filter((row) => row.status === status).length
    const line = {
      id: node.id,
      parent,
      kind: node.kind,
      name: node.name,
      level,
      setSize: sorted.length,
      posInSet: index + 1,
      expanded: node.kind === 'device' ? null : isOpen,
      placeless: node.placeless,
      counts: { connected: count('connected'), disconnected: count('disconnected'), unknown: count('unknown') },
    }
    return [line, ...(isOpen ? linesOf(node.children, node.id, level + 1, expanded) : [])]
  })
}
