import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectionRecord } from '../connections/stored/record.ts'
import type { Connections } from '../connections/connections.ts'
import type { SharedConnections } from '../connections/team-connections.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Ports } from '../ports.ts'
import { openTeamColumns, type TeamColumns } from './columns.ts'
import { openExpected, type Expected } from './expected.ts'
import { openLooking, type Looking } from './looking.ts'
import { openQuestions, type Questions } from './questions.ts'
import { openSeen, type Seen } from './seen.ts'
import { type JoinedTeam, keptAs, loadJoined, storeJoined, teamSettings } from './stored.ts'
import { openTeam, type Team } from './team.ts'

/** A member of a team within the core, and what it has seen of the others' connections. */
export interface CoreTeam {
  team: Team
  seen: Seen
  looking: Looking
  expected: Expected
  columns: TeamColumns
  questions: Questions
  /** Lets the others tell what they tell only when it changes, because this member has opened its copy anew. */
  greet(): Promise<void>
  /** The credential sets that this member leads, since what their former leaders saw is unknown. */
  readonly taken: Set<string>
  /** The connections whose devices are shown. */
  shown: readonly string[]
  /** The connections, once they are opened. */
  connections: Connections | null
}

/** Returns the ports of a Muster in a team: settings and files of the team's own. */
export function teamPorts(given: Ports, joined: JoinedTeam): Ports {
  const profile = join(given.paths.profile, keptAs(joined))
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  return { ...given, settings: teamSettings(given.settings, joined), paths: { ...given.paths, profile } }
}

/** Makes this Muster a member of a team. Nothing is sent before `Team.start`. */
export function openCoreTeam(
  given: Ports,
  ports: Ports,
  joined: JoinedTeam,
  { version, trusted }: { version: string; trusted?: (record: ConnectionRecord) => boolean },
  local: InventoryData,
): CoreTeam {
  const team = openTeam({
    ports: given,
    joined,
    version,
    local,
    folder: ports.paths.profile,
    setsOf: (of) => opened.connections?.team.setsOf(of) ?? [],
    onMember(member, id) {
      // A copy that is left of another team in the same database: its connections are not this one's.
      const before = ports.settings.get('teamId')
      if (typeof before === 'string' && before !== id) {
        void opened.connections?.team.replace([])
        void team.dropActs().catch(() => given.log('warn', 'what waited for another team is still stored'))
      }
      if (before !== id) ports.settings.set('teamId', id)
      const now = loadJoined(given.settings)
      if (now !== null && (now.member !== member || now.team !== id))
        storeJoined(given.settings, { ...now, member, team: id })
    },
  })
  const seen = openSeen(given.clock, ports.settings, team, trusted)
  const reads = () => opened.connections?.team.records().some(({ id }) => isLed(opened, id)) ?? false
  const opened: CoreTeam = {
    team,
    seen,
    questions: openQuestions(given.clock, team, { readers: seen.readers, reads }),
    looking: openLooking(given.clock, team),
    expected: openExpected(given.clock, team),
    columns: openTeamColumns(given.clock, team),
    async greet() {
      const member = team.member()
      if (member !== null) await team.tell({ is: 'hello', member })
    },
    taken: new Set(),
    shown: [],
    connections: null,
  }
  return opened
}

/** Returns whether this member reads a connection for the team. */
export const isLed = ({ team, connections }: Pick<CoreTeam, 'team' | 'connections'>, id: string): boolean =>
  connections?.team.setsOf({ connection: id }).some((set) => team.leads(set)) ?? false

/** Returns the team as the connections see it. */
export function sharedBy({ team, seen, columns, questions }: CoreTeam): SharedConnections {
  return {
    ...seen,
    columns,
    leads: team.leads,
    save: ({ inKeychain: _own, ...record }) => team.data.shareConnection(record),
    remove: (connection) => team.data.unshareConnection({ id: connection }),
    canRead: team.canRead,
    ask: questions.ask,
    refresh: (scope) => void team.ask('refresh', scope).catch(() => {}),
  }
}
