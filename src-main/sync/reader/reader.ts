import type { Clock } from '../../../src-shared/lib/clock.ts'
import { smallest } from '../../../src-shared/lib/extremes.ts'
import type { SyncState } from '../../../src-shared/model/connection.ts'
import type { Member } from '../assignments/assignments.ts'
import { mayBeMore, type Tenants } from '../tenants/tenant-list.ts'

export type Syncing = Extract<SyncState, { state: 'syncing' }>

/**
 * `retrying`: the last sync failed as a whole; `at`: time of the next attempt, ms, null when it waits for a secret or
 * is unknown.
 */
export type Activity = { state: 'idle' } | Syncing | { state: 'retrying'; at: number | null }

/** The reader of one connection: its synced tenants, and the running sync. */
export interface Reader {
  state(): Activity
  /** Returns whether pages of devices are arriving. */
  isReadingInventory(): boolean
  /** Returns the number of consecutive syncs that failed as a whole. */
  failures(): number
  /** Returns when all its tenants were read, the oldest of them, ms; null before the first time. */
  lastSyncAt(): number | null
  /** Returns the list of tenants and the service's capabilities; null before the first list. */
  tenants(): Tenants | null
  /** Returns the listed tenants that this connection reads. */
  ownTenants(): Tenants['list']
  nameOf(tenant: string): string
  /**
   * Records a list. A tenant that is new in it after a partly failed one is read with the next catch-up: `assigned`.
   */
  listed(tenants: Tenants): { assigned: () => void }
  isOutdated(tenant: string): boolean
  /** Returns whether a tenant could not be read, or the list may be incomplete. */
  isBehind(): boolean
  markOutdated(tenant: string): void
  dropOutdated(tenant: string): void
  /** Begins a sync that is shown as progress. */
  begin(what: Syncing['what']): void
  expect(devices: number | null, tenants: number): void
  /** Advances the progress; does nothing while none is shown. */
  advance(by: { read?: number; tenantsDone?: number }): void
  end(): void
  /** Records that the sync failed as a whole. Returns the tenants that it had begun. */
  fail(): string[]
  retryAt(at: number): void
  /** Ends the delay after a failure. */
  retried(): void
  tenantBegun(tenant: string): void
  tenantEnded(tenant: string, outcome: 'whole' | 'partial' | 'failed'): void
  isInProgress(tenant: string): boolean
  /**
   * Records the time of this sync as that of the last one, where everything was read. `resumedFrom`: the time of its
   * oldest part, ms.
   */
  noteLastSync(resumedFrom?: number | null): void
}

export interface ReaderOptions {
  clock: Pick<Clock, 'now'>
  member: Pick<Member, 'reads' | 'readAt'>
  lastSyncAt: number | null
  /** Called when the progress has changed. */
  onProgress: () => void
}

interface State {
  activity: Activity
  failures: number
  lastSyncAt: number | null
  tenants: Tenants | null
  /** Tenants that the last sync could not read. */
  outdated: Set<string>
  /** Tenants whose pages are arriving. */
  inProgress: Set<string>
}

export function createReader(options: ReaderOptions): Reader {
  const state: State = {
    activity: { state: 'idle' },
    failures: 0,
    lastSyncAt: options.lastSyncAt,
    tenants: null,
    outdated: new Set(),
    inProgress: new Set(),
  }
  const own = () => (state.tenants?.list ?? []).filter(({ id }) => options.member.reads(id))
  return {
    state: () => state.activity,
    isReadingInventory: () => state.activity.state === 'syncing' && state.activity.what === 'inventory',
    failures: () => state.failures,
    lastSyncAt: () => state.lastSyncAt,
    tenants: () => state.tenants,
    ownTenants: own,
    nameOf: (tenant) => state.tenants?.list.find(({ id }) => id === tenant)?.name ?? tenant,
    listed: (tenants) => listed(state, options, tenants),
    isOutdated: (tenant) => state.outdated.has(tenant),
    isBehind: () => state.outdated.size > 0 || (state.tenants !== null && mayBeMore(state.tenants)),
    markOutdated: (tenant) => void state.outdated.add(tenant),
    dropOutdated: (tenant) => void state.outdated.delete(tenant),
    ...activityOf(state, options),
    tenantBegun: (tenant) => void state.inProgress.add(tenant),
    tenantEnded(tenant, outcome) {
      state.inProgress.delete(tenant)
      if (outcome !== 'failed') state.outdated.delete(tenant)
    },
    isInProgress: (tenant) => state.inProgress.has(tenant),
    noteLastSync: (resumedFrom = null) => noteLastSync(state, options, resumedFrom),
  }
}

/** Returns the transitions of the activity: idle, syncing, and retrying after a failure. */
function activityOf(
  state: State,
  { onProgress }: ReaderOptions,
): Pick<Reader, 'begin' | 'expect' | 'advance' | 'end' | 'fail' | 'retryAt' | 'retried'> {
  return {
    begin(what) {
      const tenants = state.tenants?.list.length ?? 0
      state.activity = { state: 'syncing', what, read: 0, expected: null, tenantsDone: 0, tenants }
    },
    expect(expected, tenants) {
      if (state.activity.state === 'syncing') state.activity = { ...state.activity, expected, tenants }
    },
    advance({ read = 0, tenantsDone = 0 }) {
      const { activity } = state
      if (activity.state !== 'syncing') return
      state.activity = { ...activity, read: activity.read + read, tenantsDone: activity.tenantsDone + tenantsDone }
      onProgress()
    },
    end() {
      state.failures = 0
      state.activity = { state: 'idle' }
    },
    fail() {
      const begun = [...state.inProgress]
      state.inProgress.clear()
      state.failures += 1
      state.activity = { state: 'retrying', at: null }
      return begun
    },
    retryAt(at) {
      state.activity = { state: 'retrying', at }
    },
    retried() {
      state.activity = { state: 'idle' }
    },
  }
}

function listed(state: State, { member }: ReaderOptions, tenants: Tenants): { assigned: () => void } {
  const late = lateIn(state.tenants, tenants.list)
  const known = new Set(tenants.list.map(({ id }) => id))
  state.tenants = tenants
  for (const id of state.outdated) if (!known.has(id)) state.outdated.delete(id)
  return {
    assigned() {
      for (const id of late) if (member.reads(id)) state.outdated.add(id)
    },
  }
}

/**
 * Returns the tenants that a partly failed list left out and that are listed now: only the next catch-up may read them.
 */
function lateIn(before: Tenants | null, list: Tenants['list']): string[] {
  if (before === null || !mayBeMore(before)) return []
  const known = new Set(before.list.map(({ id }) => id))
  return list.flatMap(({ id }) => (known.has(id) ? [] : id))
}

function noteLastSync(state: State, { clock, member }: ReaderOptions, resumedFrom: number | null): void {
  const { tenants, outdated } = state
  if (tenants === null || tenants.partial || outdated.size > 0) return
  const others = tenants.list.filter(({ id }) => !member.reads(id)).map(({ id }) => member.readAt(id))
  if (others.includes(null)) return
  const all = tenants.list.map(({ id }) => member.readAt(id) ?? clock.now())
  state.lastSyncAt = others.length === 0 || others.length < all.length ? (resumedFrom ?? clock.now()) : smallest(all)
}
