import { afterEach, expect, test } from 'vitest'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const countsOf = async (muster: Console) => (await muster.call('inventory.counts', { scope: 'all' })).counts

async function setup(secrets = openMemory('this session only: a test')) {
  const reference = await service(leftovers, { devices: 40, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, { secrets })
  const { id } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  return { reference, profile, muster, id, secrets, settings: muster.settings }
}

test('the devices of a connection that an edit broke are unknown', async () => {
  const { reference, muster, id } = await setup()
  await muster.call('connections.save', connectionTo(reference, { id, clientSecret: 'wrong' }))
  await whenConnection(muster, ({ faults }) => faults.some(({ fault }) => fault.kind === 'credentials'))
  expect(await countsOf(muster)).toEqual({ connected: 0, disconnected: 0, unknown: 40 })
})

test('saving the same connection three times at once leaves one running, removing it none', async () => {
  const { reference, muster, id } = await setup()
  const save = () => muster.call('connections.save', connectionTo(reference, { id }))
  await Promise.all([save(), save(), save()])
  await whenRead(muster)
  await until(() => expect(reference.openSockets()).toBe(1))
  await muster.call('connections.remove', { id })
  await until(() => expect(reference.openSockets()).toBe(0))
  expect(await countsOf(muster)).toEqual({ connected: 0, disconnected: 0, unknown: 0 })
})

test('a removal that the keychain rejects leaves the connection listed, to be removed again', async () => {
  const memory = openMemory('this session only: a test')
  let locked = true
  const { muster, id } = await setup({
    ...memory,
    remove: async (account) => {
      if (locked) throw new FaultError('keychain', 'locked')
      await memory.remove(account)
    },
  })
  await expect(muster.call('connections.remove', { id })).rejects.toThrow('keychain')
  expect((await muster.call('app.state', {})).connections.map((each) => each.id)).toEqual([id])
  locked = false
  await muster.call('connections.remove', { id })
  expect((await muster.call('app.state', {})).connections).toEqual([])
  expect(await countsOf(muster)).toEqual({ connected: 0, disconnected: 0, unknown: 0 })
  expect((await muster.call('app.state', {})).gauges).toEqual([])
})

test('rows of connections that are not in the settings are not shown at the next start', async () => {
  const { profile, muster, settings } = await setup()
  settings.set('connections', [])
  await muster.stop()
  const again = await openConsole(leftovers, profile)
  expect(await countsOf(again)).toEqual({ connected: 0, disconnected: 0, unknown: 0 })
})

test('a new address that cannot be stored keeps rows and history; once stored, they are dropped', async () => {
  const { reference, muster, id } = await setup()
  const other = await service(leftovers, { devices: 10, tenants: 1 })
  await until(() => expect(reference.subscribedIds()).toHaveLength(40))
  for (const device of reference.world.devices()) reference.world.setConnected(device.id, device.connected !== true)
  const key = (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).rows[0]?.key ?? ''
  const history = async () => (await muster.call('inventory.device', { key })).device?.transitions.length
  await until(async () => expect(await history()).toBe(1))
  const { set } = muster.settings
  muster.settings.set = (name, value) => {
    if (name === 'connections') throw new Error('EROFS')
    set(name, value)
  }
  const change = () => muster.call('connections.save', connectionTo(other, { id }))
  await expect(change()).rejects.toMatchObject({ fault: { kind: 'storage' } })
  expect((await muster.call('app.state', {})).connections).toMatchObject([
    { graphqlUrl: reference.graphqlUrl, lastReadingAt: expect.any(Number) },
  ])
  expect(await history()).toBe(1)
  muster.settings.set = set
  await change()
  expect(await history()).toBeUndefined()
  // What was kept of the former service, and how old it was, is not said of this one.
  expect(muster.settings.get('readings')).not.toHaveProperty(id)
  await whenRead(muster)
  expect((await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total).toBe(10)
  expect((await muster.call('app.state', {})).banners.filter(({ fault }) => fault.kind === 'schema-drift')).toEqual([])
})

test('rows of a former address are not shown at the next start', async () => {
  const { profile, muster, settings, secrets } = await setup()
  const elsewhere = (settings.get('connections') as object[]).map((record) => ({
    ...record,
    graphqlUrl: 'https://127.0.0.1:9/graphql',
  }))
  settings.set('connections', elsewhere)
  await muster.stop()
  const again = await openConsole(leftovers, profile, { secrets })
  expect(await countsOf(again)).toEqual({ connected: 0, disconnected: 0, unknown: 0 })
})
