import { toFault } from '../../src-shared/model/fault.ts'
import { statesOperation } from '../api/operations.ts'
import { pacedMs, tenantsCost } from './tenants/sync-cost.ts'
import type { ConnectionSyncState } from './state.ts'
import { isPolling } from './polling.ts'

/** What is parked comes in many parts while it is found out what the service takes. */
const gatherMs = 500
/** Not more often than that, however many points there are. */
const leastMs = 30_000

/**
 * Devices that the service takes no live subscription for are watched by reconciliation: the cheap reading of their tenants again and
 * again, as often as the balance allows. What nobody hears of has held up to its last sync and no longer.
 */
export function pollUnsubscribed(sync: ConnectionSyncState): void {
  if (sync.isReportPlanned) return
  sync.isReportPlanned = true
  sync.options.clock.after(gatherMs, () => {
    sync.isReportPlanned = false
    if (!sync.stopping.signal.aborted) void reportUnsubscribed(sync)
  })
}

async function reportUnsubscribed(sync: ConnectionSyncState): Promise<void> {
  const { data, service, connection, onState } = sync.options
  const ids = [...(sync.live?.parked().keys() ?? [])]
  noteUnsubscribed(sync)
  onState()
  try {
    await data.unsubscribed({ service, connection, ids })
  } catch (error) {
    sync.faults.note('storage', 'this computer', toFault(error))
  }
  if (ids.length > 0) sync.requests.add('poll')
}

/** Says of each tenant how much of it is not live, and in the service's words why. */
function noteUnsubscribed(sync: ConnectionSyncState): void {
  const { live, reader, devices, faults } = sync
  const parked = live?.parked() ?? new Map()
  for (const { id: tenant, name } of reader.tenants()?.list ?? []) {
    const all = devices.of(tenant)
    const of = [...(all ?? [])].filter((id) => parked.has(id))
    const why = parked.get(of[0] ?? '')
    const known = faults.get(keyOf(tenant)) !== null
    if (why === undefined && !known) continue
    const words = why?.detail === undefined || why.detail === '' ? '' : `: ${why.detail}`
    faults.note(
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
export function unsubscribedTenants(sync: ConnectionSyncState): ReadonlySet<string> {
  const { live, devices, reader } = sync
  if (isPolling(sync)) return new Set(reader.ownTenants().map(({ id }) => id))
  const parked = live?.parked()
  if (parked === undefined || parked.size === 0) return new Set()
  return new Set(devices.tenants().filter((tenant) => hasSome(devices.of(tenant) ?? [], parked)))
}

function hasSome(ids: Iterable<string>, parked: ReadonlyMap<string, unknown>): boolean {
  for (const id of ids) if (parked.has(id)) return true
  return false
}

/** The next reading of what is watched, when the last one is over. */
export function pollAgain(sync: ConnectionSyncState): void {
  sync.cancelPoll()
  if (unsubscribedTenants(sync).size === 0) return
  sync.polling.intervalMs = pollIntervalMs(sync)
  sync.cancelPoll = sync.options.clock.after(sync.polling.intervalMs, () => sync.requests.add('poll'))
}

/** From the end of one reading of what is watched to the next one, ms. */
export function pollIntervalMs(sync: ConnectionSyncState): number {
  const tenants = unsubscribedTenants(sync)
  const list = sync.reader.tenants()?.list.filter(({ id }) => tenants.has(id)) ?? []
  return Math.max(leastMs, pacedMs(sync, tenantsCost(sync, statesOperation, list).points))
}
