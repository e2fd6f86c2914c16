import { once } from 'node:events'
import { inspect } from 'node:util'
import { createServer, type LookupFunction, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { clientOf, endConnection, openConnection, type TeamTarget } from '../../src-main/team/database/connect.ts'
import { inTransaction, type TeamPool } from '../../src-main/team/database/pool.ts'
import { runStatement } from '../../src-main/team/lead/statement.ts'
import { makeAuthority, type Authority } from '../main/platform/web/certificates.ts'
import { manualClock } from '../support/clock.ts'
import { acceleratedClock, createLeftovers, until } from '../support/fleet.ts'
import { listeningUntil } from '../support/listening.ts'
import { closedPort } from '../support/night.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, poolOf, targetOf } from '../support/postgres/team.ts'

const forAll = createLeftovers()
const leftovers = createLeftovers()
const host = 'db.test'
let postgres: Postgres
let authority: Authority
beforeAll(async () => {
  authority = await makeAuthority()
  if (noPostgres !== '') return
  postgres = await startPostgres(forAll.push, { tls: await authority.issue([host]) })
  await createRoles(postgres)
  await createDatabase(postgres, 'team', true)
}, 60_000)
afterEach(() => leftovers.clean())
afterAll(() => forAll.clean())
const databaseTest = test.skipIf(noPostgres !== '')

/** Every name is this computer, so that a name that is not loopback reaches the server. */
const lookup: LookupFunction = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])

function overTls(change: Partial<TeamTarget> = {}): TeamTarget {
  const target = targetOf(postgres, 'anna', 'team')
  return { ...target, address: { ...target.address, host }, ca: authority.ca, lookup, ...change }
}

async function failure(target: TeamTarget): Promise<FaultError> {
  const opened = await openConnection(clientOf(target), 'db').catch((error: unknown) => error)
  if (opened instanceof FaultError) return opened
  throw new Error('it was opened')
}

const one = (pool: TeamPool) => inTransaction(pool, ({ query }) => query('SELECT 1 AS one'))
const backend = (pool: TeamPool) =>
  inTransaction(pool, async ({ query }) => Number((await query('SELECT pg_backend_pid() AS pid'))[0]?.['pid']))

databaseTest(`over a network the connection is encrypted, and the CA is trusted${noPostgres}`, async () => {
  const client = await openConnection(clientOf(overTls()), 'db')
  const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  expect(rows).toEqual([{ ssl: true }])
  await endConnection(client)
})

databaseTest(`on this computer the connection is plain, and with a CA it is encrypted${noPostgres}`, async () => {
  const local = targetOf(postgres, 'anna', 'team')
  const client = await openConnection(clientOf(local), 'db')
  const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  expect(rows).toEqual([{ ssl: false }])
  await endConnection(client)
  expect((await failure({ ...local, ca: authority.ca })).fault).toEqual({
    kind: 'tls',
    detail: 'db: it is for another host name',
  })
})

databaseTest(`a certificate for another name is rejected${noPostgres}`, async () => {
  const target = overTls()
  const { fault } = await failure({ ...target, address: { ...target.address, host: 'other.test' } })
  expect(fault).toEqual({ kind: 'tls', detail: 'db: it is for another host name' })
})

databaseTest.each([
  ['no CA', async () => '', 'tls', 'db: its authority is not known here'],
  [
    'the CA of somebody else',
    async () => (await makeAuthority('Another CA')).ca,
    'tls',
    'db: its authority is not known here',
  ],
])(`with %s the certificate is rejected${noPostgres}`, async (_what, ca, kind, detail) => {
  expect((await failure(overTls({ ca: await ca() }))).fault).toEqual({ kind, detail })
})

databaseTest.each([
  ['a plain connection', () => targetOf(postgres, 'anna', 'team')],
  ['a connection that is encrypted', () => overTls()],
])(`a statement that is given up ends at the server, by %s${noPostgres}`, async (_what, target) => {
  const giveUp = new AbortController()
  const running = () => postgres.admin(`SELECT pid FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`)
  const statement = runStatement(poolOf(target(), leftovers.push), 'SELECT pg_sleep(60)', [], giveUp.signal)
  await until(async () => expect(await running()).toHaveLength(1))
  const reason = new FaultError('timeout')
  giveUp.abort(reason)
  await expect(statement).rejects.toBe(reason)
  await until(async () => expect(await running()).toEqual([]), 3000)
})

test('a CA that cannot be read is reported before anything is sent', () => {
  expect(() => clientOf({ ...overTlsOf(1), ca: 'no certificate' })).toThrow(
    new FaultError('ca', 'there is no certificate in it'),
  )
})

function overTlsOf(port: number): TeamTarget {
  return {
    address: { user: 'anna', host, port, database: 'team' },
    password: async () => passwords.anna,
    ca: '',
    clock: systemClock,
    lookup,
  }
}

databaseTest(`a server without TLS gets no password over a network${noPostgres}`, async () => {
  const plain = await startPostgres(leftovers.push)
  await createRoles(plain)
  const target = overTls()
  const { fault } = await failure({ ...target, address: { ...target.address, port: plain.port } })
  expect(fault).toEqual({ kind: 'protocol', detail: 'db: the server offers no TLS' })
})

type Change = Partial<Pick<TeamTarget, 'password'>>
const rejected: [string, Change, Partial<TeamTarget['address']>, string, string][] = [
  [
    'a wrong password',
    { password: async () => 'wrong' },
    {},
    'credentials',
    'the server rejected the user or password',
  ],
  ['an unknown user', {}, { user: 'nobody' }, 'credentials', 'the server rejected the user or password'],
  ['no password', { password: async () => null }, {}, 'no-secret', 'the server asks for a password'],
  ['an unknown database', {}, { database: 'nosuch' }, 'not-found', 'there is no database of this name'],
]
databaseTest.each(rejected)(
  `%s is reported as that, without the password${noPostgres}`,
  async (_what, change, address, kind, text) => {
    const target = { ...targetOf(postgres, 'anna', 'team'), ...change }
    const error = await failure({ ...target, address: { ...target.address, ...address } })
    expect(error.fault).toEqual({ kind, detail: `db: ${text}` })
    expect(error.cause).toBeUndefined()
  },
)

databaseTest(`a role that may not connect to the database is told so${noPostgres}`, async () => {
  const { fault } = await failure(targetOf(postgres, 'stranger', 'team'))
  expect(fault).toEqual({ kind: 'forbidden', detail: 'db: the role lacks a right for this' })
})

databaseTest(`a keychain that cannot be read is the fault of the connection${noPostgres}`, async () => {
  const locked = new FaultError('keychain-locked')
  const password = () => Promise.reject(locked)
  expect(await failure({ ...targetOf(postgres, 'anna', 'team'), password })).toBe(locked)
})

test('a port at which nothing answers is reported', async () => {
  const { fault } = await failure(targetOf({ port: await closedPort() }, 'anna', 'team'))
  expect(fault).toEqual({ kind: 'connect', detail: 'db' })
})

test('a name that is not found is reported', async () => {
  const nowhere: LookupFunction = (name, _options, done) =>
    done(Object.assign(new Error(`getaddrinfo ${name}`), { code: 'ENOTFOUND' }), [])
  expect((await failure({ ...overTlsOf(5432), lookup: nowhere })).fault).toEqual({ kind: 'name', detail: 'db' })
})

async function silentServer(onSocket: (socket: Socket) => void = () => {}): Promise<number> {
  return listeningUntil(createServer(onSocket), leftovers.push)
}

test.each([
  ['plain', '127.0.0.1'],
  ['over TLS', host],
])('a server that never answers ends an attempt in time; %s', async (_what, host) => {
  const closed: Promise<unknown>[] = []
  const port = await silentServer((socket) => {
    socket.resume()
    closed.push(once(socket, 'close'))
  })
  const target = { ...overTlsOf(port), clock: acceleratedClock(20) }
  const { fault } = await failure({ ...target, address: { ...target.address, host } })
  expect(fault).toEqual({ kind: 'timeout', detail: `${host}:${port}` })
  expect(closed).toHaveLength(1)
  await Promise.all(closed)
})

test('an attempt is given up by its signal', async () => {
  const controller = new AbortController()
  const reason = new FaultError('stopped')
  const port = await silentServer(() => controller.abort(reason))
  const opening = openConnection(clientOf(targetOf({ port }, 'anna', 'team')), 'db', controller.signal)
  await expect(opening).rejects.toBe(reason)
})

test('what answers in another protocol is no PostgreSQL', async () => {
  const port = await silentServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  expect((await failure(overTlsOf(port))).fault).toEqual({
    kind: 'protocol',
    detail: 'db: what answers there is no PostgreSQL',
  })
})

/** The first message of a server that wants the password as it is (AuthenticationCleartextPassword). */
const askPassword = Buffer.from('R\0\0\0\u0008\0\0\0\u0003', 'latin1')

test.each([
  ['28P01', 'credentials', 'db: the server rejected the user or password'],
  ['XX000', 'query', 'db: the server answered with error XX000'],
])('a server that repeats the password in its error %s does not get it into ours', async (code, kind, detail) => {
  let repeated = ''
  const port = await silentServer((socket) => {
    socket.once('data', () => {
      socket.write(askPassword)
      socket.once('data', (message) => {
        repeated = message.subarray(5, -1).toString()
        const fields = Buffer.from(`SFATAL\0C${code}\0M${repeated}\0D${repeated}\0n${repeated}\0\0`)
        const head = Buffer.from('E\0\0\0\0')
        head.writeUInt32BE(fields.length + 4, 1)
        socket.end(Buffer.concat([head, fields]))
      })
    })
  })
  const error = await failure(targetOf({ port }, 'anna', 'team'))
  expect(repeated).toBe(passwords.anna)
  expect(error.fault).toEqual({ kind, detail })
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(passwords.anna)
})

databaseTest(`environment variables of the driver change nothing${noPostgres}`, async () => {
  const variables = {
    PGOPTIONS: '-c work_mem=1MB',
    PGPASSWORD: passwords.anna,
    PGSSLMODE: 'no-verify',
    PGAPPNAME: 'other',
    PGDATABASE: 'postgres',
  }
  Object.assign(process.env, variables)
  leftovers.push(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
  })
  const client = await openConnection(clientOf(targetOf(postgres, 'anna', 'team')), 'db')
  const sql = `SELECT current_setting('application_name') AS name, current_setting('work_mem') AS memory, current_database() AS database`
  expect((await client.query(sql)).rows).toEqual([{ name: 'Muster', memory: '4MB', database: 'team' }])
  await endConnection(client)
  const without = { ...targetOf(postgres, 'anna', 'team'), password: async () => null }
  expect((await failure(without)).fault.kind).toBe('no-secret')
  expect((await failure(overTls({ ca: '' }))).fault.kind).toBe('tls')
})

databaseTest(`a transaction has limits of time, and none outlasts it${noPostgres}`, async () => {
  const pool = poolOf(targetOf(postgres, 'anna', 'team'), leftovers.push)
  const sql = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS still, pg_backend_pid() AS pid`
  const [inside] = await inTransaction(pool, ({ query }) => query(sql))
  expect(inside).toMatchObject({ statement: '15s', lock: '10s', still: '15s' })
  const client = await pool.take()
  const { rows } = await client.query(sql)
  expect(rows).toEqual([{ statement: '0', lock: '0', still: '0', pid: inside?.['pid'] }])
  client.release()
})

databaseTest(`work that rejects is rolled back, and its connection is used again${noPostgres}`, async () => {
  const pool = poolOf(targetOf(postgres, 'muster_owner', 'team'), leftovers.push)
  const pid = await backend(pool)
  const failed = new Error('not so')
  const work = inTransaction(pool, async ({ query }) => {
    await query('CREATE TABLE muster.rolled_back (id integer)')
    throw failed
  })
  await expect(work).rejects.toBe(failed)
  // The next one on the connection commits nothing of it.
  expect(await backend(pool)).toBe(pid)
  expect(await postgres.admin(`SELECT to_regclass('muster.rolled_back') AS found`, 'team')).toEqual([{ found: null }])
})

databaseTest(`a statement that failed unnoticed makes the whole transaction fail${noPostgres}`, async () => {
  const pool = poolOf(targetOf(postgres, 'muster_owner', 'team'), leftovers.push)
  const work = inTransaction(pool, async ({ query }) => {
    await query('CREATE TABLE muster.unnoticed (id integer)')
    await query('SELECT 1 / 0').catch(() => {})
  })
  await expect(work).rejects.toMatchObject({
    fault: { kind: 'query', detail: `127.0.0.1:${postgres.port}: the transaction was rolled back` },
  })
})

databaseTest(`a statement after the end of its transaction is not sent${noPostgres}`, async () => {
  const pool = poolOf(targetOf(postgres, 'anna', 'team'), leftovers.push)
  const query = await inTransaction(pool, async (transaction) => transaction.query)
  await expect(query('SELECT 1')).rejects.toThrow('the transaction is over')
})

databaseTest(`a connection that the server ends is not used again${noPostgres}`, async () => {
  const pool = poolOf(targetOf(postgres, 'anna', 'team'), leftovers.push)
  const work = inTransaction(pool, async ({ query }) => {
    const [row] = await query('SELECT pg_backend_pid() AS pid')
    await postgres.admin(`SELECT pg_terminate_backend(${String(row?.['pid'])})`)
    await query('SELECT 1')
  })
  await expect(work).rejects.toBeInstanceOf(FaultError)
  expect(await one(pool)).toEqual([{ one: 1 }])
})

databaseTest(`an unused connection that the server ends harms nobody${noPostgres}`, async () => {
  const pool = poolOf(targetOf(postgres, 'anna', 'team'), leftovers.push)
  const pid = await backend(pool)
  await postgres.admin(`SELECT pg_terminate_backend(${pid})`)
  await until(async () => expect(await backend(pool)).not.toBe(pid))
})

databaseTest(`a transaction is given up by its signal, and the server ends it${noPostgres}`, async () => {
  const pool = poolOf(targetOf(postgres, 'anna', 'team'), leftovers.push)
  const controller = new AbortController()
  const reason = new FaultError('stopped')
  const work = inTransaction(
    pool,
    async ({ query }) => {
      queueMicrotask(() => controller.abort(reason))
      await query('SELECT pg_sleep(60)')
    },
    { signal: controller.signal },
  )
  await expect(work).rejects.toBe(reason)
  expect(await one(pool)).toEqual([{ one: 1 }])
  await expect(inTransaction(pool, async () => 1, { signal: controller.signal })).rejects.toBe(reason)
})

databaseTest(`a server that stops answering ends a transaction in time${noPostgres}`, async () => {
  const pool = poolOf({ ...targetOf(postgres, 'anna', 'team'), clock: acceleratedClock(100) }, leftovers.push)
  const work = inTransaction(pool, ({ query }) => query('SELECT pg_sleep(10)'))
  await expect(work).rejects.toMatchObject({ fault: { kind: 'timeout', detail: `127.0.0.1:${postgres.port}` } })
})

databaseTest(`a pool that closes ends what is running and what waits for a connection${noPostgres}`, async () => {
  const pool = poolOf(targetOf(postgres, 'anna', 'team'), leftovers.push)
  const running = Array.from({ length: 4 }, () =>
    inTransaction(pool, ({ query }) => query('SELECT pg_sleep(60)')).catch((error: unknown) => error),
  )
  const asleep = `SELECT count(*)::int AS asleep FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'`
  await until(async () => expect(await postgres.admin(asleep)).toEqual([{ asleep: 3 }]))
  await pool.close()
  for (const ended of await Promise.all(running)) expect(ended).toMatchObject({ fault: { kind: 'abort' } })
  await expect(one(pool)).rejects.toMatchObject({ fault: { kind: 'abort' } })
})

test('a pool that closes gives up a connection that is being opened', async () => {
  let pool: TeamPool | null = null
  const port = await silentServer(() => void pool?.close())
  pool = poolOf({ ...targetOf({ port }, 'anna', 'team'), clock: manualClock() }, leftovers.push)
  await expect(one(pool)).rejects.toMatchObject({ fault: { kind: 'abort' } })
  await pool.close()
})
