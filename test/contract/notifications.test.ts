import { bodyOf, titleOf } from '../support/messages.ts'
import { afterEach, expect, test } from 'vitest'
import type { EventData } from '../../src-shared/contract/contract.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenLost,
  whenRead,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function setup(changed: Partial<Settings>) {
  const reference = await service(leftovers, { devices: 300, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  const told: EventData<'notification'>[] = []
  muster.core.on('notification', (one) => void told.push(one))
  await muster.call('settings.change', changed)
  await muster.call('connections.save', connectionTo(reference))
  const listening = () =>
    until(async () => {
      expect(reference.subscribedIds()).toHaveLength(reference.world.devices().length)
      await whenRead(muster)
    })
  await listening()
  const online = reference.world.devices().filter(({ connected }) => connected === true)
  return { reference, profile, muster, told, online, listening }
}

/** The devices of the largest site that are online, and its name. */
async function largestSite({ muster, online }: Awaited<ReturnType<typeof setup>>) {
  const ids = new Set(online.map(({ id }) => id))
  const { rows } = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })
  const sites = Map.groupBy(
    rows.filter(({ id, site }) => ids.has(id) && site !== null),
    ({ tenant, site }) => `${tenant.key} ${site?.id ?? ''}`,
  )
  const [largest = []] = [...sites.values()].toSorted((a, b) => b.length - a.length)
  return { ids: largest.map(({ id }) => id), name: largest[0]?.site?.name ?? '' }
}

test('a site that drops is one notification; its recovery is another', async () => {
  const estate = await setup({ holdOffSeconds: 2, recoverySeconds: 2 })
  const { reference, muster, told } = estate
  const site = await largestSite(estate)
  expect(site.ids.length).toBeGreaterThanOrEqual(12)
  for (const id of site.ids) reference.world.setConnected(id, false)
  await until(() => expect(told).toHaveLength(1))
  expect(told[0]).toMatchObject({ kind: 'offline', open: { filter: 'connected:no', device: null } })
  expect(titleOf(told[0])).toBe(`${site.ids.length} devices offline in ${site.name}`)
  // What a click opens holds them.
  const { scope, filter } = told[0]?.open ?? { scope: '', filter: '' }
  const { total } = await muster.call('inventory.rows', { query: { scope, filter, sort: [] }, offset: 0, limit: 1 })
  expect(total).toBeGreaterThanOrEqual(site.ids.length)
  for (const id of site.ids) reference.world.setConnected(id, true)
  await until(() => expect(told).toHaveLength(2))
  expect(told[1]).toMatchObject({ kind: 'recovered' })
  expect(titleOf(told[1])).toBe(`${site.ids.length} devices are back in ${site.name}`)
  // And what the other one opens is exactly what is back.
  const back = told[1]?.open ?? { scope: '', filter: '' }
  const { rows } = await muster.call('inventory.rows', {
    query: { scope: back.scope, filter: back.filter, sort: [] },
    offset: 0,
    limit: 500,
  })
  expect(rows.map(({ id }) => id).toSorted()).toEqual(site.ids.toSorted())
  const { notifications } = await muster.call('app.state', {})
  expect(notifications.recent.map(({ id }) => id)).toEqual([told[1]?.id, told[0]?.id])
})

test('a drop shorter than the hold-off is not notified, and a later one that lasts is', async () => {
  const { reference, told, online, muster } = await setup({ holdOffSeconds: 3, recoverySeconds: 3 })
  const [short, lasting] = online
  if (short === undefined || lasting === undefined) throw new Error('too few devices are online')
  reference.world.setConnected(short.id, false)
  await until(async () => {
    const { rows } = await muster.call('inventory.rows', {
      query: { ...allByName, filter: `id:"${short.id}"` },
      offset: 0,
      limit: 1,
    })
    expect(rows[0]?.status).toBe('disconnected')
  })
  reference.world.setConnected(short.id, true)
  reference.world.setConnected(lasting.id, false)
  await until(() => expect(told).not.toHaveLength(0))
  expect(told.map(titleOf)).toEqual([`${lasting.name} is offline`])
})

test('while the service is gone only the loss of monitoring is notified, and the rest afterwards', async () => {
  const { reference, told, online, muster, listening } = await setup({ holdOffSeconds: 2, recoverySeconds: 2 })
  await reference.misfortune.pause()
  await whenConnection(muster, ({ link }) => link.state !== 'live')
  const dropped = online.slice(0, 2)
  for (const { id } of dropped) reference.world.setConnected(id, false)
  await until(() => expect(told).toHaveLength(1))
  expect(titleOf(told[0])).toMatch(/^Monitoring lost since /u)
  await reference.misfortune.resume()
  await listening()
  await until(() => expect(told).toHaveLength(2), 30_000)
  expect(told[1]).toMatchObject({ kind: 'monitoring-restored', devices: 2 })
  expect(titleOf(told[1])).toBe('Monitoring restored for 2 tenants')
  expect(bodyOf(told[1])).toContain('Meanwhile: 2 incidents, still open')
}, 60_000)

test('sockets that are closed and come back are not notified', async () => {
  const { reference, told, muster, online, listening } = await setup({ holdOffSeconds: 20 })
  reference.misfortune.dropSockets(1006)
  await whenLost(muster)
  await listening()
  // Something that is told shows that telling goes on; nothing was told before it.
  const [one] = online
  reference.world.setConnected(one?.id ?? '', false)
  await muster.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1 })
  await until(() => expect(told).not.toHaveLength(0))
  expect(told.map(titleOf)).toEqual([`${one?.name} is offline`])
})

test('a notified incident is not notified again by the next start, and is still listed', async () => {
  const { reference, profile, muster, told, online } = await setup({ holdOffSeconds: 1, recoverySeconds: 1 })
  const [one, other] = online
  if (one === undefined || other === undefined) throw new Error('too few devices are online')
  reference.world.setConnected(one.id, false)
  await until(() => expect(told).toHaveLength(1))
  await muster.stop()
  const again = await openConsole(leftovers, profile, { secrets: muster.secrets })
  const anew: EventData<'notification'>[] = []
  again.core.on('notification', (each) => void anew.push(each))
  await until(async () => {
    expect(reference.subscribedIds()).toHaveLength(reference.world.devices().length)
    await whenRead(again)
  })
  reference.world.setConnected(other.id, false)
  await until(() => expect(anew).not.toHaveLength(0))
  expect(anew.map(titleOf)).toEqual([`${other.name} is offline`])
  expect((await again.call('app.state', {})).notifications.recent.map(titleOf)).toEqual([
    `${other.name} is offline`,
    `${one.name} is offline`,
  ])
})
