import { toFault } from '../../src-shared/model/fault.ts'
import { statesOperation } from '../api/operations.ts'
import { pacedMs, tenantsCost } from './tenants/sync-cost.ts'
import { noteFault, requestSync, type ConnectionSyncState } from './state.ts'
import { isPolling } from './polling.ts'

/** What is parked comes in many parts while it is found out what the service takes. */
const gatherMs = 500
/** Not more often than that, however many points there are. */
const leastMs = 30_000

/**
 * Devices that the service takes no live subscription for are watched by reconciliation: the cheap reading of their tenants again and
 * again, as often as the balance allows. What nobody hears of has held up to its last reading and no longer.
 */
export function pollUnsubscribed(estate: ConnectionSyncState): void {
  if (estate.parkedSoon) return
  estate.parkedSoon = true
  estate.options.clock.after(gatherMs, () => {
    estate.parkedSoon = false
    if (!estate.stopping.signal.aborted) void tellParked(estate)
  })
}

async function tellParked(estate: ConnectionSyncState): Promise<void> {
  const { data, service, connection, onState } = estate.options
  const ids = [...(estate.live?.parked().keys() ?? [])]
  sayParked(estate)
  onState()
  try {
    await data.watched({ service, connection, ids })
  } catch (error) {
    noteFault(estate, 'storage', 'this computer', toFault(error))
  }
  if (ids.length > 0) requestSync(estate, 'watched')
}

/** Says of each tenant how much of it is not live, and in the service's words why. */
function sayParked(estate: ConnectionSyncState): void {
  const { live, tenants, ids, faults } = estate
  const parked = live?.parked() ?? new Map()
  for (const { id: tenant, name } of tenants?.list ?? []) {
    const all = ids.get(tenant)
    const of = [...(all ?? [])].filter((id) => parked.has(id))
    const why = parked.get(of[0] ?? '')
    const known = faults.has(keyOf(tenant))
    if (why === undefined && !known) continue
    const words = why?.detail === undefined || why.detail === '' ? '' : `: ${why.detail}`
    noteFault(
      estate,
      keyOf(tenant),
      name,
      why === undefined
        ? null
        : { kind: 'not-live', detail: `${of.length} of ${all?.size ?? of.length} devices${words}` },
    )
  }
}

const keyOf = (tenant: string): string => `watched ${tenant}`

/** The tenants of what is parked; all that this connection reads where readings alone show the devices. */
export function unsubscribedTenants(estate: ConnectionSyncState): ReadonlySet<string> {
  const { live, ids, member, tenants } = estate
  if (isPolling(estate)) return new Set((tenants?.list ?? []).flatMap(({ id }) => (member.reads(id) ? id : [])))
  const parked = live?.parked()
  if (parked === undefined || parked.size === 0) return new Set()
  return new Set([...ids].flatMap(([tenant, all]) => (hasSome(all, parked) ? tenant : [])))
}

function hasSome(ids: ReadonlySet<string>, parked: ReadonlyMap<string, unknown>): boolean {
  for (const id of ids) if (parked.has(id)) return true
  return false
}

/** The next reading of what is watched, when the last one is over. */
export function pollAgain(estate: ConnectionSyncState): void {
  estate.cancelWatched()
  if (unsubscribedTenants(estate).size === 0) return
  estate.standIn.paceMs = pollIntervalMs(estate)
  estate.cancelWatched = estate.options.clock.after(estate.standIn.paceMs, () => requestSync(estate, 'watched'))
}

/** From the end of one reading of what is watched to the next one, ms. */
export function pollIntervalMs(estate: ConnectionSyncState): number {
  const tenants = unsubscribedTenants(estate)
  const list = estate.tenants?.list.filter(({ id }) => tenants.has(id)) ?? []
  return Math.max(leastMs, pacedMs(estate, tenantsCost(estate, statesOperation, list).points))
}
