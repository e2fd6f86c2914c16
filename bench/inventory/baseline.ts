import {
  columnFilteringFeature, constructTable, createFilteredRowModel, createSortedRowModel, globalFilteringFeature, rowSortingFeature,
  tableFeatures,
} from '@tanstack/table-core'
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings'
import type { DeviceRow, InventoryQuery, Sort } from '../../src-shared/model.ts'
import { fold, wordsOf } from '../../src-main/data/engine/fold.ts'
import { regionNode, siteNode, tenantNode } from '../../src-main/data/keys.ts'

/**
 * The same questions put to TanStack Table's client-side row models, over the same rows as plain objects. It is given
 * every help that its interface has room for: texts folded and names ranked beforehand, so that it compares numbers only.
 */
export interface Baseline {
  ask(query: InventoryQuery, offset: number, limit: number): { total: number; rows: DeviceRow[] }
  /** An event: one row is another object in a new array, as immutable data is handed to a table. */
  replace(row: DeviceRow): void
}

interface Item {
  row: DeviceRow
  hay: string[]
  scopes: string[]
}

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnFilteringFeature, globalFilteringFeature, rowSortingFeature,
  filteredRowModel: createFilteredRowModel(), sortedRowModel: createSortedRowModel(),
})

const collator = new Intl.Collator('en', { numeric: true })

function itemOf(row: DeviceRow): Item {
  const { tenant, site } = row
  return {
    row,
    hay: [row.name, row.hardwareModel, site?.name ?? '', row.room?.name ?? '', tenant.name, row.id].map(fold),
    scopes: [regionNode(tenant.region), tenantNode(tenant.key), siteNode(tenant.key, site?.id ?? null)],
  }
}

function rankOf(texts: (string | null)[]): Map<string, number> {
  const distinct = [...new Set(texts)].filter((text) => text !== null)
  return new Map(distinct.toSorted(collator.compare).map((text, rank) => [text, rank]))
}

const byStatus = ['disconnected', 'unknown', 'connected']

function valuesOf(rows: DeviceRow[]): Record<Sort['column'], (row: DeviceRow) => number | undefined> {
  const text = (of: (row: DeviceRow) => string | null) => {
    const ranks = rankOf(rows.map(of))
    return (row: DeviceRow) => ranks.get(of(row) ?? '')
  }
  return {
    name: text((row) => row.name), hardwareModel: text((row) => row.hardwareModel), site: text((row) => row.site?.name ?? null),
    room: text((row) => row.room?.name ?? null), tenant: text((row) => row.tenant.name), region: text((row) => row.tenant.region),
    id: text((row) => row.id), status: (row) => byStatus.indexOf(row.status), since: (row) => row.since?.at,
    lastDetected: (row) => row.lastDetected ?? undefined, lastConfigRequestDate: (row) => row.lastConfigRequestDate ?? undefined,
    seenAt: (row) => row.seenAt,
  }
}

export function makeBaseline(rows: DeviceRow[]): Baseline {
  let data = rows.map(itemOf)
  const places = new Map(rows.map((row, index) => [row.key, index]))
  const values = valuesOf(rows)
  const columns = [
    ...Object.entries(values).map(([id, value]) => ({
      id, accessorFn: (item: Item) => value(item.row), sortUndefined: 'last' as const,
      sortFn: (a: { getValue(id: string): unknown }, b: { getValue(id: string): unknown }, column: string) => Number(a.getValue(column)) - Number(b.getValue(column)),
    })),
    { id: 'scope', accessorFn: (item: Item) => item, filterFn: (row: { original: Item }, _: string, wanted: string) => row.original.scopes.includes(wanted) },
    { id: 'is', accessorFn: (item: Item) => item, filterFn: (row: { original: Item }, _: string, wanted: string) =>
      wanted === 'down' ? row.original.row.connected === false : row.original.row.status === wanted },
  ]
  const table = constructTable({
    features, columns, data, getColumnCanGlobalFilter: (column) => column.id === 'name',
    globalFilterFn: (row: { original: Item }, _: string, words: string[]) => words.every((word) => row.original.hay.some((text) => text.includes(word))),
  })
  return {
    ask(query, offset, limit) {
      table.setColumnFilters([
        ...(query.scope === 'all' ? [] : [{ id: 'scope', value: query.scope }]),
        ...(query.status === 'any' ? [] : [{ id: 'is', value: query.status }]),
      ])
      const words = wordsOf(query.text)
      table.setGlobalFilter(words.length === 0 ? undefined : words)
      const sort = [...query.sort, ...(query.sort.some(({ column }) => column === 'name') ? [] : [{ column: 'name', direction: 'asc' }])]
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
