import { expect, test } from 'vitest'
import type { ServiceOptions } from '../../../src-service/service.ts'
import { dig, open, plainClient, streamClient, until } from '../client.ts'
import { freshFolder } from '../storage/folder.ts'

const START = Date.parse('2026-04-01T12:00:00Z')
const stream = 'subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) { id connected } }'
const reboot = 'mutation ($id: String!) { rebootDevice(deviceId: $id) { success error } }'
const rebootSite = 'mutation ($id: String!) { rebootDevicesBySiteId(siteId: $id) { success error } }'
const state = 'query ($id: String!) { device(id: $id) { connected callStatus } }'

async function ready(options: ServiceOptions = {}) {
  const clock = { at: START }
  const service = await open({ now: () => clock.at, ...options })
  const set = options.data === undefined ? service : service.credentials.add()
  const client = plainClient(service, { h2: true, set })
  const token = await client.token()
  const ask = (query: string, variables: unknown) => client.ask(token, query, variables)
  const watch = async (...ids: string[]) => {
    const seen: unknown[] = []
    streamClient(service, token).subscribe(
      { query: stream, variables: { ids } },
      { next: ({ data }) => void seen.push(data?.['deviceStream']), error: () => undefined, complete: () => undefined },
    )
    await until(() => ids.every((id) => service.subscribedIds().includes(id)))
    return seen
  }
  const later = (ms: number) => {
    clock.at += ms
    service.endReboots()
  }
  const [device, other] = service.world.devices().filter(({ connected, site }) => connected === true && site !== null)
  if (!device || !other) throw new Error('nobody is connected')
  return { service, clock, ask, watch, later, device, other }
}

test('a device removed during its reboot is gone from streams, and the others come back', async () => {
  const { service, ask, watch, later, device, other } = await ready()
  const seen = await watch(device.id, other.id)
  await ask(reboot, { id: device.id })
  await ask(reboot, { id: other.id })
  service.world.removeDevice(device.id)
  later(60_000)
  await until(() => seen.length === 3)
  expect(seen).toEqual([
    { id: device.id, connected: false },
    { id: other.id, connected: false },
    { id: other.id, connected: true },
  ])
  const gone = await ask(state, { id: device.id })
  expect([gone.at('data', 'device'), gone.at('errors', 0, 'extensions', 'code')]).toEqual([null, 'NOT_FOUND'])
  expect((await ask(reboot, { id: device.id })).at('errors', 0, 'extensions', 'code')).toBe('NOT_FOUND')
})

test('a second reboot is rejected while the first lasts, and accepted afterwards', async () => {
  const { ask, watch, later, device } = await ready()
  const seen = await watch(device.id)
  expect((await ask(reboot, { id: device.id })).at('data', 'rebootDevice', 'success')).toBe(true)
  later(19_000)
  expect((await ask(reboot, { id: device.id })).at('data', 'rebootDevice')).toEqual({
    success: false,
    error: 'The device is not connected',
  })
  later(41_000)
  expect((await ask(state, { id: device.id })).at('data', 'device', 'connected')).toBe(true)
  later(600_000)
  expect((await ask(reboot, { id: device.id })).at('data', 'rebootDevice', 'success')).toBe(true)
  later(60_000)
  await until(() => seen.length === 4)
  expect(seen.map((event) => dig(event, 'connected'))).toEqual([false, true, false, true])
})

test('a site and one of its devices reboot at once: each device comes back once', async () => {
  const { service, ask, watch, later, device } = await ready()
  const ids = service.world.connectedAt(device.site?.id ?? '')
  const seen = await watch(...ids)
  await ask(reboot, { id: device.id })
  later(15_000)
  expect((await ask(rebootSite, { id: device.site?.id })).at('data', 'rebootDevicesBySiteId', 'success')).toBe(
    ids.length > 1,
  )
  later(60_000)
  later(60_000)
  await until(() => seen.length === 2 * ids.length)
  for (const id of ids)
    expect(seen.filter((event) => dig(event, 'id') === id).map((event) => dig(event, 'connected'))).toEqual([
      false,
      true,
    ])
})

test('the end of a reboot does not bring back a device that went offline again', async () => {
  const { service, ask, watch, later, device } = await ready()
  const seen = await watch(device.id)
  await ask(reboot, { id: device.id })
  service.world.setConnected(device.id, true)
  service.world.setConnected(device.id, false)
  later(60_000)
  expect((await ask(state, { id: device.id })).at('data', 'device', 'connected')).toBe(false)
  await until(() => seen.length === 3)
  expect(seen.map((event) => dig(event, 'connected'))).toEqual([false, true, false])
})

test('a device renamed and moved during its reboot comes back with its new name and place', async () => {
  const { service, ask, later, device } = await ready()
  await ask(reboot, { id: device.id })
  const update =
    'mutation ($id: String!) { updateDevice(id: $id, fields: { name: "Moved", siteId: null }) { connected } }'
  expect((await ask(update, { id: device.id })).at('data', 'updateDevice', 'connected')).toBe(false)
  later(60_000)
  expect(service.world.device(device.id)).toMatchObject({ connected: true, name: 'Moved', site: null })
})

test('a device that rebooted when the service stopped is back after the next start', async () => {
  const data = freshFolder()
  const first = await ready({ data, devices: 60, tenants: 1 })
  const [third] = first.service.world
    .devices()
    .filter(({ id, connected }) => connected === true && id !== first.device.id && id !== first.other.id)
  const ids = [first.device.id, first.other.id, third?.id ?? '']
  for (const id of ids) expect((await first.ask(reboot, { id })).at('data', 'rebootDevice', 'success')).toBe(true)
  first.service.world.removeDevice(first.other.id)
  first.service.world.setConnected(ids[2] ?? '', false)
  await first.service.stop()
  const second = await open({ data, devices: 60, tenants: 1, now: () => START + 60_000 })
  await until(() => second.world.device(first.device.id)?.connected === true)
  expect(ids.map((id) => second.world.device(id)?.connected)).toEqual([true, undefined, false])
})

test('a linked device that was offline before the reboot stays offline', async () => {
  const { service, ask, later } = await ready({ devices: 400 })
  const bar = service.world.find(({ id, connected }) => connected === true && service.world.linkedTo(id).length > 0)
  const [controller = ''] = service.world.linkedTo(bar.id)
  service.world.setConnected(controller, false)
  const linked = 'mutation ($id: String!) { rebootDevice(deviceId: $id, includeLinkedDevices: true) { success } }'
  expect((await ask(linked, { id: bar.id })).at('data', 'rebootDevice', 'success')).toBe(true)
  later(60_000)
  expect([bar.id, controller].map((id) => service.world.device(id)?.connected)).toEqual([true, false])
})
