import { toFault } from '../../../src-shared/model/fault.ts'
import type { Assigned } from './assignments.ts'
import type { ConnectionSyncState } from '../state.ts'
import { statesKey, tenantKey } from '../faults.ts'
import { subscribeKnown } from '../events/subscribe.ts'

/** What this connection has read, those that stand by for it claim as well: what is gone goes, and nothing goes with its reader. */
export async function shareWith(sync: ConnectionSyncState, tenant: string, others: readonly string[]): Promise<void> {
  const { data, service, connection, publish } = sync.options
  sync.devices.markStale(tenant)
  for (const to of others) {
    publish(await data.adopt({ service, tenant, from: connection, to }))
    sync.member.shared(tenant, to)
  }
}

/** Claims what others have read before this one came to stand by for them. */
export async function takeShares(sync: ConnectionSyncState): Promise<void> {
  const { data, service, connection, publish } = sync.options
  for (const { id } of sync.reader.tenants()?.list ?? []) {
    const from = sync.member.readBefore(id)
    if (from === null || sync.shared.has(id)) continue
    publish(await data.adopt({ service, tenant: id, from, to: connection }))
    sync.shared.add(id)
    sync.devices.markStale(id)
  }
}

/** The tenant's reader has read it whole. */
export function onShared(sync: ConnectionSyncState, tenant: string): void {
  sync.shared.add(tenant)
  sync.devices.markStale(tenant)
  sync.reader.noteLastSync()
  sync.options.onState()
  subscribeKnown(sync).catch((error: unknown) => sync.faults.note('storage', 'this computer', toFault(error)))
}

/** This connection reads the tenant from now on. */
export function onTake(sync: ConnectionSyncState, tenant: string, { readAt, heardUntil }: Assigned): void {
  const { clock, refreshMs, log } = sync.options
  log('info', 'takes over a tenant')
  sync.polling.intervalMs = null
  if (readAt === null) {
    sync.reader.markOutdated(tenant)
    return sync.requests.add('catch-up')
  }
  sync.columns?.noteClaim(tenant, readAt)
  const lost = sync.subscribedAt === null || heardUntil === null || heardUntil < sync.subscribedAt
  if (lost) sync.requests.add('reconciliation')
  const due = clock.monotonic() - (clock.now() - readAt)
  sync.schedule.planFullBy(due)
  log('debug', `its next reading is due in ${Math.round((due + refreshMs() - clock.monotonic()) / 1000)} s`)
}

/** Another one reads it: what is missing is no longer this one's to catch up with. */
export function onYield(sync: ConnectionSyncState, tenant: string): void {
  sync.polling.intervalMs = null
  sync.reader.dropOutdated(tenant)
  sync.requests.dropTenant(tenant)
  for (const key of [tenantKey(tenant), statesKey(tenant)]) sync.faults.note(key, '', null)
}
