import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import { withdrawnFault } from '../health/doubts.ts'
import type { TenantSync } from '../tenants/tenant-sync.ts'
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
import { toolsOf, type SyncContext } from '../context.ts'
import { tasks, type TaskKind } from './requests.ts'
import { statesKey, tenantKey } from '../faults.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Sharing } from '../assignments/sharing.ts'

/**
 * Runs one sync from the list of tenants to the last page. Rejects with a fault that concerns all tenants; then it is
 * repeated.
 */
export async function runSyncCycle(sync: SyncContext, sharing: Sharing, kind: TaskKind): Promise<void> {
  const { options } = sync
  const { what, lists } = tasks[kind]
  const lane: Lane = kind === 'requested' || (kind === 'full' && sync.requests.takeUrgency()) ? 'person' : 'background'
  const base = toolsOf(sync, lane)
  sync.visibility.prove()
  // Repeated polls are not shown as progress.
  if (kind !== 'poll') sync.reader.begin(what)
  options.onState()
  const tenants = sync.reader.tenants()
  if (tenants === null || lists || (kind === 'catch-up' && mayBeMore(tenants))) await readTenants(sync, base)
  sync.faults.note('service', 'the service', null)
  sync.link.reportRank()
  await sharing.take()
  await sync.link.subscribe()
  if (lane === 'person') sync.link.pollForOperator()
  // The full sync that begins here covers all subscriptions until now, if it is complete.
  const covered = kind === 'full' && sync.requests.drop('reconciliation')
  const { resumedFrom, unknownDevices } = await runTask(sync, sharing, kind, base)
  if (covered && resumedFrom !== null) sync.requests.add('reconciliation')
  if ((kind === 'full' || kind === 'reconciliation') && !sync.requests.has('reconciliation')) {
    sync.requests.reconciled()
    sync.faults.note('flood', '', null)
  }
  if (unknownDevices > 0) sync.requests.add('full')
  sync.freshness.pollAgain()
  sync.faults.note('storage', 'this computer', null)
  sync.reader.end()
}

type Base = ReturnType<typeof toolsOf>

/** Loads the fault of withdrawn tenants, so that it is shown from the start, even while the list is unavailable. */
export async function recall(sync: SyncContext): Promise<void> {
  const { data, connection } = sync.options
  const reported = await data.withdrawn({ connection })
  const fault = withdrawnFault(sync.doubts.withdrawn(reported, [], new Set(), false))
  sync.faults.note('withdrawn', 'the list of tenants', fault)
}

async function readTenants(sync: SyncContext, base: Base): Promise<void> {
  const before = sync.reader.tenants()
  const { fault, withdrawn, ...tenants } = await readTenantList(base, sync.options.connection, before)
  const isChanged = tenants.capabilities !== before?.capabilities
  const { assigned } = sync.reader.listed(tenants)
  sync.freshness.forgetInterval()
  if (isChanged && tenants.capabilities.described) sync.options.onSchema(tenants.capabilities.fingerprint)
  if (isChanged) sync.options.columns.onChange()
  sync.faults.note('tenants', 'the list of tenants', fault)
  sync.faults.note('withdrawn', 'the list of tenants', withdrawn)
  const known = new Set(tenants.list.map(({ id }) => id))
  sync.faults.retainTenants(known)
  sync.devices.retain(known)
  await sync.member.lists([...known])
  assigned()
}

/**
 * Records the fault of a tenant. That of its listing stays until it is listed again; a comparison does not change it.
 */
function noteTenantFault(sync: SyncContext, tenant: string, isInventory: boolean, fault: Fault | null): void {
  const listed = isInventory ? fault : sync.faults.get(tenantKey(tenant))
  sync.faults.note(tenantKey(tenant), sync.reader.nameOf(tenant), listed)
  sync.faults.note(
    statesKey(tenant),
    sync.reader.nameOf(tenant),
    isInventory || fault?.kind === listed?.kind ? null : fault,
  )
}

async function runTask(
  sync: SyncContext,
  sharing: Sharing,
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
  const ordered = what === 'changes' ? await sync.priorities.order(list) : list
  const { failed, resumedFrom, unknownDevices } = await syncTenants(
    tools,
    queueOf(sync, kind, ordered, base.lane),
    what,
    progressOf(sync, sharing, kind),
  )
  for (const id of failed.keys()) if (sync.member.reads(id)) sync.reader.markOutdated(id)
  sync.link.pollFailed(list.length, failed)
  if (what === 'inventory') await sync.link.subscribe()
  const age = resumedFrom === null ? 0 : Math.max(0, sync.options.clock.now() - resumedFrom)
  if (kind === 'full') sync.schedule.planFull(sync.options.clock.monotonic() - age)
  if (!sync.reader.isBehind()) sync.schedule.caughtUp()
  else if (what === 'inventory' || failed.size > 0) sync.schedule.planCatchUp(areLasting(sync, [...failed.values()]))
  if (kind === 'full' || kind === 'catch-up') sync.reader.noteLastSync(resumedFrom)
  return { resumedFrom, unknownDevices }
}

/**
 * Returns whether the faults are lasting. A partly failed list is an unavailable region, an empty one may be temporary,
 * and both cost next to nothing to request.
 */
function areLasting({ reader }: SyncContext, faults: readonly Fault[]): boolean {
  const tenants = reader.tenants()
  return (tenants === null || !mayBeMore(tenants)) && faults.every(({ kind }) => traitsOf(kind).lasts !== null)
}

/** Returns the tenants that a sync of this kind reads, of those that this connection reads (see `Assignments`). */
function listFor(sync: SyncContext, kind: TaskKind): Tenants['list'] {
  const own = sync.reader.ownTenants()
  if (kind === 'requested') return own.filter(({ id }) => sync.requests.tenants().has(id))
  if (kind === 'catch-up') return own.filter(({ id }) => sync.reader.isOutdated(id))
  // A tenant without a complete listing has nothing to compare; its pending listing brings the status.
  if (kind === 'poll') {
    const polled = sync.unsubscribed.tenants()
    return own.filter(({ id }) => polled.has(id) && isListed(sync, id))
  }
  return kind === 'reconciliation' ? own.filter(({ id }) => isListed(sync, id)) : own
}

const isListed = ({ reader, devices }: SyncContext, id: string): boolean =>
  !reader.isOutdated(id) || (devices.of(id)?.size ?? 0) > 0

/** Returns the tenants in their order, after those that the operator requests meanwhile, unless they are being read. */
function queueOf(sync: SyncContext, kind: TaskKind, list: readonly TenantSync[], lane: Lane): NextTenant {
  const rest = [...list]
  const requestedNow = (): TenantSync | undefined => {
    if (tasks[kind].what === 'changes') return undefined
    const id = [...sync.requests.tenants()].find((each) => sync.member.reads(each) && !sync.reader.isInProgress(each))
    return sync.reader.tenants()?.list.find((tenant) => tenant.id === id)
  }
  return () => {
    const requested = requestedNow()
    const tenant = requested ?? rest.shift()
    if (tenant === undefined) return null
    if (requested !== undefined && rest.includes(requested)) rest.splice(rest.indexOf(requested), 1)
    if (tasks[kind].what === 'inventory') sync.requests.begun(tenant.id)
    return { tenant, lane: requested === undefined ? lane : 'person' }
  }
}

function expectedOf(tenants: Tenants['list']): number | null {
  const known = tenants.map((tenant) => tenant.expected)
  return known.includes(null) ? null : known.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

function progressOf(sync: SyncContext, sharing: Sharing, kind: TaskKind): Progress {
  const { member, options } = sync
  const isInventory = tasks[kind].what === 'inventory'
  return {
    onBegin(tenant) {
      sync.freshness.begun(tenant)
      if (!isInventory) return
      sync.reader.tenantBegun(tenant)
      member.begun(tenant)
    },
    onRead(read) {
      sync.reader.advance({ read })
      if (sync.reader.isReadingInventory()) sync.link.subscribeSoon()
    },
    async onTenant(tenant, fault, outcome, resumedFrom) {
      sync.reader.advance({ tenantsDone: 1 })
      noteTenantFault(sync, tenant, isInventory, fault)
      if (outcome !== 'failed') sync.freshness.read(tenant)
      if (!isInventory) return
      sync.reader.tenantEnded(tenant, outcome)
      sync.requests.ended(tenant)
      await sharing.give(tenant, member.ended(tenant, outcome, resumedFrom ?? options.clock.now()))
    },
  }
}
