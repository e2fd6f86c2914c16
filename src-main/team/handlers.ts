import type { Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { TeamInput, TeamLegResult, TeamState } from '../../src-shared/model/team.ts'
import type { Connections } from '../connections/connections.ts'
import { trust } from '../network/tls/trust.ts'
import type { Ports } from '../ports.ts'
import { parseTeamAddress, teamAddressText } from './database/address.ts'
import { testTeam } from './database/test-legs.ts'
import type { Looking } from './looking.ts'
import type { Seen } from './seen.ts'
import { idsAt, type JoinedTeam, loadJoined, storeJoined, teamPassword } from './stored.ts'
import type { Team } from './team.ts'

export interface TeamCallOptions {
  ports: Ports
  /** Null for a Muster on its own. */
  joined: { team: Team; seen: Seen; looking: Looking } | null
  connections: Pick<Connections, 'states' | 'team'>
  /** True in the demo, which takes no part in a team. */
  isDemo: boolean
  /** Starts the core again, with the settings as they are then. */
  restart: () => Promise<void>
  /** Ends tests; its reason is a `FaultError`. */
  signal: AbortSignal
}

type TeamCall = Extract<keyof Handlers, `team.${string}`>

/** The calls of a team. */
export function teamHandlers(options: TeamCallOptions): Pick<Handlers, TeamCall> {
  const { ports, isDemo, restart } = options
  const test = (typed: TeamInput) => testOf(ports, typed, options.signal)
  return {
    'team.read': async () => teamStateOf(options),
    'team.show': async () => {
      const joined = loadJoined(ports.settings)
      return {
        typed: joined && { address: joined.address, password: '', ca: joined.ca, operator: joined.operator },
      }
    },
    'team.test': async (typed) => ({ legs: await test(typed) }),
    'team.join': async ({ typed, share }) => {
      if (isDemo)
        throw new FaultError('input', 'address: The demo takes no part in a team. Connect your service first.')
      const address = checked(typed)
      const failed = (await test(typed)).find(({ fault }) => fault !== null)?.fault
      if (failed) throw new FaultError(failed.kind, failed.detail)
      const before = loadJoined(ports.settings)
      const { ca, operator } = typed
      const putBack = await passwordNow(ports)
      try {
        if (typed.password !== '') await ports.secrets.set(teamPassword, typed.password)
        else if (!isFor(before, { address, ca })) await ports.secrets.remove(teamPassword)
        storeJoined(ports.settings, { address, ca, operator, ...idsAt(before, address), share })
      } catch (error) {
        await putBack()
        throw error
      }
      await restart().catch(async (error: unknown) => {
        await putBack()
        storeJoined(ports.settings, before)
        await restart()
        throw error
      })
      return {}
    },
    'team.looking': async ({ incident }) => {
      options.joined?.looking.look(incident)
      return {}
    },
    'team.leave': async () => {
      if (loadJoined(ports.settings) === null) return {}
      storeJoined(ports.settings, null)
      await options.joined?.team.leave()
      await ports.secrets
        .remove(teamPassword)
        .catch(() => ports.log('warn', 'the team’s password is still in the keychain'))
      await restart()
      return {}
    },
  }
}

/** Resolves with what puts the password back that is stored now. It never rejects. */
async function passwordNow({ secrets, log }: Ports): Promise<() => Promise<void>> {
  const former = await secrets.get(teamPassword).catch(() => undefined)
  if (former === undefined) return async () => {}
  return () =>
    (former === null ? secrets.remove(teamPassword) : secrets.set(teamPassword, former)).catch(() =>
      log('warn', 'the former password of the team could not be stored again'),
    )
}

/** Returns the address as it is stored. Throws a fault of kind `input` with a line for each wrong field, or `ca`. */
function checked({ address, ca }: TeamInput): string {
  trust(ca)
  try {
    return teamAddressText(parseTeamAddress(address))
  } catch (error) {
    throw new FaultError('input', `address: ${toFault(error).detail}`)
  }
}

async function testOf(ports: Ports, typed: TeamInput, signal: AbortSignal): Promise<TeamLegResult[]> {
  const { secrets, clock, settings } = ports
  const { address, password, ca } = typed
  const stored = async () => (isFor(loadJoined(settings), typed) ? secrets.get(teamPassword).catch(() => null) : null)
  return testTeam({ address, ca, clock, signal, password: async () => (password === '' ? stored() : password) })
}

/** Returns whether the stored password was entered for this database, login and CA. It is sent nowhere else. */
function isFor(before: JoinedTeam | null, { address, ca }: Pick<TeamInput, 'address' | 'ca'>): boolean {
  if (before === null || before.ca.trim() !== ca.trim()) return false
  try {
    return teamAddressText(parseTeamAddress(address)) === before.address
  } catch {
    return false
  }
}

/** Returns the team as the window sees it. */
export function teamStateOf({
  ports,
  joined,
  connections,
}: Pick<TeamCallOptions, 'ports' | 'joined' | 'connections'>): TeamState {
  if (joined === null) return { joined: null }
  const { team, seen, looking } = joined
  const state = team.state()
  const { operator } = state
  const bySet = Map.groupBy(
    connections.team.records(),
    ({ id }) => connections.team.setsOf({ connection: id })[0] ?? '',
  )
  const leads = [...bySet].map(([set, records]) => {
    const elsewhere = records.map(({ id }) => seen.seen(id)?.operator).find((name) => name !== undefined)
    const leader = team.leads(set)
      ? { operator, isSelf: true }
      : elsewhere === undefined
        ? null
        : { operator: elsewhere, isSelf: false }
    return { connections: records.map(({ name }) => name), leader }
  })
  // The window counts by this computer's clock.
  const ahead = team.clock.now() - ports.clock.now()
  const members = state.members.map((member) => ({
    ...member,
    joinedAt: member.joinedAt - ahead,
    seenAt: member.seenAt - ahead,
  }))
  return { joined: { ...state, members, leads, looking: looking.all() } }
}
