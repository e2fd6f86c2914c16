import { toFault } from '../../../src-shared/model/fault.ts'
import { fingerprintOperation } from '../../api/operations.ts'
import type { Sharing } from '../assignments/sharing.ts'
import { toolsOf, type SyncContext } from '../context.ts'
import { pacedMs } from '../tenants/sync-cost.ts'
import { fetchPage } from '../tenants/pages.ts'
import type { SyncTools } from '../tenants/tenant-sync.ts'
import { readIdList, type IdList } from './id-list.ts'
import { readNewDevices } from './new-devices.ts'

/** Interval at which the total of each tenant is compared, ms; longer where points are few. */
const intervalMs = 3 * 60_000
/** Shortest delay between the requests of two tenants, ms. */
const minDelayMs = 500
/** Shortest interval between two lists of one tenant's ids, ms; doubled after each that failed, up to 32 times. */
const listEveryMs = 10 * 60_000
const maxDoublings = 5

interface Watched {
  /** Monotonic ms. */
  checkedAt: number
  listableAt: number
  /** Consecutive lists that failed. */
  failures: number
  /** The numbers for which the ids were read: the same ones again lead to nothing new. */
  known: { total: number; stored: number } | null
}

interface State {
  sync: SyncContext
  sharing: Pick<Sharing, 'give'>
  tenants: Map<string, Watched>
  cancel: () => void
}

/**
 * Compares each tenant's total with the devices that this connection claims, between full syncs. Where they differ, new
 * devices are read and removed ones are removed. Only tenants that this connection reads are compared, and only where
 * the service offers page sizes and names totals. Returns a function that stops it.
 */
export function startTotalsWatch(sync: SyncContext, sharing: Pick<Sharing, 'give'>): { stop(): void } {
  const state: State = { sync, sharing, tenants: new Map(), cancel: () => {} }
  plan(state)
  return { stop: () => state.cancel() }
}

function plan(state: State): void {
  const { sync } = state
  if (sync.signal.aborted) return
  state.cancel = sync.options.clock.after(delayOf(sync), () => {
    void checkNext(state)
      .catch((error: unknown) => {
        if (!sync.signal.aborted) sync.options.log('info', `a total was not compared (${toFault(error).kind})`)
      })
      .finally(() => plan(state))
  })
}

/** The time between two requests, so that each tenant has one in each interval, for a quarter of the points at most. */
function delayOf(sync: SyncContext): number {
  const tenants = watchable(sync).length
  if (tenants === 0) return intervalMs
  const points = tenants * sync.options.pacer.costs.quote(fingerprintOperation.shape, 1).likely
  return Math.max(minDelayMs, Math.max(intervalMs, pacedMs(sync, points)) / tenants)
}

/** The tenants whose last sync had a total, and which need no other sync. */
function watchable({ reader, devices }: SyncContext): string[] {
  if (reader.tenants()?.capabilities.pageSize !== true) return []
  return reader
    .ownTenants()
    .filter(
      ({ id, expected }) =>
        expected !== null && devices.of(id) !== null && !reader.isOutdated(id) && !reader.isInProgress(id),
    )
    .map(({ id }) => id)
}

async function checkNext(state: State): Promise<void> {
  const { sync, tenants } = state
  const { clock } = sync.options
  const ids = watchable(sync)
  for (const id of tenants.keys()) if (sync.devices.of(id) === null) tenants.delete(id)
  if (isBusy(sync)) return
  const watchedOf = (id: string): Watched =>
    tenants.get(id) ?? { checkedAt: -Infinity, listableAt: -Infinity, failures: 0, known: null }
  const next = ids.toSorted((a, b) => watchedOf(a).checkedAt - watchedOf(b).checkedAt)[0]
  const capabilities = sync.reader.tenants()?.capabilities
  if (next === undefined || capabilities === undefined) return
  const watched = watchedOf(next)
  tenants.set(next, watched)
  watched.checkedAt = clock.monotonic()
  // Repeated requests are no fault of the tenant: its devices are known as before.
  const tools: SyncTools = { ...toolsOf(sync, 'background'), capabilities, onRetry: () => {} }
  await check(state, tools, next, watched)
}

/** A sync reads the same, and a service that asks to wait, or a rate window without points, is not for this. */
const isBusy = ({ reader, requests, options: { pacer } }: SyncContext): boolean =>
  reader.state().state !== 'idle' || requests.any() || pacer.waitsForService() !== null || pacer.holdsUntil() !== null

async function check(state: State, tools: SyncTools, tenant: string, watched: Watched): Promise<void> {
  const { clock, data, service, connection } = tools
  const page = await fetchPage({ ...tools, operation: fingerprintOperation, tenant, pageSize: 1, from: null }, null)
  // A total beside an error does not count. That of an emptied tenant is left to the full sync, which doubts it.
  const total = page.failures.length > 0 ? null : page.totalCount
  if (total === null || total === 0) return
  if (state.sync.devices.of(tenant)?.size === total) {
    watched.known = null
    return
  }
  if (clock.monotonic() < watched.listableAt) return
  const ids = await data.ids({ service, tenant, connection })
  const isKnown = watched.known?.total === total && watched.known.stored === ids.length
  if (ids.length === total || isKnown) return
  watched.listableAt = clock.monotonic() + listEveryMs * 2 ** Math.min(watched.failures, maxDoublings)
  watched.failures += 1
  const list = await readIdList(tools, tenant, total)
  if (list === null) return
  watched.failures = 0
  watched.known = { total, stored: ids.length }
  await apply(state, tools, tenant, new Set(ids), list)
  if ((await data.ids({ service, tenant, connection })).length === total) watched.known = null
}

/** Stores what differs, subscribes to it, and passes it to the connections that see the same part of the tenant. */
async function apply(
  { sync, sharing }: State,
  tools: SyncTools,
  tenant: string,
  known: ReadonlySet<string>,
  { ids, isComplete, requestOrder, at }: IdList,
): Promise<void> {
  const { service, connection, data } = tools
  // Meanwhile a sync may have begun, or another connection may read the tenant.
  if (!sync.member.reads(tenant) || sync.reader.isInProgress(tenant)) return
  const added = [...ids].filter((id) => !known.has(id))
  const gone = isComplete ? [...known].filter((id) => !ids.has(id)) : []
  if (added.length + gone.length === 0) return
  sync.options.log('info', `${added.length} new and ${gone.length} removed devices in a tenant before its next sync`)
  await tools.queues.writtenBefore(requestOrder)
  if (gone.length > 0) tools.publish(await data.departed({ service, tenant, connection, ids: gone, requestOrder, at }))
  const areRead = added.length === 0 || (await readNewDevices(sync, tools, tenant, added))
  sync.devices.markStale(tenant)
  await sync.link.subscribeTo(added)
  await sharing.give(tenant, sync.member.sharedWith(tenant))
  if (areRead) return
  sync.reader.markOutdated(tenant)
  sync.requests.add('catch-up')
}
