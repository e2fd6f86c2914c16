import { afterEach, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/service.ts'
import { calls } from '../../src-shared/contract/contract.ts'
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

async function setup(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 80, tenants: 3, life: false, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  return { reference, muster }
}

const read = (muster: Console) => muster.call('occupancy.read', {})
const turnOn = (muster: Console) => muster.call('settings.change', { occupancy: true })

/** Waits until every stream is confirmed, and there is one. */
const whenStreaming = (muster: Console) =>
  until(async () => {
    const [source] = (await read(muster)).sources
    expect(source?.streams).toBeGreaterThan(0)
    expect(source?.live).toBe(source?.streams)
  })

test('people counts are off at first, and then those of the service, room by room', async () => {
  const { reference, muster } = await setup()
  await until(async () => expect((await read(muster)).sources).toMatchObject([{ offer: 'offered', streams: 0 }]))
  expect(reference.subscribedRooms()).toEqual([])
  await turnOn(muster)
  await whenStreaming(muster)
  const [first, second] = reference.subscribedRooms()
  reference.world.setPeople(first ?? '', 3)
  reference.world.setPeople(second ?? '', 5)
  await until(async () => expect((await read(muster)).now).toMatchObject({ known: 2, inUse: 2, people: 8 }))
  reference.world.setPeople(second ?? '', 0)
  await until(async () => expect((await read(muster)).now).toMatchObject({ known: 2, inUse: 1, people: 3 }))
  const answer = await read(muster)
  expect(calls['occupancy.read'].output.safeParse(answer).success).toBe(true)
  expect(answer.now.rooms).toBe(reference.subscribedRooms().length)
  expect(answer.fullest).toMatchObject([{ count: 3 }])
  await muster.call('settings.change', { occupancy: false })
  await until(() => expect(reference.subscribedRooms()).toEqual([]))
  expect((await read(muster)).now).toEqual({ rooms: 0, known: 0, inUse: 0, people: 0 })
})

test('when the sockets are cut, rooms are unknown until they change again', async () => {
  const { reference, muster } = await setup()
  await turnOn(muster)
  await whenStreaming(muster)
  const [room] = reference.subscribedRooms()
  reference.world.setPeople(room ?? '', 3)
  await until(async () => expect((await read(muster)).now.known).toBe(1))
  reference.misfortune.dropSockets(1006)
  await until(async () => expect((await read(muster)).now).toMatchObject({ known: 0, inUse: 0 }))
  await whenStreaming(muster)
  reference.world.setPeople(room ?? '', 4)
  await until(async () => expect((await read(muster)).now).toMatchObject({ known: 1, people: 4 }))
})

test('a service without the stream is not asked for it', async () => {
  const { reference, muster } = await setup({ profile: 'minimal' })
  await turnOn(muster)
  await until(async () => expect((await read(muster)).sources).toHaveLength(1))
  const [source] = (await read(muster)).sources
  // A minimal service may refuse its schema: then the stream is tried, and its rejection told.
  if (source?.offer === 'absent') expect(source.streams).toBe(0)
  else await until(async () => expect((await read(muster)).sources[0]?.fault).not.toBeNull())
  expect(reference.subscribedRooms()).toEqual([])
})

test('a contrary service that refuses its schema is asked, and its counts are read', async () => {
  const { reference, muster } = await setup({ profile: 'contrary', contrary: { introspection: false } })
  await until(async () => expect((await read(muster)).sources).toMatchObject([{ offer: 'unknown' }]))
  await turnOn(muster)
  await whenStreaming(muster)
  const [room] = reference.subscribedRooms()
  reference.world.setPeople(room ?? '', 2)
  await until(async () => expect((await read(muster)).now).toMatchObject({ known: 1, people: 2 }))
})

test('a role without the stream is told with the service’s rejection', async () => {
  const { reference, muster } = await setup()
  await until(async () => expect((await read(muster)).sources).toMatchObject([{ offer: 'offered' }]))
  reference.credentials.setRole(reference.clientId, 'device_user')
  await turnOn(muster)
  await until(async () => expect((await read(muster)).sources[0]?.fault).toMatchObject({ kind: 'forbidden' }))
  expect((await read(muster)).now).toMatchObject({ known: 0 })
})
