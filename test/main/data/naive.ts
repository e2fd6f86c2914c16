import type { DeviceRow, InventoryQuery, Sort, TenantRef, TreeRow } from '../../../src-shared/model.ts'
import * as keys from '../../../src-main/data/keys.ts'

/**
 * The same answers as the engine's over plain objects, written the plain way: the measure that the engine is held to.
 */
const collator = new Intl.Collator('en', { numeric: true })

const cut = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ς', 'σ')

const byCode = (a: string, b: string) => (a < b ? -1 : Number(a > b))

export function naiveRows(rows: DeviceRow[], query: InventoryQuery): DeviceRow[] {
  const words = cut(query.text).split(/\s+/u).filter(Boolean)
  return rows
    .filter((row) => query.scope === 'all' || nodesOf(row).includes(query.scope))
    .filter((row) => query.status === 'any' || (query.status === 'down' ? row.connected === false : row.status === query.status))
    .filter((row) => words.every((word) =>
      [row.name, row.hardwareModel, row.site?.name ?? '', row.room?.name ?? '', row.tenant.name, row.id].some((text) => cut(text).includes(word))))
    .toSorted((a, b) => compare(a, b, query.sort))
}

function compare(a: DeviceRow, b: DeviceRow, sort: Sort[]): number {
  for (const one of sort) {
    const difference = compareColumn(a, b, one)
    if (difference !== 0) return difference
  }
  return collator.compare(a.name, b.name) || byCode(a.key, b.key)
}

function compareColumn(a: DeviceRow, b: DeviceRow, { column, direction }: Sort): number {
  const [x, y] = [valueOf(a, column), valueOf(b, column)]
  if (x === null || y === null) return Number(x === null) - Number(y === null)
  const sign = direction === 'desc' ? -1 : 1
  if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
  return sign * (column === 'id' ? byCode(String(x), String(y)) : collator.compare(String(x), String(y)))
}

function valueOf(row: DeviceRow, column: Sort['column']): string | number | null {
  switch (column) {
    case 'status': return ['disconnected', 'unknown', 'connected'].indexOf(row.status)
    case 'since': return row.since?.at ?? null
    case 'site': return row.site?.name ?? null
    case 'room': return row.room?.name ?? null
    case 'tenant': return row.tenant.name
    case 'region': return row.tenant.region
    default: return row[column]
  }
}

type Step = Pick<TreeRow, 'id' | 'kind' | 'name' | 'placeless'>

interface Node extends Pick<TreeRow, 'id' | 'kind' | 'name' | 'placeless'> {
  children: Map<string, Node>
  rows: DeviceRow[]
}

/** Ids of the nodes above a device, the device's own last. */
function nodesOf(row: DeviceRow): string[] {
  return pathOf(row).map((node) => node.id)
}

function abovePath(tenant: TenantRef): Step[] {
  return [
    { id: keys.regionNode(tenant.region), kind: 'region', name: tenant.region ?? 'No region', placeless: tenant.region === null },
    { id: keys.tenantNode(tenant.key), kind: 'tenant', name: tenant.name, placeless: false },
  ]
}

function pathOf({ tenant, site, room, key, name }: DeviceRow): Step[] {
  return [
    ...abovePath(tenant),
    { id: keys.siteNode(tenant.key, site?.id ?? null), kind: 'site', name: site?.name ?? 'No site', placeless: !site },
    { id: keys.roomNode(tenant.key, site?.id ?? null, room?.id ?? null), kind: 'room', name: room?.name ?? 'No room', placeless: !room },
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

function linesOf(nodes: Map<string, Node>, parent: string | null, level: number, expanded: Set<string>): Omit<TreeRow, 'readAt'>[] {
  const sorted = [...nodes.values()].toSorted((a, b) =>
    Number(a.placeless) - Number(b.placeless) || collator.compare(a.name, b.name) || byCode(a.id, b.id))
  return sorted.flatMap((node, index) => {
    const isOpen = node.kind !== 'device' && expanded.has(node.id)
    const count = (status: string) => node.rows.filter((row) => row.status === status).length
    const line = {
      id: node.id, parent, kind: node.kind, name: node.name, level, setSize: sorted.length, posInSet: index + 1,
      expanded: node.kind === 'device' ? null : isOpen, placeless: node.placeless,
      counts: { connected: count('connected'), disconnected: count('disconnected'), unknown: count('unknown') },
    }
    return [line, ...(isOpen ? linesOf(node.children, node.id, level + 1, expanded) : [])]
  })
}
