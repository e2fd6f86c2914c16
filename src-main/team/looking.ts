import { wait, type Clock } from '../../src-shared/lib/clock.ts'
import type { TeamState } from '../../src-shared/model/team.ts'
import type { Message } from './replica/replica.ts'
import type { Team } from './team.ts'

/** A look is told once it has lasted for so long, ms: whoever goes through a list looks at each incident for a moment. */
const settleMs = 200
/** Shortest time between two messages, ms. */
const tellMs = 1000
/** Longest time in which the team is told at the end that this member looks at nothing, ms. */
const endMs = 500

type Looks = NonNullable<TeamState['joined']>['looking']
type LookMessage = Extract<Message, { is: 'looking' }>

/** Which incident each member looks at. It is in memory alone. */
export interface Looking {
  /** This member's operator looks at an incident; null: at none. */
  look(incident: string | null): void
  /** Takes what a member tells of itself. `role`: with which it signed in to the database. */
  heard(message: LookMessage, role: string): void
  /** A member has opened its copy, and does not know who looks at what. */
  greeted(member: string): void
  /** Must be called when the link to the database, or who is here, has changed. */
  teamChanged(): void
  /** What was told is out of date, because all that the team shares was replaced. */
  forget(): void
  /** Returns who looks at what of those who are here; nobody while the database is away. */
  all(): Looks
  /** Begins to tell the team. `onChange`: this member looks at another incident. */
  start(on: { onChange: () => void; onFault: (error: unknown) => void }): void
  /** Tells that this member looks at nothing any more. */
  end(): Promise<void>
}

/** The part of the team that is needed. */
type OwnTeam = Pick<Team, 'member' | 'tell'> & { state: () => Pick<ReturnType<Team['state']>, 'link' | 'members'> }

export function openLooking(clock: Clock, team: OwnTeam): Looking {
  const looks = new Map<string, { incident: string | null; role: string }>()
  const self = createSelf(clock, team)
  const isOnline = () => team.state().link.is === 'online'
  return {
    look: self.look,
    heard({ member, incident }, role) {
      if (member !== team.member()) looks.set(member, { incident, role })
    },
    greeted: (member) => self.tellAgain(member === team.member()),
    teamChanged() {
      if (!isOnline()) return self.tellAgain(false)
      const here = new Set(team.state().members.flatMap(({ id, isHere }) => (isHere ? [id] : [])))
      for (const id of looks.keys()) if (!here.has(id)) looks.delete(id)
      self.soon()
    },
    forget: () => looks.clear(),
    all() {
      if (!isOnline()) return []
      return team.state().members.flatMap(({ id, operator, role, isHere, isSelf }) => {
        const told = looks.get(id)
        // Nobody tells for another one.
        const incident = isSelf ? self.incident() : isHere && told?.role === role ? told.incident : null
        return incident === null ? [] : [{ operator, isSelf, incident }]
      })
    },
    start: self.start,
    end: self.end,
  }
}

interface Self {
  incident: string | null
  /** What the team was told last; undefined: it has to be told in any case. */
  told: string | null | undefined
  toldAt: number
  isTelling: boolean
  cancel: (() => void) | null
  on: Parameters<Looking['start']>[0] | null
}

/** What this member looks at, and what it tells of it. */
function createSelf(clock: Clock, team: OwnTeam) {
  const self: Self = { incident: null, told: null, toldAt: -Infinity, isTelling: false, cancel: null, on: null }

  function soon() {
    if (self.cancel !== null || self.isTelling || self.on === null || self.incident === self.told) return
    self.cancel = clock.after(Math.max(settleMs, self.toldAt + tellMs - clock.monotonic()), () => {
      self.cancel = null
      void tell()
    })
  }

  async function tell() {
    const { incident, told, on } = self
    const member = team.member()
    if (member === null || on === null || incident === told || team.state().link.is !== 'online') return
    self.isTelling = true
    self.toldAt = clock.monotonic()
    await team.tell({ is: 'looking', member, incident }).then(() => void (self.told = incident), on.onFault)
    self.isTelling = false
    soon()
  }

  return {
    soon,
    incident: () => self.incident,
    look(incident: string | null) {
      if (incident === self.incident) return
      self.incident = incident
      self.on?.onChange()
      soon()
    },
    /** `always`: also that it looks at nothing, because the team may know of a look from before its start. */
    tellAgain(always: boolean) {
      if (!always && self.incident === null) return
      self.told = undefined
      soon()
    },
    start(on: Parameters<Looking['start']>[0]) {
      self.on = on
      soon()
    },
    async end() {
      self.cancel?.()
      self.incident = null
      const isKnown = typeof self.told === 'string' || self.isTelling
      if (isKnown) await Promise.race([tell(), wait(clock, endMs)])
      self.on = null
    },
  }
}
