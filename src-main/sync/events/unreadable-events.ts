import { toolsOf, type SyncContext } from '../context.ts'
import type { TenantSync } from '../tenants/tenant-sync.ts'
import { syncTenants, type NextTenant, type Progress } from '../tenants/tenant-list.ts'

/** Events within this time lead to one comparison. */
const gatherMs = 2_000
/** While such events go on coming: twice as long each time. */
const [firstAgainMs, longestAgainMs] = [30_000, 30 * 60_000]

/** Events that cannot be read: they may be of any device that is listened to, or of any of the tenant that they name, so that these are compared soon. */
export interface UnreadableEvents {
  /** `tenant`: what it is of as far as it tells; null: it does not. */
  add(tenant: string | null): void
  stop(): void
}

export function startUnreadableEvents(sync: SyncContext): UnreadableEvents {
  const { clock, log } = sync.options
  let [count, times, freeAt] = [0, 0, 0]
  let named: Set<string> | null = new Set()
  let cancel = () => {}
  const compare = () => {
    // None has come for as long as was waited for the next.
    if (clock.monotonic() - freeAt > longestAgainMs) times = 0
    log('warn', `live: ${count} events could not be read, the devices are compared`)
    freeAt = clock.monotonic() + Math.min(longestAgainMs, firstAgainMs * 2 ** times)
    times += 1
    const tenants = named
    ;[count, named] = [0, new Set()]
    if (tenants === null) sync.requests.add('reconciliation')
    else void compareThese(sync, tenants)
  }
  return {
    add(tenant) {
      count += 1
      if (tenant === null) named = null
      else named?.add(tenant)
      if (count === 1) cancel = clock.after(Math.max(gatherMs, freeAt - clock.monotonic()), compare)
    },
    stop: () => cancel(),
  }
}

/** Compares those of the tenants that this connection reads. Where one of them cannot be read, all are compared as usual, until that is done. */
async function compareThese(sync: SyncContext, named: ReadonlySet<string>): Promise<void> {
  const { member, signal } = sync
  const tenants = sync.reader.tenants()
  if (tenants === null) return sync.requests.add('reconciliation')
  const list = tenants.list.filter(({ id }) => named.has(id) && member.reads(id))
  const tools = { ...toolsOf(sync, 'background'), capabilities: tenants.capabilities }
  try {
    const { failed, unknownDevices } = await syncTenants(tools, nextOf(list), 'changes', unseen)
    if (failed.size > 0) sync.requests.add('reconciliation')
    if (unknownDevices > 0) sync.requests.add('full')
  } catch {
    if (!signal.aborted) sync.requests.add('reconciliation')
  }
}

/** One after the other, behind what a person asks for. */
export function nextOf(tenants: readonly TenantSync[]): NextTenant {
  const rest = [...tenants]
  return () => {
    const tenant = rest.shift()
    return tenant === undefined ? null : { tenant, lane: 'background' }
  }
}

/** A comparison in the background shows no progress, and what fails in it is requested later. */
export const unseen: Progress = { onBegin: () => {}, onRead: () => {}, onTenant: async () => {} }
