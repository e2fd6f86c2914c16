import { afterEach, expect, test } from 'vitest'
import type { Service, ServiceOptions } from '../../src-service/service.ts'
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
import { idOf } from '../support/jobs-console.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const devices = 60

/** A console on two tenants, of one connection or of one each. */
async function setup(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices, tenants: 2, life: false, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('settings.change', { holdOffSeconds: 0 })
  for (const { clientId, clientSecret, name } of reference.credentials.list())
    await muster.call('connections.save', connectionTo(reference, { clientId, clientSecret, name }))
  await until(() => expect(new Set(reference.subscribedIds()).size).toBe(devices))
  await whenAllRead(muster)
  const [from, to] = reference.world.tenants()
  const device = reference.world.find(({ tenantId, connected }) => tenantId === from?.id && connected === true)
  return { reference, muster, device, to: to?.id ?? '' }
}

const whenAllRead = (muster: Console) =>
  until(async () => {
    for (const state of (await muster.call('app.state', {})).connections)
      expect([state.link.state, state.lastReadingAt === null, state.sync.state]).toEqual(['live', false, 'idle'])
  })

/** A device leaves its tenant for a site and room of another one, with its id. */
function moveTo({ world }: Service, { id, name }: { id: string; name: string }, tenantId: string) {
  const site = world.sites(tenantId).find((each) => world.rooms(each.id).length > 0)
  const room = world.rooms(site?.id ?? '')[0]
  world.removeDevice(id)
  world.addDevice({ id, name, tenantId, siteId: site?.id ?? null, roomId: room?.id ?? null, connected: true })
  return { site: site?.name, room: room?.name }
}

async function rowsOf(muster: Console, id: string) {
  const query = { ...allByName, filter: `id:"${id}"` }
  const { rows, total } = await muster.call('inventory.rows', { query, offset: 0, limit: 10 })
  return { total, rows: rows.map((row) => [idOf(row.tenant.key), row.site?.name, row.room?.name, row.status]) }
}

const totalOf = async (muster: Console) =>
  (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total

test.each<[string, ServiceOptions]>([
  ['one connection', {}],
  ['a connection for each', { credentials: 'per-tenant' }],
])('a device that moves between two listed tenants stands once after a refresh (%s)', async (_name, options) => {
  const { reference, muster, device, to } = await setup(options)
  const { site, room } = moveTo(reference, device, to)
  await muster.call('sync.start', { scope: 'all' })
  await until(async () =>
    expect(await rowsOf(muster, device.id)).toEqual({ total: 1, rows: [[to, site, room, 'connected']] }),
  )
  await whenAllRead(muster)
  expect(await totalOf(muster)).toBe(devices)
  const open = await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 50 })
  expect(open.rows).toEqual([])
  await until(() => expect(reference.subscribedIds().filter((id) => id === device.id)).toHaveLength(1))
  reference.world.setConnected(device.id, false)
  await until(async () =>
    expect(await rowsOf(muster, device.id)).toEqual({ total: 1, rows: [[to, site, room, 'disconnected']] }),
  )
})

test('an event from the new tenant is enough: both are compared, and the device stands once', async () => {
  const { reference, muster, device, to } = await setup()
  const { site, room } = moveTo(reference, device, to)
  reference.world.setConnected(device.id, false)
  await until(async () =>
    expect(await rowsOf(muster, device.id)).toEqual({ total: 1, rows: [[to, site, room, 'disconnected']] }),
  )
  expect(await totalOf(muster)).toBe(devices)
})
