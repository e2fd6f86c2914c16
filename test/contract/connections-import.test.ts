import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  type Console,
} from '../support/fleet.ts'

export const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

export async function open(more: Parameters<typeof openConsole>[2] = {}) {
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, more)
  const bring = (text: string, apply = true) => muster.call('connections.import', { text, apply })
  const connections = async () => (await muster.call('app.state', {})).connections
  const settingsText = () => readFileSync(path.join(profile, 'settings.json'), 'utf8')
  return { profile, muster, bring, connections, settingsText }
}

export const head = 'name,token_url,graphql_url,subscription_url,client_id,client_secret,ca'
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** One line for each credential set of the service. */
const linesFor = ({ tokenUrl, graphqlUrl, subscriptionUrl, ca, credentials }: Service) =>
  credentials
    .list()
    .map(({ name, clientId, clientSecret }) =>
      [name, tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca].map(quoted).join(','),
    )

/** Counts the writes of the connections' records. */
function countWrites(muster: Console): () => number {
  const { set } = muster.settings
  let writes = 0
  muster.settings.set = (key, value) => {
    if (key === 'connections') writes += 1
    set(key, value)
  }
  return () => writes
}

test('an import stores exactly what was previewed, and its secrets go to the keychain alone', async () => {
  const reference = await service(leftovers, { devices: 90, tenants: 9, credentials: 'per-tenant' })
  const { muster, bring, connections, settingsText } = await open()
  const text = [head, ...linesFor(reference)].join('\r\n')
  const preview = await bring(text, false)
  expect(preview.lines.map(({ line, what, problem }) => [line, what, problem])).toEqual(
    preview.lines.map((_line, index) => [index + 2, 'add', '']),
  )
  expect([await connections(), preview.stored, reference.tokensIssued()]).toEqual([[], 0, 0])
  const writes = countWrites(muster)
  const imported = await bring(text)
  expect(imported).toEqual({ ...preview, stored: 9 })
  expect(writes()).toBe(1)
  await until(async () => {
    for (const state of await connections())
      expect(state).toMatchObject({ link: { state: 'live' }, faults: [], lastReadingAt: expect.any(Number) })
  })
  const { online, offline, staged } = reference.world.totals()
  await until(async () =>
    expect((await muster.call('inventory.counts', { scope: 'all' })).counts).toEqual({
      connected: online,
      disconnected: offline,
      unknown: staged,
    }),
  )
  const kept = await Promise.all((await connections()).map(({ id }) => muster.secrets.get(id)))
  expect(kept).toEqual(reference.credentials.list().map(({ clientSecret }) => clientSecret))
  const said = [settingsText(), ...muster.log, JSON.stringify(imported)].join('\n')
  for (const { clientSecret } of reference.credentials.list()) expect(said).not.toContain(clientSecret)
})

test('exported connections are imported elsewhere, and here again without a change', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 2, credentials: 'per-tenant' })
  const { muster, bring, connections } = await open()
  await bring([head, ...linesFor(reference)].join('\n'))
  await muster.call(
    'connections.save',
    connectionTo(reference, {
      name: '=HYPERLINK("x")',
      subscription:
        'subscription Devices($deviceIds: [String!]!) {\n  deviceStream(deviceIds: $deviceIds) { id connected } }',
      portal: 'https://p.test/{id}',
    }),
  )
  const { text } = await muster.call('connections.export', {})
  for (const { clientSecret } of reference.credentials.list()) expect(text).not.toContain(clientSecret)
  expect(text).toContain('"\'=HYPERLINK(""x"")"')
  const elsewhere = await open()
  expect((await elsewhere.bring(text)).lines.map(({ what }) => what)).toEqual(['add', 'add', 'add'])
  const shown = async (of: Console) =>
    Promise.all(
      (await of.call('app.state', {})).connections.map(async ({ id }) => ({
        ...(await of.call('connections.show', { id })).input,
        id: null,
      })),
    )
  expect(await shown(elsewhere.muster)).toEqual(await shown(muster))
  const writes = countWrites(muster)
  // All of them, or one that was only on its way would look like one that was begun anew.
  await until(() => expect(reference.openSockets()).toBe(3))
  expect((await bring(text)).lines.map(({ what, problem }) => [what, problem])).toEqual([
    ['unchanged', ''],
    ['unchanged', ''],
    ['unchanged', ''],
  ])
  expect([writes(), reference.openSockets(), (await connections()).length]).toEqual([0, 3, 3])
})

test('importing a known name changes that connection, and an empty secret keeps the old one', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const { muster, bring, connections } = await open()
  const { id } = await muster.call('connections.save', connectionTo(reference, { portal: 'https://p.test/{id}' }))
  expect(await bring('Name\tClient Secret\tPortal\n Acme \t\thttps://other.test/{id}\n')).toMatchObject({
    lines: [{ what: 'change', problem: '' }],
    stored: 1,
  })
  expect(await connections()).toMatchObject([{ id, clientId: reference.clientId, portal: 'https://other.test/{id}' }])
  expect(await muster.secrets.get(id)).toBe(reference.clientSecret)
  await bring('name;client_secret\nAcme;another one\n')
  expect(await muster.secrets.get(id)).toBe('another one')
})

test('each rejected line names its column and the reason; valid lines are stored', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const { muster, bring, connections, settingsText } = await open()
  await muster.call('connections.save', connectionTo(reference))
  await muster.call('connections.save', connectionTo(reference, { name: 'Berg' }))
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, ca } = reference
  const line = (more: Record<string, string>) => {
    const cells: Record<string, string> = {
      name: 'N',
      token_url: tokenUrl,
      graphql_url: graphqlUrl,
      subscription_url: subscriptionUrl,
      client_id: clientId,
      client_secret: 'hunter2',
      ca,
      subscription: '',
      portal: '',
      ...more,
    }
    return columns.map((column) => quoted(cells[column] ?? '')).join(',')
  }
  const columns = [
    'name',
    'token_url',
    'graphql_url',
    'subscription_url',
    'client_id',
    'client_secret',
    'ca',
    'subscription',
    'portal',
  ]
  const cases: [Record<string, string>, string][] = [
    [{ name: 'Good' }, ''],
    [{ name: ' ' }, 'name: Give it a name.'],
    [{ name: 'Good' }, 'name: Line 2 has this name already.'],
    [
      { name: 'A', token_url: 'login.test/oauth/token' },
      'token_url: Put https:// before it: https://login.test/oauth/token',
    ],
    [
      { name: 'B', graphql_url: 'http://api.test/graphql' },
      'graphql_url: The address must begin with https:// as in https://api.test/graphql',
    ],
    [{ name: 'C', subscription_url: '' }, 'subscription_url: The address is missing.'],
    [{ name: 'D', client_id: '' }, 'client_id: The client id is missing.'],
    [{ name: 'E', client_secret: 'x'.repeat(4001) }, 'client_secret: It is longer than 4000 characters.'],
    [{ name: 'F', ca: 'a picture' }, 'ca: The CA certificate cannot be read. (there is no certificate in it)'],
    [
      { name: 'G', subscription: 'subscription {' },
      'subscription: This is not a GraphQL document: see line 1, column 15.',
    ],
    [
      { name: 'H', subscription: '{ tenants { id } }' },
      'subscription: There is no subscription in it. It looks like subscription Devices($deviceIds: [String!]!) { … }.',
    ],
    [{ name: 'I', portal: 'javascript:{id}' }, 'portal: The address must begin with https://.'],
    [
      { name: 'M', token_url: 'http://login.test/oauth/token', graphql_url: 'not an address', client_id: '' },
      'token_url: The address must begin with https:// as in https://login.test/oauth/token graphql_url: This is not an address. It looks like https://host/path. client_id: The client id is missing.',
    ],
    [
      { name: 'L', token_url: 'login.test/oauth/token', subscription_url: '', portal: 'javascript:{id}' },
      'token_url: Put https:// before it: https://login.test/oauth/token subscription_url: The address is missing. portal: The address must begin with https://.',
    ],
    [
      { name: 'J', client_secret: 'hunter2\uFFFD' },
      'client_secret: It holds bytes that are no UTF-8 text. Save the list as CSV in UTF-8.',
    ],
    [
      { name: 'Acme', token_url: 'https://elsewhere.test/oauth/token', client_secret: '' },
      `client_secret: Enter it again, because the token URL leads to elsewhere.test now and not to ${new URL(tokenUrl).host}.`,
    ],
    [
      { name: 'Berg', graphql_url: 'https://elsewhere.test/graphql', client_secret: '' },
      `client_secret: Enter it again, because the GraphQL URL leads to elsewhere.test now and not to ${new URL(graphqlUrl).host}.`,
    ],
    [{ name: 'x'.repeat(201) }, 'name: It is longer than 200 characters.'],
    [{ name: 'Last' }, ''],
  ]
  const text = [`${columns.join(',')},colour`, ...cases.map(([more]) => `${line(more)},red`), 'K,too,few'].join('\n')
  const imported = await bring(text)
  expect(imported.ignored).toEqual(['colour'])
  expect(imported.lines.map(({ problem }) => problem)).toEqual([
    ...cases.map(([, problem]) => problem),
    'token_url: Put https:// before it: https://too/ graphql_url: Put https:// before it: https://few/ subscription_url: The address is missing. client_id: The client id is missing.',
  ])
  expect(imported.lines.map(({ line: at }) => at)).toEqual(imported.lines.map((_line, index) => index + 2))
  expect(imported.lines.filter(({ what }) => what !== 'reject').map(({ name }) => name)).toEqual(['Good', 'Last'])
  expect(imported.stored).toBe(2)
  expect((await connections()).map(({ name }) => name)).toEqual(['Acme', 'Berg', 'Good', 'Last'])
  expect([JSON.stringify(imported), settingsText(), ...muster.log].join('\n')).not.toContain('hunter2')
  expect((await bring(text, false)).lines.filter(({ what }) => what === 'reject')).toEqual(
    imported.lines.filter(({ what }) => what === 'reject'),
  )
})

test('a line without a secret is marked, unless its connection has one already', async () => {
  const { bring } = await open()
  const marks = async (text: string, apply: boolean) =>
    (await bring(text, apply)).lines.map(({ what, lacksSecret }) => [what, lacksSecret])
  const first = [head, row('A', ''), row('B', 'hunter2')].join('\n')
  expect(await marks(first, false)).toEqual([
    ['add', true],
    ['add', false],
  ])
  expect(await marks(first, true)).toEqual([
    ['add', true],
    ['add', false],
  ])
  await expect
    .poll(() => marks([head, row('A', ''), row('B', ''), row('C', 'x'.repeat(4001))].join('\n'), false))
    .toEqual([
      ['unchanged', true],
      ['unchanged', false],
      ['reject', false],
    ])
})

test('a text that is no list is reported as such, and nothing is stored', async () => {
  const { muster, bring, connections } = await open()
  for (const text of ['', 'hunter2', 'token_url,client_secret\nx,hunter2', 'PK\u0003\u0004\0\0hunter2']) {
    for (const apply of [false, true]) {
      const rejected = await bring(text, apply).then(
        () => null,
        (error: unknown) => error,
      )
      expect(rejected).toBeInstanceOf(FaultError)
      expect(rejected).toMatchObject({ fault: { kind: 'input', detail: expect.stringMatching(/^text: /) } })
      expect(JSON.stringify(rejected)).not.toContain('hunter2')
    }
  }
  expect(await connections()).toEqual([])
  expect(muster.settings.get('connections')).toBeUndefined()
})

export const row = (name: string, secret: string) =>
  `${name},https://127.0.0.1:9/oauth/token,https://127.0.0.1:9/graphql,wss://127.0.0.1:9/graphql,me,${secret},`

test('5,000 lines are stored in one write, and the core goes on meanwhile', async () => {
  const reference = await service(leftovers, { devices: 5, tenants: 1 })
  const { muster, bring, connections } = await open()
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, ca } = reference
  const lines = Array.from({ length: 5_000 }, (_, index) =>
    [`Customer ${index}`, tokenUrl, graphqlUrl, subscriptionUrl, clientId, 'a wrong secret', ca].map(quoted).join('\t'),
  )
  const text = [head.replaceAll(',', '\t'), ...lines].join('\r\n')
  const writes = countWrites(muster)
  let turns = 0
  const turn = () => {
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const { stored } = await bring(text)
  clearImmediate(next)
  expect([stored, writes()]).toEqual([5_000, 1])
  // Others had their turn in between, many times.
  expect(turns).toBeGreaterThan(20)
  const states = await connections()
  expect(states).toHaveLength(5_000)
  // All but the first have its credential set, which is said of each.
  const ofTheSet = (state: (typeof states)[number]) => state.faults.filter(({ fault }) => fault.kind === 'same-set')
  expect(states.filter((state) => ofTheSet(state).length === 1)).toHaveLength(4_999)
  expect(states.filter((state) => state.faults.length > ofTheSet(state).length).length).toBeLessThan(100)
  await muster.stop()
})
