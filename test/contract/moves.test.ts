import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import type { Service, ServiceOptions } from '../../src-service/service.ts'
import type { Answers } from '../../src-service/faults/contrary/answers.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A fleet that is read, live and compared. `subscription`: the connection's own document. */
async function setup(options: ServiceOptions = {}, subscription = '') {
  const reference = await service(leftovers, { devices: 200, tenants: 2, life: false, ...options })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  await muster.call('settings.change', { holdOffSeconds: 0 })
  await muster.call('connections.save', connectionTo(reference, { subscription }))
  await until(async () => {
    expect(new Set(reference.subscribedIds()).size).toBe(200)
    expect(countOf(reference, 'States')).toBeGreaterThan(0)
    await whenRead(muster)
  })
  const device = reference.world.find(
    ({ connected, room, site, tenantId }) =>
      connected === true && room !== null && site !== null && reference.world.sites(tenantId).length > 1,
  )
  return { reference, profile, muster, device }
}

const contrary = (how: Partial<Answers>): ServiceOptions => ({ profile: 'contrary', contrary: how })
const countOf = (reference: Service, name: string) =>
  reference.operations().filter(({ operationName }) => operationName === name).length

async function rowOf(muster: Console, id: string) {
  const query = { ...allByName, filter: `id:"${id}"` }
  return (await muster.call('inventory.rows', { query, offset: 0, limit: 1 })).rows[0]
}

/** Another site of the device's tenant, with one of its rooms. */
function elsewhere({ world }: Service, { tenantId, site }: { tenantId: string; site: { id: string } | null }) {
  for (const other of world.sites(tenantId)) {
    const [room] = world.rooms(other.id)
    if (other.id !== site?.id && room !== undefined) return { site: other, room }
  }
  throw new Error('the tenant has no other site with a room')
}

const whenAt = (muster: Console, id: string, site: string | null, room: string | null) =>
  until(async () => {
    const row = await rowOf(muster, id)
    expect([row?.site?.name ?? null, row?.room?.name ?? null]).toEqual([site, room])
  })

test('a renamed device has its new name by its event alone', async () => {
  const { reference, muster, device } = await setup()
  const before = countOf(reference, 'Devices')
  reference.world.renameDevice(device.id, 'Under a new name')
  await until(async () => expect(await rowOf(muster, device.id)).toMatchObject({ name: 'Under a new name' }))
  expect([countOf(reference, 'Devices'), countOf(reference, 'PlacesByIds')]).toEqual([before, 0])
})

test('a moved device stands in its new room, and the row, the tree and the journal follow', async () => {
  const { reference, profile, muster, device } = await setup({ emptyPlaces: true })
  const { site, room } = elsewhere(reference, device)
  const key = (await rowOf(muster, device.id))?.key ?? ''
  const before = await rowOf(muster, device.id)
  const inSite = async (name: string) =>
    (await muster.call('inventory.rows', { query: { ...allByName, filter: `site:"${name}"` }, offset: 0, limit: 1 }))
      .total
  const [left, came] = [await inSite(device.site?.name ?? ''), await inSite(site.name)]
  reference.world.moveDevice(device.id, site.id, room.id)
  await whenAt(muster, device.id, site.name, room.name)
  expect([await inSite(device.site?.name ?? ''), await inSite(site.name)]).toEqual([left - 1, came + 1])
  expect((await rowOf(muster, device.id))?.placedAt).toBeGreaterThan(before?.placedAt ?? Infinity)
  expect(await countIn(muster, site.name)).toBe(came + 1)
  const intervals = placesOf(profile, key)
  expect(intervals.map((each) => [each['site_name'], each['room_name'], each['until'] === null])).toEqual([
    [device.site?.name, device.room?.name, false],
    [site.name, room.name, true],
  ])
})

/** The devices that the tree counts in a site of this name. */
async function countIn(muster: Console, name: string): Promise<number> {
  const expanded = new Set<string>()
  for (;;) {
    const { rows } = await muster.call('inventory.tree', {
      expanded: [...expanded],
      offset: 0,
      limit: 500,
      reveal: null,
    })
    const found = rows.find((row) => row.kind === 'site' && row.name === name)
    if (found !== undefined) return found.counts.connected + found.counts.disconnected + found.counts.unknown
    const closed = rows.filter(({ kind, id }) => ['region', 'tenant', 'account'].includes(kind) && !expanded.has(id))
    if (closed.length === 0) return 0
    for (const { id } of closed) expanded.add(id)
  }
}

function placesOf(profile: string, key: string): Record<string, unknown>[] {
  const db = new DatabaseSync(path.join(profile, 'journal.db'), { readOnly: true })
  try {
    return db.prepare('SELECT * FROM device_place WHERE key = ? ORDER BY position').all(key)
  } finally {
    db.close()
  }
}

test('a move into a room that Muster has never seen is read by the id', async () => {
  const { reference, muster, device } = await setup(contrary({ placeFields: 'none' }))
  const site = reference.world.addSite(device.tenantId, 'A new building')
  const room = reference.world.addRoom({
    siteId: site.id,
    name: 'Its first room',
    floor: null,
    capacity: null,
    size: 'SMALL',
  })
  reference.world.moveDevice(device.id, site.id, room.id)
  await whenAt(muster, device.id, 'A new building', 'Its first room')
  expect(countOf(reference, 'PlacesByIds')).toBeGreaterThan(0)
})

test('a device that leaves its place for none stands under none once it is read', async () => {
  const { reference, muster, device } = await setup()
  reference.world.moveDevice(device.id, null, null)
  await whenAt(muster, device.id, null, null)
  expect(countOf(reference, 'PlacesByIds')).toBe(1)
})

test('a device with a site and no room is there once it is read', async () => {
  const { reference, muster, device } = await setup()
  const { site } = elsewhere(reference, device)
  reference.world.moveDevice(device.id, site.id, null)
  await whenAt(muster, device.id, site.name, null)
})

test('the incident of a moved device names its new site', async () => {
  const { reference, muster, device } = await setup({ emptyPlaces: true })
  reference.world.setConnected(device.id, false)
  const members = async () => {
    const { rows } = await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 50 })
    const all = await Promise.all(rows.map(({ id }) => muster.call('incidents.members', { id, offset: 0, limit: 50 })))
    return all.flatMap((each) => each.rows).filter(({ name }) => name === device.name || name === 'Renamed')
  }
  await until(async () => expect((await members()).map(({ site }) => site)).toEqual([device.site?.name]))
  const { site, room } = elsewhere(reference, device)
  reference.world.moveDevice(device.id, site.id, room.id)
  reference.world.renameDevice(device.id, 'Renamed')
  await until(async () =>
    expect((await members()).map((each) => [each.name, each.site])).toEqual([['Renamed', site.name]]),
  )
})

test.each<[string, Partial<Answers>]>([
  ['null', { eventPlaces: 'null' }],
  ['ids of nothing, also for the tenant', { eventPlaces: 'unknown' }],
])('events with %s move nothing by themselves: the device is read', async (_name, how) => {
  const { reference, muster, device } = await setup(contrary(how))
  reference.world.setConnected(device.id, false)
  await until(async () => expect(await rowOf(muster, device.id)).toMatchObject({ status: 'disconnected' }))
  await whenAt(muster, device.id, device.site?.name ?? '', device.room?.name ?? '')
  await until(() => expect(countOf(reference, 'PlacesByIds')).toBeGreaterThan(0))
  const { site, room } = elsewhere(reference, device)
  reference.world.moveDevice(device.id, site.id, room.id)
  if (how.eventPlaces === 'unknown') await whenAt(muster, device.id, site.name, room.name)
})

test('a document without place and an event of the state keep the older age of the place', async () => {
  const own =
    'subscription D($deviceIds: [String!]!) { deviceStream(deviceIds: $deviceIds) { id tenantId name connected } }'
  const { reference, muster, device } = await setup({}, own)
  const before = await rowOf(muster, device.id)
  const { site, room } = elsewhere(reference, device)
  reference.world.moveDevice(device.id, site.id, room.id)
  reference.world.setConnected(device.id, false)
  await until(async () => expect(await rowOf(muster, device.id)).toMatchObject({ status: 'disconnected' }))
  const row = await rowOf(muster, device.id)
  expect([row?.site?.name, row?.placedAt]).toEqual([device.site?.name, before?.placedAt])
  expect(row?.seenAt).toBeGreaterThan(row?.placedAt ?? Infinity)
})

test('without a schema the documented document is used, and its events count', async () => {
  const { reference, muster, device } = await setup(contrary({ introspection: false }))
  const { site, room } = elsewhere(reference, device)
  reference.world.moveDevice(device.id, site.id, room.id)
  reference.world.renameDevice(device.id, 'Its name alone')
  await until(async () => expect(await rowOf(muster, device.id)).toMatchObject({ name: 'Its name alone' }))
  expect((await rowOf(muster, device.id))?.site?.name).toBe(device.site?.name)
})
