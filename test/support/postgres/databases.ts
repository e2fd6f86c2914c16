import { afterAll, afterEach, beforeAll } from 'vitest'
import { createLeftovers, type Leftovers } from '../fleet.ts'
import { noPostgres, startPostgres, type Postgres } from './server.ts'
import { createDatabase, createRoles, type Role } from './team.ts'

/** A test file's PostgreSQL, with a new database for each team. */
export interface TeamDatabases {
  /** True where this machine has no PostgreSQL: the test's title says so (`noPostgres`). */
  skip: boolean
  /** What a test leaves behind; it is ended after it. */
  leftovers: Leftovers
  postgres: Pick<Postgres, 'port' | 'admin'>
  /** Cuts the members that sign in with a role off from the databases, until the test ends or `admit`. */
  cut(role: Role): Promise<void>
  admit(role: Role): Promise<void>
  /** Makes the members of a role seem not seen for eleven minutes. */
  forgetSeen(role: Role, database: string): Promise<void>
  makeTeam(): Promise<{ leftovers: Leftovers; postgres: TeamDatabases['postgres']; database: string }>
}

/** Starts PostgreSQL before the tests of a file, and ends it after them. `name`: of its databases. */
export function useTeamDatabases(name: string): TeamDatabases {
  const server = createLeftovers()
  const leftovers = createLeftovers()
  const skip = noPostgres !== ''
  let started: Postgres | null = null
  let databases = 0
  beforeAll(async () => {
    if (skip) return
    started = await startPostgres((stop) => server.push(stop))
    await createRoles(started)
  }, 60_000)
  afterAll(() => server.clean())
  const shutOut = new Set<Role>()
  // Before what is left behind is ended.
  afterEach(async () => {
    for (const role of shutOut) await admit(role)
    await leftovers.clean()
  }, 60_000)
  const present = () => {
    if (started === null) throw new Error('PostgreSQL was not started')
    return started
  }
  const postgres: TeamDatabases['postgres'] = {
    get port() {
      return present().port
    },
    admin: (sql, database) => present().admin(sql, database),
  }
  const admit = async (role: Role) => {
    shutOut.delete(role)
    await postgres.admin(`ALTER ROLE ${role} LOGIN`)
  }
  return {
    skip,
    leftovers,
    postgres,
    async cut(role) {
      shutOut.add(role)
      await postgres.admin(`ALTER ROLE ${role} NOLOGIN`)
      await postgres.admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)
    },
    admit,
    async forgetSeen(role, database) {
      // Its trigger would note the time of now.
      const sql = `SET session_replication_role = replica;
        UPDATE muster.member SET seen_at = now() - interval '11 minutes' WHERE role = '${role}'`
      await postgres.admin(sql, database)
    },
    async makeTeam() {
      databases += 1
      const database = `${name}${databases}`
      await createDatabase(postgres, database)
      return { leftovers, postgres, database }
    },
  }
}
