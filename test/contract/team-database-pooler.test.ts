import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openListener } from '../../src-main/team/database/listener.ts'
import { joinTeam, leaveTeam, listMembers } from '../../src-main/team/database/members.ts'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import { inTransaction } from '../../src-main/team/database/pool.ts'
import { runStatement } from '../../src-main/team/lead/statement.ts'
import { testTeam } from '../../src-main/team/database/test-legs.ts'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import { createLeftovers, until } from '../support/fleet.ts'
import { startPooler } from '../support/postgres/pooler.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, poolOf, targetOf } from '../support/postgres/team.ts'

const forAll = createLeftovers()
const leftovers = createLeftovers()
let postgres: Postgres
beforeAll(async () => {
  if (noPostgres !== '') return
  postgres = await startPostgres(forAll.push)
  await createRoles(postgres)
}, 60_000)
afterEach(() => leftovers.clean())
afterAll(() => forAll.clean())
const databaseTest = test.skipIf(noPostgres !== '')

const members = 20
const operator = { id: null, operator: 'Anna', musterVersion: '1.2.3' }

/** A pooler with two sessions of the owner. Returns how to reach it. */
async function pooled(database: string) {
  await createDatabase(postgres, database)
  const user = 'muster_owner'
  const server = { host: '127.0.0.1', port: postgres.port, user, password: passwords[user], database }
  const port = await startPooler(leftovers.push, { ...server, size: 2 })
  return targetOf({ port }, user, database)
}

databaseTest(`statements that are given up leave the pooler its sessions${noPostgres}`, async () => {
  const target = await pooled('given_up')
  const pool = poolOf(target, leftovers.push)
  for (let round = 0; round < 4; round += 1) {
    const giveUp = AbortSignal.timeout(300)
    await expect(runStatement(pool, 'SELECT pg_sleep(60)', [], giveUp)).rejects.toThrow()
  }
  const [row] = await runStatement(poolOf(target, leftovers.push), 'SELECT 1 AS one', [], AbortSignal.timeout(5000))
  expect(row).toEqual({ one: 1 })
})

databaseTest(`20 members start, join and read through a pooler with two sessions${noPostgres}`, async () => {
  const target = await pooled('pooled')
  const pools = Array.from({ length: members }, () => poolOf(target, leftovers.push))
  const outcomes = await Promise.all(pools.map((pool) => migrateTeam(pool)))
  expect(outcomes.map(({ is }) => is)).toEqual(pools.map(() => 'ready'))
  const joined = await Promise.all(pools.map((pool) => joinTeam(pool, operator)))
  const seen = await Promise.all(pools.map((pool) => listMembers(pool)))
  for (const list of seen) expect(new Set(list.map(({ id }) => id))).toEqual(new Set(joined.map(({ id }) => id)))
})

databaseTest(`no setting of one member reaches another one through the pooler${noPostgres}`, async () => {
  const target = await pooled('settings')
  const pool = poolOf(target, leftovers.push)
  await migrateTeam(pool)
  await expect(inTransaction(pool, ({ query }) => query('SELECT 1 / 0'))).rejects.toMatchObject({
    fault: { kind: 'query' },
  })
  const settings = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock, current_user::text AS role`
  for (let session = 0; session < 2; session += 1) {
    const client = await pool.take()
    expect((await client.query(settings)).rows).toEqual([{ statement: '0', lock: '0', role: 'muster_owner' }])
    client.release()
  }
})

databaseTest(`a bell arrives at once on a direct connection${noPostgres}`, async () => {
  await createDatabase(postgres, 'bells')
  const target = targetOf(postgres, 'anna', 'bells')
  let bells = 0
  const listener = await openListener({ target, channel: 'a "bell"', onBell: () => (bells += 1) })
  leftovers.push(listener.stop)
  expect(listener.isPooled).toBe(false)
  const pool = poolOf(target, leftovers.push)
  await inTransaction(pool, ({ query }) => query(`SELECT pg_notify($1, ''), pg_notify('other', '')`, ['a "bell"']))
  await until(() => expect(bells).toBe(1))
})

databaseTest(
  `a listener that loses its connection says so once, and one that stops does not${noPostgres}`,
  async () => {
    await createDatabase(postgres, 'lost')
    const target = targetOf(postgres, 'anna', 'lost')
    const lost: string[] = []
    const onLost = ({ fault }: { fault: { kind: string } }) => void lost.push(fault.kind)
    const stopped = await openListener({ target, channel: 'bell', onBell: () => {}, onLost })
    await stopped.stop()
    const listener = await openListener({ target, channel: 'bell', onBell: () => {}, onLost })
    await postgres.admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'lost'`)
    await until(() => expect(lost).toEqual(['unavailable']))
    await listener.stop()
    expect(lost).toHaveLength(1)
  },
)

/** A statement in a server's log: of the simple protocol, or of the extended one, where it may have a name. */
const statement = /\[(?<session>\d+)\] LOG: {2}(?:statement|execute (?<name>[^:]+)): (?<text>.*)$/u

interface Sent {
  session: string
  name: string
  text: string
}

function statementsIn(log: readonly string[]): Sent[] {
  return log.flatMap((line) => {
    const { session = '', name = '', text = '' } = statement.exec(line)?.groups ?? {}
    return text === '' ? [] : [{ session, name, text }]
  })
}

/** The first words of what was sent outside of a transaction. */
function outside(sent: readonly Sent[]): string[] {
  const inside = new Set<string>()
  return sent.flatMap(({ session, text }) => {
    const isInside = inside.has(session)
    if (text.startsWith('BEGIN')) inside.add(session)
    else if (text === 'COMMIT') inside.delete(session)
    else if (!isInside)
      return [
        text
          .split(' ')
          .slice(0, 2)
          .join(' ')
          .replace(/"[^"]*"$/u, '')
          .trim(),
      ]
    return []
  })
}

databaseTest(`only the listener leaves a transaction, and nothing outlasts one${noPostgres}`, async () => {
  await createDatabase(postgres, 'logged')
  await postgres.admin(`ALTER DATABASE logged SET log_statement = 'all'`)
  const from = postgres.log.length
  const target = targetOf(postgres, 'muster_owner', 'logged')
  const pool = poolOf(target, leftovers.push)
  await migrateTeam(pool)
  const { id } = await joinTeam(pool, operator)
  await listMembers(pool)
  await leaveTeam(pool, id)
  const legs = await testTeam({
    ...target,
    address: teamAddressText(target.address),
    signal: new AbortController().signal,
  })
  expect(legs.at(-1)?.outcome).toBe('ok')
  const sent = statementsIn(postgres.log.slice(from))
  // Four of the member, three of the legs.
  expect(sent.filter(({ text }) => text.startsWith('BEGIN'))).toHaveLength(7)
  expect(outside(sent)).toEqual(['LISTEN', 'SELECT pg_backend_pid()', 'UNLISTEN'])
  expect(sent.filter(({ name }) => name !== '' && name !== '<unnamed>')).toEqual([])
  const all = postgres.log.slice(from).join('\n')
  expect(all).toContain('pg_advisory_xact_lock')
  for (const forbidden of [
    /^\s*SET (?!LOCAL)/imu,
    /statement: SET (?!LOCAL)/iu,
    /;\s*SET (?!LOCAL)/iu,
    /PREPARE/iu,
    /pg_(?:try_)?advisory_lock/iu,
    /CREATE TEMP/iu,
    /set_config\([^)]*false\)/iu,
    /WITH HOLD/iu,
  ])
    expect(all).not.toMatch(forbidden)
})
