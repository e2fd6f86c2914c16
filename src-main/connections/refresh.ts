import { everything } from '../../src-shared/model/inventory.ts'
import type { Cost, RefreshCost } from '../../src-shared/model/gauge.ts'
import { interactiveCost, type PartCost } from '../sync/tenants/sync-cost.ts'
import type { ConnectionContext } from './context.ts'
import { setOf, type ManagedConnection } from './managed.ts'
import type { Runner } from './runner.ts'

/** Number of devices beyond which the tenant's pages cost less than a document for each 25 devices. */
const maxByStatus = 250

/** Syncs the tenants of a scope, or all. Resolves when the sync has begun. */
export async function syncScope(context: ConnectionContext, scope: string): Promise<void> {
  const wanted = await tenantsOf(context, scope)
  for (const { runner, service } of context.entries.all()) {
    const own = wanted?.get(service)
    // Other connections do not sync: one that has not listed its tenants yet would read all of them.
    if (wanted === null || own !== undefined) runner?.sync.refresh(own ?? null)
  }
}

/** Returns the cost of `read` and of `readStatus` for what this Muster reads of a scope. */
export async function costOfRefresh(context: ConnectionContext, scope: string): Promise<RefreshCost> {
  const wanted = await tenantsOf(context, scope)
  const parts = running(context).flatMap(({ runner, service, record }) => {
    const of = wanted === null ? null : (wanted.get(service) ?? new Set<string>())
    return of !== null && of.size === 0 ? [] : [{ ...runner.sync.cost(of), credentials: setOf(record) }]
  })
  const full = { ...costOf(context, parts), tenants: parts.reduce((sum, { tenants }) => sum + tenants, 0) }
  const devices = await devicesOf(context, scope)
  if (devices === null || devices.length === 0) return { full, status: null }
  const shares = sharesOf(context, devices)
  const costs = shares.map(({ runner, record, own }) => ({
    cost: runner.sync.statusCost(own.length),
    credentials: setOf(record),
  }))
  const offered = costs.flatMap(({ cost, credentials }) => (cost === null ? [] : [{ ...cost, credentials }]))
  return { full, status: offered.length > 0 && offered.length === shares.length ? costOf(context, offered) : null }
}

function costOf(context: ConnectionContext, parts: readonly (PartCost & { credentials: string })[]): Cost {
  const pacers = new Map(running(context).map(({ record }) => [setOf(record), context.pacers.of(record)]))
  return interactiveCost(
    parts,
    (set) => pacers.get(set)?.gauge() ?? { remaining: 0, limit: 0, resetAt: null },
    context.options.ports.clock.now(),
  )
}

/**
 * Reads the status of a scope's known devices by their ids, of those that this Muster reads. Resolves with whether it reads any.
 * Rejects with the reason where it cannot be read.
 */
export async function readOwnStatus(context: ConnectionContext, scope: string): Promise<boolean> {
  const devices = await devicesOf(context, scope)
  const shares = devices === null ? [] : sharesOf(context, devices)
  await Promise.all(shares.map(({ runner, own }) => runner.sync.readStatus(own)))
  return shares.length > 0
}

interface Device {
  service: string
  tenant: string
  id: string
}

async function devicesOf({ options: { data } }: ConnectionContext, scope: string): Promise<Device[] | null> {
  return (await data.scopeDevices({ scope, limit: maxByStatus })).devices
}

/** Returns the tenants of a scope by their service; null for all. */
async function tenantsOf(
  { options: { data } }: ConnectionContext,
  scope: string,
): Promise<Map<string, Set<string>> | null> {
  if (scope === everything) return null
  const { tenants } = await data.scopeTenants({ scope })
  return new Map(
    [...Map.groupBy(tenants, ({ service }) => service)].map(([service, all]) => [
      service,
      new Set(all.map(({ id }) => id)),
    ]),
  )
}

type Running = Pick<ManagedConnection, 'record' | 'service'> & { runner: Runner }

const running = ({ entries }: ConnectionContext): Running[] =>
  [...entries.all()].flatMap(({ record, service, runner }) => (runner === null ? [] : [{ record, service, runner }]))

/** Groups the devices by the connection that reads their tenant; the first of several. */
function sharesOf(context: ConnectionContext, devices: readonly Device[]): (Running & { own: Device[] })[] {
  const all = running(context)
  const shares = Map.groupBy(devices, ({ service, tenant }) =>
    all.find((entry) => entry.service === service && entry.runner.sync.reads(tenant)),
  )
  return [...shares].flatMap(([entry, own]) => (entry === undefined ? [] : [{ ...entry, own }]))
}
