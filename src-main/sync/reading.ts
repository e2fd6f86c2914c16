import { toFault, type Fault } from '../../src-shared/fault.ts'
import { askCapabilities, type Capabilities } from '../api/capabilities.ts'
import { readTenants } from '../api/decode.ts'
import { tenantsOperation } from '../api/operations.ts'
import type { TenantFact } from '../data/protocol.ts'
import { countDevices, pullTenant, readStates, type ReadingTools, type TenantReading } from './pull.ts'

/** Tenants read at the same time; the pacer bounds the requests of all of them together. */
const parallelTenants = 4

export interface Tenants {
  list: (TenantReading & { name: string })[]
  capabilities: Capabilities
}

export interface Progress {
  /** Devices that a page brought, or took back when a pull began anew. */
  onRead: (devices: number) => void
  onTenantDone: () => void
  /** A tenant's fault, or null when it went well: the others go on (invariant 7). */
  onTenant: (tenant: string, fault: Fault | null) => void
}

/** Tenants first, always: they carry the regions (service-spec.md, section 4). What the service offers is asked with them. */
export async function readEstate(tools: Omit<ReadingTools, 'capabilities'>, connection: string, before: Tenants | null): Promise<Tenants> {
  const { api, signal, data, service, clock } = tools
  const reply = await api.run({ operation: tenantsOperation, variables: {}, lane: 'visible', size: 1, signal })
  const tenants: TenantFact[] = readTenants(reply.data)
  const capabilities = before?.capabilities ?? await askCapabilities(api, signal)
  tools.publish(await data.tenants({ service, connection, tenants, at: clock.now() }))
  const list = tenants.map(({ id, name }) => ({ id, name, expected: before?.list.find((known) => known.id === id)?.expected ?? null }))
  return { list, capabilities }
}

/** Counts each tenant's devices, so that the reading can tell its progress and cut its pages to fit. */
export async function countAll(tools: ReadingTools, tenants: readonly TenantReading[], progress: Progress): Promise<void> {
  for (const tenant of tenants) {
    try {
      tenant.expected = await countDevices(tools, tenant.id)
    } catch (error) {
      if (!isOfOne(error)) throw error
      progress.onTenant(tenant.id, toFault(error))
    }
  }
}

/** Reads all tenants, in full or their states only. Rejects when none could be read; the fault of one is its own. */
export async function readAll(tools: ReadingTools, tenants: readonly TenantReading[], kind: 'full' | 'states', progress: Progress): Promise<void> {
  const rest = [...tenants]
  let good = 0
  let last: unknown = null
  const worker = async () => {
    for (let tenant = rest.shift(); tenant !== undefined; tenant = rest.shift()) {
      try {
        const unreadable = await readOne(tools, tenant, kind, progress)
        progress.onTenant(tenant.id, unreadable === 0 ? null : { kind: 'partial', detail: `${unreadable} devices could not be read` })
        good += 1
        progress.onTenantDone()
      } catch (error) {
        if (tools.signal.aborted) throw error
        last = error
        progress.onTenant(tenant.id, toFault(error))
        if (!isOfOne(error)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: parallelTenants }, worker))
  if (good === 0 && last !== null) throw last
}

async function readOne(tools: ReadingTools, tenant: TenantReading, kind: 'full' | 'states', progress: Progress): Promise<number> {
  if (kind === 'full') return pullTenant(tools, tenant, progress.onRead)
  await readStates(tools, tenant)
  return 0
}

/** Whether a fault may be one tenant's alone; credentials, token and disk concern all of them. */
function isOfOne(thrown: unknown): boolean {
  return !['credentials', 'token', 'no-secret', 'storage', 'stopped', 'abort', 'internal'].includes(toFault(thrown).kind)
}
