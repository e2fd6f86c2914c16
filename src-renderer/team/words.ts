import { assertNever } from '../../src-shared/model/fault.ts'
import type { TeamLeg, TeamLegResult, TeamMember, TeamState } from '../../src-shared/model/team.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { isolated } from '../../src-shared/text/direction.ts'
import { many } from '../lib/format/numbers.ts'
import { isBlank } from '../lib/ui/name-text.tsx'

export type JoinedTeam = NonNullable<TeamState['joined']>
type Lead = JoinedTeam['leads'][number]
type Leader = Lead['leader']

export interface LinkWords {
  tone: 'good' | 'busy' | 'warn'
  words: string
  /** Since when it is so (ms since the epoch); null where that is not known. */
  since: number | null
  /** What it means and what to do, as whole sentences; '' for nothing. */
  advice: string
}

/** Returns the state of the link to the team's database. */
export function linkWords(
  { link, isCatchingUp }: Pick<JoinedTeam, 'link' | 'isCatchingUp'>,
  coreLost: boolean,
): LinkWords {
  if (coreLost) return { tone: 'warn', words: 'Unknown', since: null, advice: 'Muster’s core is not running.' }
  switch (link.is) {
    case 'connecting':
      return { tone: 'busy', words: 'Connecting…', since: null, advice: 'What is shown is this Muster’s copy.' }
    case 'online':
      return isCatchingUp ? catchingUp : { tone: 'good', words: 'Online', since: link.since, advice: '' }
    case 'read-only':
      return { tone: 'warn', words: 'Read-only', since: null, advice: readOnlyText(link) }
    case 'lost':
      return {
        tone: 'warn',
        words: 'Unreachable',
        since: link.since,
        advice: 'What is shown is this Muster’s copy. Muster tries again by itself.',
      }
    default:
      return assertNever(link)
  }
}

const catchingUp: LinkWords = {
  tone: 'busy',
  words: 'Catching up…',
  since: null,
  advice: 'Muster takes over what the team knows before it shows anything of it.',
}

function readOnlyText({ why, version }: Extract<JoinedTeam['link'], { is: 'read-only' }>): string {
  return why === 'newer'
    ? `The team’s database has version ${version} of the schema, of a newer Muster. Update this Muster.`
    : `The team’s database has version ${version} of the schema, of an older Muster. The owner role has to sign in with this version of Muster once.`
}

/** Returns whether the team tells who is here and who reads now; otherwise that is what was known last. */
export const isCurrent = ({ link }: Pick<JoinedTeam, 'link'>, coreLost: boolean): boolean =>
  !coreLost && (link.is === 'online' || link.is === 'read-only')

const collator = new Intl.Collator('en', { numeric: true })

/** Returns the members by name, in natural order. */
export const sortedMembers = (members: readonly TeamMember[]): TeamMember[] =>
  members.toSorted((one, other) => collator.compare(one.operator, other.operator) || (one.id < other.id ? -1 : 1))

/** Returns the credential sets by the name of their first connection, in natural order. */
export const sortedLeads = (leads: readonly Lead[]): Lead[] =>
  leads
    .map(({ connections, leader }) => ({ connections: connections.toSorted(collator.compare), leader }))
    .toSorted((one, other) => collator.compare(one.connections[0] ?? '', other.connections[0] ?? ''))

const nameOf = (operator: string): string => (isBlank(operator) ? 'a member without a name' : isolated(operator))

/** Returns who reads a credential set: "This Muster", "Ann’s Muster", "Nobody now". */
export function leaderText(leader: Leader): string {
  if (leader === null) return 'Nobody now'
  return leader.isSelf ? 'This Muster' : musterOf(leader.operator)
}

/** Returns who turns transitions into incidents, as a sentence. `isKnown`: the team has told all that it knows. */
export function evaluatorText(evaluator: Leader, isKnown: boolean): string {
  if (evaluator === null)
    return isKnown ? 'Nobody keeps the incidents now.' : 'Who keeps the incidents is not known yet.'
  return `Incidents are kept by ${evaluator.isSelf ? 'this Muster' : musterOf(evaluator.operator)}.`
}

/** Returns how many changes the team does not know yet, as a sentence. */
export const waitingText = (count: number): string =>
  `${many(count, 'change')} of notes, tags, views or operations ${count === 1 ? 'waits' : 'wait'} for the team’s database, and ${count === 1 ? 'is' : 'are'} sent when it is reached.`

const musterOf = (operator: string): string => `${nameOf(operator)}’s Muster`

/** Returns where operations of a connection run of which this Muster has no secret, as sentences. */
export const queriesElsewhereText = (operator: string): string =>
  `This connection is read by ${musterOf(operator)}, and this Muster has no client secret of it: its queries, mutations and subscriptions run there, and not here. Its schema is not known here.`

/** A connection as the window knows it, as far as it says who reads it. */
type ReadConnection = Pick<ConnectionState, 'name' | 'readBy'>

/** Returns which connections other members read, a sentence for each member. `what`: what is to be seen there. */
export function readElsewhereTexts(connections: readonly ReadConnection[], what: string): string[] {
  const elsewhere = connections.flatMap(({ name, readBy }) => (readBy === undefined ? [] : [{ name, readBy }]))
  return [...Map.groupBy(elsewhere, ({ readBy }) => readBy)].map(([operator, read]) => {
    const names = read.map(({ name }) => isolated(name)).toSorted(collator.compare)
    return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} read by ${musterOf(operator)}: ${what}.`
  })
}

export const legLabels: Record<TeamLeg, string> = {
  address: 'Address',
  name: 'Host name',
  connect: 'Connection',
  tls: 'Secure connection',
  'sign-in': 'Sign-in',
  version: 'Server version',
  schema: 'Schema and rights',
  notifications: 'LISTEN/NOTIFY',
}

/** Returns the outcome of a leg. A skipped one with a detail was not needed, and the detail says so. */
export function outcomeText({ outcome, detail }: Pick<TeamLegResult, 'outcome' | 'detail'>): string {
  if (outcome === 'skipped') return detail === '' ? 'not tried' : 'skipped'
  return outcome === 'ok' ? 'works' : 'fails'
}

/** Returns the result of a test in one sentence. */
export function summaryText(legs: readonly TeamLegResult[]): string {
  const failed = legs.find(({ outcome }) => outcome === 'failed')
  return failed === undefined ? 'Passed, not saved.' : `Failed at: ${legLabels[failed.leg]}. Not saved.`
}
