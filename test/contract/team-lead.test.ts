import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import { inTransaction } from '../../src-main/team/database/pool.ts'
import { openBell } from '../../src-main/team/lead/bell.ts'
import { createLeftovers, until } from '../support/fleet.ts'
import { startProxy } from '../support/postgres/proxy.ts'
import { freezableClock, openReplica, subject, type Replica } from '../support/postgres/replicas.ts'
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

let databases = 0
async function setup() {
  databases += 1
  const name = `lead_${databases}`
  await createDatabase(postgres, name)
  const target = (user: Role = 'anna', port = postgres.port) => targetOf({ port }, user, name)
  await migrateTeam(poolOf(target('muster_owner'), leftovers.push))
  const join = (change = {}) => openReplica({ ...target(), ...change }, leftovers.push)
  const joinThrough = (port: number, change = {}) => openReplica({ ...target('anna', port), ...change }, leftovers.push)
  const admin = (sql: string) => postgres.admin(sql, name)
  return { target, join, joinThrough, admin }
}

const leads = (replica: Replica, count = 1) => until(() => expect(replica.terms).toHaveLength(count))
const uuid = '7b0f7a52-8a1e-4c44-9a0a-0f0f0f0f0f0f'

databaseTest(`of 20 members that start at once one leads, and the others see whom${noPostgres}`, async () => {
  const { join } = await setup()
  const members = await Promise.all(Array.from({ length: 20 }, () => join()))
  const leases = members.map((member) => member.lead(subject))
  await until(() => {
    const leading = members.filter(({ terms }) => terms.length > 0)
    expect(leading).toHaveLength(1)
    expect(leases.flatMap((lease) => lease.leadership() ?? [])).toMatchObject([{ term: 1, subject, last: 0 }])
    const followers = leases.filter((lease) => lease.leadership() === null)
    for (const follower of followers) expect(follower.seen()).toMatchObject({ member: leading[0]?.member, term: 1 })
  })
})

databaseTest(`a member that cannot lead never does, and one that can later leads then${noPostgres}`, async () => {
  const { join } = await setup()
  const [first, second] = [await join(), await join()]
  let canLead = false
  first.lead(subject, { canLead: () => canLead })
  second.lead('another set')
  await leads(second)
  expect(first.terms).toEqual([])
  canLead = true
  await leads(first)
})

databaseTest(`a leader that is released lets another one lead at once, with the next term${noPostgres}`, async () => {
  const { join, target } = await setup()
  const [first, second] = [await join(), await join()]
  const lease = first.lead(subject)
  await leads(first)
  const bell = openBell(target())
  leftovers.push(bell.stop)
  second.lead(subject, { bell, random: () => 0 })
  const began = performance.now()
  await lease.release()
  expect(first.ends).toEqual(['released'])
  await leads(second)
  console.log(`takeover after a release: ${Math.round(performance.now() - began)} ms`)
  expect(second.terms[0]).toMatchObject({ term: 2 })
  expect(second.terms[0]?.holder).not.toBe(first.terms[0]?.holder)
  expect(first.terms[0]?.isCurrent()).toBe(false)
})

databaseTest(`a leader whose connection is cut gives up before another one leads${noPostgres}`, async () => {
  const { join, joinThrough } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const first = await joinThrough(proxy.port)
  first.lead(subject)
  await leads(first)
  const second = await join()
  second.lead(subject)
  const began = performance.now()
  proxy.cut()
  await leads(second)
  console.log(`takeover after a cut: ${Math.round(performance.now() - began)} ms`)
  expect(first.ends).toEqual(['expired'])
  expect(second.terms).toMatchObject([{ term: 2 }])
  proxy.restore()
  await until(async () => expect(await first.leases.look(subject, [])).toMatchObject({ member: second.member }))
  expect(first.terms).toHaveLength(1)
})

databaseTest(`a leader behind a pulled cable gives up, and its open statements hold nobody${noPostgres}`, async () => {
  const { join, joinThrough } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const first = await joinThrough(proxy.port)
  first.lead(subject)
  await leads(first)
  const second = await join()
  second.lead(subject)
  const began = performance.now()
  proxy.freeze()
  await leads(second)
  console.log(`takeover after a pulled cable: ${Math.round(performance.now() - began)} ms`)
  expect(first.ends).toEqual(['expired'])
  proxy.restore()
})

databaseTest(
  `a frozen leader finds its term taken and follows, whatever the wall clocks say${noPostgres}`,
  async () => {
    const { join } = await setup()
    const minutes = 10 * 60_000
    const clock = freezableClock(-minutes)
    const [first, second] = [await join({ clock }), await join({ clock: freezableClock(minutes) })]
    const lease = first.lead(subject)
    await leads(first)
    second.lead(subject)
    clock.freeze()
    await leads(second)
    expect(first.ends).toEqual([])
    // Asked before its timers have run again, it no longer leads.
    expect(lease.leadership()).toBeNull()
    clock.thaw()
    expect(first.ends).toEqual(['expired'])
    expect(second.terms).toMatchObject([{ term: 2 }])
    await until(() => expect(lease.seen()).toMatchObject({ member: second.member, term: 2 }))
  },
)

databaseTest(`the database away for a while ends the term, and one leads again afterwards${noPostgres}`, async () => {
  const { joinThrough } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const [first, second] = [await joinThrough(proxy.port), await joinThrough(proxy.port)]
  first.lead(subject)
  await leads(first)
  second.lead(subject)
  proxy.cut()
  await until(() => expect(first.ends).toEqual(['expired']))
  await until(() => expect(second.faults).not.toEqual([]))
  proxy.restore()
  await until(() => expect([...first.terms, ...second.terms]).toMatchObject([{ term: 1 }, { term: 2 }]))
})

databaseTest(`a request that takes the lease and loses its answer keeps nobody waiting${noPostgres}`, async () => {
  const { joinThrough } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const member = await joinThrough(proxy.port)
  proxy.loseAnswerTo('INSERT INTO muster.lead')
  member.lead(subject)
  await leads(member)
  // It replaced its own lease, of which it had not heard.
  expect(member.terms[0]?.term).toBe(2)
  expect(member.faults).toMatchObject([{ kind: 'reset' }])
})

databaseTest(`a member leads only in its own name${noPostgres}`, async () => {
  const { join, target } = await setup()
  const anna = await join()
  const berta = await openReplica(target('berta'), leftovers.push)
  const taking = { subject, member: anna.member, holder: uuid, holders: [] }
  await expect(berta.leases.take(taking)).rejects.toMatchObject({ fault: { kind: 'forbidden' } })
  expect(await anna.leases.take(taking)).toEqual({ term: 1, last: 0, revision: 0 })
  expect(await berta.leases.take({ ...taking, member: berta.member })).toBeNull()
})

databaseTest(`a lease that a failover has taken back ends with the next renewal${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const member = await join()
  member.lead(subject)
  await leads(member)
  const [leadership] = member.terms
  leadership?.confirm(3)
  await until(() => expect(member.ends).toEqual(['rewound']))
  await leads(member, 2)
  await admin('DELETE FROM muster.lead')
  await until(() => expect(member.ends).toEqual(['rewound', 'taken']))
})

databaseTest(`a lease that lasts impossibly long, as the clock was turned back, is free${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const taking = { subject, holder: uuid, holders: [] }
  await first.leases.take({ ...taking, member: first.member })
  await admin(`UPDATE muster.lead SET until = until + interval '1 hour'`)
  second.lead(subject)
  await leads(second)
  expect(second.terms).toMatchObject([{ term: 2 }])
})

const columns = 'log, number, entry, term, body'
databaseTest.each([
  ['another number of a row', 'UPDATE muster.log SET number = 7'],
  ['the time of a row', `INSERT INTO muster.log (${columns}, at) VALUES ('x', 1, '${uuid}', 1, '', now())`],
  ['the role of a row', `INSERT INTO muster.log (${columns}, role) VALUES ('x', 1, '${uuid}', 1, '', 'berta')`],
  ['the id of a row', `INSERT INTO muster.log (${columns}, id) VALUES ('x', 1, '${uuid}', 1, '', '${uuid}')`],
  ['another role of a row', `UPDATE muster.log SET role = 'berta'`],
  [
    'a row that is too long',
    `INSERT INTO muster.log (${columns}) VALUES ('x', 1, '${uuid}', 1, repeat('x', 1048577)::bytea)`,
  ],
  ['that a lease goes', 'DELETE FROM muster.lead'],
  [
    'a lease in another role’s name',
    `UPDATE muster.lead SET member = (SELECT id FROM muster.member WHERE role = 'berta')`,
  ],
  ['that all rows go', 'TRUNCATE muster.log'],
  ['that a log ends nowhere', 'DELETE FROM muster.log_end'],
])(`the database rejects %s${noPostgres}`, async (_what, sql) => {
  const { join, target, admin } = await setup()
  const anna = await join()
  await openReplica(target('berta'), leftovers.push)
  await anna.leases.take({ subject, member: anna.member, holder: uuid, holders: [] })
  const pool = poolOf(target(), leftovers.push)
  const all = 'SELECT * FROM muster.lead'
  const before = await admin(all)
  await expect(inTransaction(pool, ({ query }) => query(sql))).rejects.toMatchObject({
    fault: { kind: expect.stringMatching(/^(?:forbidden|query)$/u) },
  })
  expect(await admin(all)).toEqual(before)
  expect(await admin('SELECT * FROM muster.log')).toEqual([])
})
