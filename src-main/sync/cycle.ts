import { retryDelay } from '../live/backoff.ts'
import { countAll, readAll, readEstate, type Progress, type Tenants } from './reading.ts'
import { note, refusedCapMs, want, type Kind, type Running } from './running.ts'
import { listen } from './watch.ts'

/** The stream carries no new, moved or deleted devices, so everything is read anew this often (design, section 5). */
const fullEveryMs = 30 * 60_000

/** One reading from the list of tenants to the last page. Rejects with what concerns all tenants; then it is tried again. */
export async function cycle(estate: Running, kind: Kind): Promise<void> {
  const { options, stopping } = estate
  const base = { ...options, prices: options.pacer.prices, signal: stopping.signal }
  const what = kind === 'states' ? 'changes' : 'inventory'
  estate.sync = { state: 'reading', what, read: 0, expected: null, tenantsDone: 0, tenants: estate.tenants?.list.length ?? 0 }
  options.onState()
  if (estate.tenants === null || kind === 'full') await readTenants(estate, base)
  estate.failures = 0
  note(estate, 'service', 'the service', null)
  await listen(estate)
  // Whatever was subscribed to until now is covered by the reading that begins here.
  if (estate.wanted === 'states' && kind === 'full') estate.wanted = null
  await readWhat(estate, kind, base)
  note(estate, 'storage', 'this computer', null)
  estate.sync = { state: 'idle' }
}

type Base = Parameters<typeof readEstate>[0]

async function readTenants(estate: Running, base: Base): Promise<void> {
  estate.tenants = await readEstate(base, estate.options.connection, estate.tenants)
  const known = new Set(estate.tenants.list.map(({ id }) => id))
  for (const key of estate.faults.keys()) {
    const [kind, tenant] = key.split(' ')
    if (tenant !== undefined && !known.has(tenant)) note(estate, `${kind} ${tenant}`, '', null)
  }
}

async function readWhat(estate: Running, kind: Kind, base: Base): Promise<void> {
  if (estate.tenants === null) return
  const { capabilities, list: all } = estate.tenants
  const tools = { ...base, capabilities }
  const list = kind === 'behind' ? all.filter(({ id }) => estate.behind.has(id)) : all
  const progress = progressOf(estate, kind === 'states' ? 'states' : 'full')
  if (kind !== 'states') await countAll(tools, list, progress)
  if (estate.sync.state === 'reading') estate.sync = { ...estate.sync, expected: expectedOf(list), tenants: list.length }
  const failed = await readAll(tools, list, kind === 'states' ? 'states' : 'full', progress)
  if (kind === 'states') return
  estate.behind = new Set(failed)
  await listen(estate)
  completed(estate, failed.length === 0)
}

function expectedOf(tenants: Tenants['list']): number | null {
  const known = tenants.map((tenant) => tenant.expected)
  return known.includes(null) ? null : known.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

/** The next reading: of everything in its time, or sooner of those tenants that are behind. */
function completed(estate: Running, whole: boolean): void {
  const { clock, random } = estate.options
  estate.cancelFull()
  if (whole) {
    estate.lastReadingAt = clock.now()
    estate.catchUps = 0
    estate.cancelFull = clock.after(fullEveryMs, () => want(estate, 'full'))
  } else {
    estate.catchUps += 1
    estate.cancelFull = clock.after(retryDelay(estate.catchUps + 3, random(), refusedCapMs), () => want(estate, 'behind'))
  }
}

function progressOf(estate: Running, kind: 'full' | 'states'): Progress {
  const change = (by: { read?: number; tenantsDone?: number }) => {
    if (estate.sync.state !== 'reading') return
    estate.sync = { ...estate.sync, read: estate.sync.read + (by.read ?? 0), tenantsDone: estate.sync.tenantsDone + (by.tenantsDone ?? 0) }
    estate.options.onState()
  }
  return {
    onRead: (read) => change({ read }),
    onTenantDone: () => change({ tenantsDone: 1 }),
    onTenant: (tenant, fault) => {
      const name = estate.tenants?.list.find((known) => known.id === tenant)?.name ?? tenant
      note(estate, `${kind} ${tenant}`, name, fault)
    },
  }
}
