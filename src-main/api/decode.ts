import { z } from 'zod'
import { FaultError } from '../../src-shared/fault.ts'
import type { DeviceFields, NamedRef, TenantFields } from '../../src-shared/model.ts'

/**
 * The network's border: what the wire says, read once into facts (invariant 11). Unknown fields are let through or
 * left out, never an error; a part that cannot be read costs that part alone (invariant 7).
 */

export interface PageRead {
  devices: DeviceFields[]
  /** As they came, for whoever reads other fields. */
  edges: readonly unknown[]
  /** Nodes that could not be read (null, or without an id). */
  unreadable: number
  totalCount: number | null
  nextToken: string | null
  hasNextPage: boolean
}

/*
 * Nodes and events are read by hand: twenty thousand of them come in a second, and a schema library makes several objects
 * of each value, whose collection would stall the core.
 */

type Wire = Record<string, unknown>

function objectOf(value: unknown): Wire | null {
  return typeof value === 'object' && value !== null ? (value as Wire) : null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Ids may come as numbers from services whose `ID` is one. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function refOf(value: unknown): NamedRef | null {
  const wire = objectOf(value)
  const id = idOf(wire?.['id'])
  return id === null ? null : { id, name: textOf(wire?.['name']) }
}

/** ISO 8601 by the twin (section 7); the spec shows no format, so epochs are taken as well. What cannot be read is null. */
function timeOf(value: unknown): number | null {
  const time = typeof value === 'number' ? value * (value > 1e11 ? 1 : 1000) : Date.parse(textOf(value))
  return Number.isFinite(time) ? time : null
}

/** Boolean by the twin; text is taken too. Any other value is "the service does not say". */
function connectedOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 'false' ? value === 'true' : null
}

function deviceOf(value: unknown): DeviceFields | null {
  const wire = objectOf(value)
  const id = idOf(wire?.['id'])
  if (wire === null || id === null) return null
  return {
    id,
    name: textOf(wire['name']),
    hardwareModel: textOf(wire['hardwareModel']),
    connected: connectedOf(wire['connected']),
    lastDetected: timeOf(wire['lastDetected']),
    lastConfigRequestDate: timeOf(wire['lastConfigRequestDate']),
    site: refOf(wire['site']),
    room: refOf(wire['room']),
  }
}

const text = z.string().catch('')
const id = z.union([z.string().min(1), z.number().transform(String)])

const tenant = z.object({ id, name: text, region: z.object({ id }).nullable().catch(null) })

const connection = z.object({
  edges: z.array(z.unknown()).nullable().catch(null),
  pageInfo: z.object({
    totalCount: z.number().int().min(0).nullable().catch(null),
    nextToken: z.string().nullable().catch(null),
    hasNextPage: z.boolean().nullable().catch(null),
  }).nullable().catch(null),
})

const search = z.object({ tenant: z.object({ inventory: z.object({ deviceSearch: connection }) }) })

/** `tenants { id name region { id } }`. Throws `not-graphql` when there is no list at all. */
export function readTenants(data: unknown): { tenants: TenantFields[]; unreadable: number } {
  const list = z.object({ tenants: z.array(z.unknown()) }).safeParse(data)
  if (!list.success) throw new FaultError('not-graphql', 'no list of tenants')
  const tenants = list.data.tenants.flatMap((entry) => {
    const read = tenant.safeParse(entry)
    return read.success ? [{ id: read.data.id, name: read.data.name || read.data.id, region: read.data.region?.id ?? null }] : []
  })
  return { tenants, unreadable: list.data.tenants.length - tenants.length }
}

/** A page of `tenant(id).inventory.deviceSearch`. Null when the service gave no such part (its `errors` say why). */
export function readPage(data: unknown): PageRead | null {
  const read = search.safeParse(data)
  if (!read.success) return null
  const { edges, pageInfo } = read.data.tenant.inventory.deviceSearch
  if (edges === null || pageInfo === null) return null
  const devices = edges.flatMap(readNode)
  const nextToken = pageInfo.nextToken === '' ? null : pageInfo.nextToken
  return {
    devices,
    edges,
    unreadable: edges.length - devices.length,
    totalCount: pageInfo.totalCount,
    nextToken,
    // "until hasNextPage is false and/or nextToken is null" (service-spec.md, section 4)
    hasNextPage: pageInfo.hasNextPage !== false && nextToken !== null,
  }
}

function readNode(edge: unknown): DeviceFields[] {
  const device = deviceOf(objectOf(edge)?.['node'])
  return device === null ? [] : [device]
}

/** Devices that were asked for each under a name of its own (`d0`, `d1` and so on), in that order; null for what the service does not know. */
export function readStatesByIds(data: unknown, count: number): (Pick<DeviceFields, 'id' | 'connected' | 'lastDetected'> | null)[] {
  const wire = objectOf(data)
  return Array.from({ length: count }, (_, index) => {
    const device = deviceOf(wire?.[`d${index}`])
    return device === null ? null : { id: device.id, connected: device.connected, lastDetected: device.lastDetected }
  })
}

/** One `next` of the device stream: the payload's one field, whatever its name. Null when it holds no device. */
export function readEvent(data: unknown): { id: string; tenant: string | null; connected: boolean | null; name: string | null } | null {
  const wire = objectOf(Object.values(objectOf(data) ?? {})[0])
  const id = idOf(wire?.['id'])
  if (wire === null || id === null) return null
  const name = wire['name']
  return { id, tenant: idOf(wire['tenantId']), connected: connectedOf(wire['connected']), name: typeof name === 'string' ? name : null }
}
