import { z } from 'zod'
import { repeat, type Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/model/fault.ts'
import type { TeamLink } from '../../src-shared/model/team.ts'
import { joinTeam, listMembers, type TeamMember } from './database/members.ts'
import { migrateTeam, type SchemaOutcome } from './database/migrate.ts'
import { inTransaction, type TeamPool } from './database/pool.ts'

/** Interval at which this member tells that it is there, and reads who else is, ms; and of tries to reach the database. */
const presenceMs = 5000
/** A member that was not seen for so long, ms, is not there. */
const absentMs = 20_000
/** Times of this computer are corrected by the database's clock where they differ by more, ms: less is on its way. */
const agreeMs = 2000

export interface LinkOptions {
  pool: TeamPool
  /** This computer's own clock. */
  clock: Clock
  operator: string
  version: string
  member: string | null
  /** The database's own id of the team, as it was when this member joined; null before. */
  team: string | null
  /** Is called once with the ids of this member and of the team, as soon as the schema can be used. */
  onMember: (member: string, team: string) => void
  onChange: () => void
}

/** The link to the team's database: whether it is reached, who is there, and what time it is there. */
export interface DatabaseLink {
  state(): TeamLink
  /** Returns all members, and whether each of them is there. */
  members(): readonly (TeamMember & { isHere: boolean })[]
  /** Returns how far the database's clock is ahead of this computer's, ms; 0 while they agree. */
  clockOffset(): number
  stop(): void
}

/** Reaches the database, makes or migrates the schema, joins, and tells every 5 s that this member is there. */
export function openDatabaseLink(options: LinkOptions): DatabaseLink {
  const { pool, clock, onChange } = options
  const stopping = new AbortController()
  let state: TeamLink = { is: 'connecting' }
  let members: readonly (TeamMember & { isHere: boolean })[] = []
  let offset = 0
  let self = options.member
  let schema: SchemaOutcome | null = null
  const set = (next: TeamLink) => {
    const isSame = JSON.stringify(next) === JSON.stringify(state)
    state = next
    if (!isSame) onChange()
  }
  const lost = (fault: Fault) => {
    if (state.is !== 'read-only') set({ is: 'lost', since: state.is === 'lost' ? state.since : clock.now(), fault })
  }
  const online = () => set({ is: 'online', since: state.is === 'online' ? state.since : clock.now() })
  const tell = async () => {
    schema ??= await migrateTeam(pool, { signal: stopping.signal })
    if (schema.is !== 'ready') {
      set({ is: 'read-only', why: schema.is, version: schema.version })
      // Another version may be installed, or the owner may sign in, meanwhile.
      schema = null
      return
    }
    const team = await readTeam(pool, stopping.signal)
    // What is here is whole, and what is there is not of this team: a wiped or another database.
    if (options.team !== null && team !== options.team) throw new FaultError('not-found', replaced)
    const { operator, version: musterVersion } = options
    const asked = clock.now()
    const own = await joinTeam(pool, { id: self, operator, musterVersion }, { signal: stopping.signal })
    const measured = own.seenAt - (asked + clock.now()) / 2
    offset = Math.abs(measured) > agreeMs ? Math.round(measured) : 0
    const all = await listMembers(pool, { signal: stopping.signal })
    const before = JSON.stringify(members.map(({ seenAt: _seen, ...rest }) => rest))
    members = all.map((one) => ({ ...one, isHere: own.seenAt - one.seenAt < absentMs }))
    online()
    self = own.id
    if (!isKnown) options.onMember(own.id, team)
    isKnown = true
    if (before !== JSON.stringify(members.map(({ seenAt: _seen, ...rest }) => rest))) onChange()
  }
  let isKnown = false
  let isTelling = false
  const attempt = async () => {
    if (isTelling) return
    isTelling = true
    await tell().catch((error: unknown) => {
      if (!stopping.signal.aborted) lost(toFault(error))
    })
    isTelling = false
  }
  void attempt()
  const stop = repeat(clock, presenceMs, () => void attempt())
  return {
    state: () => state,
    members: () => members,
    clockOffset: () => offset,
    stop() {
      stop()
      stopping.abort()
    },
  }
}

const replaced =
  'the team’s data is no longer in it: the database was made anew. This Muster’s copy is whole; leave the team and join again to begin anew'

async function readTeam(pool: TeamPool, signal: AbortSignal): Promise<string> {
  const [row] = await inTransaction(pool, ({ query }) => query('SELECT id FROM muster.team'), { signal })
  return z.object({ id: z.uuid() }).parse(row).id
}

/** Returns a clock whose time is the database's. */
export function correctedClock(clock: Clock, offset: () => number): Clock {
  return { ...clock, now: () => clock.now() + offset() }
}
