import { afterEach, describe, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/service.ts'
import { calls } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import {
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

async function setup(options: ServiceOptions) {
  const reference = await service(leftovers, { devices: 80, tenants: 3, life: false, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  return { reference, muster }
}

/** The sums of the map, as the numbers of the whole fleet. */
async function mapped(muster: Console, tiles: 'site' | 'room') {
  const map = await muster.call('overview.map', { tiles, layout: null })
  const sum = (status: number) =>
    map.counts.reduce((all, count, index) => (index % 3 === status ? all + count : all), 0)
  return { map, counts: { connected: sum(2), disconnected: sum(0), unknown: sum(1) } }
}

describe.each<[string, ServiceOptions]>([
  ['the service of the specification', {}],
  [
    'a service that tells no site, no room and no schema',
    {
      profile: 'contrary',
      contrary: { missingFields: ['site', 'room'], introspection: false },
    },
  ],
])('%s', (_name, options) => {
  test('the map has every device once, at sites and rooms, with the inventory’s numbers', async () => {
    const { muster } = await setup(options)
    const { counts } = await muster.call('inventory.counts', { scope: 'all' })
    for (const tiles of ['site', 'room'] as const) {
      const { map, counts: sums } = await mapped(muster, tiles)
      expect(sums).toEqual(counts)
      expect(calls['overview.map'].output.safeParse(map).success).toBe(true)
      for (const { group } of map.places?.tiles ?? []) expect(map.places?.groups[group]).toBeDefined()
    }
  })

  test('a query counts its devices alone, on the map and in incidents', async () => {
    const { reference, muster } = await setup(options)
    await muster.call('settings.change', { holdOffSeconds: 0, groupingSeconds: 0 })
    const [tenant] = reference.world.tenants()
    const query = { scope: 'all', filter: `tenant:"${tenant?.name}"` }
    const { totals } = await muster.call('inventory.totals', { queries: [{ ...query, sort: [] }] })
    const map = await muster.call('overview.map', { tiles: 'site', layout: null, query })
    expect(map.counts.reduce((sum, count) => sum + count, 0)).toBe(totals[0])
    expect(map.totals.connected + map.totals.disconnected + map.totals.unknown).toBe(totals[0])
    await expect(
      muster.call('overview.map', { tiles: 'site', layout: null, query: { ...query, filter: 'status:<<' } }),
    ).rejects.toThrow(FaultError)
    const gone = [true, false].map((inside) =>
      reference.world
        .devices()
        .find(({ connected, tenantId }) => connected === true && (tenantId === tenant?.id) === inside),
    )
    for (const device of gone) reference.world.setConnected(device?.id ?? '', false)
    const ids = await until(async () => {
      const { rows } = await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })
      expect(rows).toHaveLength(2)
      return rows.map(({ id }) => id)
    })
    const { ids: found } = await muster.call('incidents.matching', { ids, query })
    expect(found).toHaveLength(1)
    const { rows } = await muster.call('incidents.members', { id: found[0] ?? '', offset: 0, limit: 10 })
    expect(rows.map(({ key }) => key.split('/').at(-1))).toEqual([gone[0]?.id])
    expect((await muster.call('incidents.matching', { ids, query: { scope: 'all', filter: '' } })).ids).toEqual(ids)
  })

  test('a past minute has the numbers of then, no data before the first sync, and no future', async () => {
    const { reference, muster } = await setup(options)
    const then = async (at: number) => {
      const { counts, ...told } = await muster.call('overview.then', { at, tiles: 'site', layout: null, place: null })
      const sum = (status: number) =>
        counts.reduce((all, count, index) => (index % 3 === status ? all + count : all), 0)
      return { told, sums: { disconnected: sum(0), unknown: sum(1), connected: sum(2) } }
    }
    const before = await muster.call('inventory.counts', { scope: 'all' })
    const synced = Date.now()
    expect((await then(synced)).sums).toEqual(before.counts)
    const [gone] = reference.world.devices().filter(({ connected }) => connected === true)
    reference.world.setConnected(gone?.id ?? '', false)
    const dropped = await until(async () => {
      const { rows } = await muster.call('inventory.rows', {
        query: { scope: 'all', filter: `id:${gone?.id} status:offline`, sort: [] },
        offset: 0,
        limit: 1,
      })
      return rows[0]?.since?.at ?? Promise.reject(new Error('it is still online'))
    })
    // By Muster's clock, which may be a part of a second ahead of the test's.
    const after = await until(() => then(dropped))
    expect(after.sums.disconnected).toBe((before.counts?.disconnected ?? 0) + 1)
    expect(after.told.offline).toBe(after.sums.disconnected)
    expect((await then(synced)).sums).toEqual(before.counts)
    const early = await then(synced - 3_600_000)
    expect(early.sums).toEqual({ connected: 0, disconnected: 0, unknown: reference.world.devices().length })
    await expect(then(Date.now() + 60_000)).rejects.toThrow(/future/u)
  })

  test('each tenant has a page with its devices, by the places that the service tells', async () => {
    const { muster } = await setup(options)
    const { map } = await mapped(muster, 'site')
    for (const { id } of map.places?.groups.filter(({ kind }) => kind === 'tenant') ?? []) {
      const page = await muster.call('overview.place', { place: id })
      expect(calls['overview.place'].output.safeParse(page).success).toBe(true)
      const { counts } = await muster.call('inventory.counts', { scope: id })
      const devices = page.history?.hours.lines.reduce((sum, line) => sum + line.devices, 0) ?? 0
      const all = (counts?.connected ?? 0) + (counts?.disconnected ?? 0) + (counts?.unknown ?? 0)
      expect(page.history?.hours.leftOut === 0 ? devices : all).toBe(all)
    }
  })

  test('the history has each tenant’s devices, and a disconnect counts where it happened', async () => {
    const { reference, muster } = await setup(options)
    const day = await muster.call('overview.day', {})
    expect(calls['overview.day'].output.safeParse(day).success).toBe(true)
    expect(day.tenants.reduce((sum, { devices }) => sum + devices, 0)).toBe(reference.world.devices().length)
    expect(day.tenants.every(({ up, down }) => up.length === 96 && down.length === 96)).toBe(true)
    const device = reference.world.devices().find(({ connected }) => connected === true)
    reference.world.setConnected(device?.id ?? '', false)
    await until(async () => {
      const { rows } = await muster.call('inventory.rows', {
        query: { scope: 'all', filter: `id:${device?.id} status:offline`, sort: [] },
        offset: 0,
        limit: 1,
      })
      expect(rows).toHaveLength(1)
    })
    const month = await muster.call('overview.month', {})
    expect(calls['overview.month'].output.safeParse(month).success).toBe(true)
    expect(month.disconnects.map(({ name, count }) => [name, count])).toEqual([[device?.name, 1]])
    const places = await muster.call('overview.places', { tiles: 'room' })
    expect(calls['overview.places'].output.safeParse(places).success).toBe(true)
    expect(places.places.reduce((sum, { disconnects }) => sum + disconnects, 0)).toBe(1)
  })
})
