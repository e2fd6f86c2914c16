import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import { inTransaction } from '../../src-main/team/database/pool.ts'
import type { Entry, Position } from '../../src-main/team/log/log-store.ts'
import { postRows, type Posted } from '../../src-main/team/log/post.ts'
import { entriesOf, type AppendOutcome } from '../../src-main/team/log/writer.ts'
import { createLeftovers, until } from '../support/fleet.ts'
import { startProxy } from '../support/postgres/proxy.ts'
import {
  bodies,
  followInto,
  leading,
  log,
  numbered,
  openReplica,
  textsOf,
  type Replica,
} from '../support/postgres/replicas.ts'
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
const evaluator = 'evaluator'
const all = { rows: 10_000, bytes: 1 << 23 }

let databases = 0
async function setup() {
  databases += 1
  const name = `shared_${databases}`
  await createDatabase(postgres, name)
  const target = (user: Role = 'anna', port = postgres.port) => targetOf({ port }, user, name)
  await migrateTeam(poolOf(target('muster_owner'), leftovers.push))
  const join = (user: Role = 'anna', port = postgres.port) => openReplica(target(user, port), leftovers.push)
  return { target, join, admin: (sql: string) => postgres.admin(sql, name) }
}

const post = ({ logs, clock, faults }: Replica, entries: readonly Entry[], giveUpMs = 10_000): Promise<Posted> =>
  postRows({ store: logs, clock, onFault: (fault) => faults.push(fault) }, entries, { giveUpMs })

/** Returns the position of the last row that was written. */
async function positionOf({ logs }: Pick<Replica, 'logs'>, outcome: AppendOutcome | Posted): Promise<Position> {
  if (outcome.is !== 'stored') throw new Error(`it is ${outcome.is}`)
  const { rows } = await logs.read(null, { rows: 1000, bytes: 1 << 30 })
  const row = rows.find(({ number }) => number === outcome.number)
  if (row === undefined) throw new Error('it is not in the log')
  return { number: row.number, id: row.id }
}

const numberOf = (outcome: AppendOutcome | Posted): number | null => (outcome.is === 'stored' ? outcome.number : null)

/** Resolves when somebody waits for a row's lock. */
const waiting = (admin: (sql: string) => Promise<unknown[]>, count = 1) =>
  until(async () =>
    expect(
      await admin(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
    ).toHaveLength(count),
  )

databaseTest(`two leases and rows without a lease are in one order, without gaps or doubles${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second, third] = [await join(), await join(), await join('berta')]
  const reading = followInto(leftovers, first)
  const other = followInto(leftovers, third)
  const writers = [first.writer(await leading(first)), second.writer(await leading(second, evaluator))]
  const rounds = Array.from({ length: 40 }, (_, round) => round)
  const done = await Promise.all([
    ...writers.map(async (writer, index) => {
      const outcomes: AppendOutcome[] = []
      for (const round of rounds) outcomes.push(await writer.append(bodies(`lease ${index}, ${round}`, 'and more')))
      return outcomes.map((outcome) => numberOf(outcome))
    }),
    ...[first, third].map(async (replica, index) => {
      const outcomes: Posted[] = []
      for (const round of rounds) outcomes.push(await post(replica, bodies(`post ${index}, ${round}`)))
      return outcomes.map((outcome) => numberOf(outcome))
    }),
  ])
  await Promise.all([reading, other].map(({ follower }) => follower.reached(240)))
  const { rows } = await second.logs.read(null, all)
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 240 }, (_, index) => index + 1))
  const texts = textsOf(rows)
  expect(reading.kept.rows).toEqual(texts)
  expect(other.kept.rows).toEqual(texts)
  const names = ['lease 0', 'lease 1', 'post 0', 'post 1']
  for (const [index, name] of names.entries()) {
    const own = rows.filter((_row, at) => texts[at]?.startsWith(name))
    expect(textsOf(own)).toEqual(rounds.map((round) => `${name}, ${round}`))
    // Each writer was told the number of its own last row.
    const step = index < 2 ? 1 : 0
    expect(own.map(({ number }) => number + step)).toEqual(done[index])
  }
  expect(new Set(rows.map(({ term, role }) => `${term} ${role}`))).toEqual(new Set(['1 anna', '0 anna', '0 berta']))
  // They have waited for each other.
  const order = texts.flatMap((text) => names.find((name) => text.startsWith(name)) ?? [])
  expect(order.filter((name, index) => name !== order[index - 1]).length).toBeGreaterThan(40)
  expect(await admin('SELECT log, last::int AS last FROM muster.log_end')).toEqual([{ log, last: 240 }])
})

databaseTest(`a fenced lease writes nothing to the log, which others may write${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const leadership = await leading(first)
  const writer = first.writer(leadership)
  const evaluating = second.writer(await leading(second, evaluator))
  await writer.append(bodies('one'))
  await admin(`UPDATE muster.lead SET until = now() WHERE subject <> 'evaluator'`)
  const next = second.writer(await leading(second))
  const before = await admin('SELECT xmin, last FROM muster.log_end')
  expect(await first.logs.write(leadership, 1, { entries: bodies('late'), known: null })).toBeNull()
  expect(await admin('SELECT xmin, last FROM muster.log_end')).toEqual(before)
  expect(await writer.append(bodies('later'))).toEqual({ is: 'fenced' })
  expect(first.ends).toEqual(['taken'])
  expect(await evaluating.append(bodies('two'))).toMatchObject({ is: 'stored', number: 2 })
  expect(await next.append(bodies('three'))).toMatchObject({ is: 'stored', number: 3 })
  expect(textsOf((await first.logs.read(null, all)).rows)).toEqual(['one', 'two', 'three'])
})

databaseTest(`a batch that waited while its term was taken is fenced${noPostgres}`, async () => {
  const { join, target, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const writer = first.writer(await leading(first))
  await writer.append(bodies('one'))
  let late: Promise<AppendOutcome> | null = null
  await inTransaction(poolOf(target(), leftovers.push), async ({ query }) => {
    await query(`SELECT FROM muster.lead WHERE subject = 'a credential set' FOR UPDATE`)
    late = writer.append(bodies('late'))
    await waiting(admin)
    await query(`UPDATE muster.lead SET term = term + 1, holder = gen_random_uuid(), until = clock_timestamp()`)
    expect(numberOf(await post(second, bodies('two')))).toBe(2)
  })
  expect(await late).toEqual({ is: 'fenced' })
  expect(numberOf(await post(second, bodies('three')))).toBe(3)
})

databaseTest(`a row is posted once, however often it is tried${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join('berta')]
  const [one, two] = [bodies('one', 'one, again'), bodies('two')]
  expect(await first.logs.post(one)).toBe(2)
  expect(await second.logs.post(two)).toBe(3)
  expect(await first.logs.post(one)).toBe(2)
  expect(await second.logs.post(one)).toBe(2)
  expect(await first.logs.post([...two, ...bodies('three')])).toBe(4)
  expect(await first.logs.post([])).toBe(0)
  const { rows } = await first.logs.read(null, all)
  expect(textsOf(rows)).toEqual(['one', 'one, again', 'two', 'three'])
  expect(rows.map(({ term, role }) => [term, role])).toEqual([
    [0, 'anna'],
    [0, 'anna'],
    [0, 'berta'],
    [0, 'anna'],
  ])
  expect(await admin('SELECT last::int AS last FROM muster.log_end')).toEqual([{ last: 4 }])
})

databaseTest(`attempts of one post that meet in the database write its rows once${noPostgres}`, async () => {
  const { join, target, admin } = await setup()
  const [first, second] = [await join(), await join()]
  await post(first, bodies('zero'))
  const entries = bodies('one', 'two')
  let attempts: Promise<number>[] = []
  await inTransaction(poolOf(target(), leftovers.push), async ({ query }) => {
    await query('SELECT FROM muster.log_end FOR UPDATE')
    attempts = [first, first, second].map(({ logs }) => logs.post(entries))
    await waiting(admin, 3)
  })
  expect(await Promise.all(attempts)).toEqual([3, 3, 3])
  expect(textsOf((await second.logs.read(null, all)).rows)).toEqual(['zero', 'one', 'two'])
  expect(await post(second, bodies('three'))).toMatchObject({ is: 'stored', number: 4 })
})

databaseTest(`a post whose answer is lost, or that arrives late, is in the log once${noPostgres}`, async () => {
  const { join } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const first = await join('anna', proxy.port)
  const [one] = bodies('one')
  if (one === undefined) throw new Error('no row')
  proxy.loseAnswerTo('muster.post')
  expect(await post(first, [one])).toEqual({ is: 'stored', number: 1 })
  expect(first.faults).toMatchObject([{ kind: 'reset' }])
  const holding = proxy.holdBack('muster.post')
  const two = post(first, bodies('two'))
  const send = await holding
  expect(await two).toMatchObject({ is: 'stored', number: 2 })
  await send()
  expect(await post(first, bodies('three'))).toMatchObject({ is: 'stored', number: 3 })
  expect(textsOf((await first.logs.read(null, all)).rows)).toEqual(['one', 'two', 'three'])
})

databaseTest(`rows that never left are unsent, and of those without an answer it is unknown${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const [first, second] = [await join('anna', proxy.port), await join()]
  proxy.loseAnswerTo('muster.post')
  const sent = post(first, bodies('sent'), 1500)
  await until(() => expect(first.faults).toMatchObject([{ kind: 'reset' }]))
  proxy.cut()
  expect(await sent).toEqual({ is: 'unknown' })
  expect(await post(first, bodies('unsent'), 700)).toEqual({ is: 'unsent' })
  proxy.restore()
  await admin('REVOKE INSERT ON muster.log_end FROM PUBLIC')
  expect(await post(first, bodies('forbidden'), 2000)).toEqual({ is: 'unsent' })
  expect(first.faults).toContainEqual(expect.objectContaining({ kind: 'forbidden' }))
  expect(textsOf((await second.logs.read(null, all)).rows)).toEqual(['sent'])
})

databaseTest(`rows that can never be stored are rejected at once${noPostgres}`, async () => {
  const { join } = await setup()
  const first = await join()
  const [one] = bodies('one')
  if (one === undefined) throw new Error('no row')
  await expect(post(first, [])).rejects.toMatchObject({ fault: { kind: 'input' } })
  const tooLong = entriesOf([Buffer.alloc(2 ** 20 + 1)])
  await expect(post(first, tooLong)).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(post(first, [one, one])).rejects.toMatchObject({ fault: { kind: 'query' } })
  expect(first.faults).toEqual([])
  expect(await post(first, [one])).toMatchObject({ is: 'stored', number: 1 })
})

databaseTest(`a new term begins with the last row of all former ones${noPostgres}`, async () => {
  const { join, target, admin } = await setup()
  const [first, second] = [await join(), await join()]
  expect(await leading(first)).toMatchObject({ term: 1, last: 0 })
  const leadership = await leading(first)
  const writer = first.writer(leadership)
  await writer.append(bodies('one', 'two'))
  await post(second, bodies('three'))
  expect(await leading(second, evaluator)).toMatchObject({ term: 1, last: 3 })
  await admin('UPDATE muster.lead SET until = now()')
  // A batch of the former term is written, and commits, while the next member waits for the lease.
  let next: Promise<unknown> | null = null
  await inTransaction(poolOf(target(), leftovers.push), async ({ query }) => {
    await query(`UPDATE muster.lead SET revision = revision + 1 WHERE subject = 'a credential set'`)
    next = leading(second)
    await waiting(admin)
    await query('UPDATE muster.log_end SET last = 4')
    await query('INSERT INTO muster.log (log, number, entry, term, body) VALUES ($1, 4, gen_random_uuid(), $2, $3)', [
      log,
      leadership.term,
      Buffer.from('four'),
    ])
  })
  expect(await next).toMatchObject({ term: 3, last: 4 })
})

databaseTest(`the role of a row is who wrote it, and no other one can be written${noPostgres}`, async () => {
  const { join, target, admin } = await setup()
  const [anna, berta] = [await join(), await join('berta')]
  await post(berta, bodies('of berta'))
  await anna.writer(await leading(anna)).append(bodies('of anna'))
  const { rows } = await anna.logs.read(null, all)
  expect(rows.map(({ role }) => role)).toEqual(['berta', 'anna'])
  const pool = poolOf(target(), leftovers.push)
  const run = (sql: string) => inTransaction(pool, ({ query }) => query(sql))
  const columns = 'log, number, entry, term, body'
  const forged = [
    `INSERT INTO muster.log (${columns}, role) VALUES ('team', 3, gen_random_uuid(), 0, '', 'berta')`,
    `INSERT INTO muster.log (${columns}, at) VALUES ('team', 3, gen_random_uuid(), 0, '', now())`,
    `UPDATE muster.log SET role = 'berta'`,
    `SET SESSION AUTHORIZATION berta`,
  ]
  for (const sql of forged) await expect(run(sql)).rejects.toMatchObject({ fault: { kind: 'forbidden' } })
  // What is the present role does not matter.
  await admin('GRANT berta TO anna')
  leftovers.push(() => admin('REVOKE berta FROM anna'))
  await inTransaction(pool, async ({ query }) => {
    await query('SET LOCAL ROLE berta')
    await query(`SELECT muster.post('team', ARRAY[gen_random_uuid()], ARRAY[''::bytea])`)
  })
  expect(await admin('SELECT role FROM muster.log ORDER BY number')).toEqual(
    ['berta', 'anna', 'anna'].map((role) => ({ role })),
  )
})

databaseTest(`one lease writes the snapshots of the log and removes what they contain${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const writer = first.writer(await leading(first), { limits: { keepMs: 0 } })
  await writer.append(bodies('row 1', 'row 2'))
  const posted = await positionOf(second, await post(second, bodies('row 3')))
  const evaluating = second.writer(await leading(second, evaluator), { limits: { keepMs: 0 } })
  const four = await positionOf(first, await evaluating.append(bodies('row 4')))
  await writer.append(bodies('row 5'))
  expect(await evaluating.prune()).toBe(0)
  expect(await writer.snapshot(four, Buffer.from(numbered(4).join('\n')))).toEqual({ is: 'stored' })
  expect(await admin('SELECT log FROM muster.snapshot UNION ALL SELECT log FROM muster.snapshot_part')).toEqual([
    { log },
    { log },
  ])
  expect(await evaluating.prune()).toBe(3)
  expect(await writer.prune()).toBe(0)
  const fresh = followInto(leftovers, second)
  await fresh.follower.reached(5)
  expect(fresh.kept).toMatchObject({ rows: numbered(5), snapshots: [numbered(4).join('\n')] })
  const behind = followInto(leftovers, second, { from: posted })
  await until(() => expect(behind.kept.snapshots).toEqual([numbered(4).join('\n')]))
  const five = fresh.follower.position()
  if (five === null) throw new Error('it has reached the fifth row')
  await evaluating.snapshot(five, Buffer.from(numbered(5).join('\n')))
  await admin(`UPDATE muster.lead SET term = term + 1 WHERE subject = 'evaluator'`)
  expect(await evaluating.prune()).toBe(0)
  expect(await writer.prune()).toBe(1)
})

databaseTest(`a follower that is poked reads at once, and once more for pokes during a read${noPostgres}`, async () => {
  const { join } = await setup()
  const first = await join()
  let reads = 0
  const store: typeof first.logs = {
    ...first.logs,
    async read(...values) {
      reads += 1
      if (reads === 2) for (let pokes = 0; pokes < 5; pokes += 1) follower.poke()
      return first.logs.read(...values)
    },
  }
  // Without a bell, and with a clock in which nothing else makes it read.
  const clock = {
    ...first.clock,
    after: (ms: number, run: () => void) => first.clock.after(ms < 5000 ? 2 ** 30 : ms, run),
  }
  const { kept, follower } = followInto(leftovers, first, { store, clock })
  await until(() => expect(reads).toBe(1))
  const posted = numberOf(await post(first, bodies('one')))
  follower.poke()
  await follower.reached(posted ?? 0)
  expect(kept.rows).toEqual(['one'])
  await until(() => expect(reads).toBe(3))
  await post(first, bodies('two'))
  follower.poke()
  await follower.reached(2)
  expect(reads).toBe(4)
})
