import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { joinTeam, leaveTeam, listMembers } from '../../src-main/team/database/members.ts'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import { inTransaction, type TeamPool } from '../../src-main/team/database/pool.ts'
import { teamSteps } from '../../src-main/team/database/steps.ts'
import { createLeftovers } from '../support/fleet.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, poolOf, targetOf, type Role } from '../support/postgres/team.ts'

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

const current = teamSteps.length
/** A step of a later version. */
const laterStep = 'CREATE TABLE muster.later (id integer); GRANT SELECT ON muster.later TO PUBLIC;'
const uuid = '7b0f7a52-8a1e-4c44-9a0a-0f0f0f0f0f0f'
const operator = { id: null, operator: 'Anna', musterVersion: '1.2.3' }

let databases = 0
/** A database of its own with the documented rights, and who may sign in to it. */
async function setup({ isMade = true } = {}) {
  databases += 1
  const name = `team_${databases}`
  await createDatabase(postgres, name)
  const poolFor = (role: Role) => poolOf(targetOf(postgres, role, name), leftovers.push)
  const owner = poolFor('muster_owner')
  if (isMade) expect(await migrateTeam(owner)).toEqual({ is: 'ready', version: current })
  return { name, owner, poolFor, admin: (sql: string) => postgres.admin(sql, name) }
}

const run = (pool: TeamPool, sql: string) => inTransaction(pool, ({ query }) => query(sql))
const forbidden = { fault: { kind: 'forbidden', detail: expect.stringMatching(/: the role lacks a right for this$/u) } }
const tables = `SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('muster') ORDER BY relname`

databaseTest(`of 20 members that start at once one makes the schema${noPostgres}`, async () => {
  const { name, poolFor, admin } = await setup({ isMade: false })
  const from = postgres.log.length
  await postgres.admin(`ALTER DATABASE ${name} SET log_statement = 'all'`)
  const pools = Array.from({ length: 20 }, () => poolFor('muster_owner'))
  const outcomes = await Promise.all(pools.map((pool) => migrateTeam(pool)))
  expect(outcomes).toEqual(pools.map(() => ({ is: 'ready', version: current })))
  expect(postgres.log.slice(from).filter((line) => line.includes('CREATE TABLE muster.schema_version'))).toHaveLength(1)
  expect(await admin('SELECT count(*)::int AS teams FROM muster.team')).toEqual([{ teams: 1 }])
  expect(await admin('SELECT version FROM muster.schema_version')).toEqual([{ version: current }])
})

databaseTest(`a member without the owner’s rights cannot make the schema, and is told so${noPostgres}`, async () => {
  const { poolFor, admin } = await setup({ isMade: false })
  await expect(migrateTeam(poolFor('anna'))).rejects.toMatchObject({
    fault: {
      kind: 'forbidden',
      detail: `127.0.0.1:${postgres.port}: the team’s tables are not there yet, and this role may not make them; sign in with the owner role first`,
    },
  })
  expect(await admin(tables)).toEqual([])
})

databaseTest(`a role that may create in the database makes the schema itself${noPostgres}`, async () => {
  const { name, admin, poolFor } = await setup({ isMade: false })
  await admin('DROP SCHEMA muster')
  await admin(`GRANT CREATE ON DATABASE ${name} TO stranger`)
  expect(await migrateTeam(poolFor('stranger'))).toEqual({ is: 'ready', version: current })
  await admin('DROP SCHEMA muster CASCADE')
  await admin(`REVOKE CREATE ON DATABASE ${name} FROM stranger`)
})

databaseTest(`a schema of this name that is somebody else’s is left alone${noPostgres}`, async () => {
  const { owner, admin } = await setup({ isMade: false })
  await admin('CREATE TABLE muster.bookings (id integer)')
  await expect(migrateTeam(owner)).rejects.toMatchObject({
    fault: {
      kind: 'input',
      detail: `127.0.0.1:${postgres.port}: the schema muster in this database was not made by Muster`,
    },
  })
  expect(await admin(tables)).toEqual([{ relname: 'bookings' }])
})

databaseTest(`a step that fails half-way leaves nothing, and a later attempt succeeds${noPostgres}`, async () => {
  const { owner, admin } = await setup({ isMade: false })
  const failing = [...teamSteps, 'CREATE TABLE muster.half (id integer); SELECT 1 / 0;']
  await expect(migrateTeam(owner, { steps: failing })).rejects.toMatchObject({ fault: { kind: 'query' } })
  expect(await admin(tables)).toEqual([])
  expect(await migrateTeam(owner)).toEqual({ is: 'ready', version: current })
  const before = await admin(tables)
  await expect(migrateTeam(owner, { steps: failing })).rejects.toMatchObject({ fault: { kind: 'query' } })
  expect(await admin(tables)).toEqual(before)
  expect(await admin('SELECT version FROM muster.schema_version')).toEqual([{ version: current }])
})

databaseTest(`an owner brings an older schema to the version of its Muster${noPostgres}`, async () => {
  const { owner, poolFor } = await setup()
  const steps = [...teamSteps, laterStep]
  expect(await migrateTeam(poolFor('anna'), { steps })).toEqual({ is: 'behind', version: current })
  const outcomes = await Promise.all([owner, poolFor('muster_owner')].map((pool) => migrateTeam(pool, { steps })))
  expect(outcomes).toEqual(outcomes.map(() => ({ is: 'ready', version: current + 1 })))
  expect(await migrateTeam(poolFor('anna'), { steps })).toEqual({ is: 'ready', version: current + 1 })
})

databaseTest(`rows of a log from before entries had ids of their own stay the same rows${noPostgres}`, async () => {
  const { owner, poolFor, admin } = await setup({ isMade: false })
  await migrateTeam(owner, { steps: teamSteps.slice(0, 2) })
  const anna = poolFor('anna')
  const post = `SELECT muster.post('team', '{${uuid}}', '{x}')::int AS number`
  await run(anna, post)
  const read = async () => (await admin('SELECT number::int AS number, id FROM muster.log')).map((row) => ({ ...row }))
  const before = await read()
  expect(before).toEqual([{ number: 1, id: uuid }])
  expect(await migrateTeam(owner)).toEqual({ is: 'ready', version: current })
  // What was on its way is in the log once all the same.
  expect(await run(anna, post)).toMatchObject([{ number: 1 }])
  expect(await read()).toEqual(before)
  await run(anna, `SELECT muster.post('team', '{${uuid.replace('7b', '8b')}}', '{x}')`)
  expect(await admin('SELECT number::int AS number, id = entry AS alike FROM muster.log ORDER BY number')).toEqual([
    { number: 1, alike: true },
    { number: 2, alike: false },
  ])
})

databaseTest(`a schema of a newer Muster is left as it is, for the owner as well${noPostgres}`, async () => {
  const { owner, poolFor, admin } = await setup()
  await migrateTeam(owner, { steps: [...teamSteps, laterStep] })
  const before = await admin(tables)
  for (const pool of [owner, poolFor('anna')])
    expect(await migrateTeam(pool)).toEqual({ is: 'newer', version: current + 1 })
  expect(await admin(tables)).toEqual(before)
})

databaseTest(`what a member of the owner role migrates belongs to the owner role${noPostgres}`, async () => {
  const { poolFor, admin } = await setup()
  await admin('GRANT muster_owner TO berta')
  leftovers.push(() => admin('REVOKE muster_owner FROM berta'))
  expect(await migrateTeam(poolFor('berta'), { steps: [...teamSteps, laterStep] })).toMatchObject({ is: 'ready' })
  const owners = await admin(
    `SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relnamespace = to_regnamespace('muster')`,
  )
  expect(owners).toEqual([{ owner: 'muster_owner' }])
})

databaseTest(`a server that takes no changes is reported, and left as it is${noPostgres}`, async () => {
  const { name, poolFor, admin } = await setup({ isMade: false })
  await admin(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await expect(migrateTeam(poolFor('muster_owner'))).rejects.toMatchObject({
    fault: {
      kind: 'forbidden',
      detail: `127.0.0.1:${postgres.port}: the server takes no changes: it is a standby, or set to read-only`,
    },
  })
  expect(await admin(tables)).toEqual([])
})

databaseTest(`members join, see each other, and leave${noPostgres}`, async () => {
  const { poolFor } = await setup()
  const [anna, berta] = [poolFor('anna'), poolFor('berta')]
  const first = await joinTeam(anna, operator)
  const second = await joinTeam(berta, { ...operator, operator: 'Berta' })
  expect(first).toMatchObject({ operator: 'Anna', role: 'anna', musterVersion: '1.2.3' })
  expect(await listMembers(anna)).toEqual([first, second])
  const again = await joinTeam(anna, { id: first.id, operator: 'Anna B.', musterVersion: '1.3.0' })
  expect(again).toMatchObject({ id: first.id, operator: 'Anna B.', role: 'anna', joinedAt: first.joinedAt })
  expect(again.seenAt).toBeGreaterThan(first.seenAt)
  await leaveTeam(anna, first.id)
  expect((await listMembers(berta)).map(({ id }) => id)).toEqual([second.id])
})

databaseTest(`the times of a member are of the database’s clock${noPostgres}`, async () => {
  const { poolFor, admin } = await setup()
  const { joinedAt, seenAt } = await joinTeam(poolFor('anna'), operator)
  const [row] = await admin(
    'SELECT extract(epoch FROM joined_at)::float8 AS joined, extract(epoch FROM clock_timestamp())::float8 AS now FROM muster.member',
  )
  expect(joinedAt).toBe(Number(row?.['joined']) * 1000)
  expect(seenAt).toBeLessThan(Number(row?.['now']) * 1000)
})

databaseTest(`a member cannot touch the row of another one${noPostgres}`, async () => {
  const { poolFor, admin } = await setup()
  const [anna, berta] = [poolFor('anna'), poolFor('berta')]
  const { id } = await joinTeam(anna, operator)
  const before = await admin('SELECT * FROM muster.member')
  await expect(joinTeam(berta, { ...operator, id })).rejects.toMatchObject(forbidden)
  expect(await run(berta, `UPDATE muster.member SET operator = 'x' RETURNING id`)).toEqual([])
  await leaveTeam(berta, id)
  expect(await admin('SELECT * FROM muster.member')).toEqual(before)
})

databaseTest.each([
  ['its role', `UPDATE muster.member SET role = 'berta'`],
  ['its id', `UPDATE muster.member SET id = '${uuid}'`],
  ['when it joined', 'UPDATE muster.member SET joined_at = now()'],
  ['when it was seen', 'UPDATE muster.member SET seen_at = now()'],
  ['the role at joining', `INSERT INTO muster.member (operator, muster_version, role) VALUES ('x', '1', 'berta')`],
  ['the version of the schema', 'UPDATE muster.schema_version SET version = 99'],
  ['the row of the version', 'DELETE FROM muster.schema_version'],
  ['the team', 'UPDATE muster.team SET created_at = now()'],
  ['the tables', 'ALTER TABLE muster.member ADD COLUMN extra text'],
  ['the protection of the rows', 'ALTER TABLE muster.member DISABLE ROW LEVEL SECURITY'],
  ['the trigger', 'DROP TRIGGER stamp_member ON muster.member'],
  ['the schema by a table', 'CREATE TABLE muster.mine (id integer)'],
  ['all rows', 'TRUNCATE muster.member'],
])(`a member cannot set %s${noPostgres}`, async (_what, sql) => {
  const { poolFor, admin } = await setup()
  const anna = poolFor('anna')
  await joinTeam(anna, operator)
  const all = 'SELECT * FROM muster.member, muster.schema_version, muster.team'
  const before = [await admin(all), await admin(tables)]
  await expect(run(anna, sql)).rejects.toMatchObject(forbidden)
  expect([await admin(all), await admin(tables)]).toEqual(before)
})

databaseTest(`the role of a member is what it signed in with, whatever the owner writes${noPostgres}`, async () => {
  const { owner } = await setup()
  await joinTeam(owner, operator)
  await run(owner, `INSERT INTO muster.member (operator, muster_version, role) VALUES ('x', '1', 'anna')`)
  await run(owner, `UPDATE muster.member SET role = 'anna', joined_at = '2001-01-01', seen_at = '2001-01-01'`)
  const members = await listMembers(owner)
  expect(members.map(({ role }) => role)).toEqual(['muster_owner', 'muster_owner'])
  expect(members.every(({ joinedAt, seenAt }) => seenAt >= joinedAt && joinedAt > Date.parse('2020-01-01'))).toBe(true)
})

databaseTest(`a role that is no member sees nothing of the team${noPostgres}`, async () => {
  const { poolFor } = await setup()
  const stranger = poolFor('stranger')
  await expect(listMembers(stranger)).rejects.toMatchObject(forbidden)
  await expect(migrateTeam(stranger)).rejects.toMatchObject({
    fault: {
      kind: 'forbidden',
      detail: `127.0.0.1:${postgres.port}: this role may not use the schema muster; it needs the member role`,
    },
  })
})

databaseTest.each([
  ['no name', '', '1.2.3', 'member_operator_check'],
  ['a name of 201 characters', 'x'.repeat(201), '1.2.3', 'member_operator_check'],
  ['no version', 'Anna', '', 'member_muster_version_check'],
])(`a member with %s is rejected by the database${noPostgres}`, async (_what, name, musterVersion, constraint) => {
  const { poolFor } = await setup()
  await expect(joinTeam(poolFor('anna'), { id: null, operator: name, musterVersion })).rejects.toMatchObject({
    fault: {
      kind: 'query',
      detail: `127.0.0.1:${postgres.port}: the server answered with error 23514 (${constraint})`,
    },
  })
})

databaseTest(`a name that looks like SQL is a name${noPostgres}`, async () => {
  const { poolFor } = await setup()
  const name = `Robert'); DROP TABLE muster.member; --`
  expect(await joinTeam(poolFor('anna'), { ...operator, operator: name })).toMatchObject({ operator: name })
})
