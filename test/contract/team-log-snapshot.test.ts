import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import type { Position } from '../../src-main/team/log/log-store.ts'
import { createSnapshotReader } from '../../src-main/team/log/snapshot.ts'
import type { AppendOutcome } from '../../src-main/team/log/writer.ts'
import { createLeftovers, until } from '../support/fleet.ts'
import { startProxy } from '../support/postgres/proxy.ts'
import {
  bodies,
  followInto,
  leading,
  numbered,
  openReplica,
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
  if (outcome.is !== 'stored') throw new Error(`it is ${outcome.is}`)
  const { rows } = await logs.read(null, { rows: 1000, bytes: 1 << 30 })
  const row = rows.find(({ number }) => number === outcome.number)
  if (row === undefined) throw new Error('it is not in the log')
  return { number: row.number, id: row.id }
}

const bytes = (text: string) => Buffer.from(text)
const numbers = 'SELECT number::int AS number FROM muster.log ORDER BY number'
const count = (table: string) => `SELECT count(*)::int AS count FROM muster.${table}`
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
  const read = await createSnapshotReader({ store: first.logs, clock: first.clock }).read()
  expect(read?.position).toEqual(one)
  expect(body.equals(read?.body ?? new Uint8Array())).toBe(true)
  expect(await admin(count('snapshot_part'))).toEqual([{ count: 17 }])
  expect(await writer.snapshot(one, bytes(''))).toEqual({ is: 'stored' })
  expect(await createSnapshotReader({ store: first.logs, clock: first.clock }).read()).toMatchObject({ position: one })
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
  expect(await first.logs.newest()).toBeNull()
  await first.logs.putPart(leadership, head.id, 1, bytes('half'))
  await admin('UPDATE muster.lead SET until = now()')
  const other = second.writer(await leading(second))
  expect(await first.logs.publish(leadership, head)).toBe(false)
  expect(await writer.snapshot(one, bytes('one'))).toEqual({ is: 'fenced' })
  expect(first.ends).toEqual(['taken'])
  expect(await first.logs.newest()).toBeNull()
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
  const read = await createSnapshotReader({ store, clock: first.clock }).read()
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

databaseTest(`pruning leaves what the newest snapshot and a follower need${noPostgres}`, async () => {
  const { join, admin } = await setup()
  const [first, second] = [await join(), await join()]
  const writer = first.writer(await leading(first))
  const rows = await Promise.all(numbered(10).map((text) => writer.append(bodies(text))))
  const positions = await Promise.all(rows.map((row) => positionOf(first, row)))
  const [, , third, , , , , eighth] = positions
  if (third === undefined || eighth === undefined) throw new Error('there are ten rows')
  await admin(`UPDATE muster.log SET at = at - interval '1 hour' WHERE number <> 5`)
  expect(await writer.prune()).toBe(0)
  await writer.snapshot(eighth, bytes(numbered(8).join('\n')))
  // The fifth row is young: a clock that was turned back makes no gap.
  expect(await writer.prune()).toBe(4)
  await admin(`UPDATE muster.log SET at = at - interval '1 hour'`)
  expect(await writer.prune()).toBe(3)
  expect(await admin(numbers)).toEqual([8, 9, 10].map((number) => ({ number })))
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

databaseTest(
  `what follows from a row that a failover lost is not written, and the term ends${noPostgres}`,
  async () => {
    const { join, admin } = await setup()
    const [first, second] = [await join(), await join()]
    const writer = second.writer(await leading(second))
    const one = await positionOf(first, await writer.append(bodies('one')))
    const two = await positionOf(first, await writer.append(bodies('two')))
    let position = one
    const evaluating = first.writer(await leading(first, 'evaluator'), { position: () => position })
    expect(await evaluating.append(bodies('of one'))).toEqual({ is: 'stored', number: 3 })
    position = two
    // Of another lease, whose own batches are all there.
    await admin('DELETE FROM muster.log WHERE number = 2')
    expect(await evaluating.append(bodies('of two'))).toEqual({ is: 'fenced' })
    expect(first.ends).toEqual(['rewound'])
    const { rows } = await second.logs.read(one, { rows: 10, bytes: 1000 })
    expect(textsOf(rows)).toEqual(['of one'])
    // A row with the same number that has replaced it is another one.
    await admin(
      `INSERT INTO muster.log (log, number, entry, term, body) VALUES ('team', 2, gen_random_uuid(), 1, 'two')`,
    )
    const next = first.writer(await leading(first, 'evaluator'), { position: () => two })
    expect(await next.append(bodies('of two'))).toEqual({ is: 'fenced' })
    // Those that wait together are written together, or none of them.
    position = one
    const last = first.writer(await leading(first, 'evaluator'), { position: () => position })
    const [alone, before] = [last.append(bodies('alone')), last.append(bodies('of one, again'))]
    position = two
    const after = last.append(bodies('of two'))
    const outcomes = [{ is: 'stored' }, { is: 'fenced' }, { is: 'fenced' }]
    expect(await Promise.all([alone, before, after])).toMatchObject(outcomes)
  },
)

databaseTest(
  `a batch whose answer is lost is found, though the row it follows from is gone since${noPostgres}`,
  async () => {
    const { join, admin } = await setup()
    const proxy = await startProxy(postgres.port, leftovers.push)
    const first = await join(proxy.port)
    const leadership = await leading(first)
    const one = await positionOf(first, await first.writer(leadership).append(bodies('one')))
    const evaluating = first.writer(await leading(first, 'evaluator'), { position: () => one })
    const send = proxy.holdBack('INSERT INTO muster.log')
    const waiting = evaluating.append(bodies('of one'))
    await (
      await send
    )()
    await admin('DELETE FROM muster.log WHERE number = 1')
    expect(await waiting).toEqual({ is: 'stored', number: 2 })
  },
)
