import type { Clock } from '../../src-shared/clock.ts'
import type { Fault } from '../../src-shared/fault.ts'

/** Before an answer is asked for again that says nothing is left. */
export const doubtMs = 2_000
/** So long a list has to stay empty until that is believed: the service may be at fault, and an hour of "unknown" misleads nobody. */
const believedMs = 60 * 60_000
/** So long it has been said before a person's refresh confirms it: who refreshes at the first sight of it wants the devices back. */
const saidMs = 60_000

/** What to make of a list that is empty. `believed`: what was known goes. */
export interface Emptied {
  believed: boolean
  fault: Fault | null
}

/**
 * Lists that the service gives as empty, without an error, though they were not: of a tenant's devices, or of tenants. What was known
 * stays, unknown, and is asked for again, until something is listed, a person's refresh confirms it, or it has lasted.
 */
export interface Doubts {
  /** `before`: what was listed, in words; null: nothing is known of it. */
  emptied(key: string, before: string | null, byPerson: boolean): Emptied
  /** Something is listed. */
  over(key: string): void
  has(key: string): boolean
}

export function createDoubts(clock: Pick<Clock, 'monotonic'>): Doubts {
  const doubts = new Map<string, { before: string; since: number }>()
  return {
    emptied(key, before, byPerson) {
      const known = doubts.get(key) ?? (before === null ? null : { before, since: clock.monotonic() })
      if (known === null) return { believed: true, fault: null }
      const age = clock.monotonic() - known.since
      if (byPerson && age >= saidMs) {
        doubts.delete(key)
        return { believed: true, fault: null }
      }
      doubts.set(key, known)
      return { believed: age >= believedMs, fault: { kind: 'emptied', detail: known.before } }
    },
    over: (key) => void doubts.delete(key),
    has: (key) => doubts.has(key),
  }
}

/** "1 device was listed before". */
export const listedBefore = (count: number, one: string, more = ''): string => `${counted(count, one)}${more} ${count === 1 ? 'was' : 'were'} listed before`

export const counted = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`)
