import { toFault } from '../../../src-shared/model/fault.ts'
import type { Assigned } from './assignments.ts'
import type { SyncContext } from '../context.ts'
import { statesKey, tenantKey } from '../faults.ts'
import type { ConnectionColumns } from '../columns/connection-columns.ts'

/** Passes the sync of one connection to the others that list the same tenants, and takes theirs. */
export interface Sharing {
  /**
   * Lets the connections that stand by claim the devices of the tenant that this one has read, and drop those that are
   * gone.
   */
  give(tenant: string, others: readonly string[]): Promise<void>
  /** Claims the tenants that others read before this connection stood by for them. */
  take(): Promise<void>
  /** Handles that the tenant's reader has read it completely. */
  onShared(tenant: string): void
  /** Handles that this connection reads the tenant from now on. */
  onTake(tenant: string, from: Assigned): void
  /** Handles that another connection reads the tenant: this one no longer has to catch up with it. */
  onYield(tenant: string): void
}

export function createSharing(sync: SyncContext, columns: Pick<ConnectionColumns, 'noteClaim'>): Sharing {
  /** Tenants whose devices this connection claims from another reader. */
  const claimed = new Set<string>()
  return {
    give: (tenant, others) => give(sync, tenant, others),
    take: () => take(sync, claimed),
    onShared(tenant) {
      claimed.add(tenant)
      onShared(sync, tenant)
    },
    onTake: (tenant, from) => onTake(sync, columns, tenant, from),
    onYield: (tenant) => onYield(sync, tenant),
  }
}

async function give(sync: SyncContext, tenant: string, others: readonly string[]): Promise<void> {
  const { data, service, connection, publish, clock } = sync.options
  sync.devices.markStale(tenant)
  for (const to of others) {
    publish(await data.adopt({ service, tenant, from: connection, to, at: clock.now() }))
    sync.member.shared(tenant, to)
  }
}

async function take(sync: SyncContext, claimed: Set<string>): Promise<void> {
  const { data, service, connection, publish, clock } = sync.options
  for (const { id } of sync.reader.tenants()?.list ?? []) {
    const from = sync.member.readBefore(id)
    if (from === null || claimed.has(id)) continue
    publish(await data.adopt({ service, tenant: id, from, to: connection, at: clock.now() }))
    claimed.add(id)
    sync.devices.markStale(id)
  }
}

function onShared(sync: SyncContext, tenant: string): void {
  sync.devices.markStale(tenant)
  sync.reader.noteLastSync()
  sync.options.onState()
  sync.link.subscribe().catch((error: unknown) => sync.faults.note('storage', 'this computer', toFault(error)))
}

function onTake(
  sync: SyncContext,
  columns: Pick<ConnectionColumns, 'noteClaim'>,
  tenant: string,
  { readAt, provenUntil }: Assigned,
): void {
  const { clock, refreshMs, log } = sync.options
  log('info', 'takes over a tenant')
  sync.freshness.forgetInterval()
  if (readAt === null) {
    sync.reader.markOutdated(tenant)
    return sync.requests.add('catch-up')
  }
  columns.noteClaim(tenant, readAt)
  const subscribedAt = sync.link.subscribedAt()
  const lost = subscribedAt === null || provenUntil === null || provenUntil < subscribedAt
  if (lost) sync.requests.add('reconciliation')
  const due = clock.monotonic() - (clock.now() - readAt)
  sync.schedule.planFullBy(due)
  log('debug', `its next sync is due in ${Math.round((due + refreshMs() - clock.monotonic()) / 1000)} s`)
}

function onYield(sync: SyncContext, tenant: string): void {
  sync.freshness.forgetInterval()
  sync.reader.dropOutdated(tenant)
  sync.requests.dropTenant(tenant)
  for (const key of [tenantKey(tenant), statesKey(tenant)]) sync.faults.note(key, '', null)
}
