import type { Clock } from '../../src-shared/lib/clock.ts'
import type { ExpectedReboot } from '../../src-shared/model/jobs.ts'
import type { Message } from './replica/replica.ts'
import type { Team } from './team.ts'
import { createTelling, type Telling } from './telling.ts'

/** The reboots that members of the team await, so that the one that evaluates takes no drop of theirs for an outage. In memory alone. */
export interface Expected extends Pick<Telling<readonly ExpectedReboot[]>, 'start' | 'stop'> {
  /** Sets what this member awaits, and tells the team. */
  own(all: readonly ExpectedReboot[]): void
  heard(message: Extract<Message, { is: 'reboots' }>): void
  /** A member has opened its copy, and does not know what is awaited. */
  greeted(): void
  /** Returns what all members await. */
  all(): ExpectedReboot[]
}

export function openExpected(clock: Clock, team: Pick<Team, 'member' | 'tell' | 'clock'>): Expected {
  const others = new Map<string, readonly ExpectedReboot[]>()
  let own: readonly ExpectedReboot[] = []
  const { set, again, start, stop } = createTelling(clock, own, async (reboots) => {
    const member = team.member()
    if (member !== null) await team.tell({ is: 'reboots', member, reboots: [...reboots] })
    return member !== null
  })
  return {
    own(all) {
      if (all.length === 0 && own.length === 0) return
      own = all
      set(all)
    },
    heard({ member, reboots }) {
      if (member !== team.member()) others.set(member, reboots)
    },
    greeted() {
      if (own.length > 0) again()
    },
    all() {
      const now = team.clock.now()
      return [...own, ...[...others.values()].flat().filter(({ until }) => until > now)]
    },
    start,
    stop,
  }
}
