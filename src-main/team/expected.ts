import type { Clock } from '../../src-shared/lib/clock.ts'
import type { ExpectedReboot } from '../../src-shared/model/jobs.ts'
import type { Message } from './replica/replica.ts'
import type { Team } from './team.ts'

/** Shortest time between two messages, and time before the next try after a failed one, ms: a job changes with each answer. */
const tellMs = 300
const againMs = 3000

/** The reboots that members of the team await, so that the one that evaluates takes no drop of theirs for an outage. In memory alone. */
export interface Expected {
  /** Sets what this member awaits, and tells the team. */
  own(all: readonly ExpectedReboot[]): void
  heard(message: Extract<Message, { is: 'reboots' }>): void
  /** Tells it again, because a member has opened its copy and does not know. */
  greeted(): void
  /** Returns what all members await. */
  all(): ExpectedReboot[]
  start(onFault: (error: unknown) => void): void
  stop(): void
}

export function openExpected(clock: Clock, team: Pick<Team, 'member' | 'tell' | 'clock'>): Expected {
  const others = new Map<string, readonly ExpectedReboot[]>()
  let own: readonly ExpectedReboot[] = []
  // What the team was told last; the beginning of each member is that it awaits nothing.
  let told: readonly ExpectedReboot[] = own
  let onFault: ((error: unknown) => void) | null = null
  let cancel: (() => void) | null = null
  let isTelling = false
  const soon = (ms = tellMs) => {
    if (onFault === null || cancel !== null || isTelling || own === told) return
    cancel = clock.after(ms, () => {
      cancel = null
      void tell()
    })
  }
  const tell = async () => {
    const member = team.member()
    const now = own
    let next = tellMs
    isTelling = true
    try {
      if (member !== null) await team.tell({ is: 'reboots', member, reboots: [...now] })
      if (member !== null) told = now
    } catch (error) {
      onFault?.(error)
      next = againMs
    }
    isTelling = false
    soon(next)
  }
  return {
    own(all) {
      if (all.length === 0 && own.length === 0) return
      own = all
      soon(0)
    },
    heard({ member, reboots }) {
      if (member !== team.member()) others.set(member, reboots)
    },
    greeted() {
      if (own.length === 0) return
      told = []
      soon()
    },
    all() {
      const now = team.clock.now()
      return [...own, ...[...others.values()].flat().filter(({ until }) => until > now)]
    },
    start(report) {
      onFault = report
      soon()
    },
    stop() {
      cancel?.()
      onFault = null
    },
  }
}
