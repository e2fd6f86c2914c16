import { wait } from '../../../src-shared/lib/clock.ts'
import { maxTenants } from '../../../src-shared/model/bounds.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import type { TenantFields } from '../../../src-shared/model/inventory.ts'
import { askCapabilities, type Capabilities } from '../../api/capabilities.ts'
import { askEventFields } from '../../api/event-fields.ts'
import { redacted } from '../../api/classify.ts'
import { readTenants } from '../../api/decode.ts'
import { tenantKey } from '../../inventory/keys.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import { counted, doubtMs, listedBefore as wereListed, withdrawnFault, type KnownTenant } from '../health/doubts.ts'
import { partFault } from './pages.ts'
import { tenantsOperation } from '../../api/operations.ts'
import { countDevices, syncTenant, reconcileTenant, type SyncTools, type TenantSync } from './tenant-sync.ts'

/** Tenants read at the same time; the pacer limits all their requests. */
const parallelTenants = 4

export interface Tenants {
  /** The tenants; after a partly failed list, also those known before. */
  list: (TenantSync & { name: string })[]
  /** The list failed in part: there may be others. */
  partial: boolean
  capabilities: Capabilities
  /** What an event of the stream can carry (`askEventFields`); null: the schema does not tell. */
  eventFields: string | null
  /** When the capabilities were requested, monotonic ms. */
  capabilitiesAt: number
}

/** The tools of `readTenantList`. */
export type ListTools = Pick<
  SyncTools,
  'api' | 'clock' | 'service' | 'dialect' | 'signal' | 'publish' | 'lane' | 'doubts'
> & { data: Pick<InventoryData, 'tenants' | 'locations' | 'withdrawn' | 'saveWithdrawn'> }

/** Interval at which capabilities are requested again, ms. */
const capabilitiesMaxAgeMs = 24 * 60 * 60_000

export interface Progress {
  onBegin: (tenant: string) => void
  /** Number of devices that a page brought, or removed when a sync began again. */
  onRead: (devices: number) => void
  /**
   * Called with a tenant's fault, or null: the others continue (invariant 7). `failed`: no part of it was read
   * completely.
   */
  onTenant: (
    tenant: string,
    fault: Fault | null,
    outcome: 'whole' | 'partial' | 'failed',
    resumedFrom: number | null,
  ) => Promise<void>
}

/** Returns the next tenant to read, and its lane; null at the end. */
export type NextTenant = () => { tenant: TenantSync; lane: Lane } | null

export interface Outcome {
  /** Tenants that could not be read reliably, and why. */
  failed: Map<string, Fault>
  /** When the earliest of the resumed syncs began, ms; null when all began here. */
  resumedFrom: number | null
  /** Number of devices that the inventory does not know: only a full sync adds them. */
  unknownDevices: number
}

/**
 * Reads the tenants first, always: they contain the regions (service-spec.md, section 4), together with the
 * capabilities. A partly failed list removes no tenant: missing ones are synced and subscribed as before; `fault`
 * reports it.
 */
export async function readTenantList(
  tools: ListTools,
  connection: string,
  before: Tenants | null,
): Promise<Tenants & { fault: Fault | null; withdrawn: Fault | null }> {
  const { api, signal, data, service, clock } = tools
  const listedBefore = await knownTenants(tools, connection)
  const { tenants, partial, fault } = await listTenants(tools, listedBefore)
  const listed = new Set(tenants.map(({ id }) => tenantKey(service, id)))
  const withdrawn = await storeWithdrawn(tools, connection, partial || tenants.length === 0 ? [] : listedBefore, listed)
  const known =
    before !== null && before.capabilities.described && clock.monotonic() - before.capabilitiesAt < capabilitiesMaxAgeMs
      ? before
      : null
  const latest = known?.capabilities ?? (await askCapabilities(api, signal))
  // Capabilities of an earlier answer stay when the schema is unavailable: the next list requests it again.
  const capabilities = latest.described ? latest : (before?.capabilities ?? latest)
  const eventFields = known?.eventFields ?? (await eventFieldsOf(tools, capabilities)) ?? before?.eventFields ?? null
  if (known === null) tools.dialect.describe(capabilities.deviceFields, capabilities.searchError)
  tools.publish(await data.tenants({ service, connection, tenants, partial, at: clock.now() }))
  const expected = new Map(before?.list.map((tenant) => [tenant.id, tenant.expected]))
  const current = tenants.map(({ id, name }) => ({ id, name, expected: expected.get(id) ?? null }))
  const ids = new Set(current.map(({ id }) => id))
  const all = partial ? [...current, ...(before?.list ?? []).filter(({ id }) => !ids.has(id))] : current
  const list = all.length > maxTenants ? await knownOf(all, tools, connection) : all
  return {
    list,
    partial,
    capabilities,
    eventFields,
    capabilitiesAt:
      known?.capabilitiesAt ?? (latest.described ? clock.monotonic() : (before?.capabilitiesAt ?? clock.monotonic())),
    fault,
    withdrawn,
  }
}

/** Asks what an event can carry. A fault means the documented fields: the next schema is asked again. */
async function eventFieldsOf(
  { api, signal }: Pick<ListTools, 'api' | 'signal'>,
  { eventType }: Capabilities,
): Promise<string | null> {
  if (eventType === null) return null
  try {
    return await askEventFields(api, eventType, { lane: 'visible', signal })
  } catch (error) {
    if (!(error instanceof FaultError) || signal.aborted) throw error
    return null
  }
}

/** Stored before the tenants are removed, so that they count as withdrawn after an interruption. */
async function storeWithdrawn(
  { data, doubts, lane }: ListTools,
  connection: string,
  known: readonly KnownTenant[],
  listed: ReadonlySet<string>,
): Promise<Fault | null> {
  const reported = await data.withdrawn({ connection })
  const gone = doubts
    .withdrawn(reported, known, listed, lane === 'person')
    .map(({ key, name, devices }) => ({ key, name, devices }))
  const isSame =
    gone.length === reported.length &&
    gone.every(({ key, devices }) => reported.some((each) => each.key === key && each.devices === devices))
  if (!isSame) await data.saveWithdrawn({ connection, tenants: gone })
  return withdrawnFault(gone)
}

/** Returns the tenants that are still known, from a list that exceeds the limit. */
async function knownOf(
  list: Tenants['list'],
  { data, service }: Pick<ListTools, 'data' | 'service'>,
  connection: string,
): Promise<Tenants['list']> {
  const known = new Set((await knownTenants({ data }, connection)).map(({ key }) => key))
  return list.filter(({ id }) => known.has(tenantKey(service, id)))
}

/** Returns the known tenants that the connection lists. */
async function knownTenants({ data }: Pick<ListTools, 'data'>, connection: string): Promise<KnownTenant[]> {
  const { tenants } = await data.locations({ keys: [], paused: [] })
  return tenants.filter(({ connections }) => connections.includes(connection))
}

interface Listed {
  tenants: TenantFields[]
  partial: boolean
  fault: Fault | null
}

/** The key of the list; no tenant has this id. */
const allTenants = ''

/** Returns whether a list is repeated: partly failed or empty, because a connection without tenants is of no use. */
export const mayBeMore = ({ partial, list }: Pick<Tenants, 'partial' | 'list'>): boolean => partial || list.length === 0

/** Reads the list of tenants. An unexpected empty one removes none until it is believed (`Doubts`). */
async function listTenants(tools: ListTools, known: readonly KnownTenant[]): Promise<Listed> {
  const { clock, signal, doubts, lane } = tools
  const listed = await requestTenants(tools)
  if (isListed(tools, listed)) return listed
  if (known.length === 0) return { ...listed, fault: { kind: 'no-tenants', detail: '' } }
  if (!doubts.has(allTenants)) {
    await wait(clock, doubtMs, signal)
    const second = await requestTenants(tools)
    if (isListed(tools, second)) return second
  }
  const devices = known.reduce((sum, tenant) => sum + tenant.devices, 0)
  const before = wereListed(known.length, 'tenant', ` with ${counted(devices, 'device')}`)
  const { believed, fault } = doubts.emptied(allTenants, before, lane === 'person')
  return { ...listed, partial: !believed, fault }
}

function isListed({ doubts }: Pick<SyncTools, 'doubts'>, { tenants, partial }: Listed): boolean {
  if (tenants.length > 0) doubts.over(allTenants)
  return partial || tenants.length > 0
}

async function requestTenants({ api, lane, signal }: ListTools): Promise<Listed> {
  const reply = await api.run({
    operation: tenantsOperation,
    variables: {},
    lane: lane === 'person' ? 'person' : 'visible',
    size: 1,
    signal,
  })
  if (!hasList(reply.data) && reply.errors.length > 0) throw partFault(reply.errors)
  const { tenants, unreadable, over } = readTenants(reply.data, reply.errors)
  const partial = unreadable > 0 || over > 0 || reply.isCut === true || reply.errors.length > 0
  const why =
    reply.isCut === true
      ? 'it is longer than Muster reads, and what comes after that is not read'
      : over > 0
        ? `it names ${over} more than Muster reads, which are the first ${maxTenants}`
        : redacted(reply.errors[0]?.message ?? '')
  return { tenants, partial, fault: partial ? { kind: 'partial', detail: `the list of tenants: ${why}` } : null }
}

const hasList = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && Array.isArray((data as Record<string, unknown>)['tenants'])

/** Counts each tenant's devices, for the progress and the page sizes. An unavailable count is left out. */
export async function countTenants(tools: SyncTools, tenants: readonly TenantSync[]): Promise<void> {
  const rest = [...tenants]
  await inParallel(
    tools,
    () => rest.shift() ?? null,
    async (each, tenant) => {
      tenant.expected = await countDevices(each, tenant.id).catch((error: unknown) => {
        if (concernsOneTenant(error)) return tenant.expected
        throw error
      })
    },
  )
}

/**
 * Syncs tenants, in full or their status only, until there is no next one; the fault of one does not affect others.
 * Rejects with what concerns all of them (credentials, the disk, cancellation); then nothing continues.
 */
export async function syncTenants(
  tools: SyncTools,
  next: NextTenant,
  what: 'inventory' | 'changes',
  progress: Progress,
): Promise<Outcome> {
  const outcome: Outcome = { failed: new Map(), resumedFrom: null, unknownDevices: 0 }
  await inParallel(tools, next, async (shared, { tenant, lane }) => {
    const each = { ...shared, lane }
    progress.onBegin(tenant.id)
    try {
      const pulled =
        what === 'inventory'
          ? await syncTenant(each, tenant, progress.onRead)
          : await reconcileTenant(each, tenant, progress.onRead)
      if (pulled.resumedFrom !== null)
        outcome.resumedFrom = Math.min(outcome.resumedFrom ?? Infinity, pulled.resumedFrom)
      outcome.unknownDevices += pulled.unknownDevices
      if (pulled.doubted === true && pulled.fault !== null) outcome.failed.set(tenant.id, pulled.fault)
      else outcome.failed.delete(tenant.id)
      await progress.onTenant(tenant.id, pulled.fault, pulled.whole ? 'whole' : 'partial', pulled.resumedFrom)
    } catch (error) {
      if (!concernsOneTenant(error)) throw error
      outcome.failed.set(tenant.id, toFault(error))
      await progress.onTenant(tenant.id, toFault(error), 'failed', null)
    }
  })
  return outcome
}

/** Runs a few at a time; the first rejection cancels the others, and is the result. */
async function inParallel<T>(
  tools: SyncTools,
  next: () => T | null,
  run: (tools: SyncTools, each: T) => Promise<void>,
): Promise<void> {
  const others = new AbortController()
  const shared = { ...tools, signal: AbortSignal.any([tools.signal, others.signal]) }
  const thrown: unknown[] = []
  const worker = async () => {
    for (let each = next(); each !== null && !others.signal.aborted; each = next()) {
      await run(shared, each).catch((error: unknown) => {
        thrown.push(error)
        others.abort(new FaultError('abort'))
      })
    }
  }
  await Promise.all(Array.from({ length: parallelTenants }, worker))
  if (thrown.length > 0) throw thrown[0]
}

function concernsOneTenant(thrown: unknown): boolean {
  return !traitsOf(toFault(thrown).kind).ofAll
}
