import { z } from 'zod'
import { FaultError } from '../../src-shared/fault.ts'
import type { DeviceFields, TenantFields } from '../../src-shared/model.ts'

/**
 * The network's border: what the wire says, read once into facts (invariant 11). Unknown fields are let through or
 * left out, never an error; a part that cannot be read costs that part alone (invariant 7).
 */

export interface PageRead {
  devices: DeviceFields[]
  /** Nodes that could not be read (null, or without an id). */
  unreadable: number
  totalCount: number | null
  nextToken: string | null
  hasNextPage: boolean
}

const text = z.string().catch('')
/** Ids may come as numbers from services whose `ID` is one. */
const id = z.union([z.string().min(1), z.number().transform(String)])
const ref = z.object({ id, name: text }).nullable().catch(null)

/** ISO 8601 by the twin (section 7); the spec shows no format, so epochs are taken as well. What cannot be read is null. */
const time = z.union([z.string().transform(Date.parse), z.number().transform((value) => (value > 1e11 ? value : value * 1000))])
  .refine((value) => Number.isFinite(value))
  .nullable()
  .catch(null)

/** Boolean by the twin; text is taken too. Any other value is "the service does not say". */
const connected = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]).nullable().catch(null)

const device = z.object({
  id,
  name: text,
  hardwareModel: text,
  connected,
  lastDetected: time,
  lastConfigRequestDate: time,
  site: ref,
  room: ref,
})

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
export function readTenants(data: unknown): TenantFields[] {
  const list = z.object({ tenants: z.array(z.unknown()) }).safeParse(data)
  if (!list.success) throw new FaultError('not-graphql', 'no list of tenants')
  return list.data.tenants.flatMap((entry) => {
    const read = tenant.safeParse(entry)
    return read.success ? [{ id: read.data.id, name: read.data.name || read.data.id, region: read.data.region?.id ?? null }] : []
  })
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
    unreadable: edges.length - devices.length,
    totalCount: pageInfo.totalCount,
    nextToken,
    // "until hasNextPage is false and/or nextToken is null" (service-spec.md, section 4)
    hasNextPage: pageInfo.hasNextPage !== false && nextToken !== null,
  }
}

function readNode(edge: unknown): DeviceFields[] {
  const node = typeof edge === 'object' && edge !== null ? (edge as Record<string, unknown>)['node'] : null
  const read = device.safeParse(node)
  return read.success ? [read.data] : []
}

/** One `next` of the device stream: the payload's one field, whatever its name. Null when it holds no device. */
export function readEvent(data: unknown): { id: string; tenant: string | null; connected: boolean | null; name: string | null } | null {
  if (typeof data !== 'object' || data === null) return null
  const [payload] = Object.values(data)
  const read = streamed.safeParse(payload)
  if (!read.success) return null
  return { id: read.data.id, tenant: read.data.tenantId, connected: read.data.connected, name: read.data.name }
}

const streamed = z.object({ id, tenantId: z.string().nullable().catch(null), connected, name: z.string().nullable().catch(null) })
