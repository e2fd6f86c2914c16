import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import { openBell } from '../../src-main/team/lead/bell.ts'
import type { Position } from '../../src-main/team/log/log-store.ts'
import { entriesOf } from '../../src-main/team/log/writer.ts'
import { createLeftovers, until } from '../support/fleet.ts'
import { startPooler } from '../support/postgres/pooler.ts'
import { startProxy } from '../support/postgres/proxy.ts'
import { bodies, followInto, leading, numbered, openReplica, textsOf } from '../support/postgres/replicas.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, poolOf, targetOf, type Role } from '../support/postgres/team.ts'

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
  const name = `log_${databases}`
  await createDatabase(postgres, name)
  const target = (user: Role = 'anna', port = postgres.port) => targetOf({ port }, user, name)
  await migrateTeam(poolOf(target('muster_owner'), leftovers.push))
  const join = (port = postgres.port) => openReplica(target('anna', port), leftovers.push)
  return { name, target, join, admin: (sql: string) => postgres.admin(sql, name) }
}

databaseTest(`what is appended is read in its order by every member${noPostgres}`, async () => {
  const { join, target } = await setup()
  const [first, second] = [await join(), await join()]
  const leadership = await leading(first)
  const writer = first.writer(leadership)
  const bell = openBell(target())
  leftovers.push(bell.stop)
  const { kept, follower } = followInto(leftovers, second, { bell })
  const outcomes = await Promise.all(numbered(50).map((text) => writer.append(bodies(text, `${text}, again`))))
  expect(outcomes.map((outcome) => outcome.is === 'stored' && outcome.number)).toEqual(
    Array.from({ length: 50 }, (_, index) => 2 * index + 2),
  )
  await follower.reached(100)
  expect(kept.rows).toEqual(numbered(50).flatMap((text) => [text, `${text}, again`]))
  const last = outcomes.at(-1)
  expect(follower.position()?.number).toBe(last?.is === 'stored' ? last.number : null)
  const { rows } = await second.logs.read(null, { rows: 1, bytes: 1 })
  expect(rows).toMatchObject([{ number: 1, term: 1, role: 'anna' }])
  expect(Math.abs((rows[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000)
})

databaseTest(`calls that come during a batch go together in the next one${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const first = await join()
  const writer = first.writer(await leading(first))
  await Promise.all(numbered(100).map((text) => writer.append(bodies(text))))
  const ends = 'SELECT last::int AS last, revision::int AS revision FROM muster.lead, muster.log_end'
  expect(await admin(ends)).toEqual([{ last: 100, revision: 2 }])
})

databaseTest(`a batch of a term that was taken is fenced, and so is what waits behind it${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const writer = first.writer(await leading(first))
  expect(await writer.append(bodies('before'))).toMatchObject({ is: 'stored' })
  await admin('UPDATE muster.lead SET until = now()')
  const other = second.writer(await leading(second))
  const late = [writer.append(bodies('late')), writer.append(bodies('later'))]
  expect(await Promise.all(late)).toEqual([{ is: 'fenced' }, { is: 'fenced' }])
  expect(first.ends).toEqual(['taken'])
  expect(await writer.append(bodies('latest'))).toEqual({ is: 'fenced' })
  expect(await other.append(bodies('after'))).toMatchObject({ is: 'stored', number: 2 })
  const { rows } = await first.logs.read(null, { rows: 10, bytes: 1000 })
  expect(rows.map(({ term }) => term)).toEqual([1, 2])
  expect(textsOf(rows)).toEqual(['before', 'after'])
})

databaseTest(`an append whose answer is lost is neither lost nor doubled${noPostgres}`, async () => {
  const { join } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const first = await join(proxy.port)
  const writer = first.writer(await leading(first))
  proxy.loseAnswerTo('INSERT INTO muster.log')
  expect(await writer.append(bodies('one'))).toMatchObject({ is: 'stored', number: 1 })
  expect(first.faults).toMatchObject([{ kind: 'reset' }])
  expect(await writer.append(bodies('two'))).toMatchObject({ is: 'stored', number: 2 })
  const { kept, follower } = followInto(leftovers, first)
  await follower.reached(2)
  expect(kept.rows).toEqual(['one', 'two'])
})

databaseTest(`an append that arrives late, after it was sent again, changes nothing${noPostgres}`, async () => {
  const { join } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const first = await join(proxy.port)
  const writer = first.writer(await leading(first))
  await writer.append(bodies('zero'))
  const holding = proxy.holdBack('INSERT INTO muster.log')
  const one = writer.append(bodies('one'))
  const send = await holding
  expect(await one).toMatchObject({ is: 'stored', number: 2 })
  await send()
  expect(await writer.append(bodies('two'))).toMatchObject({ is: 'stored', number: 3 })
  const { rows } = await first.logs.read(null, { rows: 10, bytes: 1000 })
  expect(textsOf(rows)).toEqual(['zero', 'one', 'two'])
})

databaseTest(`an append without an answer is decided by the next term${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const [first, second] = [await join(proxy.port), await join()]
  const leadership = await leading(first)
  const writer = first.writer(leadership)
  const holding = proxy.holdBack('INSERT INTO muster.log')
  const waiting = writer.append(bodies('one'))
  const send = await holding
  proxy.cut()
  await admin('UPDATE muster.lead SET until = now()')
  await leading(second)
  await send()
  proxy.restore()
  expect(await waiting).toEqual({ is: 'fenced' })
  expect(await admin('SELECT * FROM muster.log')).toEqual([])
})

databaseTest(`a writer that is closed does not know, and the log tells${noPostgres}`, async () => {
  const { join } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const [first, second] = [await join(proxy.port), await join()]
  const writer = first.writer(await leading(first))
  proxy.loseAnswerTo('INSERT INTO muster.log')
  const [sent, queued] = [bodies('one'), bodies('two')]
  const outcomes = [writer.append(sent), writer.append(queued)]
  await until(() => expect(first.faults).not.toEqual([]))
  proxy.cut()
  await writer.close()
  expect(await Promise.all(outcomes)).toEqual([{ is: 'unknown' }, { is: 'fenced' }])
  const { rows } = await second.logs.read(null, { rows: 10, bytes: 1000 })
  expect(rows.map(({ entry }) => entry)).toEqual([sent[0]?.id])
})

databaseTest(
  `rows that are too long are rejected, and a rejected row takes no other one along${noPostgres}`,
  async () => {
    const { join } = await setup()
    const first = await join()
    const writer = first.writer(await leading(first))
    const tooLong = entriesOf([Buffer.alloc(2 ** 20 + 1)])
    await expect(writer.append(tooLong)).rejects.toMatchObject({ fault: { kind: 'input' } })
    const [one] = bodies('one')
    if (one === undefined) throw new Error('no row')
    expect(await writer.append([one])).toMatchObject({ is: 'stored' })
    const rejected = [
      writer.append(bodies('two')),
      writer.append(bodies('three')),
      writer.append([one]),
      writer.append(bodies('four')),
    ]
    const settled = await Promise.allSettled(rejected)
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    const { rows } = await first.logs.read(null, { rows: 10, bytes: 1000 })
    expect(textsOf(rows)).toEqual(['one', 'two', 'three', 'four'])
    expect(await writer.append(entriesOf([Buffer.alloc(2 ** 20)]))).toMatchObject({ is: 'stored' })
  },
)

databaseTest(`a writer takes no more than what may wait, and says when there is room${noPostgres}`, async () => {
  const { join } = await setup()
  const first = await join()
  const writer = first.writer(await leading(first), { limits: { waitingBytes: 1000 } })
  const row = () => entriesOf([Buffer.alloc(400)])
  const outcomes = [writer.append(row()), writer.append(row()), writer.append(row())]
  expect(await outcomes[2]).toEqual({ is: 'full' })
  await writer.room()
  expect(await writer.append(row())).toMatchObject({ is: 'stored', number: 3 })
  expect(await Promise.all(outcomes)).toMatchObject([{ is: 'stored' }, { is: 'stored' }, { is: 'full' }])
})

databaseTest(`10,000 rows are read in pages, by polling alone through a pooler${noPostgres}`, async () => {
  const { join, name, target } = await setup()
  const server = { host: '127.0.0.1', port: postgres.port, user: 'anna', password: passwords.anna, database: name }
  const port = await startPooler(leftovers.push, { ...server, size: 2 })
  const [first, second] = [await join(port), await join(port)]
  const writer = first.writer(await leading(first))
  const bell = openBell(target('anna', port))
  leftovers.push(bell.stop)
  const { kept, follower } = followInto(leftovers, second, { bell })
  expect(await writer.append(bodies('row 1'))).toMatchObject({ is: 'stored' })
  await follower.reached(1)
  await writer.append(bodies(...numbered(9999, 2)))
  await follower.reached(10_000)
  expect(kept.rows).toEqual(numbered(10_000))
  expect(Math.max(...kept.pages)).toBe(1000)
})

databaseTest(`a page ends with the row that reaches its bytes${noPostgres}`, async () => {
  const { join } = await setup()
  const first = await join()
  const writer = first.writer(await leading(first))
  await writer.append(entriesOf(Array.from({ length: 5 }, () => Buffer.alloc(1000))))
  const read = (from: Position | null, bytes: number) => first.logs.read(from, { rows: 10, bytes })
  const page = await read(null, 1500)
  expect([page.rows.length, page.isFull]).toEqual([2, true])
  const next = await read(page.rows.at(-1) ?? null, 1)
  expect([next.rows.length, next.isFull]).toEqual([1, true])
  const rest = await read(next.rows.at(-1) ?? null, 10_000)
  expect([rest.rows.length, rest.isFull]).toEqual([2, false])
})

databaseTest(`a follower that stored nothing of a page gets it again${noPostgres}`, async () => {
  const { join } = await setup()
  const first = await join()
  const writer = first.writer(await leading(first))
  await writer.append(bodies('one'))
  let failures = 1
  const rows: string[] = []
  const { follower } = followInto(leftovers, first, {
    onRows(page) {
      failures -= 1
      if (failures === 0) throw new Error('the disk is full')
      rows.push(...textsOf(page))
    },
  })
  await follower.reached(1)
  expect(rows).toEqual(['one'])
  expect(first.faults).toMatchObject([{ kind: 'internal' }])
})

databaseTest(`the database away for a while delays rows and loses none${noPostgres}`, async () => {
  const { join } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const [first, second] = [await join(proxy.port), await join(proxy.port)]
  const writer = first.writer(await leading(first))
  const { kept, follower } = followInto(leftovers, second)
  await writer.append(bodies('one'))
  proxy.cut()
  const away = [writer.append(bodies('two')), writer.append(bodies('three'))]
  await until(() => expect([first.faults.length, second.faults.length].every((count) => count > 1)).toBe(true))
  proxy.restore()
  expect(await Promise.all(away)).toMatchObject([{ is: 'stored' }, { is: 'stored' }])
  await follower.reached(3)
  expect(kept.rows).toEqual(['one', 'two', 'three'])
  expect(first.ends).toEqual([])
})
