import { systemClock } from '../../../src-shared/lib/clock.ts'
import type { TeamTarget } from '../../../src-main/team/database/connect.ts'
import { openPool, type TeamPool } from '../../../src-main/team/database/pool.ts'
import { closedSql, operatorSql, rolesSql, schemaSql } from '../../../src-main/team/database/rights.ts'
import type { Postgres } from './server.ts'

/** Passwords of the roles: the owner, two members, and somebody who is none. */
export const passwords = {
  muster_owner: 'owner password',
  anna: 'anna password',
  berta: 'berta password',
  stranger: 'stranger password',
}
export type Role = keyof typeof passwords

/** Makes the documented roles, two operators, and a role of somebody else. Once for a server. */
export async function createRoles({ admin }: Pick<Postgres, 'admin'>): Promise<void> {
  await admin(rolesSql)
  await admin(operatorSql)
  await admin(operatorSql.replace('anna', 'berta'))
  await admin('CREATE ROLE stranger LOGIN')
  for (const [role, password] of Object.entries(passwords)) await admin(`ALTER ROLE ${role} PASSWORD '${password}'`)
}

/** Makes a database with the documented rights. `closed`: to nobody but the team. */
export async function createDatabase({ admin }: Pick<Postgres, 'admin'>, name: string, closed = false): Promise<void> {
  await admin(`CREATE DATABASE ${name}`)
  await admin(schemaSql, name)
  if (closed) await admin(closedSql.replaceAll('DATABASE muster', `DATABASE ${name}`))
}

/** How a role reaches a database of the server. */
export function targetOf({ port }: Pick<Postgres, 'port'>, user: Role, database: string): TeamTarget {
  return {
    address: { user, host: '127.0.0.1', port, database },
    password: async () => passwords[user],
    ca: '',
    clock: systemClock,
  }
}

/** Opens a pool until what is handed to `onEnd` closes it. */
export function poolOf(target: TeamTarget, onEnd: (stop: () => Promise<void>) => void): TeamPool {
  const pool = openPool(target)
  onEnd(pool.close)
  return pool
}
