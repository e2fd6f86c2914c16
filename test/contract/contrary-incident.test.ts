import { afterEach, expect, test } from 'vitest'
import type { Answers } from '../../src-service/faults/contrary/answers.ts'
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
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A device is offline, its incident is open, and the service is about to answer oddly. */
async function openIncident() {
  const reference = await service(leftovers, { profile: 'contrary', contrary: {}, devices: 40, tenants: 1 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1 })
  await muster.call('connections.save', connectionTo(reference))
  await until(async () => {
    expect(reference.subscribedIds()).toHaveLength(40)
    await whenRead(muster)
  })
  const device = reference.world.devices().find(({ connected }) => connected === true)
  if (device === undefined) throw new Error('no device is online')
  const list = (state: 'open' | 'closed') => muster.call('incidents.list', { state, text: '', offset: 0, limit: 10 })
  const rowOf = async (id: string) =>
    (await muster.call('inventory.rows', { query: { ...allByName, filter: `id:"${id}"` }, offset: 0, limit: 1 }))
      .rows[0]
  const counts = async () => (await muster.call('inventory.counts', { scope: 'all' })).counts
  reference.world.setConnected(device.id, false)
  const incident = await until(async () => {
    const [one] = (await list('open')).rows
    if (one === undefined) throw new Error('no incident is open')
    return one
  })
  return { reference, muster, device, incident, list, rowOf, counts }
}

test.each<[string, Partial<Answers>, string]>([
  ['pages are empty with an error beside them', { emptyDevices: 'errors' }, 'The inventory could not be read'],
  ['pages are empty with an error in the search', { emptyDevices: 'error-field' }, 'The inventory could not be read'],
  ['the list of tenants is empty with an error beside it', { emptyTenants: 'errors' }, 'The tenants could not be read'],
])(
  'only a recovery closes an incident: %s',
  async (_name, odd, words) => {
    const { reference, muster, device, incident, list, rowOf, counts } = await openIncident()
    const wellUntil = Date.now()
    reference.contrary.change(odd)
    await muster.call('sync.start', { scope: 'all' })
    const { faults } = await whenConnection(muster, (state) =>
      state.faults.some(({ fault }) => fault.kind === 'partial'),
    )
    expect(faults.map(({ fault }) => fault.detail).join(' ')).toContain(words)
    if (odd.emptyDevices !== undefined) {
      await until(async () => expect(await counts()).toEqual({ connected: 0, disconnected: 0, unknown: 40 }))
      expect(await rowOf(device.id)).toMatchObject({ status: 'unknown', connected: false })
      expect((await rowOf(device.id))?.seenAt).toBeLessThanOrEqual(wellUntil)
    }
    expect((await list('open')).rows.map(({ id, devices }) => [id, devices.down + devices.unseen])).toEqual([
      [incident.id, 1],
    ])
    reference.contrary.change({ emptyDevices: 'never', emptyTenants: 'never' })
    await muster.call('sync.start', { scope: 'all' })
    await whenConnection(muster, (state) => state.faults.length === 0 && state.sync.state === 'idle')
    await until(async () => expect((await rowOf(device.id))?.status).toBe('disconnected'))
    expect((await list('open')).rows.map(({ id, openedAt }) => [id, openedAt])).toEqual([
      [incident.id, incident.openedAt],
    ])
    expect((await list('closed')).rows).toEqual([])
    reference.world.setConnected(device.id, true)
    await until(async () => expect((await list('closed')).rows.map(({ id }) => id)).toEqual([incident.id]))
    expect((await list('open')).rows).toEqual([])
  },
  60_000,
)

test('an empty list of tenants closes no incident until it is confirmed', async () => {
  const { reference, muster, incident, list, rowOf, device } = await openIncident()
  const { lastReadingAt } = await whenConnection(muster, ({ sync }) => sync.state === 'idle')
  reference.contrary.change({ emptyTenants: 'alone', emptyForMs: 1_000 })
  await muster.call('sync.start', { scope: 'all' })
  await whenConnection(muster, (state) => state.lastReadingAt !== lastReadingAt && state.sync.state === 'idle')
  expect((await list('open')).rows.map(({ id }) => id)).toEqual([incident.id])
  expect((await rowOf(device.id))?.status).toBe('disconnected')
}, 60_000)

test('devices that are no longer listed are unknown, with a fault, until they are listed again', async () => {
  const { reference, muster, incident, list, rowOf, counts, device } = await openIncident()
  reference.contrary.change({ emptyDevices: 'alone' })
  await muster.call('sync.start', { scope: 'all' })
  const { faults } = await whenConnection(muster, (state) => state.faults.length > 0 && state.sync.state === 'idle')
  expect(faults.map(({ fault }) => fault)).toEqual([{ kind: 'emptied', detail: '40 devices were listed before' }])
  await until(async () => expect(await counts()).toEqual({ connected: 0, disconnected: 0, unknown: 40 }))
  expect((await list('open')).rows.map(({ id, devices }) => [id, devices.down + devices.unseen])).toEqual([
    [incident.id, 1],
  ])
  reference.contrary.change({ emptyDevices: 'never' })
  // Nobody asks for it: what is doubted is asked for again by itself.
  await whenConnection(muster, (state) => state.faults.length === 0 && state.sync.state === 'idle')
  await until(async () => expect((await rowOf(device.id))?.status).toBe('disconnected'))
  expect((await list('closed')).rows).toEqual([])
}, 60_000)
