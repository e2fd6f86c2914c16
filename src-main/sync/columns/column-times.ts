import type { Fault } from '../../../src-shared/model/fault.ts'

/** Why a column of a tenant could not be read, and when it is tried again. */
export interface ColumnFault {
  fault: Fault
  /**
   * `passing`: a fault of the network or the service. `lasting`: the field's own, which affects others in the same
   * query. `split`: one of several fields, unknown which.
   */
  kind: 'passing' | 'lasting' | 'split'
  failures: number
  /** Monotonic ms. */
  notBefore: number
}

/** A value for each column of each tenant. */
export type ByColumn<T> = Map<string, Map<string, T>>

export function put<T>(all: ByColumn<T>, tenant: string, names: readonly string[], value: T): void {
  const known = all.get(tenant) ?? new Map<string, T>()
  all.set(tenant, known)
  for (const name of names) known.set(name, value)
}

export function drop<T>(all: ByColumn<T>, tenant: string, names: readonly string[]): void {
  for (const name of names) all.get(tenant)?.delete(name)
}

/** When the columns of one connection were read, and why others were not. */
export interface ColumnTimes {
  /** When a column was read, ms; 0 for never. */
  doneAt: ByColumn<number>
  /** When it was read according to an earlier record; the cache decides, because it may have been reset. */
  claimed: ByColumn<number>
  problems: ByColumn<ColumnFault>
}

export const newColumnTimes = (): ColumnTimes => ({ doneAt: new Map(), claimed: new Map(), problems: new Map() })

/** Moves the times of this run to the claimed ones. */
export function doubt({ doneAt, claimed }: ColumnTimes): void {
  for (const [tenant, times] of doneAt) claimed.set(tenant, times)
  doneAt.clear()
}

type Pick = (times: ColumnTimes, tenant: string, due: readonly string[]) => string[]

const kindOf = ({ problems }: ColumnTimes, tenant: string, name: string) => problems.get(tenant)?.get(name)?.kind
const isSuspect = ({ problems }: ColumnTimes, name: string) =>
  [...problems.values()].some((known) => known.get(name)?.kind === 'lasting')

/**
 * Selects the columns of a tenant to read together, the most urgent first: candidates for a failure of several, then
 * those without a failure, and last, so that they delay no other, those with one.
 */
export const picks: readonly Pick[] = [
  (times, tenant, due) => due.filter((name) => kindOf(times, tenant, name) === 'split').slice(0, 1),
  (times, tenant, due) => {
    const untried = due.filter((name) => kindOf(times, tenant, name) === undefined)
    const unsuspected = untried.filter((name) => !isSuspect(times, name))
    return unsuspected.length > 0 ? unsuspected : untried.slice(0, 1)
  },
  (times, tenant, due) => {
    const passing = due.filter((name) => kindOf(times, tenant, name) === 'passing')
    return passing.length > 0 ? passing : due.slice(0, 1)
  },
]
