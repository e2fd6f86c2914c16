import { z } from 'zod'
import { repeat, type Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/model/fault.ts'
import type { TeamLink } from '../../src-shared/model/team.ts'
import { joinTeam, listMembers, type TeamMember } from './database/members.ts'
import { migrateTeam, readSchema, type SchemaOutcome } from './database/migrate.ts'
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
  /** Is called with the ids of this member and of the team while the schema can be used. */
  onMember: (member: string, team: string) => void
  /** Is called while it cannot: it is another team's, or of another version of Muster. */
  onBlocked: () => void
  onChange: () => void
}

/** The link to the team's database: whether it is reached, who is there, and what time it is there. */
export interface DatabaseLink {
  state(): TeamLink
  /** Returns all members, and whether each of them is there. */
  members(): readonly (TeamMember & { isHere: boolean })[]
  /** Returns how far the database's clock is ahead of this computer's, ms; 0 while they agree. */
  clockOffset(): number
  /** Reads at once who is there. */
  lookAgain(): void
  /** Tells of a fault that stays until Muster is started again. */
  block(fault: Fault): void
  /** Resolves when nothing more is sent. */
  stop(): Promise<void>
}

/** Reaches the database, makes or migrates the schema, joins, and tells every 5 s that this member is there. */
export function openDatabaseLink(options: LinkOptions): DatabaseLink {
  const { pool, clock, onChange } = options
  const stopping = new AbortController()
  let state: TeamLink = { is: 'connecting' }
  let members: readonly (TeamMember & { isHere: boolean })[] = []
  let offset = 0
  let self = options.member
  let known = options.team
  let blocked: Fault | null = null
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
    const found = await find(pool, known !== null, stopping.signal)
    if (found.is !== 'ready') {
      set({ is: 'read-only', why: found.is, version: found.version })
      return options.onBlocked()
    }
    // What is here is whole, and what is there is not of this team: a wiped or another database.
    if (known !== null && found.team !== known) throw replaced()
    known = found.team
    const { operator, version: musterVersion } = options
    const asked = clock.now()
    const own = await joinTeam(pool, { id: self, operator, musterVersion }, { signal: stopping.signal })
    // At once: where a later step fails, the next try is of the same member.
    self = own.id
    const answered = clock.now()
    const measured = own.seenAt - (asked + answered) / 2
    // What took long was not on its way all the time: it says nothing of the clock.
    if (answered - asked <= agreeMs) offset = Math.abs(measured) > agreeMs ? Math.round(measured) : 0
    const all = await listMembers(pool, { signal: stopping.signal })
    const before = shownText(members)
    members = all.map((one) => ({ ...one, isHere: own.seenAt - one.seenAt < absentMs }))
    if (blocked !== null) return lost(blocked)
    online()
    options.onMember(own.id, found.team)
    if (before !== shownText(members)) onChange()
  }
  const attempts = oneAtATime(() =>
    tell().catch((error: unknown) => {
      if (stopping.signal.aborted) return
      lost(toFault(error))
      if (error instanceof ReplacedError) options.onBlocked()
    }),
  )
  attempts.begin()
  const stop = repeat(clock, presenceMs, attempts.begin)
  return {
    state: () => state,
    members: () => members,
    clockOffset: () => offset,
    lookAgain: attempts.begin,
    block(fault) {
      blocked = fault
      lost(fault)
    },
    async stop() {
      stop()
      stopping.abort()
      await attempts.end()
    },
  }
}

/** Runs one at a time; what begins meanwhile is left out, and everything after the end. `run` never rejects. */
function oneAtATime(run: () => Promise<void>): { begin(): void; end(): Promise<void> } {
  let running: Promise<void> | null = null
  let isOver = false
  return {
    begin() {
      if (!isOver) running ??= run().finally(() => (running = null))
    },
    async end() {
      isOver = true
      await running
    },
  }
}

/** Returns members as text, without when exactly each was seen. */
const shownText = (members: ReturnType<DatabaseLink['members']>): string =>
  JSON.stringify(members.map(({ seenAt: _seen, ...rest }) => rest))

/** The database holds another team than the one that this member joined. */
class ReplacedError extends FaultError {}

const replaced = () =>
  new ReplacedError(
    'not-found',
    'the team’s data is no longer in it: the database was made anew. This Muster’s copy is whole; leave the team and join again to begin anew',
  )

type Found = { is: 'ready'; team: string } | Exclude<SchemaOutcome, { is: 'ready' }>

/** Finds the schema and the team in it. Makes or migrates it, unless a team that was there before is missing. */
async function find(pool: TeamPool, isJoined: boolean, signal: AbortSignal): Promise<Found> {
  const state = await inTransaction(pool, (transaction) => readSchema(transaction, pool.where), { signal })
  if (state.is === 'missing' && isJoined) throw replaced()
  const outcome = state.is === 'missing' || state.is === 'older' ? await migrateTeam(pool, { signal }) : state
  return outcome.is === 'ready' ? { is: 'ready', team: (await readTeam(pool, signal)).id } : outcome
}

const teamSql = `SELECT id, extract(epoch FROM clock_timestamp() - created_at)::float8 * 1000 AS "ageMs" FROM muster.team`

/** Returns the database's own id of the team, and how long ago it was founded, ms. */
export async function readTeam(pool: TeamPool, signal?: AbortSignal): Promise<{ id: string; ageMs: number }> {
  const options = signal === undefined ? {} : { signal }
  const [row] = await inTransaction(pool, ({ query }) => query(teamSql), options)
  return z.object({ id: z.uuid(), ageMs: z.number() }).parse(row)
}

/** Returns a clock whose time is the database's. */
export function correctedClock(clock: Clock, offset: () => number): Clock {
  return { ...clock, now: () => clock.now() + offset() }
}
