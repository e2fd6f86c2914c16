import type { Clock } from '../../src-shared/clock.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/fault.ts'
import type { ConnectionState, LinkState, SyncState } from '../../src-shared/model.ts'
import type { Api } from '../api/client.ts'
import { readEvent } from '../api/decode.ts'
import type { Pacer } from '../api/pacer.ts'
import type { Change, Data } from '../data/protocol.ts'
import { retryDelay } from '../live/backoff.ts'
import type { Live, LiveOptions } from '../live/socket.ts'
import type { Log } from '../ports.ts'
import { startEventQueue, type EventQueue } from './events.ts'
import { countAll, readAll, readEstate, type Progress, type Tenants } from './reading.ts'

/** The stream carries no new, moved or deleted devices, so everything is read anew this often (design, section 5). */
const fullEveryMs = 30 * 60_000
/** Refused credentials are tried this slowly at the most. */
const refusedCapMs = 5 * 60_000
/** The first reading waits this long for the link, so that it need not be compared again; a dead one does not hold it up. */
const firstLinkMs = 3_000

export interface EstateOptions {
  /** Id of the connection. */
  connection: string
  /** Identity of the service: the same for all connections that reach it (invariant 9). */
  service: string
  api: Api
  pacer: Pacer
  data: Data
  clock: Clock
  random: () => number
  log: Log
  order: () => number
  /** Opens the live connection with these ears. */
  openLive: (ears: Pick<LiveOptions, 'onState' | 'onEvent' | 'onSubscribed'>) => Live
  lastReadingAt: number | null
  publish: (change: Change) => void
  /** Something that `state` tells has changed. */
  onState: () => void
}

/** What one connection sees, kept true: readings, the live stream, and what stands in the way. */
export interface Estate {
  state(): Pick<ConnectionState, 'link' | 'sync' | 'lastEventAt' | 'lastReadingAt' | 'faults'>
  /** Reads everything anew. */
  read(): void
  /** Tries at once what waits for its time. */
  retry(): void
  stop(): Promise<void>
}

/** `behind`: a full reading of those tenants alone that the last one could not read. */
type Kind = 'full' | 'states' | 'behind'

const urgency: readonly Kind[] = ['behind', 'states', 'full']

interface Running {
  options: EstateOptions
  stopping: AbortController
  live: Live | null
  queue: EventQueue
  tenants: Tenants | null
  wanted: Kind | null
  /** Ends the wait for something to do. */
  wake: () => void
  cancelFull: () => void
  /** Tenants that the last full reading could not read. */
  behind: ReadonlySet<string>
  faults: Map<string, { where: string; fault: Fault; at: number }>
  sync: Exclude<SyncState, { state: 'holding' }>
  lastEventAt: number | null
  lastReadingAt: number | null
  /** When the next try comes, while the service cannot be read at all. */
  retryAt: number | null
  failures: number
  /** Readings of `behind` in a row that did not catch up. */
  catchUps: number
  /** Since when readings alone show the devices; null while they do not. */
  readableSince: number | null
}

export function startEstate(options: EstateOptions): Estate {
  const estate: Running = {
    options, stopping: new AbortController(), live: null, tenants: null, wanted: 'full', wake: () => {}, cancelFull: () => {},
    faults: new Map(), sync: { state: 'idle' }, lastEventAt: null, lastReadingAt: options.lastReadingAt,
    behind: new Set(), retryAt: null, failures: 0, catchUps: 0, readableSince: null,
    queue: startEventQueue({
      clock: options.clock,
      commit: (events) => options.data.events({ service: options.service, events }),
      publish: options.publish,
      onFault: (fault) => note(estate, 'storage', 'this computer', fault),
    }),
  }
  const working = work(estate)
  return {
    state: () => stateOf(estate),
    read: () => want(estate, 'full'),
    retry() {
      estate.live?.retry()
      want(estate, 'full')
    },
    async stop() {
      estate.stopping.abort(new FaultError('stopped'))
      estate.cancelFull()
      estate.live?.stop()
      estate.queue.stop()
      estate.wake()
      await working
    },
  }
}

function stateOf(estate: Running): ReturnType<Estate['state']> {
  const until = estate.options.pacer.holdsUntil()
  const { sync, lastEventAt, lastReadingAt } = estate
  const holding = sync.state === 'reading' && until !== null
  return {
    link: estate.live?.state() ?? linkBefore(estate),
    sync: holding ? { state: 'holding', what: sync.what, read: sync.read, expected: sync.expected, until } : sync,
    lastEventAt,
    lastReadingAt,
    faults: [...estate.faults.values()],
  }
}

/** The link before it was ever opened: the tenants come first, and they may not be had. */
function linkBefore(estate: Running): LinkState {
  const { retryAt, failures } = estate
  return retryAt === null ? { state: 'connecting', attempt: failures } : { state: 'waiting', attempt: failures, retryAt }
}

function want(estate: Running, kind: Kind): void {
  if (estate.wanted === null || urgency.indexOf(kind) > urgency.indexOf(estate.wanted)) estate.wanted = kind
  estate.wake()
}

function note(estate: Running, key: string, where: string, fault: Fault | null): void {
  const before = estate.faults.get(key)
  if (fault === null ? before === undefined : before?.fault.kind === fault.kind && before.fault.detail === fault.detail) return
  if (fault === null) estate.faults.delete(key)
  else estate.faults.set(key, { where, fault, at: estate.options.clock.now() })
  estate.options.onState()
}

/** Does what is wanted, one thing after the other, for as long as the estate runs. */
async function work(estate: Running): Promise<void> {
  const { signal } = estate.stopping
  while (!signal.aborted) {
    const kind = estate.wanted
    estate.wanted = null
    try {
      if (kind === null) await idle(estate)
      else await cycle(estate, kind)
    } catch (error) {
      if (signal.aborted) return
      await failed(estate, kind ?? 'full', error)
    }
  }
}

/** Says what failed and waits for its time, or for somebody who wants it now. */
async function failed(estate: Running, kind: Kind, error: unknown): Promise<void> {
  const { clock, random, log } = estate.options
  const fault = toFault(error)
  log('warn', `reading failed (${fault.kind})`)
  estate.wanted = kind
  estate.sync = { state: 'idle' }
  estate.failures += 1
  estate.readableSince = null
  const delay = pause(error, estate.failures, random())
  estate.retryAt = clock.now() + delay
  if (fault.kind === 'storage') note(estate, 'storage', 'this computer', fault)
  else note(estate, 'service', 'the service', fault)
  if (estate.live?.state().state === 'readings-only') await sight(estate)
  estate.options.onState()
  await new Promise<void>((resolve) => {
    const cancel = clock.after(delay, resolve)
    estate.wake = () => {
      cancel()
      resolve()
    }
  })
  estate.retryAt = null
}

function pause(error: unknown, failures: number, random: number): number {
  const refused = ['credentials', 'no-secret'].includes(toFault(error).kind)
  return refused ? retryDelay(failures + 4, random, refusedCapMs) : retryDelay(failures, random)
}

async function idle(estate: Running): Promise<void> {
  estate.options.onState()
  if (estate.wanted !== null || estate.stopping.signal.aborted) return
  await new Promise<void>((resolve) => { estate.wake = resolve })
}

async function cycle(estate: Running, kind: Kind): Promise<void> {
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

/** Subscribes to what is known by now; the first time it waits, but not for long, until the link stands or fails. */
async function listen(estate: Running): Promise<void> {
  const { data, service, clock } = estate.options
  const ids = new Set<string>()
  for (const tenant of estate.tenants?.list ?? []) {
    for (const id of await data.ids({ service, tenant: tenant.id })) ids.add(id)
  }
  if (estate.stopping.signal.aborted) return
  if (estate.live === null) {
    await new Promise<void>((resolve) => {
      estate.live = estate.options.openLive(ears(estate, ids.size > 0, resolve))
      estate.live.want(ids)
      clock.after(firstLinkMs, resolve)
      estate.stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } else estate.live.want(ids)
  if (estate.live?.state().state === 'readings-only') estate.readableSince ??= clock.now()
  await sight(estate)
}

function ears(estate: Running, subscribes: boolean, settled: () => void): Pick<LiveOptions, 'onState' | 'onEvent' | 'onSubscribed'> {
  return {
    onState(state: LinkState, fault: Fault | null) {
      if (estate.stopping.signal.aborted) return
      estate.options.onState()
      // While it connects again, the reason for the last failure stays in sight.
      if (state.state === 'connecting') return
      note(estate, 'live', 'the live connection', fault)
      estate.readableSince = state.state === 'readings-only' ? estate.options.clock.now() : null
      void sight(estate)
      if (state.state !== 'live' || !subscribes) settled()
    },
    onEvent: (data) => heard(estate, data),
    onSubscribed() {
      want(estate, 'states')
      settled()
    },
  }
}

function heard(estate: Running, data: unknown): void {
  const { clock, order } = estate.options
  const event = readEvent(data)
  if (event === null) return
  estate.lastEventAt = clock.now()
  estate.queue.push({ ...event, order: order(), at: clock.now() })
  estate.options.onState()
}

/** Since when Muster sees: while the link is live, or while readings are all that the service offers and they succeed. */
function seesSince(estate: Running): number | null {
  const state = estate.live?.state()
  return state?.state === 'live' ? state.since : estate.readableSince
}

/** Tells the data thread what Muster sees (invariant 4): what was last heard of before that is unknown until it is read. */
async function sight(estate: Running): Promise<void> {
  const { data, service, connection, clock, publish } = estate.options
  const from = seesSince(estate)
  const confirmedAt = estate.live?.aliveAt() ?? clock.now()
  const sees = from === null ? { seen: false } : { seen: true, from }
  try {
    publish(await data.sight({ service, connection, tenants: null, confirmedAt, ...sees }))
  } catch (error) {
    note(estate, 'storage', 'this computer', toFault(error))
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
