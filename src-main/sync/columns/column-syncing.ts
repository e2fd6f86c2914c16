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
/** A rejected query is repeated once, after the delay of this attempt (see `retryDelay`). */
const queryAttempt = 5

interface ColumnSyncState {
  sync: SyncContext
  options: ConnectionColumnsOptions
  wanted: readonly string[]
  syncing: readonly string[]
  times: ColumnTimes
  /** Columns whose query the service rejects. */
  rejected: Map<string, Fault>
  /** Consecutive transient failures, of any tenant: the delays grow with them. */
  failures: number
  /** Monotonic ms; no attempt before. */
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
    fault: (name) => state.rejected.get(name) ?? problemOf(state, name),
    isRejected: (name) => state.rejected.has(name),
    check() {
      // A sync may have added devices without extra columns.
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
  const added = names.filter((name) => !state.wanted.includes(name))
  // An operator who switches a column on again wants another attempt.
  for (const name of added) state.rejected.delete(name)
  for (const tenant of state.times.problems.keys()) drop(state.times.problems, tenant, added)
  state.wanted = names
  if (state.syncing.some((name) => !names.includes(name))) state.cancelled.abort(new FaultError('abort'))
  if (added.length > 0) state.notBefore = 0
  state.wake()
}

/**
 * Returns why a column is not read in a tenant of this connection, while no other column is being read; null: it is.
 */
function problemOf({ sync, times, wanted, syncing: now }: ColumnSyncState, name: string): Fault | null {
  if (!wanted.includes(name) || now.includes(name)) return null
  const own = [...times.problems].filter(([tenant]) => sync.member.reads(tenant))
  return (
    own.map(([, problems]) => problems.get(name)).find((problem) => problem !== undefined && problem.kind !== 'split')
      ?.fault ?? null
  )
}

async function work(state: ColumnSyncState): Promise<void> {
  const { signal } = state.sync
  while (!signal.aborted) {
    await settleClaims(state)
    const work = nextOf(state)
    if (work === null) await waitForWork(state, untilDue(state))
    else await attempt(state, work)
  }
}

/** Returns whether columns may be read: no sync of tenants runs or fails. */
function isIdle({ sync: { reader, options, signal }, notBefore }: ColumnSyncState): boolean {
  return (
    reader.tenants() !== null &&
    reader.failures() === 0 &&
    reader.state().state === 'idle' &&
    options.clock.monotonic() >= notBefore &&
    !signal.aborted
  )
}

const ownOf = ({ sync: { reader } }: ColumnSyncState) => reader.ownTenants()

/** Checks the cache for columns that are claimed as read: only a column that every device has counts. */
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
  if (open.length === 0 || !isIdle(state)) return
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
  // Other columns may be wanted by now.
  await settleClaims(state)
}

/**
 * Returns the next tenant with missing or outdated columns; null: none. Those that failed before come last, so that
 * they delay no other.
 */
function nextOf(state: ColumnSyncState): ColumnTask | null {
  if (!isIdle(state)) return null
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

function dueIn({ sync, times: { doneAt, problems } }: ColumnSyncState, tenant: string, name: string): number {
  const { clock, refreshMs } = sync.options
  const problem = problems.get(tenant)?.get(name)
  if (problem !== undefined) return problem.notBefore - clock.monotonic()
  const at = doneAt.get(tenant)?.get(name) ?? 0
  // A clock that was set back must not delay it.
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
    drop(state.times.problems, work.tenant, work.names)
    if (nextOf(state) === null) finished(state)
  } catch (error) {
    if (!state.cancelled.signal.aborted && !sync.signal.aborted) failed(state, work, toFault(error))
  } finally {
    state.syncing = []
    options.onChange()
  }
}

/** Stores the times of columns that are completely read, so that a restart does not read them before they are due. */
function finished(state: ColumnSyncState): void {
  const own = ownOf(state)
  const timesOf = (name: string) =>
    own.map(({ id }) => state.times.doneAt.get(id)?.get(name) ?? 0).filter((at) => at > 0)
  const ages = readable(state).map((name) => [name, smallest(timesOf(name))] as const)
  state.options.onRead(Object.fromEntries(ages.filter(([, at]) => Number.isFinite(at))))
}

/**
 * Handles a column that failed in a tenant: it waits for a while; which of several it was is found by reading each
 * alone.
 */
function failed(state: ColumnSyncState, { tenant, names }: ColumnTask, fault: Fault): void {
  const {
    sync: {
      options: { clock, log },
    },
    times: { problems },
    rejected,
  } = state
  const kind = traitsOf(fault.kind).lasts !== 'asked' ? 'passing' : names.length > 1 ? 'split' : 'lasting'
  const failures =
    kind === 'split' ? 0 : 1 + Math.max(0, largest(names.map((name) => problems.get(tenant)?.get(name)?.failures ?? 0)))
  // A rejected query is invalid for every tenant; but an answer without data looks the same temporarily.
  if (kind === 'lasting' && fault.kind === 'query' && failures > 1) {
    for (const name of names) rejected.set(name, fault)
    return log('warn', `the column ${names.join()} is rejected (${fault.kind})`)
  }
  put(problems, tenant, names, {
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

/** Waits `ms` (null: forever), or until there may be work. */
async function waitForWork(state: ColumnSyncState, ms: number | null): Promise<void> {
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
