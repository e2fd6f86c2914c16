import { toolsOf, type SyncContext } from '../context.ts'
import type { TenantSync } from '../tenants/tenant-sync.ts'
import { syncTenants, type NextTenant, type Progress } from '../tenants/tenant-list.ts'

/** Events within this many ms lead to one comparison. */
const collectMs = 2_000
/** Delay while such events continue, ms; doubled each time. */
const [firstRetryMs, maxRetryMs] = [30_000, 30 * 60_000]

/** Unreadable events: they may concern any subscribed device, or any of their tenant, so these are compared soon. */
export interface UnreadableEvents {
  /** Adds an event. `tenant`: its tenant; null: unknown. */
  add(tenant: string | null): void
  stop(): void
}

export function startUnreadableEvents(sync: SyncContext): UnreadableEvents {
  const { clock, log } = sync.options
  let [count, times, freeAt] = [0, 0, 0]
  let named: Set<string> | null = new Set()
  let cancel = () => {}
  const compare = () => {
    // None has arrived for the longest delay.
    if (clock.monotonic() - freeAt > maxRetryMs) times = 0
    log('warn', `live: ${count} events could not be read, the devices are compared`)
    freeAt = clock.monotonic() + Math.min(maxRetryMs, firstRetryMs * 2 ** times)
    times += 1
    const tenants = named
    ;[count, named] = [0, new Set()]
    if (tenants === null) sync.requests.add('reconciliation')
    else void compareTenants(sync, tenants)
  }
  return {
    add(tenant) {
      count += 1
      if (tenant === null) named = null
      else named?.add(tenant)
      if (count === 1) cancel = clock.after(Math.max(collectMs, freeAt - clock.monotonic()), compare)
    },
    stop: () => cancel(),
  }
}

/**
 * Compares those of the tenants that this connection reads. Where one of them fails, all are compared as usual, until
 * that succeeds.
 */
async function compareTenants(sync: SyncContext, named: ReadonlySet<string>): Promise<void> {
  const { member, signal } = sync
  const tenants = sync.reader.tenants()
  if (tenants === null) return sync.requests.add('reconciliation')
  const list = tenants.list.filter(({ id }) => named.has(id) && member.reads(id))
  const tools = { ...toolsOf(sync, 'background'), capabilities: tenants.capabilities }
  try {
    const { failed, unknownDevices } = await syncTenants(tools, tenantQueue(list), 'changes', silentProgress)
    if (failed.size > 0) sync.requests.add('reconciliation')
    if (unknownDevices > 0) sync.requests.add('full')
  } catch {
    if (!signal.aborted) sync.requests.add('reconciliation')
  }
}

/** Returns the tenants one after the other, with less priority than a person's requests. */
export function tenantQueue(tenants: readonly TenantSync[]): NextTenant {
  const rest = [...tenants]
  return () => {
    const tenant = rest.shift()
    return tenant === undefined ? null : { tenant, lane: 'background' }
  }
}

/** A comparison in the background shows no progress, and a failed part is requested later. */
export const silentProgress: Progress = { onBegin: () => {}, onRead: () => {}, onTenant: async () => {} }
