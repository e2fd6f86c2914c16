import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openMemory } from '../../src-main/secrets/memory.ts'
import type { Service } from '../../src-service/service.ts'
import type { ConnectionInput, LegResult } from '../../src-shared/model/connection.ts'
import {
  connectionTo,
  createLeftovers,
  acceleratedClock,
  openConsole,
  service,
  temporaryProfile,
  until,
} from '../support/fleet.ts'
import { closedPort } from '../support/night.ts'
import { makeAuthority } from '../main/platform/web/certificates.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function setup(options: Parameters<typeof service>[1] = {}, more: Parameters<typeof openConsole>[2] = {}) {
  const reference = await service(leftovers, { devices: 20, tenants: 3, ...options })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, more)
  const tryIt = async (change: Partial<ConnectionInput> = {}) =>
    (await muster.call('connections.test', connectionTo(reference, change))).legs
  return { reference, profile, muster, tryIt }
}

const outcomes = (legs: LegResult[]) => legs.map(({ leg, outcome }) => `${leg} ${outcome}`)
const failed = (legs: LegResult[]) => legs.find(({ outcome }) => outcome === 'failed')
const upTo = (leg: LegResult['leg']) => {
  const all = ['name', 'tls', 'token', 'query', 'socket']
  const at = all.indexOf(leg)
  return all.map((each, index) => `${each} ${index < at ? 'ok' : index === at ? 'failed' : 'skipped'}`)
}

/** Nothing is left of a test: no socket, and no connection in the settings. */
async function leavesNothing({ reference, muster }: Pick<Awaited<ReturnType<typeof setup>>, 'reference' | 'muster'>) {
  await until(() => expect(reference.openSockets()).toBe(0))
  expect((await muster.call('app.state', {})).connections).toEqual([])
  expect(muster.settings.get('connections')).toBeUndefined()
}

test('all five legs of a good connection pass, and nothing is stored or left open', async () => {
  const { reference, muster, tryIt } = await setup()
  const legs = await tryIt()
  expect(outcomes(legs)).toEqual(['name ok', 'tls ok', 'token ok', 'query ok', 'socket ok'])
  const { host } = new URL(reference.graphqlUrl)
  expect(legs.map(({ detail }) => detail)).toEqual([host, host, 'good for 24 hours', '3 tenants; role: Admin', 'open'])
  expect(legs.every(({ fault, ms }) => fault === null && ms >= 0)).toBe(true)
  await leavesNothing({ reference, muster })
  const asked = reference.operations().map(({ operationName }) => operationName)
  expect(asked).toEqual(['Tenants', 'Schema', ...Array.from({ length: 5 }, () => 'Type'), 'Credential'])
})

type Change = (to: Service) => Partial<ConnectionInput> | Promise<Partial<ConnectionInput>>
const cases: [string, LegResult['leg'], string, string | RegExp, Change][] = [
  [
    'an unknown host of the token',
    'name',
    'name',
    'token URL: nosuch.invalid:443',
    () => ({ tokenUrl: 'https://nosuch.invalid/oauth/token' }),
  ],
  [
    'an unknown host of GraphQL alone',
    'name',
    'name',
    'GraphQL URL: nosuch.invalid:443',
    () => ({ graphqlUrl: 'https://nosuch.invalid/graphql' }),
  ],
  [
    'an unknown host of two',
    'name',
    'name',
    'GraphQL and subscription URL: nosuch.invalid:443',
    () => ({ graphqlUrl: 'https://nosuch.invalid/graphql', subscriptionUrl: 'wss://nosuch.invalid/graphql' }),
  ],
  [
    'nothing listening for the token',
    'tls',
    'connect',
    /^token URL: 127\.0\.0\.1:\d+$/,
    async () => ({ tokenUrl: `https://127.0.0.1:${await closedPort()}/oauth/token` }),
  ],
  [
    'nothing listening for the socket',
    'socket',
    'connect',
    /^subscription URL: 127\.0\.0\.1:\d+$/,
    async () => ({ subscriptionUrl: `wss://127.0.0.1:${await closedPort()}/graphql` }),
  ],
  [
    'an untrusted certificate',
    'tls',
    'tls',
    /^token, GraphQL and subscription URL: 127\.0\.0\.1:\d+: its authority is not known here$/,
    () => ({ ca: '' }),
  ],
  [
    'another authority’s CA',
    'tls',
    'tls',
    /its authority is not known here$/,
    async () => ({ ca: (await makeAuthority()).ca }),
  ],
  ['a CA that is a picture', 'tls', 'ca', 'there is no certificate in it', () => ({ ca: '\u0000\u0001PNG' })],
  [
    'a CA that is cut',
    'tls',
    'ca',
    'certificate 1 of 1 is damaged',
    ({ ca }) => ({ ca: `${ca.slice(0, 120)}\n-----END CERTIFICATE-----` }),
  ],
  ['a wrong secret', 'token', 'credentials', 'token URL: HTTP 401', () => ({ clientSecret: 'a wrong secret' })],
  ['another client id', 'token', 'credentials', 'token URL: HTTP 401', () => ({ clientId: 'somebody' })],
  ['no secret', 'token', 'no-secret', 'token URL', () => ({ clientSecret: '' })],
  [
    'no path for the token',
    'token',
    'not-found',
    /^token URL: HTTP 404\. Did you mean https:\/\/127\.0\.0\.1:\d+\/oauth\/token\?$/,
    (to) => ({ tokenUrl: new URL('/', to.tokenUrl).href }),
  ],
  [
    'a path too many for the token',
    'token',
    'not-found',
    /Did you mean https:\/\/127\.0\.0\.1:\d+\/oauth\/token\?$/,
    (to) => ({ tokenUrl: `${to.tokenUrl}/oauth/token` }),
  ],
  [
    'the GraphQL URL for the token',
    'token',
    'credentials',
    /^token URL: .*Did you mean https:\/\/127\.0\.0\.1:\d+\/oauth\/token\?$/,
    (to) => ({ tokenUrl: to.graphqlUrl }),
  ],
  [
    'a wrong path of GraphQL',
    'query',
    'not-found',
    /^GraphQL URL: .*Did you mean https:\/\/127\.0\.0\.1:\d+\/v2\/graphql\?$/,
    (to) => ({ graphqlUrl: new URL('/v2', to.graphqlUrl).href }),
  ],
  [
    'a path too many of GraphQL',
    'query',
    'not-found',
    /Did you mean https:\/\/127\.0\.0\.1:\d+\/graphql\?$/,
    (to) => ({ graphqlUrl: `${to.graphqlUrl}/graphql` }),
  ],
  [
    'a wrong path of the subscription',
    'socket',
    'reset',
    /^subscription URL: .*Did you mean wss:\/\/127\.0\.0\.1:\d+\/other\/graphql\?$/,
    (to) => ({ subscriptionUrl: new URL('/other', to.subscriptionUrl).href }),
  ],
]

test.each(cases)('%s fails the leg %s', async (_name, leg, kind, detail, change) => {
  const { reference, muster, tryIt } = await setup()
  const changed = await change(reference)
  const legs = await tryIt(changed)
  expect(failed(legs)?.fault).toEqual({
    kind,
    detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
  })
  expect(outcomes(legs)).toEqual(upTo(leg))
  const said = JSON.stringify([legs, muster.log])
  expect(said).not.toContain(reference.clientSecret)
  expect(said).not.toContain('a wrong secret')
  expect(said).not.toContain('eyJ')
  await leavesNothing({ reference, muster })
})

test.each([
  ['tokenUrl', 'login.test/oauth/token', 'tokenUrl: Put https:// before it: https://login.test/oauth/token'],
  ['graphqlUrl', 'localhost:8443/graphql', 'graphqlUrl: Put https:// before it: https://localhost:8443/graphql'],
  [
    'subscriptionUrl',
    'https://api.test/graphql',
    'subscriptionUrl: The address must begin with wss:// as in wss://api.test/graphql',
  ],
  ['subscriptionUrl', 'api.test/graphql', 'subscriptionUrl: Put wss:// before it: wss://api.test/graphql'],
  [
    'graphqlUrl',
    'http://api.test/graphql',
    'graphqlUrl: The address must begin with https:// as in https://api.test/graphql',
  ],
  ['graphqlUrl', 'not an address', 'graphqlUrl: This is not an address. It looks like https://host/path.'],
  ['graphqlUrl', '', 'graphqlUrl: The address is missing.'],
  ['portal', 'http://portal.test/{id}', 'portal: The address must begin with https://.'],
] as const)('%s %s is reported at its field before anything is tried', async (field, value, detail) => {
  const { reference, tryIt } = await setup()
  await expect(tryIt({ [field]: value })).rejects.toMatchObject({ fault: { kind: 'input', detail } })
  expect(reference.tokensIssued()).toBe(0)
})

test.each([
  ['html', 'token', 'not-json', 'token URL: the token endpoint answered with a web page'],
  ['html', 'graphql', 'not-json', 'GraphQL URL: a web page, HTTP 200'],
  ['http-500', 'graphql', 'http', 'GraphQL URL: HTTP 500: Internal server error'],
  ['garbage', 'graphql', 'not-json', /^GraphQL URL: /],
  ['unauthenticated', 'graphql', 'token', /^GraphQL URL: /],
] as const)('%s at the %s address is reported as what it is', async (misfortune, where, kind, detail) => {
  const { reference, tryIt } = await setup()
  reference.misfortune.next(misfortune, { at: where })
  // The client asks once more with what it takes for a new token.
  if (misfortune === 'unauthenticated') reference.misfortune.next(misfortune, { at: where })
  const legs = await tryIt()
  expect(failed(legs)?.fault).toEqual({
    kind,
    detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
  })
  expect(outcomes(legs)).toEqual(upTo(where === 'token' ? 'token' : 'query'))
})

test('the stored secret is used for the unchanged connection and goes to no other host', async () => {
  const { reference, muster, profile } = await setup()
  const { id } = await muster.call('connections.save', connectionTo(reference))
  const { legs } = await muster.call('connections.test', connectionTo(reference, { id, clientSecret: '' }))
  expect(outcomes(legs).at(-1)).toBe('socket ok')
  const elsewhere = connectionTo(reference, { id, clientSecret: '', tokenUrl: 'https://elsewhere.test/oauth/token' })
  for (const call of ['connections.test', 'connections.save'] as const) {
    await expect(muster.call(call, elsewhere)).rejects.toMatchObject({
      fault: { kind: 'input', detail: expect.stringMatching(/^clientSecret: Enter it again/) },
    })
  }
  expect(readFileSync(path.join(profile, 'settings.json'), 'utf8')).not.toContain('elsewhere')
})

test('a host that does not answer times out, and the test closes its connections', async () => {
  const clock = acceleratedClock(30)
  const { reference, muster, tryIt } = await setup({ now: clock.now }, { clock })
  reference.misfortune.next('stall')
  const legs = await tryIt()
  expect(failed(legs)?.fault).toEqual({ kind: 'timeout', detail: 'GraphQL URL' })
  expect(legs.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThan(60_000)
  await leavesNothing({ reference, muster })
})

test('a keychain that waits for a person delays the answer by a minute at most', async () => {
  const clock = acceleratedClock(60)
  const secrets = { ...openMemory('a test'), get: () => new Promise<never>(() => {}) }
  const { tryIt } = await setup({ now: clock.now }, { clock, secrets })
  const legs = await tryIt({ clientSecret: '' })
  expect(failed(legs)).toMatchObject({ leg: 'token', fault: { kind: 'timeout' } })
  expect(legs.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThan(60_000)
})

test('a test in progress ends when Muster stops', async () => {
  const { reference, muster, tryIt } = await setup()
  reference.misfortune.next('stall')
  const trying = tryIt()
  await until(() => expect(reference.requests()).toBe(1))
  await muster.stop()
  expect(failed(await trying)?.fault?.kind).toBe('stopped')
})
