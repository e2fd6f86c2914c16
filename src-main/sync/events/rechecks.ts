import { smallest } from '../../../src-shared/lib/extremes.ts'
import { statesOperation } from '../../api/operations.ts'
import { deviceKey, tenantKey } from '../../inventory/keys.ts'
import { toolsOf, type SyncContext } from '../context.ts'
import type { TenantSync } from '../tenants/tenant-sync.ts'
import { syncTenants } from '../tenants/tenant-list.ts'
import { pacedMs, statusCost, tenantsCost } from '../tenants/sync-cost.ts'
import { tenantQueue, silentProgress } from './unreadable-events.ts'
import type { DeviceOf } from '../reader/priorities.ts'

/** Devices within this many ms are requested together. */
const collectMs = 2_000
/** Delay while the service returns no status, ms; doubled each time. */
const [firstRetryMs, maxRetryMs] = [30_000, 30 * 60_000]

/**
 * Devices without a status in an event (`connected: null`), or for which the requested field was missing. No other
 * source reports it: their status is requested soon, many together, at the lower cost, and then less and less often
 * while the service returns none.
 */
export interface Rechecks {
  /** Adds a device. `isStale`: the known status may be older than the event. */
  add(device: { tenant: string; id: string }, isStale: boolean): void
  stop(): void
}

interface Recheck extends DeviceOf {
  tries: number
  isStale: boolean
  /** Monotonic ms. */
  due: number
}

interface RecheckState {
  sync: SyncContext
  /** By the devices' keys. */
  open: Map<string, Recheck>
  /** When the next request is planned, and when the last one is paid for, monotonic ms. */
  plannedAt: number
  freeAt: number
  isRunning: boolean
  cancel: () => void
}

export function startRechecks(sync: SyncContext): Rechecks {
  const state: RecheckState = {
    sync,
    open: new Map(),
    plannedAt: Infinity,
    freeAt: 0,
    isRunning: false,
    cancel: () => {},
  }
  const { clock, service } = sync.options
  return {
    add({ tenant, id }, isStale) {
      const key = deviceKey(tenantKey(service, tenant), id)
      const known = state.open.get(key)
      if (known !== undefined) {
        known.isStale ||= isStale
        return
      }
      const due = clock.monotonic() + collectMs
      state.open.set(key, { tenant, id, tries: 0, isStale, due })
      if (Math.max(due, state.freeAt) < state.plannedAt) plan(state)
    },
    stop: () => state.cancel(),
  }
}

function plan(state: RecheckState): void {
  const {
    sync: {
      options: { clock, log },
      signal,
    },
    open,
    freeAt,
    isRunning,
  } = state
  state.cancel()
  state.plannedAt = Infinity
  if (open.size === 0 || isRunning || signal.aborted) return
  state.plannedAt = Math.max(freeAt, smallest([...open.values()].map(({ due }) => due)))
  state.cancel = clock.after(Math.max(0, state.plannedAt - clock.monotonic()), () => {
    state.isRunning = true
    state.freeAt = clock.monotonic() + collectMs
    void recheck(state)
      .catch(() => log('info', 'devices without a status are requested later'))
      .finally(() => {
        state.isRunning = false
        plan(state)
      })
  })
}

async function recheck(state: RecheckState): Promise<void> {
  const { sync, open } = state
  const { clock } = sync.options
  const until = clock.monotonic() + collectMs
  const keys = [...open].flatMap(([key, { due }]) => (due <= until ? key : []))
  const due = await stateless(state, keys)
  for (const each of due) {
    each.due = clock.monotonic() + Math.min(maxRetryMs, firstRetryMs * 2 ** each.tries)
    each.tries += 1
  }
  // When it is live again, everything is compared.
  const known = sync.reader.tenants()
  if (due.length === 0 || sync.link.state()?.state !== 'live' || known === null) return
  const { ids, tenants, points } = cheapest(sync, known.list, due)
  state.freeAt = Math.max(state.freeAt, clock.monotonic() + pacedMs(sync, points))
  const tools = { ...toolsOf(sync, 'background'), capabilities: known.capabilities }
  // A field missing from a later event is requested again.
  for (const each of due) each.isStale = false
  await sync.priorities.readFirst(ids)
  await syncTenants(tools, tenantQueue(tenants), 'changes', silentProgress)
  await stateless(state, keys)
}

/**
 * Returns the devices that still have no status, or whose status an event left out. Others and removed ones leave the
 * list.
 */
async function stateless({ sync, open }: RecheckState, keys: string[]): Promise<Recheck[]> {
  const { data, queues, order } = sync.options
  await queues.writtenBefore(order())
  const { devices } = await data.locations({ keys, paused: [] })
  const left = new Set(
    devices.flatMap(({ key, connected }) => (connected === null || open.get(key)?.isStale === true ? key : [])),
  )
  for (const key of keys) if (!left.has(key)) open.delete(key)
  return [...left].flatMap((key) => open.get(key) ?? [])
}

/**
 * Returns the cheaper requests for each tenant's devices: by their ids, where the service offers that, or with the whole
 * tenant.
 */
function cheapest(
  sync: SyncContext,
  list: readonly TenantSync[],
  due: readonly Recheck[],
): { ids: DeviceOf[]; tenants: TenantSync[]; points: number } {
  const byTenant = Map.groupBy(due, ({ tenant }) => tenant)
  const found = { ids: [] as DeviceOf[], tenants: [] as TenantSync[], points: 0 }
  for (const tenant of list) {
    const devices = byTenant.get(tenant.id)
    if (devices === undefined) continue
    const [bySync, byIds] = [
      tenantsCost(sync, statesOperation, [tenant]).points,
      statusCost(sync, devices.length)?.points ?? Infinity,
    ]
    found.points += Math.min(bySync, byIds)
    if (byIds > bySync) found.tenants.push(tenant)
    else found.ids = [...found.ids, ...devices]
  }
  return found
}
