import { assertNever, FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import { retryDelay } from '../../live/transport/backoff.ts'
import { syncColumns, type ColumnTask } from './column-sync.ts'
import { doubt, drop, newColumnTimes, picks, put, type ColumnTimes, type ColumnFault } from './column-times.ts'
import type { ConnectionColumns, ConnectionColumnsOptions } from './connection-columns.ts'
import type { SyncContext } from '../context.ts'
import { largest, smallest } from '../../../src-shared/lib/extremes.ts'
import { own } from '../../../src-shared/lib/own.ts'

const retryCapMs = 5 * 60_000
/** A query that is not accepted is asked once more after some seconds, as if it were this attempt (see `retryDelay`). */
const queryAttempt = 5

interface ColumnSyncState {
  sync: SyncContext
  options: ConnectionColumnsOptions
  wanted: readonly string[]
  syncing: readonly string[]
  times: ColumnTimes
  /** Columns whose query the service does not accept. */
  rejected: Map<string, Fault>
  /** Readings in a row that failed in passing: then the pauses grow, whichever tenant it was. */
  failures: number
  /** Monotonic ms; before that nothing is tried. */
  notBefore: number
  cancelled: AbortController
  wake: () => void
}

export function startConnectionColumns(sync: SyncContext, options: ConnectionColumnsOptions): ConnectionColumns {
  const state: ColumnSyncState = {
    sync,
    options,
    wanted: [],
    syncing: [],
    times: newColumnTimes(),
    rejected: new Map(),
    failures: 0,
    notBefore: 0,
    cancelled: new AbortController(),
    wake: () => {},
  }
  const working = work(state)
  return {
    offered: () => sync.reader.tenants()?.capabilities.columns ?? [],
    want: (names) => want(state, names),
    syncing: () => state.syncing,
    fault: (name) => state.rejected.get(name) ?? troubleWith(state, name),
    isRejected: (name) => state.rejected.has(name),
    check() {
      // A sync may have brought devices of which no extra column was read.
      options.onChange()
      state.wake()
    },
    noteClaim(tenant, at) {
      state.times.doneAt.delete(tenant)
      put(state.times.claimed, tenant, state.wanted, at)
      state.wake()
    },
    doubt() {
      doubt(state.times)
      state.wake()
    },
    async stop() {
      state.cancelled.abort(new FaultError('stopped'))
      state.wake()
      await working
    },
  }
}

function want(state: ColumnSyncState, names: readonly string[]): void {
  const fresh = names.filter((name) => !state.wanted.includes(name))
  // An operator who switches it on again wants it tried again.
  for (const name of fresh) state.rejected.delete(name)
  for (const tenant of state.times.troubles.keys()) drop(state.times.troubles, tenant, fresh)
  state.wanted = names
  if (state.syncing.some((name) => !names.includes(name))) state.cancelled.abort(new FaultError('abort'))
  if (fresh.length > 0) state.notBefore = 0
  state.wake()
}

/** Why a column stands still in a tenant that this connection reads, while no other one is being read. */
function troubleWith({ sync, times, wanted, syncing: now }: ColumnSyncState, name: string): Fault | null {
  if (!wanted.includes(name) || now.includes(name)) return null
  const own = [...times.troubles].filter(([tenant]) => sync.member.reads(tenant))
  return (
    own.map(([, troubles]) => troubles.get(name)).find((trouble) => trouble !== undefined && trouble.kind !== 'split')
      ?.fault ?? null
  )
}

async function work(state: ColumnSyncState): Promise<void> {
  const { signal } = state.sync
  while (!signal.aborted) {
    await settleClaims(state)
    const work = nextOf(state)
    if (work === null) await rest(state, untilDue(state))
    else await attempt(state, work)
  }
}

/** Not while tenants are being read, or cannot be. */
function isFree({ sync: { reader, options, signal }, notBefore }: ColumnSyncState): boolean {
  return (
    reader.tenants() !== null &&
    reader.failures() === 0 &&
    reader.state().state === 'idle' &&
    options.clock.monotonic() >= notBefore &&
    !signal.aborted
  )
}

const ownOf = ({ sync: { reader } }: ColumnSyncState) => reader.ownTenants()

/** Looks in the cache for the columns that are claimed to have been read: only a column that every device has counts as read. */
async function settleClaims(state: ColumnSyncState): Promise<void> {
  const {
    sync: {
      options: { data, service },
    },
    options,
    times: { doneAt, claimed },
  } = state
  const names = readable(state)
  const open = ownOf(state)
    .map(({ id }) => id)
    .filter((id) => names.some((name) => doneAt.get(id)?.get(name) === undefined))
  if (open.length === 0 || !isFree(state)) return
  try {
    const unread = new Map(
      (await data.unreadColumns({ service, tenants: open, names })).tenants.map((tenant) => [tenant.id, tenant.names]),
    )
    for (const tenant of open) {
      for (const name of names.filter((each) => doneAt.get(tenant)?.get(each) === undefined)) {
        const at = claimed.get(tenant)?.get(name) ?? own(options.readAt(), name) ?? 0
        put(doneAt, tenant, [name], unread.get(tenant)?.includes(name) === false ? at : 0)
      }
    }
  } catch {
    return pauseAfterFailure(state)
  }
  // Others may be wanted by now.
  await settleClaims(state)
}

/** The next tenant with what is not read of it, or no longer young. Those that have failed before come last: they hold up nobody. */
function nextOf(state: ColumnSyncState): ColumnTask | null {
  if (!isFree(state)) return null
  const due = ownOf(state).map(({ id, expected }) => ({
    tenant: id,
    expected,
    names: readable(state).filter((name) => dueIn(state, id, name) <= 0),
  }))
  for (const pick of picks) {
    for (const { tenant, expected, names: all } of due) {
      const names = pick(state.times, tenant, all)
      if (names.length > 0) return { tenant, expected, names }
    }
  }
  return null
}

/** Returns the columns that are wanted, offered and not rejected. */
function readable({ sync, wanted, rejected }: ColumnSyncState): string[] {
  const offered = new Set(sync.reader.tenants()?.capabilities.columns.map(({ name }) => name))
  return wanted.filter((name) => offered.has(name) && !rejected.has(name))
}

function dueIn({ sync, times: { doneAt, troubles } }: ColumnSyncState, tenant: string, name: string): number {
  const { clock, refreshMs } = sync.options
  const trouble = troubles.get(tenant)?.get(name)
  if (trouble !== undefined) return trouble.notBefore - clock.monotonic()
  const at = doneAt.get(tenant)?.get(name) ?? 0
  // A clock that was set back must not keep it waiting.
  return at > clock.now() ? 0 : at + refreshMs() - clock.now()
}

function untilDue(state: ColumnSyncState): number | null {
  const { clock } = state.sync.options
  if (clock.monotonic() < state.notBefore) return state.notBefore - clock.monotonic()
  const dues = ownOf(state)
    .flatMap(({ id }) => readable(state).map((name) => dueIn(state, id, name)))
    .filter((due) => due > 0)
  return dues.length === 0 ? null : smallest(dues)
}

async function attempt(state: ColumnSyncState, work: ColumnTask): Promise<void> {
  const { sync, options } = state
  state.syncing = work.names
  state.cancelled = new AbortController()
  options.onChange()
  try {
    await syncColumns(sync, work, state.cancelled.signal, options.onChange)
    put(state.times.doneAt, work.tenant, work.names, sync.options.clock.now())
    state.failures = 0
    drop(state.times.troubles, work.tenant, work.names)
    if (nextOf(state) === null) finished(state)
  } catch (error) {
    if (!state.cancelled.signal.aborted && !sync.signal.aborted) failed(state, work, toFault(error))
  } finally {
    state.syncing = []
    options.onChange()
  }
}

/** Everything that is wanted has been read: after a restart it need not be read again before its time. */
function finished(state: ColumnSyncState): void {
  const own = ownOf(state)
  const timesOf = (name: string) =>
    own.map(({ id }) => state.times.doneAt.get(id)?.get(name) ?? 0).filter((at) => at > 0)
  const ages = readable(state).map((name) => [name, smallest(timesOf(name))] as const)
  state.options.onRead(Object.fromEntries(ages.filter(([, at]) => Number.isFinite(at))))
}

/** A column that fails in a tenant is left alone there for a while; which of several it was is found by asking for each by itself. */
function failed(state: ColumnSyncState, { tenant, names }: ColumnTask, fault: Fault): void {
  const {
    sync: {
      options: { clock, log },
    },
    times: { troubles },
    rejected,
  } = state
  const kind = traitsOf(fault.kind).lasts !== 'asked' ? 'passing' : names.length > 1 ? 'split' : 'lasting'
  const failures =
    kind === 'split' ? 0 : 1 + Math.max(0, largest(names.map((name) => troubles.get(tenant)?.get(name)?.failures ?? 0)))
  // A query that is not accepted is true of every tenant; but an answer without any data looks like that in passing.
  if (kind === 'lasting' && fault.kind === 'query' && failures > 1) {
    for (const name of names) rejected.set(name, fault)
    return log('warn', `the column ${names.join()} is rejected (${fault.kind})`)
  }
  put(troubles, tenant, names, {
    fault,
    kind,
    failures,
    notBefore: clock.monotonic() + delayAfter(state, kind, fault, failures),
  })
  if (kind === 'passing') pauseAfterFailure(state)
}

function delayAfter(
  {
    sync: {
      options: { random, refreshMs },
    },
  }: ColumnSyncState,
  kind: ColumnFault['kind'],
  fault: Fault,
  failures: number,
): number {
  switch (kind) {
    case 'split':
      return 0
    case 'passing':
      return retryDelay(failures + 2, random(), retryCapMs)
    case 'lasting':
      return fault.kind === 'query' ? retryDelay(queryAttempt, random()) : refreshMs()
    default:
      return assertNever(kind)
  }
}

function pauseAfterFailure(state: ColumnSyncState): void {
  const { clock, random } = state.sync.options
  state.failures += 1
  state.notBefore = clock.monotonic() + retryDelay(state.failures, random())
}

/** Until the time is over, or there may be something to do. */
async function rest(state: ColumnSyncState, ms: number | null): Promise<void> {
  const { clock } = state.sync.options
  if (state.sync.signal.aborted) return
  await new Promise<void>((resolve) => {
    const cancel = ms === null ? () => {} : clock.after(ms, resolve)
    state.wake = () => {
      cancel()
      resolve()
    }
  })
}
