import {
  columnFilteringFeature,
  constructTable,
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/table-core'
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings'
import { parseFilter, type Term } from '../../src-shared/filter/filter.ts'
import type { DeviceRow, InventoryQuery, SortColumn } from '../../src-shared/model/inventory.ts'
import { fold } from '../../src-main/inventory/engine/filter/fold.ts'
import { regionNode, siteNode, tenantNode } from '../../src-main/inventory/keys.ts'

/**
 * Answers the same queries by TanStack Table's client-side row models, over the same rows as plain objects. It gets
 * every help that its interface allows: texts normalised and names ranked beforehand, so that it compares numbers only.
 */
export interface Baseline {
  ask(query: InventoryQuery, now: number, offset: number, limit: number): { total: number; rows: DeviceRow[] }
  /** Applies an event: replaces one row in a new array, as tables get immutable data. */
  replace(row: DeviceRow): void
}

interface Item {
  row: DeviceRow
  hay: string[]
  scopes: string[]
}

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnFilteringFeature,
  globalFilteringFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
})

const collator = new Intl.Collator('en', { numeric: true })

function itemOf(row: DeviceRow): Item {
  const { tenant, site } = row
  return {
    row,
    hay: [row.name, row.hardwareModel, site?.name ?? '', row.room?.name ?? '', tenant.name, row.id].map(fold),
    scopes: [
      regionNode(decodeURIComponent(tenant.key.split('/')[0] ?? ''), tenant.region),
      tenantNode(tenant.key),
      siteNode(tenant.key, site?.id ?? null),
    ],
  }
}

function rankOf(texts: (string | null)[]): Map<string, number> {
  const distinct = [...new Set(texts)].filter((text) => text !== null)
  return new Map(distinct.toSorted(collator.compare).map((text, rank) => [text, rank]))
}

/** Returns a term as a predicate of one row, whose texts are normalised beforehand. */
function predicateOf(term: Term, now: number): (item: Item) => boolean {
  if (term.kind === 'text') {
    const word = fold(term.text)
    return ({ hay }) => !hay.some((text) => text.includes(word))
  }
  const value = fieldOf(term.field)
  if (term.kind === 'compare') {
    const cutoff = term.amount.age === null ? (term.amount.date ?? Number.NaN) : now - term.amount.age
    const earlier = term.operator.startsWith('>') === (term.amount.age !== null)
    return (item) => {
      const at = value(item)
      return (typeof at === 'number' && (earlier ? at < cutoff : at > cutoff)) !== term.not
    }
  }
  const patterns = term.values.map((pattern) => pattern && pattern.map(fold))
  const expressions = patterns.map(
    (pattern) => pattern && new RegExp(term.how === 'is' ? `^${pattern.join('.*')}$` : pattern.join('.*'), 'u'),
  )
  return (item) => {
    const text = value(item)
    return (
      expressions.some((one) => (one === null ? text === null : typeof text === 'string' && one.test(text))) !==
      term.not
    )
  }
}

const statusWords = { connected: 'online', disconnected: 'offline', unknown: 'unknown' }

function fieldOf(name: Exclude<Term, { kind: 'text' }>['field']): (item: Item) => string | number | null {
  const hay = { name: 0, hardwareModel: 1, site: 2, room: 3, tenant: 4, id: 5 }
  switch (name) {
    case 'connected':
      return ({ row }) => (row.connected === null ? null : row.connected ? 'yes' : 'no')
    case 'status':
      return ({ row }) => statusWords[row.status]
    case 'region':
      return ({ row }) => row.tenant.region?.toLowerCase() ?? null
    case 'down':
      return ({ row }) => (row.connected === false ? (row.since?.at ?? row.lastDetected) : null)
    case 'up':
      return ({ row }) => (row.connected === true ? (row.since?.at ?? null) : null)
    case 'seen':
      return ({ row }) => row.seenAt
    case 'lastDetected':
    case 'lastConfigRequestDate':
      return ({ row }) => row[name]
    case 'site':
      return ({ row, hay: [, , site] }) => (row.site ? (site ?? null) : null)
    case 'room':
      return ({ row, hay: [, , , room] }) => (row.room ? (room ?? null) : null)
    case 'name':
    case 'hardwareModel':
    case 'tenant':
    case 'id':
      return (item) => item.hay[hay[name]] ?? null
    default:
      throw new Error(`the baseline has no ${name}`)
  }
}

const byStatus = ['disconnected', 'unknown', 'connected']

function valuesOf(rows: DeviceRow[]): Record<SortColumn, (row: DeviceRow) => number | undefined> {
  const text = (of: (row: DeviceRow) => string | null) => {
    const ranks = rankOf(rows.map(of))
    return (row: DeviceRow) => ranks.get(of(row) ?? '')
  }
  return {
    name: text((row) => row.name),
    hardwareModel: text((row) => row.hardwareModel),
    site: text((row) => row.site?.name ?? null),
    room: text((row) => row.room?.name ?? null),
    account: text((row) => row.account?.name ?? null),
    tenant: text((row) => row.tenant.name),
    region: text((row) => row.tenant.region),
    tags: text((row) => row.tags?.join(', ') ?? null),
    note: text((row) => row.note ?? null),
    id: text((row) => row.id),
    status: (row) => byStatus.indexOf(row.status),
    since: (row) => row.since?.at,
    lastDetected: (row) => row.lastDetected ?? undefined,
    lastConfigRequestDate: (row) => row.lastConfigRequestDate ?? undefined,
    seenAt: (row) => row.seenAt,
    placedAt: (row) => row.placedAt,
  }
}

export function makeBaseline(rows: DeviceRow[]): Baseline {
  let data = rows.map(itemOf)
  const places = new Map(rows.map((row, index) => [row.key, index]))
  const values = valuesOf(rows)
  const columns = [
    ...Object.entries(values).map(([id, value]) => ({
      id,
      accessorFn: (item: Item) => value(item.row),
      sortUndefined: 'last' as const,
      sortFn: (a: { getValue(id: string): unknown }, b: { getValue(id: string): unknown }, column: string) =>
        Number(a.getValue(column)) - Number(b.getValue(column)),
    })),
    {
      id: 'scope',
      accessorFn: (item: Item) => item,
      filterFn: (row: { original: Item }, _: string, wanted: string) => row.original.scopes.includes(wanted),
    },
    {
      id: 'is',
      accessorFn: (item: Item) => item,
      filterFn: (row: { original: Item }, _: string, asked: ((item: Item) => boolean)[]) =>
        asked.every((passes) => passes(row.original)),
    },
  ]
  const table = constructTable({
    features,
    columns,
    data,
    getColumnCanGlobalFilter: (column) => column.id === 'name',
    globalFilterFn: (row: { original: Item }, _: string, words: string[]) =>
      words.every((word) => row.original.hay.some((text) => text.includes(word))),
  })
  return {
    ask(query, now, offset, limit) {
      const { terms } = parseFilter(query.filter)
      const others = terms.flatMap((term) => (term.kind === 'text' && !term.not ? [] : [predicateOf(term, now)]))
      table.setColumnFilters([
        ...(query.scope === 'all' ? [] : [{ id: 'scope', value: query.scope }]),
        ...(others.length === 0 ? [] : [{ id: 'is', value: others }]),
      ])
      const words = terms.flatMap((term) => (term.kind === 'text' && !term.not ? fold(term.text) : []))
      table.setGlobalFilter(words.length === 0 ? undefined : words)
      const sort = [
        ...query.sort,
        ...(query.sort.some(({ column }) => column === 'name') ? [] : [{ column: 'name', direction: 'asc' }]),
      ]
      table.setSorting(sort.map(({ column, direction }) => ({ id: column, desc: direction === 'desc' })))
      const found = table.getRowModel().rows
      return { total: found.length, rows: found.slice(offset, offset + limit).map((row) => row.original.row) }
    },
    replace(row) {
      const index = places.get(row.key) ?? -1
      data = data.with(index, itemOf(row))
      table.setOptions((old) => ({ ...old, data }))
    },
  }
}
