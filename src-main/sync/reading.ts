import { FaultError, toFault, type Fault } from '../../src-shared/fault.ts'
import { askCapabilities, type Capabilities } from '../api/capabilities.ts'
import { readTenants } from '../api/decode.ts'
import { tenantsOperation } from '../api/operations.ts'
import type { TenantFields } from '../../src-shared/model.ts'
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
  const tenants: TenantFields[] = readTenants(reply.data)
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

/**
 * Reads the tenants, in full or their states only, and resolves to the ids of those that failed: the fault of one is its
 * own. Rejects with what concerns all of them, or when none could be read; then nothing of it goes on.
 */
export async function readAll(tools: ReadingTools, tenants: readonly TenantReading[], kind: 'full' | 'states', progress: Progress): Promise<string[]> {
  const others = new AbortController()
  const shared = { ...tools, signal: AbortSignal.any([tools.signal, others.signal]) }
  const rest = [...tenants]
  const failed: string[] = []
  let last: unknown = null
  const worker = async () => {
    for (let tenant = rest.shift(); tenant !== undefined; tenant = rest.shift()) {
      const error = await readOne(shared, tenant, kind, progress).then(() => null, (thrown: unknown) => ({ thrown }))
      if (error === null) continue
      if (!isOfOne(error.thrown)) {
        others.abort(new FaultError('abort'))
        throw error.thrown
      }
      last = error.thrown
      failed.push(tenant.id)
      progress.onTenant(tenant.id, toFault(error.thrown))
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: parallelTenants }, worker))
  const broken = ends.find((end) => end.status === 'rejected' && toFault(end.reason).kind !== 'abort')
  if (broken?.status === 'rejected') throw broken.reason
  if (failed.length > 0 && failed.length === tenants.length) throw last
  return failed
}

async function readOne(tools: ReadingTools, tenant: TenantReading, kind: 'full' | 'states', progress: Progress): Promise<void> {
  if (kind === 'full') {
    const unreadable = await pullTenant(tools, tenant, progress.onRead)
    progress.onTenant(tenant.id, unreadable === 0 ? null : { kind: 'partial', detail: `${unreadable} devices could not be read` })
  } else {
    await readStates(tools, tenant, progress.onRead)
    progress.onTenant(tenant.id, null)
  }
  progress.onTenantDone()
}

/** Whether a fault may be one tenant's alone; credentials, token and disk concern all of them. */
function isOfOne(thrown: unknown): boolean {
  return !['credentials', 'token', 'no-secret', 'storage', 'stopped', 'abort', 'internal'].includes(toFault(thrown).kind)
}
