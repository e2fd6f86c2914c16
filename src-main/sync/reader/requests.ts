import type { Clock } from '../../../src-shared/lib/clock.ts'

/**
 * `requested`: the tenants that the operator requests. `full`: all tenants, their list first. `reconciliation`: the
 * cheap comparison of all devices' status. `catch-up`: the tenants that the last sync could not read. `poll`: the
 * comparison of the tenants whose devices the live connection does not cover completely.
 */
export type TaskKind = 'requested' | 'full' | 'reconciliation' | 'catch-up' | 'poll'

/** The steps of each kind. `counts`: it reads the number of devices first, for the progress and the page size. */
export const tasks: Record<TaskKind, { what: 'inventory' | 'changes'; lists: boolean; counts: boolean }> = {
  requested: { what: 'inventory', lists: false, counts: false },
  full: { what: 'inventory', lists: true, counts: true },
  reconciliation: { what: 'changes', lists: false, counts: false },
  'catch-up': { what: 'inventory', lists: false, counts: true },
  poll: { what: 'changes', lists: false, counts: false },
}

/** The most urgent kind comes first. */
const urgency: readonly TaskKind[] = ['requested', 'full', 'reconciliation', 'catch-up', 'poll']

/** The requested syncs of a connection. A request stays until it is taken. */
export interface Requests {
  add(kind: TaskKind): void
  /** Requests a full sync for the operator, in the lane `person`. */
  addUrgent(): void
  /** Requests these tenants for the operator. */
  addTenants(tenants: readonly string[]): void
  any(): boolean
  has(kind: TaskKind): boolean
  /** Takes the most urgent request; null when there is none. */
  take(): TaskKind | null
  /** Withdraws a request, and returns whether there was one. */
  drop(kind: TaskKind): boolean
  /** Returns whether the operator waits for the full sync that begins now, and clears it. */
  takeUrgency(): boolean
  /** Returns the tenants that the operator requested and that no sync has begun. */
  tenants(): ReadonlySet<string>
  /** Records that a tenant's sync has begun, or has ended, successfully or not. */
  begun(tenant: string): void
  ended(tenant: string): void
  /** Removes a tenant that this connection no longer reads. */
  dropTenant(tenant: string): void
  /**
   * Requests an interrupted sync again, with the tenants that it had begun. When all of those have another reader, the
   * list of tenants shows whether this connection can read again.
   */
  requestAgain(kind: TaskKind): void
  /** Returns since when a reconciliation is requested and not done, ms; null: none is. */
  reconciliationDueSince(): number | null
  reconciled(): void
  /** Resolves at the next request, at `wake`, or after `ms` (null: never). */
  next(ms: number | null): Promise<void>
  wake(): void
}

/** Creates the requests with a full sync. `isUrgent`: the operator waits for it. */
export function createRequests(clock: Pick<Clock, 'now' | 'after'>, isUrgent: boolean): Requests {
  const kinds = new Set<TaskKind>(['full'])
  const tenants = createRequestedTenants()
  let urgent = isUrgent
  let dueSince: number | null = null
  let wake = () => {}
  const add = (kind: TaskKind) => {
    if (kind === 'reconciliation') dueSince ??= clock.now()
    kinds.add(kind)
    wake()
  }
  return {
    ...tenants,
    add,
    addUrgent() {
      urgent = true
      add('full')
    },
    addTenants(ids) {
      tenants.add(ids)
      if (ids.length > 0) add('requested')
    },
    any: () => kinds.size > 0,
    has: (kind) => kinds.has(kind),
    take() {
      if (tenants.tenants().size === 0) kinds.delete('requested')
      const kind = urgency.find((each) => kinds.has(each)) ?? null
      if (kind !== null) kinds.delete(kind)
      return kind
    },
    drop: (kind) => kinds.delete(kind),
    takeUrgency() {
      const was = urgent
      urgent = false
      return was
    },
    requestAgain(kind) {
      tenants.requestAgain()
      kinds.add(kind === 'requested' && tenants.tenants().size === 0 ? 'full' : kind)
    },
    reconciliationDueSince: () => dueSince,
    reconciled() {
      dueSince = null
    },
    next: (ms) =>
      new Promise<void>((resolve) => {
        const cancel = ms === null ? () => {} : clock.after(ms, resolve)
        wake = () => {
          cancel()
          resolve()
        }
      }),
    wake: () => wake(),
  }
}

/** The tenants that the operator requested: waiting ones, and those being read. */
function createRequestedTenants() {
  const waiting = new Set<string>()
  const reading = new Set<string>()
  return {
    add(ids: readonly string[]) {
      for (const id of ids) waiting.add(id)
    },
    tenants: (): ReadonlySet<string> => waiting,
    begun(tenant: string) {
      if (waiting.delete(tenant)) reading.add(tenant)
    },
    ended: (tenant: string) => void reading.delete(tenant),
    dropTenant(tenant: string) {
      waiting.delete(tenant)
      reading.delete(tenant)
    },
    requestAgain() {
      for (const tenant of reading) waiting.add(tenant)
      reading.clear()
    },
  }
}
