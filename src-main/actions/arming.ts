import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { armedIdleMs, armedMs } from '../../src-shared/model/jobs.ts'

export interface ArmingOptions {
  clock: Clock
  /** False where Muster is not told that the screen is locked: then idle time locks sooner. */
  lockEvents: boolean
  /** Returns whether actions are off, which no tenant can be armed against. */
  isOff: () => boolean
  /** Returns the running connections that may act on a tenant (its key), each by an object that a restart replaces. */
  linksOf: (tenant: string) => ReadonlySet<object>
  onChange: () => void
}

/**
 * The tenants on which the operator may act (design, invariant 16), by their keys. None at the start. A tenant is locked
 * again by the operator, by time, and when a connection that lists it was changed, removed, paused or restarted.
 */
export interface Arming {
  /** Arms a tenant; returns until when, ms. Throws `actions-off`, or `locked` where no running connection lists it. */
  arm(tenant: string): number
  lock(tenant?: string): void
  /** Returns until when a tenant is armed, ms; null: it is locked. */
  until(tenant: string): number | null
  /** Throws `actions-off`, or `locked` unless all of these tenants are armed. A pass extends them. */
  use(tenants: Iterable<string>): void
  /** Locks the tenants whose connections changed. */
  recheck(): void
  stop(): void
}

interface Armed {
  until: number
  /** The same end by the monotonic clock, so that a clock that is set back extends nothing. */
  monotonicUntil: number
  links: ReadonlySet<object>
  cancel: () => void
}

export function createArming({ clock, lockEvents, isOff, linksOf, onChange }: ArmingOptions): Arming {
  const armed = new Map<string, Armed>()
  const duration = lockEvents ? armedMs : armedIdleMs
  const lockOne = (tenant: string) => {
    armed.get(tenant)?.cancel()
    return armed.delete(tenant)
  }
  const extend = (tenant: string, links: ReadonlySet<object>): number => {
    armed.get(tenant)?.cancel()
    const cancel = clock.after(duration, () => {
      armed.delete(tenant)
      onChange()
    })
    const until = clock.now() + duration
    armed.set(tenant, { until, monotonicUntil: clock.monotonic() + duration, links, cancel })
    onChange()
    return until
  }
  const isArmed = (tenant: string): boolean => {
    const one = armed.get(tenant)
    if (one === undefined) return false
    const holds =
      !isOff() &&
      clock.now() < one.until &&
      clock.monotonic() < one.monotonicUntil &&
      sameMembers(one.links, linksOf(tenant))
    if (!holds) lockOne(tenant)
    return holds
  }
  return {
    arm(tenant) {
      if (isOff()) throw new FaultError('actions-off')
      const links = linksOf(tenant)
      if (links.size === 0) throw new FaultError('locked', 'no running connection lists this tenant')
      return extend(tenant, links)
    },
    lock(tenant) {
      const locked = (tenant === undefined ? [...armed.keys()] : [tenant]).filter(lockOne)
      if (locked.length > 0) onChange()
    },
    until: (tenant) => (isArmed(tenant) ? (armed.get(tenant)?.until ?? null) : null),
    use(tenants) {
      if (isOff()) throw new FaultError('actions-off')
      const all = [...tenants]
      if (!all.every(isArmed)) throw new FaultError('locked')
      for (const tenant of all) extend(tenant, linksOf(tenant))
    },
    recheck() {
      const before = armed.size
      for (const tenant of armed.keys()) isArmed(tenant)
      if (armed.size !== before) onChange()
    },
    stop() {
      for (const { cancel } of armed.values()) cancel()
      armed.clear()
    },
  }
}

/** Returns whether the links are those from before, and some. */
const sameMembers = (before: ReadonlySet<object>, now: ReadonlySet<object>): boolean =>
  now.size > 0 && before.size === now.size && [...before].every((each) => now.has(each))
