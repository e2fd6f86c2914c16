import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import { openConsumer } from '../../src-main/team/log/consume.ts'
import type { Position, SavedState } from '../../src-main/team/log/log-store.ts'
import { readSnapshot } from '../../src-main/team/log/snapshot.ts'
import type { AppendOutcome } from '../../src-main/team/log/writer.ts'
import { createLeftovers, until } from '../support/fleet.ts'
import { startProxy } from '../support/postgres/proxy.ts'
import {
  bodies,
  followInto,
  leading,
  numbered,
  openReplica,
  subject,
  textsOf,
  type Replica,
} from '../support/postgres/replicas.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, poolOf, targetOf } from '../support/postgres/team.ts'

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

let databases = 0
async function setup() {
  databases += 1
  const name = `snapshot_${databases}`
  await createDatabase(postgres, name)
  await migrateTeam(poolOf(targetOf(postgres, 'muster_owner', name), leftovers.push))
  const join = (port = postgres.port) => openReplica(targetOf({ port }, 'anna', name), leftovers.push)
  return { join, admin: (sql: string) => postgres.admin(sql, name) }
}

/** Returns the position of the last row that was written. */
async function positionOf({ logs }: Pick<Replica, 'logs'>, outcome: AppendOutcome): Promise<Position> {
  if (outcome.is !== 'stored' || outcome.number === null) throw new Error(`it is ${outcome.is}`)
  const { rows } = await logs.read(subject, null, { rows: 1000, bytes: 1 << 30 })
  const row = rows.find(({ number }) => number === outcome.number)
  if (row === undefined) throw new Error('it is not in the log')
  return { number: row.number, id: row.id }
}

const bytes = (text: string) => Buffer.from(text)
const numbers = 'SELECT number::int AS number FROM muster.log ORDER BY number'
const count = (table: string) => `SELECT count(*)::int AS count FROM muster.${table}`
const stateOf = (text: string, position: Position): SavedState => ({
  value: bytes(text),
  consumed: new Map([[subject, position]]),
})

databaseTest(`a follower without anything takes the newest snapshot, then the rows after it${noPostgres}`, async () => {
  const { join } = await setup()
  const [first, second] = [await join(), await join()]
  const writer = first.writer(await leading(first))
  await writer.append(bodies('one'))
  const two = await positionOf(first, await writer.append(bodies('two')))
  expect(await writer.snapshot(two, bytes('one\ntwo'))).toEqual({ is: 'stored' })
  await writer.append(bodies('three'))
  const { kept, follower } = followInto(leftovers, second)
  await follower.reached(3)
  expect(kept).toMatchObject({ snapshots: ['one\ntwo'], rows: ['one', 'two', 'three'] })
})

databaseTest(`a snapshot of several parts is read whole, and replaces the former one${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const first = await join()
  const writer = first.writer(await leading(first))
  const one = await positionOf(first, await writer.append(bodies('one')))
  await writer.snapshot(one, Buffer.alloc(2 ** 22 + 1, 'a'))
  const body = Buffer.alloc(2 ** 23 + 7)
  for (let at = 0; at < body.length; at += 4096) body.writeUInt32BE(at, Math.min(at, body.length - 4))
  expect(await writer.snapshot(one, body)).toEqual({ is: 'stored' })
  const read = await readSnapshot({ store: first.logs, clock: first.clock }, subject)
  expect(read?.position).toEqual(one)
  expect(body.equals(read?.body ?? new Uint8Array())).toBe(true)
  expect(await admin(count('snapshot_part'))).toEqual([{ count: 3 }])
  expect(await writer.snapshot(one, bytes(''))).toEqual({ is: 'stored' })
  expect(await readSnapshot({ store: first.logs, clock: first.clock }, subject)).toMatchObject({ position: one })
})

databaseTest(`a snapshot that is not complete, or of a former term, is seen by nobody${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const leadership = await leading(first)
  const writer = first.writer(leadership)
  const one = await positionOf(first, await writer.append(bodies('one')))
  const head = { id: randomUUID(), parts: 2, position: one }
  expect(await first.logs.putPart(leadership, head.id, 0, bytes('half'))).toBe(true)
  expect(await first.logs.publish(leadership, head)).toBe(false)
  expect(await first.logs.newest(subject)).toBeNull()
  await first.logs.putPart(leadership, head.id, 1, bytes('half'))
  await admin('UPDATE muster.lead SET until = now()')
  const other = second.writer(await leading(second))
  expect(await first.logs.publish(leadership, head)).toBe(false)
  expect(await writer.snapshot(one, bytes('one'))).toEqual({ is: 'fenced' })
  expect(first.ends).toEqual(['taken'])
  expect(await first.logs.newest(subject)).toBeNull()
  expect(await other.snapshot(one, bytes('one'))).toEqual({ is: 'stored' })
  expect(await admin(count('snapshot_part'))).toEqual([{ count: 1 }])
})

databaseTest(`a snapshot survives lost answers, and one that is replaced while read is left${noPostgres}`, async () => {
  const { join } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const first = await join(proxy.port)
  const writer = first.writer(await leading(first))
  const one = await positionOf(first, await writer.append(bodies('one')))
  proxy.loseAnswerTo('WITH fence')
  expect(await writer.snapshot(one, bytes('old'))).toEqual({ is: 'stored' })
  let reads = 0
  const store: typeof first.logs = {
    ...first.logs,
    async part(...values) {
      reads += 1
      if (reads === 1) await writer.snapshot(one, bytes('new'))
      return first.logs.part(...values)
    },
  }
  const read = await readSnapshot({ store, clock: first.clock }, subject)
  expect(Buffer.from(read?.body ?? []).toString()).toBe('new')
})

databaseTest(`rows that a failover lost lead each follower to a snapshot${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const writer = first.writer(await leading(first))
  const two = await positionOf(first, await writer.append(bodies('one', 'two')))
  await writer.snapshot(two, bytes('one\ntwo'))
  const { kept, follower } = followInto(leftovers, second)
  await writer.append(bodies('three', 'lost'))
  await follower.reached(4)
  await admin(
    `DELETE FROM muster.log WHERE number > 3; UPDATE muster.log_end SET last = 3; UPDATE muster.lead SET revision = 1`,
  )
  // The writer counts on a batch that is gone.
  expect(await writer.append(bodies('not four'))).toEqual({ is: 'fenced' })
  expect(first.ends).toEqual(['rewound'])
  const next = first.writer(await leading(first))
  await next.append(bodies('four', 'five'))
  await follower.reached(5)
  expect(kept.snapshots).toEqual(['one\ntwo', 'one\ntwo'])
  expect(kept.rows).toEqual(['one', 'two', 'three', 'four', 'five'])
})

databaseTest(
  `an older copy of the tables, and wiped ones, lead each follower to a new begin${noPostgres}`,
  async () => {
    const { join, admin } = await setup()
    const [first, second] = [await join(), await join()]
    const writer = first.writer(await leading(first))
    await writer.append(bodies('one'))
    const tables = ['log', 'log_end', 'lead']
    await admin(tables.map((table) => `CREATE TABLE old_${table} AS TABLE muster.${table}`).join(';'))
    await writer.append(bodies('two'))
    const { kept, follower } = followInto(leftovers, second)
    await follower.reached(2)
    const restore = (table: string) =>
      `TRUNCATE muster.${table}; INSERT INTO muster.${table} SELECT * FROM old_${table};`
    await admin(`BEGIN; ${tables.map(restore).join('')} COMMIT`)
    const restored = first.writer(await leading(first))
    await restored.append(bodies('other two'))
    await until(() => expect(kept).toMatchObject({ snapshots: [null], rows: ['one', 'other two'] }))
    await admin('TRUNCATE muster.log, muster.log_end, muster.lead')
    const wiped = first.writer(await leading(first))
    await wiped.append(bodies(...numbered(3)))
    await until(() => expect(kept).toMatchObject({ snapshots: [null, null], rows: numbered(3) }))
  },
)

databaseTest(`pruning leaves what the newest snapshot, a follower and the evaluator need${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const writer = first.writer(await leading(first))
  const rows = await Promise.all(numbered(10).map((text) => writer.append(bodies(text))))
  const positions = await Promise.all(rows.map((row) => positionOf(first, row)))
  const [, , third, , , sixth, , eighth] = positions
  if (third === undefined || sixth === undefined || eighth === undefined) throw new Error('there are ten rows')
  await admin(`UPDATE muster.log SET at = at - interval '1 hour' WHERE number <> 5`)
  expect(await writer.prune()).toBe(0)
  await writer.snapshot(eighth, bytes(numbered(8).join('\n')))
  // The fifth row is young: a clock that was turned back makes no gap.
  expect(await writer.prune()).toBe(4)
  await admin(`UPDATE muster.log SET at = at - interval '1 hour'`)
  const evaluating = second.writer(await leading(second, evaluator))
  await evaluating.save(stateOf('state', sixth))
  expect(await writer.prune()).toBe(1)
  expect(await admin(numbers)).toEqual([6, 7, 8, 9, 10].map((number) => ({ number })))
  await evaluating.save(stateOf('state', eighth))
  expect(await writer.prune()).toBe(2)
  expect(await writer.prune()).toBe(0)
  const fresh = followInto(leftovers, second)
  await fresh.follower.reached(10)
  expect(fresh.kept).toMatchObject({ rows: numbered(10), snapshots: [numbered(8).join('\n')] })
  const behind = followInto(leftovers, second, { from: third })
  await behind.follower.reached(10)
  expect(behind.kept.rows).toEqual(numbered(10))
  await admin('UPDATE muster.lead SET term = term + 1')
  expect(await writer.prune()).toBe(0)
})

databaseTest(`a state that has consumed nothing of a log keeps all of it${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const first = await join()
  const writer = first.writer(await leading(first), { keepMs: 0 })
  const two = await positionOf(first, await writer.append(bodies('one', 'two')))
  await writer.snapshot(two, bytes('one\ntwo'))
  const evaluating = first.writer(await leading(first, evaluator))
  await evaluating.save({ value: bytes('new'), consumed: new Map() })
  expect(await writer.prune()).toBe(0)
  await admin('DELETE FROM muster.state')
  expect(await writer.prune()).toBe(1)
})

databaseTest(`state, consumed rows and new rows are saved together, once, and by one term${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const [first, second] = [await join(proxy.port), await join()]
  const writer = second.writer(await leading(second))
  const one = await positionOf(first, await writer.append(bodies('gone')))
  const evaluating = first.writer(await leading(first, evaluator))
  expect(await first.logs.state(evaluator)).toBeNull()
  proxy.loseAnswerTo('INSERT INTO muster.state')
  expect(await evaluating.save(stateOf('1 device offline', one), bodies('incident'))).toMatchObject({ is: 'stored' })
  expect(await second.logs.state(evaluator)).toEqual(stateOf('1 device offline', one))
  expect(await evaluating.save(stateOf('the same', one))).toEqual({ is: 'stored', number: null })
  expect(await admin(`SELECT last::int AS last FROM muster.log_end WHERE log = 'evaluator'`)).toEqual([{ last: 1 }])
  await admin(`UPDATE muster.lead SET until = now() WHERE subject = 'evaluator'`)
  await leading(second, evaluator)
  expect(await evaluating.save(stateOf('late', one), bodies('late'))).toEqual({ is: 'fenced' })
  expect(await second.logs.state(evaluator)).toEqual(stateOf('the same', one))
})

databaseTest(`an older state that arrives late does not replace a newer one${noPostgres}`, async () => {
  const { join } = await setup()
  const proxy = await startProxy(postgres.port, leftovers.push)
  const [first, second] = [await join(proxy.port), await join()]
  const writer = second.writer(await leading(second))
  const one = await positionOf(first, await writer.append(bodies('one')))
  const evaluating = first.writer(await leading(first, evaluator))
  const holding = proxy.holdBack('INSERT INTO muster.state')
  const older = evaluating.save(stateOf('older', one))
  const send = await holding
  expect(await older).toMatchObject({ is: 'stored' })
  await evaluating.save(stateOf('newer', one))
  await send()
  expect(await second.logs.state(evaluator)).toEqual(stateOf('newer', one))
})

databaseTest(`a state that has consumed rows which were lost is not saved${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const first = await join()
  const writer = first.writer(await leading(first))
  const one = await positionOf(first, await writer.append(bodies('one')))
  const two = await positionOf(first, await writer.append(bodies('two')))
  const evaluating = first.writer(await leading(first, evaluator))
  await evaluating.save(stateOf('one', one))
  await admin('DELETE FROM muster.log WHERE number = 2')
  expect(await evaluating.save(stateOf('two', two))).toEqual({ is: 'fenced' })
  expect(first.ends).toEqual(['rewound'])
  expect(await first.logs.state(evaluator)).toEqual(stateOf('one', one))
})

databaseTest(`a consumer goes on in the next term exactly where the former one was fenced${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const sets = ['a credential set', 'another set']
  const writers = await Promise.all(sets.map(async (set) => first.writer(await leading(first, set))))
  const append = (text: string) =>
    Promise.all(writers.map((writer, index) => writer.append(bodies(`${text} of set ${index}`))))
  await append('row 1')
  const start = async (replica: Replica) => {
    const leadership = await leading(replica, evaluator)
    const consumer = await openConsumer<readonly string[]>({
      store: replica.logs,
      clock: replica.clock,
      leadership,
      writer: replica.writer(leadership),
      initial: [],
      decode: (value) => Buffer.from(value).toString().split('\n'),
      encode: (state) => bytes(state.join('\n')),
      evaluate: (state, _source, rows) => ({
        state: [...state, ...textsOf(rows)],
        entries: bodies(...textsOf(rows).map((text) => `incident of ${text}`)),
      }),
      evaluateSnapshot: (state) => ({ state, entries: [] }),
    })
    for (const set of sets) leftovers.push(consumer.consume(set))
    return consumer
  }
  const former = await start(first)
  await until(() => expect(former.state()).toHaveLength(2))
  await admin(`UPDATE muster.lead SET until = now() WHERE subject = 'evaluator'`)
  const next = await start(second)
  expect(next.state()).toEqual(former.state())
  await append('row 2')
  await until(() => expect(next.state()).toHaveLength(4))
  await until(() => expect(first.ends).toEqual(['taken']))
  expect(former.state()).toHaveLength(2)
  const { rows } = await first.logs.read(evaluator, null, { rows: 10, bytes: 1000 })
  expect(textsOf(rows)).toEqual(next.state().map((text) => `incident of ${text}`))
  expect(textsOf(rows).toSorted()).toEqual(
    ['row 1', 'row 2'].flatMap((text) => [0, 1].map((index) => `incident of ${text} of set ${index}`)),
  )
  expect(rows.map(({ term }) => term)).toEqual([1, 1, 2, 2])
})
