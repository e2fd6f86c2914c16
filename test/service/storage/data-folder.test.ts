import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CommandError, runCommand } from '../../../src-service/command/commands.ts'
import { DataFolderError } from '../../../src-service/storage/data-folder.ts'
import { startService } from '../../../src-service/service.ts'
import type { Service } from '../../../src-service/service.ts'
import { dig, digAll, open, plainClient, streamClient, until, type Pair } from '../client.ts'
import { freshFolder, managedFolder } from './folder.ts'

async function logIn(service: Service, set: Pair) {
  const client = plainClient(service, { h2: true, set })
  const token = await client.token()
  return { ...client, token, ask: (query: string, variables: unknown = {}) => client.ask(token, query, variables) }
}

/** Subscribes, and collects the codes with which its socket closes. */
async function closeCodes(service: Service, token: string): Promise<unknown[]> {
  const codes: unknown[] = []
  const client = streamClient(service, token)
  client.on('closed', (event) => void codes.push(dig(event, 'code')))
  const before = service.openSockets()
  let ready = false
  client.on('connected', () => (ready = true))
  client.subscribe(
    { query: 'subscription { deviceStream(deviceIds: ["nobody"]) { id } }' },
    { next: () => undefined, error: () => undefined, complete: () => undefined },
  )
  await until(() => ready && service.openSockets() > before)
  return codes
}

function refusal(work: () => unknown): { code: number | undefined; message: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof CommandError) return { code: error.code, message: error.message }
    if (error instanceof DataFolderError) return { code: undefined, message: error.message }
    throw error
  }
  throw new Error('nothing was refused')
}

test('a set that a command creates is valid at once, with its role and its tenants', async () => {
  const { data, makeSet, asAnn } = managedFolder()
  const service = await open({ data, devices: 200, tenants: 3 })
  expect([service.credentials.list(), service.clientId, service.clientSecret]).toEqual([[], '', ''])
  const [first, second] = service.world.tenants().map(({ id }) => id)
  const [site] = service.world.sites(second ?? '')
  const all = makeSet()
  const two = makeSet('--role', 'user', '--tenants', `${first},${second}`)
  const narrow = makeSet('--tenants', String(second), '--sites', String(site?.id))
  const tenants = async (set: Pair) =>
    digAll((await (await logIn(service, set)).ask('{ tenants { id } }')).json, 'data', 'tenants').map((tenant) =>
      dig(tenant, 'id'),
    )
  expect(await tenants(all)).toHaveLength(3)
  expect(await tenants(two)).toEqual([first, second])
  const asUser = await logIn(service, two)
  expect(
    (await asUser.ask('mutation { rebootDevice(deviceId: "x") { success } }')).at('errors', 0, 'extensions', 'code'),
  ).toBe('FORBIDDEN')
  const seen = await (
    await logIn(service, narrow)
  ).ask('{ deviceSearch(params: { pageSize: 200 }) { edges { node { site { id } } } } }')
  expect(digAll(seen.json, 'data', 'deviceSearch', 'edges').length).toBeGreaterThan(0)
  expect(
    new Set(digAll(seen.json, 'data', 'deviceSearch', 'edges').map((edge) => dig(edge, 'node', 'site', 'id'))),
  ).toEqual(new Set([site?.id]))
  expect(dig(asAnn('credentials', 'list'), 'credentials', 1)).toEqual({
    client_id: two.clientId,
    name: 'A set',
    role: 'user',
    tenants: [first, second],
    accounts: 'all',
    sites: 'all',
    active: true,
  })
})

test.each(['revoke', 'delete'])(
  '%s: tokens, secret and sockets of that set fail at once, and those of no other',
  async (verb) => {
    const { data, makeSet, asAnn } = managedFolder()
    const service = await open({ data })
    const [lost, kept] = [makeSet(), makeSet()]
    const [asLost, asKept] = [await logIn(service, lost), await logIn(service, kept)]
    const [closedLost, closedKept] = [await closeCodes(service, asLost.token), await closeCodes(service, asKept.token)]
    asAnn('credentials', verb, lost.clientId)
    expect((await asLost.ask('{ tenants { id } }')).at('errors', 0, 'extensions', 'code')).toBe('UNAUTHENTICATED')
    expect((await asLost.askToken()).status).toBe(401)
    await until(() => closedLost.length > 0)
    expect([closedLost, closedKept]).toEqual([[4403], []])
    expect((await asKept.ask('{ tenants { id } }')).at('errors')).toBeUndefined()
  },
)

test('the sockets of a deleted set close although no request comes', async () => {
  const { data, makeSet, asAnn } = managedFolder()
  const service = await open({ data })
  const set = makeSet()
  const closed = await closeCodes(service, (await logIn(service, set)).token)
  const asked = service.requests()
  asAnn('credentials', 'delete', set.clientId)
  await until(() => closed.length > 0)
  expect([closed, service.requests()]).toEqual([[4403], asked])
})

test('an edited set has its new role and reach with the next request and the next event', async () => {
  const { data, makeSet, asAnn } = managedFolder()
  const service = await open({ data, devices: 100 })
  const set = makeSet('--role', 'user')
  const client = await logIn(service, set)
  const [first, second] = service.world.tenants().map(({ id }) => id)
  const [mine, other] = [first, second].map((tenant) =>
    service.world.find((device) => device.connected === true && device.tenantId === tenant),
  )
  if (!mine || !other) throw new Error('no devices')
  const seen: unknown[] = []
  streamClient(service, client.token).subscribe(
    {
      query: 'subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) { id } }',
      variables: { ids: [mine.id, other.id] },
    },
    {
      next: ({ data }) => void seen.push(dig(data, 'deviceStream', 'id')),
      error: () => undefined,
      complete: () => undefined,
    },
  )
  await until(() => service.subscribedIds().length === 2)
  const changed = asAnn(
    'credentials',
    'edit',
    set.clientId,
    '--role',
    'admin',
    '--tenants',
    String(first),
    '--name',
    'Other',
  )
  expect(changed).toEqual({
    client_id: set.clientId,
    name: 'Other',
    role: 'admin',
    tenants: [first],
    accounts: 'all',
    sites: 'all',
    active: true,
  })
  expect(
    (
      await client.ask(
        'mutation ($a: String!, $b: String!) { a: updateDevice(id: $a, fields: { name: "A" }) { name } b: updateDevice(id: $b, fields: { name: "B" }) { name } }',
        { a: mine.id, b: other.id },
      )
    ).json,
  ).toMatchObject({ data: { a: { name: 'A' }, b: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] })
  service.world.setConnected(other.id, false)
  service.world.setConnected(mine.id, false)
  await until(() => seen.length === 2)
  expect(seen).toEqual([mine.id, mine.id])
  asAnn('credentials', 'edit', set.clientId, '--active', 'no', '--tenants', 'all')
  expect((await client.ask('{ tenants { id } }')).at('errors', 0, 'extensions', 'code')).toBe('UNAUTHENTICATED')
  asAnn('credentials', 'edit', set.clientId, '--active', 'yes')
  expect((await client.ask('{ tenants { id } }')).at('data', 'tenants')).toEqual([{ id: first }, { id: second }])
})

test('another service on the same folder has the same sets, and no file holds a secret', async () => {
  const { data, makeSet, asAnn } = managedFolder()
  const set = makeSet()
  for (const round of [1, 2]) {
    const service = await startService({ data, devices: 10, tenants: 1 })
    expect((await plainClient(service, { h2: true, set }).askToken()).status, `round ${round}`).toBe(200)
    const made = service.credentials.add({ name: `Of round ${round}` })
    expect((await plainClient(service, { h2: true, set: made }).askToken()).status).toBe(200)
    expect(service.credentials.list().map(({ clientSecret }) => clientSecret)).toEqual(
      Array.from({ length: round + 1 }, () => ''),
    )
    await service.stop()
    for (const file of readdirSync(data))
      for (const secret of [set.clientSecret, made.clientSecret])
        expect(readFileSync(path.join(data, file)).includes(secret)).toBe(false)
  }
  const list = JSON.stringify(asAnn('credentials', 'list'))
  expect(list).toContain('Of round 2')
  expect(list).not.toMatch(/secret/i)
})

test('only an administrator of that folder manages its sets and users', () => {
  const { command, asAnn, makeSet } = managedFolder()
  asAnn('users', 'create', 'bob')
  const { clientId } = makeSet()
  const before = asAnn('credentials', 'list')
  for (const args of [
    ['credentials', 'create', '--name', 'x'],
    ['credentials', 'list'],
    ['credentials', 'edit', clientId, '--role', 'user'],
    ['credentials', 'revoke', clientId],
    ['credentials', 'delete', clientId],
    ['users', 'create', 'eve', '--admin'],
    ['users', 'list'],
    ['users', 'delete', 'ann'],
  ]) {
    expect(refusal(() => command(...args, '--as', 'bob'))).toEqual({
      code: 1,
      message: 'bob is no administrator of this data folder',
    })
    expect(refusal(() => command(...args, '--as', 'nobody')).code).toBe(1)
    expect(refusal(() => command(...args)).message).toContain('needs --as USER')
  }
  expect(asAnn('credentials', 'list')).toEqual(before)
  expect(asAnn('users', 'list')).toEqual({
    users: [
      { name: 'ann', admin: true },
      { name: 'bob', admin: false },
    ],
  })
})

test('users: the last administrator cannot be deleted', () => {
  const { command, asAnn } = managedFolder()
  expect(refusal(() => asAnn('users', 'delete', 'ann')).message).toContain('last administrator')
  asAnn('users', 'create', 'bob', '--admin')
  expect(refusal(() => asAnn('users', 'create', 'bob')).message).toContain('already')
  asAnn('users', 'delete', 'ann')
  expect(refusal(() => asAnn('users', 'list')).code).toBe(1)
  expect(command('users', 'list', '--as', 'bob')).toEqual({ users: [{ name: 'bob', admin: true }] })
})

test.each([
  [['credentials', 'create'], 2, 'needs --name'],
  [['credentials', 'create', '--name', ' '], 2, '--name takes'],
  [
    ['credentials', 'create', '--name', 'x', '--role', 'root'],
    2,
    '--role takes admin, it-admin, user, device_user, not "root"',
  ],
  [['credentials', 'create', '--name', 'x', '--tenants', ','], 2, '--tenants takes ids'],
  [['credentials', 'create', '--name', 'x', '--active', 'no'], 2, '--active'],
  [['credentials', 'edit', 'nobody'], 2, 'something to change'],
  [['credentials', 'edit', 'nobody', '--active', 'maybe'], 2, '--active takes yes or no'],
  [['credentials', 'edit', 'nobody', '--active', 'no'], 1, 'There is no credential set nobody'],
  [['credentials', 'revoke', 'nobody'], 1, 'There is no credential set nobody'],
  [['credentials', 'delete', 'nobody'], 1, 'There is no credential set nobody'],
  [['credentials', 'delete'], 2, 'one CLIENT_ID'],
  [['credentials', 'burn'], 2, 'There is no command "credentials burn"'],
  [['users', 'create', ''], 2, '1 to 64 characters'],
  [['users', 'delete', 'nobody'], 1, 'There is no user nobody'],
])('%j is rejected with a message', (args, code, words) => {
  const found = refusal(() => managedFolder().asAnn(...args))
  expect([found.code, found.message]).toEqual([code, expect.stringContaining(words)])
})

test.skipIf(process.platform === 'win32')('folder 0700, files 0600, also where they were open to others', async () => {
  const { data, makeSet } = managedFolder()
  chmodSync(data, 0o755)
  for (const file of readdirSync(data)) chmodSync(path.join(data, file), 0o644)
  makeSet()
  const service = await open({ data, devices: 5, tenants: 1 })
  service.world.setConnected(service.world.devices()[0]?.id ?? '', false)
  expect(statSync(data).mode & 0o777).toBe(0o700)
  expect(readdirSync(data).map((file) => [file, statSync(path.join(data, file)).mode & 0o777])).toEqual(
    readdirSync(data).map((file) => [file, 0o600]),
  )
})

test('a folder that is no data folder is rejected, and not turned into one', async () => {
  const foreign = freshFolder()
  const list = () => runCommand(['credentials', 'list', '--as', 'ann', '--data', foreign])
  expect(refusal(list).message).toContain('There is no data folder')
  expect(existsSync(foreign)).toBe(false)
  mkdirSync(foreign)
  chmodSync(foreign, 0o755)
  expect(refusal(list).message).toContain('There is no data folder')
  writeFileSync(path.join(foreign, 'letter.txt'), 'mine')
  expect(refusal(list).message).toContain('is not empty, and no data folder')
  await expect(startService({ data: foreign })).rejects.toThrow('is not empty, and no data folder')
  expect([statSync(foreign).mode & 0o777, readdirSync(foreign)]).toEqual([0o755, ['letter.txt']])
})

test('a path that leads nowhere, or to a file, is rejected with a message', () => {
  const folder = freshFolder()
  const create = (data: string) => runCommand(['users', 'create', 'ann', '--admin', '--data', data])
  expect(refusal(() => create(path.join(folder, 'deeper'))).message).toContain('cannot be made')
  expect(existsSync(folder)).toBe(false)
  writeFileSync(folder, '')
  expect(refusal(() => create(folder)).message).toContain('cannot be read as a folder')
})

test('a command that is writing blocks nobody', async () => {
  const { data, makeSet } = managedFolder()
  const set = makeSet()
  const service = await open({ data, devices: 10 })
  const client = await logIn(service, set)
  const writer = new DatabaseSync(path.join(data, 'access.sqlite'))
  writer.exec('BEGIN EXCLUSIVE; DELETE FROM sets')
  expect((await client.ask('{ tenants { id } }')).at('errors')).toBeUndefined()
  writer.exec('COMMIT')
  expect((await client.ask('{ tenants { id } }')).at('errors', 0, 'extensions', 'code')).toBe('UNAUTHENTICATED')
  writer.close()
})

test('a folder of a later version is left alone', async () => {
  const { data, asAnn } = managedFolder()
  const database = new DatabaseSync(path.join(data, 'access.sqlite'))
  database.exec('PRAGMA user_version = 9')
  database.close()
  expect(refusal(() => asAnn('credentials', 'list')).message).toContain('later version')
})

test('a data folder has its own sets: sets in the options are rejected', async () => {
  const data = freshFolder()
  await expect(startService({ data, credentials: 'per-tenant' })).rejects.toThrow('stand in it')
  await expect(startService({ data, clientId: 'x' })).rejects.toThrow('stand in it')
  expect(existsSync(data)).toBe(false)
})

test.each(['keys.json', 'keys.json.new', 'certificates.json', 'world.sqlite', 'running.sqlite', 'access.sqlite'])(
  'a folder in the place of %s is named with its path, and nothing starts',
  async (name) => {
    const { data } = managedFolder()
    rmSync(path.join(data, name), { force: true })
    mkdirSync(path.join(data, name))
    await expect(startService({ data, devices: 10, tenants: 1 })).rejects.toThrow(
      new DataFolderError(`${path.join(data, name)} is a folder, where a file should be`),
    )
  },
)

test('a command on a folder whose world is a folder says so', () => {
  const { data, makeSet } = managedFolder()
  mkdirSync(path.join(data, 'world.sqlite'))
  expect(refusal(() => makeSet('--tenants', 'x')).message).toBe(
    `${path.join(data, 'world.sqlite')} is a folder, where a file should be`,
  )
})
