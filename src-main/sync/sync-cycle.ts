import type { Fault } from '../../src-shared/model/fault.ts'
import type { Lane } from '../../src-shared/model/gauge.ts'
import { withdrawnFault } from './health/doubts.ts'
import type { SyncTools, TenantSync } from './tenants/tenant-sync.ts'
import {
  countTenants,
  mayBeMore,
  syncTenants,
  readTenantList,
  type NextTenant,
  type Outcome,
  type Progress,
  type Tenants,
} from './tenants/tenant-list.ts'
import {
  noteFault,
  retryKey,
  statesKey,
  tasks,
  tenantKey,
  requestSync,
  type TaskKind,
  type ConnectionSyncState,
} from './state.ts'
import { catchUpLater, readAgainInTime, readUpToNow } from './schedule.ts'
import { shareWith, takeShares } from './assignments/sharing.ts'
import { syncPriorities } from './priorities.ts'
import { prove } from './health/visibility.ts'
import { noteBegun, noteRead, syncForOperator } from './polling.ts'
import { noteFailed } from './freshness.ts'
import { pollAgain, unsubscribedTenants } from './unsubscribed.ts'
import { forgetIds, idsCame, subscribeKnown, reportRank } from './events/subscribe.ts'

const listenEveryMs = 3_000

/** One reading from the list of tenants to the last page. Rejects with what concerns all tenants; then it is tried again. */
export async function runSyncCycle(estate: ConnectionSyncState, kind: TaskKind): Promise<void> {
  const { options } = estate
  const { what, lists } = tasks[kind]
  const lane: Lane = kind === 'asked' || (kind === 'full' && estate.urgent) ? 'person' : 'background'
  if (kind === 'full') estate.urgent = false
  const base = toolsOf(estate, lane)
  prove(estate)
  // What goes on again and again is no news each time.
  if (kind !== 'watched')
    estate.sync = {
      state: 'syncing',
      what,
      read: 0,
      expected: null,
      tenantsDone: 0,
      tenants: estate.tenants?.list.length ?? 0,
    }
  options.onState()
  const { tenants } = estate
  if (tenants === null || lists || (kind === 'behind' && mayBeMore(tenants))) await readTenants(estate, base)
  noteFault(estate, 'service', 'the service', null)
  reportRank(estate)
  await takeShares(estate)
  await subscribeKnown(estate)
  if (lane === 'person') syncForOperator(estate)
  // Whatever was subscribed to until now is covered by the full reading that begins here, if it reads all of it.
  const covered = kind === 'full' && estate.wanted.delete('states')
  const { resumedFrom, strangers } = await readWhat(estate, kind, base)
  if (covered && resumedFrom !== null) requestSync(estate, 'states')
  if ((kind === 'full' || kind === 'states') && !estate.wanted.has('states')) {
    estate.owedSince = null
    noteFault(estate, 'flood', '', null)
  }
  if (strangers > 0) requestSync(estate, 'full')
  pollAgain(estate)
  estate.failures = 0
  noteFault(estate, 'storage', 'this computer', null)
  estate.sync = { state: 'idle' }
}

type Base = Omit<SyncTools, 'capabilities'>

/** What a reading of this estate needs, in this lane. */
export function toolsOf(estate: ConnectionSyncState, lane: Lane): Base {
  const { options, stopping, doubts } = estate
  const onIds = (tenant: string, ids: string[]) => idsCame(estate, tenant, ids)
  // Said at once: the tries of a page may take minutes.
  const onRetry = (tenant: string, why: Fault | null) =>
    noteFault(estate, retryKey(tenant), nameOf(estate, tenant), why)
  return { ...options, signal: stopping.signal, lane, doubts, onIds, onRetry }
}

/** What was said of tenants that are listed no longer is said again from the start on, also while the list cannot be had. */
export async function recall(estate: ConnectionSyncState): Promise<void> {
  const { data, connection } = estate.options
  const said = await data.withdrawn({ connection })
  const fault = withdrawnFault(estate.doubts.withdrawn(said, [], new Set(), false))
  noteFault(estate, 'withdrawn', 'the list of tenants', fault)
}

async function readTenants(estate: ConnectionSyncState, base: Base): Promise<void> {
  const { fault, withdrawn, ...tenants } = await readTenantList(base, estate.options.connection, estate.tenants)
  const isNews = tenants.capabilities !== estate.tenants?.capabilities
  const late = lateIn(estate, tenants.list)
  estate.tenants = tenants
  estate.standIn.paceMs = null
  if (isNews && tenants.capabilities.told) estate.options.onSchema(tenants.capabilities.fingerprint)
  if (isNews) estate.options.columns.onChange()
  noteFault(estate, 'tenants', 'the list of tenants', fault)
  noteFault(estate, 'withdrawn', 'the list of tenants', withdrawn)
  const known = new Set(tenants.list.map(({ id }) => id))
  for (const key of estate.faults.keys()) {
    const of = [tenantKey(''), statesKey('')].find((prefix) => key.startsWith(prefix))
    if (of !== undefined && !known.has(key.slice(of.length))) noteFault(estate, key, '', null)
  }
  forgetIds(estate, known)
  for (const id of estate.behind) if (!known.has(id)) estate.behind.delete(id)
  await estate.member.lists([...known])
  for (const id of late) if (estate.member.reads(id)) estate.behind.add(id)
}

/** What the list did not name while it failed in part, and names now, is read with what is behind: that may be all that is read. */
function lateIn({ tenants }: ConnectionSyncState, list: Tenants['list']): string[] {
  if (tenants === null || !mayBeMore(tenants)) return []
  const known = new Set(tenants.list.map(({ id }) => id))
  return list.flatMap(({ id }) => (known.has(id) ? [] : id))
}

/** What the listing of a tenant left out stands until it is listed again; a comparison says nothing of that. */
function noteOf(estate: ConnectionSyncState, tenant: string, isInventory: boolean, fault: Fault | null): void {
  const listed = isInventory ? fault : (estate.faults.get(tenantKey(tenant))?.fault ?? null)
  noteFault(estate, tenantKey(tenant), nameOf(estate, tenant), listed)
  noteFault(
    estate,
    statesKey(tenant),
    nameOf(estate, tenant),
    isInventory || fault?.kind === listed?.kind ? null : fault,
  )
}

async function readWhat(
  estate: ConnectionSyncState,
  kind: TaskKind,
  base: Base,
): Promise<Pick<Outcome, 'resumedFrom' | 'strangers'>> {
  if (estate.tenants === null) return { resumedFrom: null, strangers: 0 }
  const { capabilities, list: all } = estate.tenants
  const { what, counts } = tasks[kind]
  const tools = { ...base, capabilities }
  const list = listFor(estate, kind, all)
  if (counts) await countTenants(tools, list)
  if (estate.sync.state === 'syncing')
    estate.sync = { ...estate.sync, expected: expectedOf(list), tenants: list.length }
  const inOrder = what === 'changes' ? await syncPriorities(estate, list) : list
  const { failed, resumedFrom, strangers } = await syncTenants(
    tools,
    lineOf(estate, kind, inOrder, base.lane),
    what,
    progressOf(estate, kind),
  )
  for (const id of failed.keys()) if (estate.member.reads(id)) estate.behind.add(id)
  noteFailed(estate, list.length, failed)
  if (what === 'inventory') await subscribeKnown(estate)
  const age = resumedFrom === null ? 0 : Math.max(0, estate.options.clock.now() - resumedFrom)
  if (kind === 'full') readAgainInTime(estate, estate.options.clock.monotonic() - age)
  if (estate.behind.size === 0 && !mayBeMore(estate.tenants)) estate.catchUps = 0
  else if (what === 'inventory' || failed.size > 0) catchUpLater(estate, [...failed.values()])
  if (kind === 'full' || kind === 'behind') readUpToNow(estate, resumedFrom)
  return { resumedFrom, strangers }
}

/** Of the tenants that this connection reads; the others are read by somebody else (see `Readers`). */
function listFor(estate: ConnectionSyncState, kind: TaskKind, all: Tenants['list']): Tenants['list'] {
  const own = all.filter(({ id }) => estate.member.reads(id))
  if (kind === 'asked') return own.filter(({ id }) => estate.asked.has(id))
  if (kind === 'behind') return own.filter(({ id }) => estate.behind.has(id))
  // Of what was never listed there is nothing to compare: its listing, which is owed, tells how it stands.
  if (kind === 'watched') {
    const watched = unsubscribedTenants(estate)
    return own.filter(({ id }) => watched.has(id) && isListed(estate, id))
  }
  return kind === 'states' ? own.filter(({ id }) => isListed(estate, id)) : own
}

const isListed = ({ behind, ids }: ConnectionSyncState, id: string): boolean =>
  !behind.has(id) || (ids.get(id)?.size ?? 0) > 0

/** The tenants in their order, but before any of them what a person asks for meanwhile, unless it is just being read. */
function lineOf(estate: ConnectionSyncState, kind: TaskKind, list: readonly TenantSync[], lane: Lane): NextTenant {
  const rest = [...list]
  const askedNow = (): TenantSync | undefined => {
    if (tasks[kind].what === 'changes') return undefined
    const id = [...estate.asked].find((each) => estate.member.reads(each) && !estate.inProgress.has(each))
    return estate.tenants?.list.find((tenant) => tenant.id === id)
  }
  return () => {
    const asked = askedNow()
    const tenant = asked ?? rest.shift()
    if (tenant === undefined) return null
    if (asked !== undefined && rest.includes(asked)) rest.splice(rest.indexOf(asked), 1)
    if (tasks[kind].what === 'inventory' && estate.asked.delete(tenant.id)) estate.asking.add(tenant.id)
    return { tenant, lane: asked === undefined ? lane : 'person' }
  }
}

function expectedOf(tenants: Tenants['list']): number | null {
  const known = tenants.map((tenant) => tenant.expected)
  return known.includes(null) ? null : known.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

/** What a page brought is listened to before the last page: with few points a reading takes minutes. */
function listenSoon(estate: ConnectionSyncState): void {
  if (estate.listenSoon || estate.sync.state !== 'syncing' || estate.sync.what === 'changes') return
  estate.listenSoon = true
  estate.options.clock.after(listenEveryMs, () => {
    estate.listenSoon = false
    subscribeKnown(estate).catch(() => estate.options.log('warn', 'new devices are listened to later'))
  })
}

function progressOf(estate: ConnectionSyncState, kind: TaskKind): Progress {
  const { member, options } = estate
  const isInventory = tasks[kind].what === 'inventory'
  const change = (by: { read?: number; tenantsDone?: number }) => {
    if (estate.sync.state !== 'syncing') return
    estate.sync = {
      ...estate.sync,
      read: estate.sync.read + (by.read ?? 0),
      tenantsDone: estate.sync.tenantsDone + (by.tenantsDone ?? 0),
    }
    options.onState()
  }
  return {
    onBegin(tenant) {
      noteBegun(estate, tenant)
      if (!isInventory) return
      estate.inProgress.add(tenant)
      member.begun(tenant)
    },
    onRead(read) {
      change({ read })
      listenSoon(estate)
    },
    async onTenant(tenant, fault, outcome, resumedFrom) {
      change({ tenantsDone: 1 })
      noteOf(estate, tenant, isInventory, fault)
      if (outcome !== 'failed') noteRead(estate, tenant)
      if (!isInventory) return
      estate.inProgress.delete(tenant)
      estate.asking.delete(tenant)
      if (outcome !== 'failed') estate.behind.delete(tenant)
      await shareWith(estate, tenant, member.ended(tenant, outcome, resumedFrom ?? options.clock.now()))
    },
  }
}

const nameOf = ({ tenants }: ConnectionSyncState, id: string): string =>
  tenants?.list.find((known) => known.id === id)?.name ?? id
