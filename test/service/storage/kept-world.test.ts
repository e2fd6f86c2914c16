import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../../../src-service/service.ts'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { createLife } from '../../../src-service/world/life/life.ts'
import { createWorld } from '../../../src-service/world/world.ts'
import { dig, digAll, open, plainClient } from '../client.ts'
import { freshFolder, managedFolder } from './folder.ts'

const moment = Date.parse('2026-04-01T12:00:00Z')
const size = { devices: 200, tenants: 2, seed: 5 }

/** Stopped when the test is over, if not before. */
async function start(options: ServiceOptions): Promise<Service> {
  const service = await startService(options)
  onTestFinished(() => service.stop())
  return service
}

const everything = ({ world }: Service): unknown => [
  world.tenants(),
  world.tenants().map(({ id }) => world.sites(id).map((site) => [site, world.rooms(site.id)])),
  world.devices(),
]

test('a second start continues with the same devices, places and changes', async () => {
  const { data, makeSet } = managedFolder()
  const set = makeSet()
  const now = () => moment
  const first = await start({ data, now, ...size })
  const { world } = first
  const [a, b, c] = world.devices()
  if (!a || !b || !c) throw new Error('no devices')
  const client = plainClient(first, { h2: true, set })
  await client.ask(
    await client.token(),
    'mutation ($id: String!) { updateDevice(id: $id, fields: { name: "Renamed", siteId: null }) { id } }',
    { id: a.id },
  )
  world.setConnected(b.id, b.connected !== true)
  world.removeDevice(c.id)
  const site = world.addSite(a.tenantId, 'Annex')
  const room = world.addRoom({ siteId: site.id, name: 'Loft', floor: null, capacity: null, size: 'NONE' })
  const added = world.addDevice({ tenantId: a.tenantId, siteId: site.id, roomId: room.id })
  const left = everything(first)
  await first.stop()
  const second = await start({ data, now })
  expect(everything(second)).toEqual(left)
  expect(second.world.size).toEqual(size)
  expect(second.world.device(a.id)).toMatchObject({ name: 'Renamed', site: null, room: null })
  expect(second.world.device(added.id)).toMatchObject({
    site: { id: site.id },
    room: { id: room.id, floor: null, capacity: null },
  })
  expect(second.world.device(second.world.addDevice().id)?.id).not.toBe(added.id)
  const again = plainClient(second, { h2: true, set })
  expect(
    (await again.ask(await again.token(), 'query ($id: String!) { device(id: $id) { name } }', { id: a.id })).at(
      'data',
      'device',
      'name',
    ),
  ).toBe('Renamed')
})

test('the world of a folder equals the one that the same seed gives in memory', async () => {
  const [kept, inMemory] = [
    await start({ data: freshFolder(), now: () => moment, ...size }),
    await start({ now: () => moment, ...size }),
  ]
  expect(everything(kept)).toEqual(everything(inMemory))
})

test('a reboot in progress at the stop ends after the next start', async () => {
  const { data, makeSet } = managedFolder()
  const client = makeSet()
  const clock = { at: moment }
  const first = await start({ data, now: () => clock.at, ...size })
  const device = first.world.find(({ connected }) => connected === true)
  const asked = plainClient(first, { h2: true, set: client })
  expect(
    (
      await asked.ask(await asked.token(), 'mutation ($id: String!) { rebootDevice(deviceId: $id) { success } }', {
        id: device.id,
      })
    ).at('data', 'rebootDevice'),
  ).toEqual({ success: true })
  await first.stop()
  const second = await start({ data, now: () => clock.at })
  second.endReboots()
  expect(second.world.device(device.id)?.connected).toBe(false)
  clock.at += 60_000
  second.endReboots()
  expect(second.world.device(device.id)?.connected).toBe(true)
})

test('a device that was briefly offline at the stop comes back after the next start', () => {
  const file = path.join(path.dirname(freshFolder()), 'world.sqlite')
  const clock = { at: moment }
  const live = (wanted: object, ms: number): { offline: number } => {
    const world = createWorld({ ...wanted, file, now: () => clock.at })
    const life = createLife(world, world.size.seed)
    for (let passed = 0; passed < ms; passed += 1000) {
      clock.at += 1000
      life.advance(1000)
    }
    const { offline } = world.totals()
    world.close()
    return { offline }
  }
  const before = live({ seed: 3, tenants: 3, devices: 3000 }, 10 * 60_000)
  clock.at += 7 * 86_400_000
  const weeks = live({}, 0).offline
  expect(weeks).toBe(before.offline)
  const opened = createWorld({ file, now: () => clock.at })
  const brief = opened.awayForLessThan(31 * 60_000)
  expect(brief.length).toBeGreaterThan(10)
  const life = createLife(opened, 1)
  clock.at += 11 * 60_000
  life.advance(11 * 60_000)
  const back = brief.filter((id) => opened.device(id)?.connected === true)
  opened.close()
  expect(back.length / brief.length).toBeGreaterThan(0.9)
})

test.each([
  [{ seed: 6 }, 'seed 5, not 6'],
  [{ devices: 100 }, 'devices 200, not 100'],
  [{ tenants: 3, devices: 7 }, 'tenants 2, not 3; devices 200, not 7'],
])('options for another world than the stored one are rejected: %j', async (other, words) => {
  const data = freshFolder()
  const first = await start({ data, ...size })
  const left = first.world.devices().map(({ id, name }) => [id, name])
  await first.stop()
  await expect(startService({ data, ...size, ...other })).rejects.toThrow(words)
  const second = await start({ data, ...size })
  expect(second.world.devices().map(({ id, name }) => [id, name])).toEqual(left)
})

test('a second service on the same folder is rejected until the first has stopped', async () => {
  const data = freshFolder()
  const first = await start({ data, ...size })
  await expect(startService({ data })).rejects.toThrow('Another service is running on')
  expect(first.world.devices()).toHaveLength(200)
  const port = Number(new URL(first.graphqlUrl).port)
  await first.stop()
  const second = await start({ data })
  // What cannot start lets go of its folder, too.
  const [taken, other] = [Number(new URL(second.graphqlUrl).port), freshFolder()]
  expect(port).toBeGreaterThan(0)
  await expect(startService({ data: other, port: taken, devices: 3 })).rejects.toThrow('EADDRINUSE')
  expect((await start({ data: other })).world.devices()).toHaveLength(3)
})

test('a first start that is killed half way leaves no half world', async () => {
  const data = freshFolder()
  const child = spawn(process.execPath, [path.resolve('src-service/main.ts'), '--data', data, '--devices', '150000'], {
    stdio: 'ignore',
  })
  const exit = once(child, 'exit')
  const file = path.join(data, 'world.sqlite')
  // The child needs the processor more than the one that looks.
  while (child.exitCode === null && !(existsSync(file) && statSync(file).size > 1_000_000)) await setTimeout(5)
  child.kill('SIGKILL')
  await exit
  expect(child.signalCode).toBe('SIGKILL')
  const service = await start({ data, ...size })
  expect(service.world.devices()).toHaveLength(200)
}, 30_000)

test('a world of a later version is left alone', async () => {
  const data = freshFolder()
  await (await start({ data, ...size })).stop()
  const file = path.join(data, 'world.sqlite')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 9')
  database.close()
  const before = readFileSync(file)
  await expect(startService({ data })).rejects.toThrow('later version')
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('commands know the tenants and sites of the world, also while the service runs', async () => {
  const { data, asAnn, makeSet } = managedFolder()
  const service = await start({ data, ...size })
  const [tenant] = service.world.tenants()
  const [site] = service.world.sites(tenant?.id ?? '')
  const { clientId } = makeSet('--tenants', String(tenant?.id), '--sites', String(site?.id))
  expect(() => makeSet('--tenants', `${tenant?.id},nowhere`)).toThrow('has no tenant nowhere')
  expect(() => asAnn('credentials', 'edit', clientId, '--sites', 'nowhere', '--name', 'N')).toThrow(
    'has no site nowhere',
  )
  await service.stop()
  expect(() => asAnn('credentials', 'edit', clientId, '--tenants', 'nowhere')).toThrow('has no tenant nowhere')
  expect(dig(asAnn('credentials', 'list'), 'credentials')).toEqual([
    {
      client_id: clientId,
      name: 'A set',
      role: 'admin',
      tenants: [tenant?.id],
      accounts: 'all',
      sites: [site?.id],
      active: true,
    },
  ])
})

test('without a data folder nothing is written, and a service without devices answers', async () => {
  const folder = path.dirname(freshFolder())
  const before = readdirSync(folder)
  const service = await open({ devices: 0, tenants: 2, life: true })
  const client = plainClient(service)
  const reply = await client.ask(
    await client.token(),
    '{ tenants { id inventory { deviceCount deviceSearch { edges { node { id } } pageInfo { totalCount hasNextPage nextToken } } } } }',
  )
  expect(digAll(reply.json, 'data', 'tenants').map((tenant) => dig(tenant, 'inventory'))).toEqual(
    [1, 2].map(() => ({
      deviceCount: 0,
      deviceSearch: { edges: [], pageInfo: { totalCount: 0, hasNextPage: false, nextToken: null } },
    })),
  )
  expect(service.world.device(service.world.addDevice({ name: 'First' }).id)?.name).toBe('First')
  expect(readdirSync(folder)).toEqual(before)
})
