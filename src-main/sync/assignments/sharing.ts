import { toFault } from '../../../src-shared/model/fault.ts'
import type { Assigned } from './assignments.ts'
import { noteFault, statesKey, tenantKey, requestSync, type ConnectionSyncState } from '../state.ts'
import { readAgainInTime, readUpToNow } from '../schedule.ts'
import { subscribeKnown } from '../events/subscribe.ts'

/** What this connection has read, those that stand by for it claim as well: what is gone goes, and nothing goes with its reader. */
export async function shareWith(estate: ConnectionSyncState, tenant: string, others: readonly string[]): Promise<void> {
  const { data, service, connection, publish } = estate.options
  estate.stale.add(tenant)
  for (const to of others) {
    publish(await data.adopt({ service, tenant, from: connection, to }))
    estate.member.shared(tenant, to)
  }
}

/** Claims what others have read before this one came to stand by for them. */
export async function takeShares(estate: ConnectionSyncState): Promise<void> {
  const { data, service, connection, publish } = estate.options
  for (const { id } of estate.tenants?.list ?? []) {
    const from = estate.member.readBefore(id)
    if (from === null || estate.shared.has(id)) continue
    publish(await data.adopt({ service, tenant: id, from, to: connection }))
    estate.shared.add(id)
    estate.stale.add(id)
  }
}

/** The tenant's reader has read it whole. */
export function onShared(estate: ConnectionSyncState, tenant: string): void {
  estate.shared.add(tenant)
  estate.stale.add(tenant)
  readUpToNow(estate)
  estate.options.onState()
  subscribeKnown(estate).catch((error: unknown) => noteFault(estate, 'storage', 'this computer', toFault(error)))
}

/** This connection reads the tenant from now on. */
export function onTake(estate: ConnectionSyncState, tenant: string, { readAt, heardUntil }: Assigned): void {
  const { clock, refreshMs, log } = estate.options
  log('info', 'takes over a tenant')
  estate.standIn.paceMs = null
  if (readAt === null) {
    estate.behind.add(tenant)
    return requestSync(estate, 'behind')
  }
  estate.columns?.took(tenant, readAt)
  const unheard = estate.subscribedAt === null || heardUntil === null || heardUntil < estate.subscribedAt
  if (unheard) requestSync(estate, 'states')
  const due = clock.monotonic() - (clock.now() - readAt)
  if (estate.fullSince === null || due < estate.fullSince) readAgainInTime(estate, due)
  log('debug', `its next reading is due in ${Math.round((due + refreshMs() - clock.monotonic()) / 1000)} s`)
}

/** Another one reads it: what is missing is no longer this one's to catch up with. */
export function onYield(estate: ConnectionSyncState, tenant: string): void {
  estate.standIn.paceMs = null
  estate.behind.delete(tenant)
  estate.asked.delete(tenant)
  estate.asking.delete(tenant)
  for (const key of [tenantKey(tenant), statesKey(tenant)]) noteFault(estate, key, '', null)
}
