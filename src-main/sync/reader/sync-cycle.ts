import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import { withdrawnFault } from '../health/doubts.ts'
import type { SyncTools, TenantSync } from '../tenants/tenant-sync.ts'
import {
  countTenants,
  mayBeMore,
  syncTenants,
  readTenantList,
  type NextTenant,
  type Outcome,
  type Progress,
  type Tenants,
} from '../tenants/tenant-list.ts'
import type { ConnectionSyncState } from '../state.ts'
import { tasks, type TaskKind } from './requests.ts'
import { retryKey, statesKey, tenantKey } from '../faults.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import { shareWith, takeShares } from '../assignments/sharing.ts'
import { syncPriorities } from './priorities.ts'
import { prove } from '../health/visibility.ts'
import { noteBegun, noteRead, syncForOperator } from '../polling.ts'
import { noteFailed } from '../freshness.ts'
import { pollAgain, unsubscribedTenants } from '../unsubscribed.ts'
import { subscribeKnown, reportRank } from '../events/subscribe.ts'

const listenEveryMs = 3_000

/** One reading from the list of tenants to the last page. Rejects with what concerns all tenants; then it is tried again. */
export async function runSyncCycle(sync: ConnectionSyncState, kind: TaskKind): Promise<void> {
  const { options } = sync
  const { what, lists } = tasks[kind]
  const lane: Lane = kind === 'requested' || (kind === 'full' && sync.requests.takeUrgency()) ? 'person' : 'background'
  const base = toolsOf(sync, lane)
  prove(sync)
  // What goes on again and again is no news each time.
  if (kind !== 'poll') sync.reader.begin(what)
  options.onState()
  const tenants = sync.reader.tenants()
  if (tenants === null || lists || (kind === 'catch-up' && mayBeMore(tenants))) await readTenants(sync, base)
  sync.faults.note('service', 'the service', null)
  reportRank(sync)
  await takeShares(sync)
  await subscribeKnown(sync)
  if (lane === 'person') syncForOperator(sync)
  // Whatever was subscribed to until now is covered by the full sync that begins here, if it reads all of it.
  const covered = kind === 'full' && sync.requests.drop('reconciliation')
  const { resumedFrom, unknownDevices } = await readWhat(sync, kind, base)
  if (covered && resumedFrom !== null) sync.requests.add('reconciliation')
  if ((kind === 'full' || kind === 'reconciliation') && !sync.requests.has('reconciliation')) {
    sync.requests.reconciled()
    sync.faults.note('flood', '', null)
  }
  if (unknownDevices > 0) sync.requests.add('full')
  pollAgain(sync)
  sync.faults.note('storage', 'this computer', null)
  sync.reader.end()
}

type Base = Omit<SyncTools, 'capabilities'>

/** Returns what a sync of this connection needs, in this lane. */
export function toolsOf(sync: ConnectionSyncState, lane: Lane): Base {
  const { options, stopping, doubts } = sync
  const onIds = (tenant: string, ids: string[]) => sync.devices.add(tenant, ids)
  // Said at once: the tries of a page may take minutes.
  const onRetry = (tenant: string, why: Fault | null) =>
    sync.faults.note(retryKey(tenant), sync.reader.nameOf(tenant), why)
  return { ...options, signal: stopping.signal, lane, doubts, onIds, onRetry }
}

/** What was said of tenants that are listed no longer is said again from the start on, also while the list cannot be had. */
export async function recall(sync: ConnectionSyncState): Promise<void> {
  const { data, connection } = sync.options
  const said = await data.withdrawn({ connection })
  const fault = withdrawnFault(sync.doubts.withdrawn(said, [], new Set(), false))
  sync.faults.note('withdrawn', 'the list of tenants', fault)
}

async function readTenants(sync: ConnectionSyncState, base: Base): Promise<void> {
  const before = sync.reader.tenants()
  const { fault, withdrawn, ...tenants } = await readTenantList(base, sync.options.connection, before)
  const isNews = tenants.capabilities !== before?.capabilities
  const { assigned } = sync.reader.listed(tenants)
  sync.polling.intervalMs = null
  if (isNews && tenants.capabilities.told) sync.options.onSchema(tenants.capabilities.fingerprint)
  if (isNews) sync.options.columns.onChange()
  sync.faults.note('tenants', 'the list of tenants', fault)
  sync.faults.note('withdrawn', 'the list of tenants', withdrawn)
  const known = new Set(tenants.list.map(({ id }) => id))
  sync.faults.keepTenants(known)
  sync.devices.keep(known)
  await sync.member.lists([...known])
  assigned()
}

/** What the listing of a tenant left out stands until it is listed again; a comparison says nothing of that. */
function noteOf(sync: ConnectionSyncState, tenant: string, isInventory: boolean, fault: Fault | null): void {
  const listed = isInventory ? fault : sync.faults.get(tenantKey(tenant))
  sync.faults.note(tenantKey(tenant), sync.reader.nameOf(tenant), listed)
  sync.faults.note(
    statesKey(tenant),
    sync.reader.nameOf(tenant),
    isInventory || fault?.kind === listed?.kind ? null : fault,
  )
}

async function readWhat(
  sync: ConnectionSyncState,
  kind: TaskKind,
  base: Base,
): Promise<Pick<Outcome, 'resumedFrom' | 'unknownDevices'>> {
  const tenants = sync.reader.tenants()
  if (tenants === null) return { resumedFrom: null, unknownDevices: 0 }
  const { what, counts } = tasks[kind]
  const tools = { ...base, capabilities: tenants.capabilities }
  const list = listFor(sync, kind)
  if (counts) await countTenants(tools, list)
  sync.reader.expect(expectedOf(list), list.length)
  const inOrder = what === 'changes' ? await syncPriorities(sync, list) : list
  const { failed, resumedFrom, unknownDevices } = await syncTenants(
    tools,
    lineOf(sync, kind, inOrder, base.lane),
    what,
    progressOf(sync, kind),
  )
  for (const id of failed.keys()) if (sync.member.reads(id)) sync.reader.markOutdated(id)
  noteFailed(sync, list.length, failed)
  if (what === 'inventory') await subscribeKnown(sync)
  const age = resumedFrom === null ? 0 : Math.max(0, sync.options.clock.now() - resumedFrom)
  if (kind === 'full') sync.schedule.planFull(sync.options.clock.monotonic() - age)
  if (!sync.reader.isBehind()) sync.schedule.caughtUp()
  else if (what === 'inventory' || failed.size > 0) sync.schedule.planCatchUp(lasts(sync, [...failed.values()]))
  if (kind === 'full' || kind === 'catch-up') sync.reader.noteLastSync(resumedFrom)
  return { resumedFrom, unknownDevices }
}

/**
 * Whether what stands in the way does not pass by itself. A list that fails in part is a region that is down, one that is empty
 * may be so for a moment, and either costs next to nothing to request.
 */
function lasts({ reader }: ConnectionSyncState, faults: readonly Fault[]): boolean {
  const tenants = reader.tenants()
  return (tenants === null || !mayBeMore(tenants)) && faults.every(({ kind }) => traitsOf(kind).lasts !== null)
}

/** Of the tenants that this connection reads; the others are read by somebody else (see `Assignments`). */
function listFor(sync: ConnectionSyncState, kind: TaskKind): Tenants['list'] {
  const own = sync.reader.ownTenants()
  if (kind === 'requested') return own.filter(({ id }) => sync.requests.tenants().has(id))
  if (kind === 'catch-up') return own.filter(({ id }) => sync.reader.isOutdated(id))
  // Of what was never listed there is nothing to compare: its listing, which is owed, tells how it stands.
  if (kind === 'poll') {
    const watched = unsubscribedTenants(sync)
    return own.filter(({ id }) => watched.has(id) && isListed(sync, id))
  }
  return kind === 'reconciliation' ? own.filter(({ id }) => isListed(sync, id)) : own
}

const isListed = ({ reader, devices }: ConnectionSyncState, id: string): boolean =>
  !reader.isOutdated(id) || (devices.of(id)?.size ?? 0) > 0

/** The tenants in their order, but before any of them what a person asks for meanwhile, unless it is just being read. */
function lineOf(sync: ConnectionSyncState, kind: TaskKind, list: readonly TenantSync[], lane: Lane): NextTenant {
  const rest = [...list]
  const askedNow = (): TenantSync | undefined => {
    if (tasks[kind].what === 'changes') return undefined
    const id = [...sync.requests.tenants()].find((each) => sync.member.reads(each) && !sync.reader.isInProgress(each))
    return sync.reader.tenants()?.list.find((tenant) => tenant.id === id)
  }
  return () => {
    const asked = askedNow()
    const tenant = asked ?? rest.shift()
    if (tenant === undefined) return null
    if (asked !== undefined && rest.includes(asked)) rest.splice(rest.indexOf(asked), 1)
    if (tasks[kind].what === 'inventory') sync.requests.begun(tenant.id)
    return { tenant, lane: asked === undefined ? lane : 'person' }
  }
}

function expectedOf(tenants: Tenants['list']): number | null {
  const known = tenants.map((tenant) => tenant.expected)
  return known.includes(null) ? null : known.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

/** What a page brought is listened to before the last page: with few points a sync takes minutes. */
function listenSoon(sync: ConnectionSyncState): void {
  if (sync.isSubscribePlanned || !sync.reader.isReadingInventory()) return
  sync.isSubscribePlanned = true
  sync.options.clock.after(listenEveryMs, () => {
    sync.isSubscribePlanned = false
    subscribeKnown(sync).catch(() => sync.options.log('warn', 'new devices are listened to later'))
  })
}

function progressOf(sync: ConnectionSyncState, kind: TaskKind): Progress {
  const { member, options } = sync
  const isInventory = tasks[kind].what === 'inventory'
  return {
    onBegin(tenant) {
      noteBegun(sync, tenant)
      if (!isInventory) return
      sync.reader.tenantBegun(tenant)
      member.begun(tenant)
    },
    onRead(read) {
      sync.reader.advance({ read })
      listenSoon(sync)
    },
    async onTenant(tenant, fault, outcome, resumedFrom) {
      sync.reader.advance({ tenantsDone: 1 })
      noteOf(sync, tenant, isInventory, fault)
      if (outcome !== 'failed') noteRead(sync, tenant)
      if (!isInventory) return
      sync.reader.tenantEnded(tenant, outcome)
      sync.requests.ended(tenant)
      await shareWith(sync, tenant, member.ended(tenant, outcome, resumedFrom ?? options.clock.now()))
    },
  }
}
