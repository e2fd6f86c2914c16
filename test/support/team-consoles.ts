import { expect } from 'vitest'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import type { Service } from '../../src-service/service.ts'
import { connectionTo, openConsole, service, temporaryProfile, until, type Console, type Leftovers } from './fleet.ts'
import type { Postgres } from './postgres/server.ts'
import { passwords, targetOf, type Role } from './postgres/team.ts'

/** A core in a team, and its folder. */
export interface TeamConsole extends Console {
  profile: string
}

export interface MemberOptions {
  leftovers: Leftovers
  postgres: Pick<Postgres, 'port'>
  database: string
  /** Without a role Anna signs in as the schema's owner, others as a member. */
  operator: string
  role?: Role
  /** Its own connections are added to the team's. */
  share?: boolean
  /** Its clock, or the entry of its data thread. */
  more?: Pick<NonNullable<Parameters<typeof openConsole>[2]>, 'clock' | 'dataThread'>
  /** Port of a pooler that it signs in to; default: the server's. */
  port?: number
  /** What the Muster does before it joins. */
  prepare?: (muster: Console) => Promise<unknown>
}

/** Opens a core that joins a team, once it knows what the team knows. */
export async function openMember(options: MemberOptions): Promise<TeamConsole> {
  const { leftovers, postgres, database, operator, share = false, more, prepare = async () => {} } = options
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, more)
  await prepare(muster)
  const role = options.role ?? (operator === 'Anna' ? 'muster_owner' : 'berta')
  const { address } = targetOf({ port: options.port ?? postgres.port }, role, database)
  await muster.call('team.join', {
    typed: {
      address: teamAddressText(address),
      password: passwords[role],
      ca: '',
      operator,
    },
    share,
  })
  await until(async () => {
    const { joined } = await muster.call('team.read', {})
    expect(joined?.link.is).toBe('online')
    expect(joined?.isCatchingUp).toBe(false)
  })
  return { ...muster, profile }
}

/** Opens Anna's core, which reads a service for a new team. */
export async function openReader(
  of: Pick<MemberOptions, 'leftovers' | 'postgres' | 'database' | 'more'>,
): Promise<{ reference: Service; anna: TeamConsole }> {
  const reference = await service(of.leftovers, { devices: 120, tenants: 2 })
  const anna = await openMember({
    ...of,
    operator: 'Anna',
    share: true,
    prepare: (muster) => muster.call('connections.save', connectionTo(reference)),
  })
  await until(async () => {
    const [state] = (await anna.call('app.state', {})).connections
    expect(state?.link.state).toBe('live')
    expect(state?.lastReadingAt).not.toBeNull()
    expect(state?.sync.state).toBe('idle')
  }, 40_000)
  return { reference, anna }
}

/** Types the secret of the team's connection, so that a member may lead. */
export async function typeSecret(muster: Console, reference: Service): Promise<void> {
  const id = await until(async () => {
    const [state] = (await muster.call('app.state', {})).connections
    if (state === undefined) throw new Error('no connection is known')
    return state.id
  })
  await muster.call('connections.save', { ...connectionTo(reference), id })
}
