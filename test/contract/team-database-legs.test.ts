import { createServer, type LookupFunction } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { teamLegs, type TeamLeg, type TeamLegResult } from '../../src-shared/model/team.ts'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import { teamSteps } from '../../src-main/team/database/steps.ts'
import { testTeam, versionText, type TeamTestInput } from '../../src-main/team/database/test-legs.ts'
import { makeAuthority, type Authority } from '../main/platform/web/certificates.ts'
import { acceleratedClock, createLeftovers, until } from '../support/fleet.ts'
import { listeningUntil } from '../support/listening.ts'
import { closedPort } from '../support/night.ts'
import { startPooler } from '../support/postgres/pooler.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, poolOf, targetOf, type Role } from '../support/postgres/team.ts'

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
  await createDatabase(postgres, 'fresh')
  const owner = poolOf(targetOf(postgres, 'muster_owner', 'team'), forAll.push)
  await migrateTeam(owner)
  await owner.close()
}, 60_000)
afterEach(() => leftovers.clean())
afterAll(() => forAll.clean())
const databaseTest = test.skipIf(noPostgres !== '')

const lookup: LookupFunction = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
/** Returns every object of the team's database, and whoever is connected to one of the server's. */
async function stateOf() {
  const objects = await postgres.admin(
    `SELECT relname, relnamespace::regnamespace::text AS schema FROM pg_class ORDER BY 1, 2`,
    'team',
  )
  return { objects, members: await postgres.admin('SELECT * FROM muster.member', 'team') }
}
const sessions = () =>
  postgres.admin(
    `SELECT usename, query FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename <> 'admin'`,
  )

interface Given extends Partial<Omit<TeamTestInput, 'address'>> {
  user?: Role
  host?: string
  port?: number
  database?: string
}

function tried({ user = 'anna', host = '127.0.0.1', port = postgres.port, database = 'team', ...more }: Given = {}) {
  return testTeam({
    address: teamAddressText({ user, host, port, database }),
    password: async () => passwords[user],
    ca: '',
    clock: systemClock,
    signal: new AbortController().signal,
    ...more,
  })
}

const details = (legs: TeamLegResult[]) => legs.map(({ leg, outcome, detail }) => [leg, outcome, detail])

/** Which leg failed and with which fault; the legs before it passed, and those after it were skipped. */
function failed(legs: TeamLegResult[]): [TeamLeg, string, string] {
  expect(legs.map(({ leg }) => leg)).toEqual(teamLegs)
  const at = legs.findIndex(({ outcome }) => outcome === 'failed')
  const result = legs[at]
  if (result === undefined || result.fault === null) throw new Error('no leg failed')
  for (const { fault } of legs.toSpliced(at, 1)) expect(fault).toBeNull()
  expect(legs.slice(at + 1)).toEqual(
    teamLegs.slice(at + 1).map((leg) => ({ leg, outcome: 'skipped', fault: null, detail: '', ms: 0 })),
  )
  return [result.leg, result.fault.kind, result.fault.detail]
}

databaseTest(`all legs of a good address pass, and nothing is left behind${noPostgres}`, async () => {
  const before = await stateOf()
  const legs = await tried()
  const where = `127.0.0.1:${postgres.port}`
  expect(details(legs)).toEqual([
    ['address', 'ok', where],
    ['name', 'ok', '127.0.0.1'],
    ['connect', 'ok', where],
    ['tls', 'skipped', 'not needed on this computer'],
    ['sign-in', 'ok', 'user anna, database team'],
    ['version', 'ok', 'PostgreSQL 18.4'],
    ['schema', 'ok', `version ${teamSteps.length}`],
    ['notifications', 'ok', 'changes arrive at once'],
  ])
  expect(legs.every(({ fault, ms }) => fault === null && ms >= 0)).toBe(true)
  await until(async () => expect(await sessions()).toEqual([]))
  expect(await stateOf()).toEqual(before)
})

databaseTest(`over a network the certificate is a leg of its own${noPostgres}`, async () => {
  const legs = await tried({ host, ca: authority.ca, lookup })
  expect(details(legs).slice(1, 4)).toEqual([
    ['name', 'ok', `${host}: 127.0.0.1`],
    ['connect', 'ok', `${host}:${postgres.port}`],
    ['tls', 'ok', expect.stringMatching(/^TLSv1\.3, certificate valid until \d{4}-\d\d-\d\d$/u)],
  ])
  expect(legs.at(-1)?.outcome).toBe('ok')
})

type Failure = [string, TeamLeg, string, string | RegExp, Given | (() => Promise<Given>)]
const failures: Failure[] = [
  ['a name that is not found', 'name', 'name', 'nosuch.invalid', { host: 'nosuch.invalid' }],
  [
    'a port at which nothing answers',
    'connect',
    'connect',
    /^127\.0\.0\.1:\d+$/u,
    async () => ({ port: await closedPort() }),
  ],
  ['an unknown CA', 'tls', 'tls', /^db\.test:\d+: its authority is not known here$/u, { host, lookup }],
  [
    'a CA that is cut',
    'tls',
    'ca',
    'certificate 1 of 1 is damaged',
    async () => ({ host, lookup, ca: `${authority.ca.slice(0, 120)}\n-----END CERTIFICATE-----` }),
  ],
  [
    'a certificate for another name',
    'tls',
    'tls',
    /^other\.test:\d+: it is for another host name$/u,
    async () => ({ host: 'other.test', lookup, ca: authority.ca }),
  ],
  [
    'a wrong password',
    'sign-in',
    'credentials',
    /: the server rejected the user or password$/u,
    { password: async () => 'a wrong password' },
  ],
  ['no password', 'sign-in', 'no-secret', /: the server asks for a password$/u, { password: async () => null }],
  ['an unknown database', 'sign-in', 'not-found', /: there is no database of this name$/u, { database: 'nosuch' }],
  [
    'a role that may not connect',
    'sign-in',
    'forbidden',
    /: the role lacks a right for this$/u,
    { user: 'stranger' as const },
  ],
  [
    'a schema that is not there and may not be made',
    'schema',
    'forbidden',
    /: the team’s tables are not there yet, and this role may not make them; sign in with the owner role first$/u,
    { database: 'fresh' },
  ],
]

databaseTest.each(failures)(`%s fails the leg %s${noPostgres}`, async (_what, leg, kind, detail, given) => {
  const legs = await tried(typeof given === 'function' ? await given() : given)
  expect(failed(legs)).toEqual([leg, kind, typeof detail === 'string' ? detail : expect.stringMatching(detail)])
  expect(JSON.stringify(legs)).not.toMatch(/a wrong password|anna password/u)
  await until(async () => expect(await sessions()).toEqual([]))
})

test('an address that cannot be read fails the first leg, and nothing is sent', async () => {
  const legs = await testTeam({
    address: 'postgresql://anna:secret@db.test/team',
    password: async () => 'secret',
    ca: '',
    clock: systemClock,
    signal: new AbortController().signal,
    lookup: () => expect.unreachable(),
  })
  expect(failed(legs)).toEqual(['address', 'input', 'Leave out the password; it has its own field.'])
})

databaseTest(`a server without TLS fails the leg of the certificate${noPostgres}`, async () => {
  const plain = await startPostgres(leftovers.push)
  const legs = await tried({ host, lookup, port: plain.port })
  expect(failed(legs)).toEqual(['tls', 'protocol', `${host}:${plain.port}: the server offers no TLS`])
})

databaseTest(`a schema that is not there passes where this role may make it${noPostgres}`, async () => {
  const legs = await tried({ user: 'muster_owner', database: 'fresh' })
  expect(details(legs).at(-2)).toEqual(['schema', 'ok', 'not there yet; Muster makes it'])
  expect(await postgres.admin(`SELECT to_regclass('muster.team') AS found`, 'fresh')).toEqual([{ found: null }])
})

databaseTest.each([
  [
    'a newer schema',
    'anna',
    teamSteps.length + 1,
    `version ${teamSteps.length + 1}, of a newer Muster; read-only until this one is updated`,
  ],
  [
    'an older schema, for a member',
    'anna',
    0,
    'version 0; read-only until the owner role signs in with this version of Muster',
  ],
  ['an older schema, for the owner', 'muster_owner', 0, `version 0; Muster updates it to version ${teamSteps.length}`],
] as const)(`%s passes and says what follows${noPostgres}`, async (_what, user, version, text) => {
  const set = (to: number) => postgres.admin(`UPDATE muster.schema_version SET version = ${to}`, 'team')
  await set(version)
  leftovers.push(() => set(teamSteps.length))
  expect(details(await tried({ user })).at(-2)).toEqual(['schema', 'ok', text])
})

databaseTest(`through a transaction pooler all legs pass, and Muster polls${noPostgres}`, async () => {
  const server = { host: '127.0.0.1', port: postgres.port, user: 'anna', password: passwords.anna, database: 'team' }
  const port = await startPooler(leftovers.push, { ...server, size: 2 })
  const legs = await tried({ port })
  expect(legs.map(({ fault }) => fault)).toEqual(teamLegs.map(() => null))
  expect(details(legs).at(-1)).toEqual([
    'notifications',
    'ok',
    'none comes through the pooler; Muster polls every 2 seconds',
  ])
})

test.each([
  ['plain', 'sign-in', '127.0.0.1'],
  ['over TLS', 'tls', host],
] as const)('a server that never answers is given up in time, %s, in the leg %s', async (_what, leg, host) => {
  const port = await listeningUntil(createServer(), leftovers.push)
  const legs = await tried({ host, lookup, port, clock: acceleratedClock(20) })
  expect(failed(legs)).toEqual([leg, 'timeout', `${host}:${port}`])
  expect(legs.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThan(60_000)
})

databaseTest(`a keychain that waits for a person delays the answer by a minute at most${noPostgres}`, async () => {
  const legs = await tried({ password: () => new Promise<never>(() => {}), clock: acceleratedClock(20) })
  expect(failed(legs)).toEqual(['sign-in', 'timeout', `127.0.0.1:${postgres.port}`])
  await until(async () => expect(await sessions()).toEqual([]))
})

test('a name server that never answers is given up within a minute', async () => {
  const legs = await tried({ host, port: 5432, lookup: () => {}, clock: acceleratedClock(20) })
  expect(failed(legs)).toEqual(['name', 'timeout', host])
})

databaseTest(`a test ends with its signal, and leaves no connection${noPostgres}`, async () => {
  const controller = new AbortController()
  const password = async () => {
    controller.abort(new FaultError('stopped'))
    return passwords.anna
  }
  expect(failed(await tried({ password, signal: controller.signal }))).toEqual(['sign-in', 'stopped', ''])
  await until(async () => expect(await sessions()).toEqual([]))
})

test('a server older than 15 is not used', () => {
  expect(versionText(150_000, '15.0 (Debian 15.0-1)', 'db:5432')).toBe('PostgreSQL 15.0')
  expect(() => versionText(149_999, '14.9', 'db:5432')).toThrow(
    new FaultError('protocol', 'db:5432: it is PostgreSQL 14.9; Muster needs 15 or newer'),
  )
})
