import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { FaultError } from '../../src-shared/model/fault.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  type Console,
} from '../support/fleet.ts'
import { keychainOf } from '../support/keychain.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** Everything that lies in the profile, byte by byte. */
const bytesOf = (profile: string): Buffer =>
  Buffer.concat(
    readdirSync(profile, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => readFileSync(path.join(each.parentPath, each.name))),
  )

/** Two customers of one service, each with a tenant of its own, read and with a history. */
async function twoCustomers(more: { secrets?: ReturnType<typeof keychainOf> } = {}) {
  const reference = await service(leftovers, { devices: 400, tenants: 2, credentials: 'per-tenant' })
  const profile = temporaryProfile(leftovers)
  const secrets = more.secrets ?? keychainOf()
  const muster = await openConsole(leftovers, profile, { secrets })
  const customers = await Promise.all(
    reference.credentials.list().map(async ({ clientId, clientSecret, name, reach }) => {
      const { id } = await muster.call(
        'connections.save',
        connectionTo(reference, {
          name: `Customer ${name}`,
          clientId,
          clientSecret,
          portal: `https://${clientId}.test/{id}`,
        }),
      )
      const devices = reference.world.devices().filter(({ tenantId }) => reach?.tenants?.includes(tenantId))
      // Other names may be those of models, or of another customer's devices.
      const others = new Set(
        reference.world
          .devices()
          .filter((device) => !devices.includes(device))
          .map((device) => device.name),
      )
      const names = devices.map((device) => device.name).filter((text) => text.length > 20 && !others.has(text))
      return {
        id,
        clientId,
        clientSecret,
        name,
        devices,
        words: [id, clientId, clientSecret, name, ...names, ...devices.map((device) => device.id)],
      }
    }),
  )
  await until(async () => {
    expect(reference.subscribedIds()).toHaveLength(400)
    for (const state of await statesOf(muster))
      expect(state).toMatchObject({
        link: { state: 'live' },
        sync: { state: 'idle' },
        lastReadingAt: expect.any(Number),
      })
  })
  for (const { id, connected } of reference.world.devices()) reference.world.setConnected(id, connected !== true)
  await until(async () => expect((await muster.call('inventory.counts', { scope: 'all' })).counts?.unknown).toBe(0))
  const [gone, stays] = customers
  if (gone === undefined || stays === undefined) throw new Error('two customers were wanted')
  return { reference, profile, secrets, muster, gone, stays }
}

const statesOf = async (muster: Console) => (await muster.call('app.state', {})).connections
const found = (bytes: Buffer, words: readonly string[]) => words.filter((word) => bytes.includes(word))

test('a removed connection leaves nothing in the keychain or in any file', async () => {
  const { profile, secrets, muster, gone, stays } = await twoCustomers()
  expect(found(bytesOf(profile), gone.words).length).toBeGreaterThan(gone.devices.length)
  await muster.call('connections.remove', { id: gone.id })
  expect([...secrets.kept]).toEqual([[stays.id, stays.clientSecret]])
  expect(found(bytesOf(profile), gone.words)).toEqual([])
  // The other one lost nothing.
  const kept = stays.words.filter((word) => word !== stays.clientSecret)
  expect(found(bytesOf(profile), kept)).toEqual(kept)
  const { counts } = await muster.call('inventory.counts', { scope: 'all' })
  expect((counts?.connected ?? 0) + (counts?.disconnected ?? 0)).toBe(stays.devices.length)
  await muster.stop()
  expect(found(bytesOf(profile), gone.words)).toEqual([])
  expect(found(bytesOf(profile), kept)).toEqual(kept)
})

test('a removed connection is gone from the settings and stays gone at the next start', async () => {
  const { profile, muster, gone, stays, secrets } = await twoCustomers()
  await muster.call('connections.remove', { id: gone.id })
  await muster.call('connections.remove', { id: gone.id })
  await muster.stop()
  const settings = readFileSync(path.join(profile, 'settings.json'), 'utf8')
  expect(settings).not.toContain(gone.id)
  expect(JSON.parse(settings)).toMatchObject({ readings: { [stays.id]: { lastReadingAt: expect.any(Number) } } })
  const again = await openConsole(leftovers, profile, { secrets })
  expect((await statesOf(again)).map(({ id }) => id)).toEqual([stays.id])
})

test('a connection can be removed while its service is gone', async () => {
  const { reference, muster, gone, stays } = await twoCustomers()
  await reference.misfortune.pause()
  await until(async () => {
    for (const state of await statesOf(muster)) expect(state.link.state).not.toBe('live')
  })
  await muster.call('connections.remove', { id: gone.id })
  expect((await statesOf(muster)).map(({ id }) => id)).toEqual([stays.id])
  expect((await muster.call('inventory.counts', { scope: 'all' })).counts).toEqual({
    connected: 0,
    disconnected: 0,
    unknown: stays.devices.length,
  })
})

test('a connection removed during a sync and a test ends at once, and nothing of it comes back', async () => {
  const { reference, profile, muster, gone, stays } = await twoCustomers()
  const tokens = reference.tokensIssued()
  await muster.call('sync.start', { scope: 'all' })
  const input = connectionTo(reference, { id: gone.id, clientId: gone.clientId, clientSecret: gone.clientSecret })
  const [{ legs }] = await Promise.all([
    muster.call('connections.test', input),
    muster.call('connections.remove', { id: gone.id }),
    muster.call('connections.remove', { id: gone.id }),
  ])
  expect(legs).toHaveLength(5)
  await until(() => expect(reference.openSockets()).toBe(1))
  await until(async () =>
    expect(await statesOf(muster)).toMatchObject([{ id: stays.id, sync: { state: 'idle' }, link: { state: 'live' } }]),
  )
  expect(reference.tokensIssued()).toBeLessThanOrEqual(tokens + 1)
  expect((await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total).toBe(
    stays.devices.length,
  )
  await muster.stop()
  expect(found(bytesOf(profile), gone.words)).toEqual([])
})

test('a connection whose settings cannot be written is still listed, and can be removed again', async () => {
  const { profile, muster, gone, stays } = await twoCustomers()
  const write = muster.settings.set
  muster.settings.set = () => {
    throw new Error('ENOSPC')
  }
  await expect(muster.call('connections.remove', { id: gone.id })).rejects.toMatchObject({ fault: { kind: 'storage' } })
  expect((await statesOf(muster)).map(({ id }) => id)).toEqual([gone.id, stays.id])
  muster.settings.set = write
  await muster.call('connections.remove', { id: gone.id })
  expect((await statesOf(muster)).map(({ id }) => id)).toEqual([stays.id])
  await muster.stop()
  expect(found(bytesOf(profile), gone.words)).toEqual([])
})

test('a secret in an unreachable keychain is removed by the next start that reaches it', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const profile = temporaryProfile(leftovers)
  const secrets = keychainOf()
  const first = await openConsole(leftovers, profile, { secrets })
  const gone = await first.call('connections.save', connectionTo(reference))
  const stays = await first.call('connections.save', connectionTo(reference, { name: 'Berg' }))
  await first.stop()
  const left = async (of: Console) =>
    (await of.call('app.state', {})).banners.filter(({ fault }) => fault.kind === 'secret-left').length
  const without = await openConsole(leftovers, profile)
  const typedHere = await without.call('connections.save', connectionTo(reference, { name: 'Made here' }))
  await without.call('connections.remove', typedHere)
  expect(await left(without)).toBe(0)
  await without.call('connections.remove', gone)
  expect([(await statesOf(without)).map(({ id }) => id), await left(without)]).toEqual([[stays.id], 1])
  await without.stop()
  const still = await openConsole(leftovers, profile)
  expect(await left(still)).toBe(1)
  await still.stop()
  let locked = true
  const again = {
    ...secrets,
    remove: async (account: string) => {
      if (locked) throw new FaultError('keychain', 'a test')
      await secrets.remove(account)
    },
  }
  const rejected = await openConsole(leftovers, profile, { secrets: again })
  await until(() =>
    expect(rejected.log).toContain('secrets of removed connections stay in the keychain for now (keychain)'),
  )
  expect([secrets.kept.has(gone.id), await left(rejected)]).toEqual([true, 1])
  await rejected.stop()
  locked = false
  const last = await openConsole(leftovers, profile, { secrets: again })
  await until(async () => expect(await left(last)).toBe(0))
  expect([...secrets.kept.keys()]).toEqual([stays.id])
  expect(JSON.stringify(last.settings.get('secretsLeft'))).not.toContain(gone.id)
})

test('a secret is reported as left behind only if a keychain may hold it', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const profile = temporaryProfile(leftovers)
  const first = await openConsole(leftovers, profile)
  const typed = await first.call('connections.save', connectionTo(reference))
  const older = await first.call('connections.save', connectionTo(reference, { name: 'Older' }))
  await first.stop()
  const records = first.settings.get('connections') as { id: string; inKeychain?: boolean }[]
  first.settings.set(
    'connections',
    records.map(({ inKeychain, ...rest }) => (rest.id === older.id ? rest : { ...rest, inKeychain })),
  )
  const next = await openConsole(leftovers, profile)
  const notices = async () =>
    (await next.call('app.state', {})).banners.filter(({ fault }) => fault.kind === 'secret-left').length
  await next.call('connections.pause', { id: typed.id, paused: true })
  await next.call('connections.save', connectionTo(reference, { id: typed.id, clientSecret: '', name: 'Renamed' }))
  await next.call('connections.remove', typed)
  expect([await notices(), next.settings.get('secretsLeft')]).toEqual([0, undefined])
  await next.call('connections.remove', older)
  expect([await notices(), next.settings.get('secretsLeft')]).toEqual([1, [older.id]])
})

test('columns that only a removed service offers go with its last connection', async () => {
  const [one, other] = [
    await service(leftovers, { devices: 20, tenants: 1 }),
    await service(leftovers, { devices: 30, tenants: 1, seed: 2 }),
  ]
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  const first = await muster.call('connections.save', connectionTo(one))
  const second = await muster.call('connections.save', connectionTo(one, { name: 'The same service' }))
  const last = await muster.call('connections.save', connectionTo(other, { name: 'Berg' }))
  const serial = async () => (await muster.call('app.state', {})).columns.find(({ name }) => name === 'serialNumber')
  await until(async () => expect(await serial()).toBeDefined())
  await until(async () => {
    for (const { sync, lastReadingAt } of await statesOf(muster))
      expect([sync.state, lastReadingAt]).toEqual(['idle', expect.any(Number)])
  })
  await muster.call('columns.switch', { name: 'serialNumber', on: true })
  await until(async () => expect(await serial()).toMatchObject({ on: true, read: 50, of: 50 }))
  const hosts = () =>
    [one, other].map(({ graphqlUrl }) =>
      readFileSync(path.join(profile, 'settings.json'), 'utf8').includes(new URL(graphqlUrl).host),
    )
  await muster.call('connections.remove', first)
  expect(hosts()).toEqual([true, true])
  await muster.call('connections.pause', { id: last.id, paused: true })
  await muster.call('connections.remove', second)
  expect(hosts()).toEqual([false, true])
  await until(async () => expect(await serial()).toMatchObject({ on: true, read: 30, of: 30 }))
  await muster.call('connections.remove', last)
  expect(hosts()).toEqual([false, false])
  expect((await muster.call('app.state', {})).columns).toEqual([])
  await muster.stop()
  expect(JSON.parse(readFileSync(path.join(profile, 'settings.json'), 'utf8'))).toMatchObject({ columnsOn: [] })
  // What an earlier version has left, or a disk that was full.
  muster.settings.set('columnsOn', [{ name: 'serialNumber', type: 'text', services: [new URL(one.graphqlUrl).host] }])
  const again = await openConsole(leftovers, profile)
  expect((await again.call('app.state', {})).columns).toEqual([])
  expect(hosts()).toEqual([false, false])
})
