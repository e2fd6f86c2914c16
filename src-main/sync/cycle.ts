import type { Fault } from '../../src-shared/fault.ts'
import { retryDelay } from '../live/backoff.ts'
import { countAll, readAll, readEstate, type Outcome, type Progress, type Tenants } from './reading.ts'
import { note, want, type Kind, type Running } from './running.ts'
import { listen } from './watch.ts'

/** The stream carries no new, moved or deleted devices, so everything is read anew this often (design, section 5). */
const fullEveryMs = 30 * 60_000

/** Faults that do not pass by themselves: trying again soon would only burn points. */
const lasting: ReadonlySet<string> = new Set(['forbidden', 'query', 'paging', 'partial', 'cost-limit', 'not-found', 'not-graphql'])
const catchUpCapMs = 5 * 60_000
const listenEveryMs = 3_000

/** One reading from the list of tenants to the last page. Rejects with what concerns all tenants; then it is tried again. */
export async function cycle(estate: Running, kind: Kind): Promise<void> {
  const { options, stopping } = estate
  const base = { ...options, prices: options.pacer.prices, signal: stopping.signal }
  const what = kind === 'states' ? 'changes' : 'inventory'
  estate.sync = { state: 'reading', what, read: 0, expected: null, tenantsDone: 0, tenants: estate.tenants?.list.length ?? 0 }
  options.onState()
  if (estate.tenants === null || kind === 'full') await readTenants(estate, base)
  note(estate, 'service', 'the service', null)
  await listen(estate)
  // Whatever was subscribed to until now is covered by the full reading that begins here, if it reads all of it.
  const covered = kind === 'full' && estate.wanted.delete('states')
  const { resumed, strangers } = await readWhat(estate, kind, base)
  if (covered && resumed) want(estate, 'states')
  if (strangers > 0) want(estate, 'full')
  estate.failures = 0
  note(estate, 'storage', 'this computer', null)
  estate.sync = { state: 'idle' }
}

type Base = Parameters<typeof readEstate>[0]

async function readTenants(estate: Running, base: Base): Promise<void> {
  const { fault, ...tenants } = await readEstate(base, estate.options.connection, estate.tenants)
  estate.tenants = tenants
  note(estate, 'tenants', 'the list of tenants', fault)
  const known = new Set(tenants.list.map(({ id }) => id))
  for (const key of estate.faults.keys()) {
    if (key.startsWith(tenantKey('')) && !known.has(key.slice(tenantKey('').length))) note(estate, key, '', null)
  }
  for (const id of estate.behind) if (!known.has(id)) estate.behind.delete(id)
}

const tenantKey = (id: string): string => `tenant ${id}`

async function readWhat(estate: Running, kind: Kind, base: Base): Promise<Pick<Outcome, 'resumed' | 'strangers'>> {
  if (estate.tenants === null) return { resumed: false, strangers: 0 }
  const { capabilities, list: all } = estate.tenants
  const tools = { ...base, capabilities }
  const list = kind === 'behind' ? all.filter(({ id }) => estate.behind.has(id)) : all
  if (kind !== 'states') await countAll(tools, list)
  if (estate.sync.state === 'reading') estate.sync = { ...estate.sync, expected: expectedOf(list), tenants: list.length }
  const { failed, resumed, strangers } = await readAll(tools, list, kind === 'states' ? 'states' : 'full', progressOf(estate))
  // A tenant that is behind catches up by a full reading alone: its states are not the whole of it.
  if (kind !== 'states') for (const { id } of list) estate.behind.delete(id)
  for (const id of failed.keys()) estate.behind.add(id)
  if (kind !== 'states') await listen(estate)
  if (kind === 'full') readAgainInTime(estate)
  if (estate.behind.size === 0) estate.catchUps = 0
  else if (kind !== 'states' || failed.size > 0) catchUpLater(estate, [...failed.values()])
  if (kind !== 'states' && estate.behind.size === 0) estate.lastReadingAt = estate.options.clock.now()
  return { resumed, strangers }
}

function expectedOf(tenants: Tenants['list']): number | null {
  const known = tenants.map((tenant) => tenant.expected)
  return known.includes(null) ? null : known.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

function readAgainInTime(estate: Running): void {
  estate.cancelFull()
  estate.cancelFull = estate.options.clock.after(fullEveryMs, () => want(estate, 'full'))
}

/** What a page brought is listened to before the last page: with few points a reading takes minutes. */
function listenSoon(estate: Running): void {
  if (estate.listenSoon || estate.sync.state !== 'reading' || estate.sync.what === 'changes') return
  estate.listenSoon = true
  estate.options.clock.after(listenEveryMs, () => {
    estate.listenSoon = false
    listen(estate).catch(() => estate.options.log('warn', 'new devices are listened to later'))
  })
}

/** Those that are behind are read again, sooner where the reason may have passed by then. */
function catchUpLater(estate: Running, faults: readonly Fault[]): void {
  const { clock, random } = estate.options
  estate.catchUps += 1
  const cap = faults.every(({ kind }) => lasting.has(kind)) ? fullEveryMs : catchUpCapMs
  const attempt = estate.catchUps + (cap === fullEveryMs ? 7 : 3)
  estate.cancelCatchUp()
  estate.cancelCatchUp = clock.after(retryDelay(attempt, random(), cap), () => want(estate, 'behind'))
}

function progressOf(estate: Running): Progress {
  const change = (by: { read?: number; tenantsDone?: number }) => {
    if (estate.sync.state !== 'reading') return
    estate.sync = { ...estate.sync, read: estate.sync.read + (by.read ?? 0), tenantsDone: estate.sync.tenantsDone + (by.tenantsDone ?? 0) }
    estate.options.onState()
  }
  return {
    onRead: (read) => {
      change({ read })
      listenSoon(estate)
    },
    onTenant: (tenant, fault) => {
      change({ tenantsDone: 1 })
      const name = estate.tenants?.list.find((known) => known.id === tenant)?.name ?? tenant
      // The states of a tenant that is behind do not make it whole.
      if (fault !== null || !estate.behind.has(tenant) || estate.sync.state !== 'reading' || estate.sync.what === 'inventory') note(estate, tenantKey(tenant), name, fault)
    },
  }
}
