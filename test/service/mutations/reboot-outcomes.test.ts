import { expect, test } from 'vitest'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { open, plainClient } from '../client.ts'
import { freshFolder } from '../storage/folder.ts'

const START = Date.parse('2026-04-01T12:00:00Z')
const HOUR = 3_600_000
const reboot =
  'mutation ($id: String!, $linked: Boolean) { rebootDevice(deviceId: $id, includeLinkedDevices: $linked) { success error } }'
const rebootSite = 'mutation ($id: String!) { rebootDevicesBySiteId(siteId: $id) { success error } }'
const refusal = { success: false, error: 'The device refused to reboot: a software update is being installed' }
const success = { success: true, error: null }

async function ready(options: ServiceOptions = {}) {
  const clock = { at: START }
  const service = await open({ devices: 400, now: () => clock.at, ...options })
  const set = options.data === undefined ? service : service.credentials.add()
  const client = plainClient(service, { h2: true, set })
  const token = await client.token()
  const ask = (query: string, variables: unknown) => client.ask(token, query, variables)
  const later = (ms: number) => {
    clock.at += ms
    service.endReboots()
  }
  const device = service.world.find(({ connected, site }) => connected === true && site !== null)
  const isUp = (id: string) => service.world.device(id)?.connected
  return { service, clock, ask, later, device, isUp }
}

test('the return from a reboot is a request for the configuration', async () => {
  const { service, clock, ask, later, device } = await ready()
  const read = async () =>
    (await ask('query ($id: String!) { device(id: $id) { connected lastConfigRequestDate } }', { id: device.id })).at(
      'data',
      'device',
    )
  await ask(reboot, { id: device.id })
  expect(await read()).toEqual({
    connected: false,
    lastConfigRequestDate: service.world.device(device.id)?.lastConfigRequestDate,
  })
  later(60_000)
  expect(await read()).toEqual({ connected: true, lastConfigRequestDate: new Date(clock.at).toISOString() })
  expect(service.world.device(device.id)?.lastConfigRequestDate).not.toBe(device.lastConfigRequestDate)
})

test('a device marked as lost reboots and never comes back, until it is switched on', async () => {
  const { service, ask, later, device, isUp } = await ready()
  service.setRebootOutcome(device.id, 'lost')
  expect((await ask(reboot, { id: device.id })).at('data', 'rebootDevice')).toEqual(success)
  later(20 * HOUR)
  expect(isUp(device.id)).toBe(false)
  service.world.setConnected(device.id, true)
  service.setRebootOutcome(device.id, null)
  await ask(reboot, { id: device.id })
  expect(isUp(device.id)).toBe(false)
  later(60_000)
  expect(isUp(device.id)).toBe(true)
})

test('a device marked as refusing says so with status 200, and stays as it is', async () => {
  const { service, ask, isUp } = await ready()
  const device = service.world.find(({ callStatus, connected }) => callStatus === 'IN_CALL' && connected === true)
  service.setRebootOutcome(device.id, 'refused')
  const reply = await ask(reboot, { id: device.id })
  expect([reply.status, reply.json]).toEqual([200, { data: { rebootDevice: refusal } }])
  expect([isUp(device.id), service.world.device(device.id)?.callStatus]).toEqual([true, 'IN_CALL'])
})

test('an unseen reboot shows in the request for the configuration alone, and ends the call', async () => {
  const { service, clock, ask, later } = await ready()
  const device = service.world.find(({ callStatus, connected }) => callStatus === 'IN_CALL' && connected === true)
  service.setRebootOutcome(device.id, 'unseen')
  const changes: string[] = []
  service.world.onChange(({ id }) => changes.push(id))
  expect((await ask(reboot, { id: device.id })).at('data', 'rebootDevice')).toEqual(success)
  later(60_000)
  expect(changes).toEqual([])
  expect(service.world.device(device.id)).toMatchObject({
    connected: true,
    callStatus: 'NOT_IN_CALL',
    lastConfigRequestDate: new Date(clock.at - 60_000).toISOString(),
  })
})

test('an ignored reboot is answered with success, and changes nothing', async () => {
  const { service, ask, later, device } = await ready()
  service.setRebootOutcome(device.id, 'ignored')
  const before = service.world.device(device.id)
  expect((await ask(reboot, { id: device.id })).at('data', 'rebootDevice')).toEqual(success)
  later(0)
  expect(service.world.device(device.id)).toEqual(before)
})

test('of a site those reboot that do not refuse; it is refused where all of them do', async () => {
  const { service, ask, device, isUp } = await ready()
  const siteId = device.site?.id ?? ''
  const ids = service.world.connectedAt(siteId)
  service.setRebootOutcome(device.id, 'refused')
  expect((await ask(rebootSite, { id: siteId })).at('data', 'rebootDevicesBySiteId')).toEqual(success)
  expect(ids.filter(isUp)).toEqual([device.id])
  expect((await ask(rebootSite, { id: siteId })).at('data', 'rebootDevicesBySiteId')).toEqual(refusal)
})

/** A connected video system with a connected controller in its room. */
function linkedPair({ world }: Service) {
  const controllerOf = (id: string) => world.linkedTo(id).find((other) => world.device(other)?.connected === true)
  const bar = world.find(({ id, connected }) => connected === true && controllerOf(id) !== undefined).id
  return { bar, controller: controllerOf(bar) ?? '' }
}

test('a linked device that rejects a reboot stops no video system; a lost one stays away', async () => {
  const { service, ask, later, isUp } = await ready()
  const { bar, controller } = linkedPair(service)
  service.setRebootOutcome(controller, 'refused')
  expect((await ask(reboot, { id: bar, linked: true })).at('data', 'rebootDevice')).toEqual(success)
  expect([isUp(bar), isUp(controller)]).toEqual([false, true])
  later(60_000)
  service.setRebootOutcome(controller, 'lost')
  await ask(reboot, { id: bar, linked: true })
  later(60_000)
  expect([isUp(bar), isUp(controller)]).toEqual([true, false])
})

test('a video system that refuses keeps its linked devices from rebooting', async () => {
  const { service, ask, isUp } = await ready()
  const { bar, controller } = linkedPair(service)
  service.setRebootOutcome(bar, 'refused')
  expect((await ask(reboot, { id: bar, linked: true })).at('data', 'rebootDevice')).toEqual(refusal)
  expect([isUp(bar), isUp(controller)]).toEqual([true, true])
})

test('the seed decides which devices are lost and which refuse, in whatever order they reboot', async () => {
  const outcomes = async (seed: number, turned: boolean) => {
    const { service, ask, later, isUp } = await ready({ devices: 60, seed, reboots: { lost: 0.3, refused: 0.3 } })
    const ids = service.world.connected()
    const said = new Map<string, unknown>()
    for (const id of turned ? ids.toReversed() : ids)
      said.set(id, (await ask(reboot, { id })).at('data', 'rebootDevice', 'success'))
    later(60_000)
    return ids.map((id) => (said.get(id) === true ? (isUp(id) ? 'returns' : 'lost') : 'refused'))
  }
  const first = await outcomes(1, false)
  expect(first.filter((outcome) => outcome === 'lost').length).toBeGreaterThan(8)
  expect(first.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(8)
  expect(await outcomes(1, true)).toEqual(first)
  expect(await outcomes(2, false)).not.toEqual(first)
})

test('the time of a reboot can be chosen', async () => {
  const { ask, later, device, isUp } = await ready({ reboots: { seconds: [2, 3] } })
  await ask(reboot, { id: device.id })
  later(1999)
  expect(isUp(device.id)).toBe(false)
  later(1001)
  expect(isUp(device.id)).toBe(true)
})

test('a lost device stays away when the service starts again with life', async () => {
  const data = freshFolder()
  const first = await ready({ data, devices: 60, tenants: 1 })
  first.service.setRebootOutcome(first.device.id, 'lost')
  await first.ask(reboot, { id: first.device.id })
  await first.service.stop()
  const second = await open({ data, devices: 60, tenants: 1, life: true, now: () => START + 60_000 })
  expect(second.world.awayForLessThan(30 * 60_000)).not.toContain(first.device.id)
  second.endReboots()
  expect(second.world.device(first.device.id)?.connected).toBe(false)
})
