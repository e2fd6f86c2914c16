import { afterEach, expect, test } from 'vitest'
import type { Service, ServiceOptions } from '../../src-service/service.ts'
import type { EventData } from '../../src-shared/contract/contract.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  acceleratedClock,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
  type Console,
} from '../support/fleet.ts'

type State = EventData<'connections'>[number]

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function setup(contrary: NonNullable<ServiceOptions['contrary']>, devices = 300) {
  const reference = await service(leftovers, { devices, tenants: 3, profile: 'contrary', life: false, contrary })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock: acceleratedClock(10) })
  await muster.call('connections.save', connectionTo(reference))
  return { reference, muster }
}

const partlyOf = ({ link }: State) => (link.state === 'live' ? link.partly : null)
const rowOf = async (muster: Console, id: string) =>
  (await muster.call('inventory.rows', { query: { ...allByName, filter: `id:${id}` }, offset: 0, limit: 1 })).rows[0]

/** The live connection was never lost because of a rejection. */
const everLost = ({ log }: Console) => log.filter((line) => line.startsWith('live: live -> '))

/** Operations that come at any time: for the role of the credential set, the places that the service lists, and the totals. */
const atAnyTime = new Set(['Type', 'Credential', 'PlaceType', 'Places', 'Fingerprint'])

/** Returns the number of operations that read devices. */
const operationsOf = (reference: Service): number =>
  reference.operations().filter(({ operationName }) => !atAnyTime.has(operationName ?? '')).length

/** Waits until the devices of each tenant were compared, which follows each subscription. */
const whenCompared = (reference: Service) =>
  until(() => {
    const compared = reference.operations().filter(({ operationName }) => operationName === 'States')
    expect(new Set(compared.map(({ variables }) => variables?.['tenant'])).size).toBe(reference.world.tenants().length)
  })

/** All counts are those of the world, and nothing is unknown. */
const whenTrue = (reference: Service, muster: Console) =>
  until(async () => {
    const { counts } = await muster.call('inventory.counts', { scope: 'all' })
    const devices = reference.world.devices()
    const connected = devices.filter((device) => device.connected).length
    expect(counts).toEqual({ connected, disconnected: devices.length - connected, unknown: 0 })
  })

test('a limit of 250 ids in a subscription: all devices are live and none is lost', async () => {
  const { reference, muster } = await setup({ streamIdsPerSubscription: 250, streamRefusalWords: 'number' })
  await until(() => expect(reference.subscribedIds()).toHaveLength(300), 60_000)
  const state = await whenRead(muster)
  expect([partlyOf(state), state.faults, everLost(muster)]).toEqual([undefined, [], []])
  await whenTrue(reference, muster)
})

test('devices of a tenant forbidden in the stream are polled, and the others are live', async () => {
  const { reference, muster } = await setup({ streamForbids: 1 })
  const state = await whenConnection(
    muster,
    (one) =>
      partlyOf(one) !== undefined &&
      partlyOf(one) !== null &&
      one.faults.length > 0 &&
      one.sync.state === 'idle' &&
      one.lastReadingAt !== null,
  )
  const live = new Set(reference.subscribedIds())
  const parked = reference.world.devices().filter(({ id }) => !live.has(id))
  expect(new Set(parked.map(({ tenantId }) => tenantId)).size).toBe(1)
  expect([partlyOf(state), everLost(muster)]).toEqual([{ live: 300 - parked.length, of: 300 }, []])
  expect(state.faults).toMatchObject([
    { fault: { kind: 'not-live', detail: expect.stringContaining('resource mapping failed') } },
  ])
  await whenTrue(reference, muster)
  const one = parked.find(({ connected }) => connected)
  reference.world.setConnected(one?.id ?? '', false)
  await until(async () => expect(await rowOf(muster, one?.id ?? '')).toMatchObject({ status: 'disconnected' }))
})

test('a socket that takes 120 of 300 ids: 120 devices are live, and the others are polled', async () => {
  const { reference, muster } = await setup({ streamIdsPerSocket: 120, streamRefusalWords: 'none' })
  const state = await whenConnection(muster, (one) => {
    const live = partlyOf(one)?.live ?? 0
    expect(live).toBeLessThanOrEqual(120)
    return live === 120 && one.sync.state === 'idle' && one.lastReadingAt !== null
  })
  expect(new Set(reference.subscribedIds()).size).toBe(120)
  expect([partlyOf(state), everLost(muster)]).toEqual([{ live: 120, of: 300 }, []])
  await whenTrue(reference, muster)
})

test.each([1, 100])(
  'a service that takes %i ids in a subscription: all devices are live',
  async (most) => {
    const { reference, muster } = await setup(
      { streamIdsPerSubscription: most, streamRefusalWords: 'none', streamRefusalForm: 'next' },
      most === 1 ? 40 : 300,
    )
    const devices = reference.world.devices()
    await until(() => expect(reference.subscribedIds()).toHaveLength(devices.length), 60_000)
    const state = await whenRead(muster)
    expect([partlyOf(state), everLost(muster)]).toEqual([undefined, []])
    await whenTrue(reference, muster)
  },
  90_000,
)

test('an event with a name alone changes no state and no age', async () => {
  const { reference, muster } = await setup({ nameEvents: 1 }, 40)
  await until(() => expect(reference.subscribedIds()).toHaveLength(40))
  await whenRead(muster)
  const [device] = reference.world.devices().filter(({ connected }) => connected === true)
  const before = await rowOf(muster, device?.id ?? '')
  reference.world.renameDevice(device?.id ?? '', 'Renamed by its event')
  await until(async () =>
    expect(await rowOf(muster, device?.id ?? '')).toMatchObject({
      name: 'Renamed by its event',
      status: before?.status,
      since: before?.since,
    }),
  )
})

test.each(['full', 'minimal'] as const)(
  'a device whose event omits its state is read soon (%s schema)',
  async (schema) => {
    const { reference, muster } = await setup({ schema, nullEvents: 1 }, 40)
    await until(() => expect(reference.subscribedIds()).toHaveLength(40))
    await whenRead(muster)
    await whenCompared(reference)
    await whenTrue(reference, muster)
    const devices = reference.world
      .devices()
      .filter(({ connected }) => connected === true)
      .slice(0, 12)
    for (const { id } of devices) reference.world.setConnected(id, false)
    await until(async () => expect((await muster.call('inventory.counts', { scope: 'all' })).counts?.unknown).toBe(12))
    // By their ids where the service offers that; all devices may be compared once more meanwhile.
    const readings = () =>
      schema === 'full'
        ? reference.operations().filter(({ operationName }) => operationName === 'StatesByIds').length
        : operationsOf(reference)
    const before = readings()
    await whenTrue(reference, muster)
    // Gathered: there is not one operation for each of them, also where a page has ten devices.
    expect(readings() - before).toBeLessThanOrEqual(schema === 'full' ? 2 : 8)
  },
)

test.each(['list', 'no-state', 'no-device'] as const)(
  'events with a device in another form (%s): none is lost',
  async (eventForm) => {
    const { reference, muster } = await setup({ eventForm }, 40)
    await until(() => expect(reference.subscribedIds()).toHaveLength(40))
    await whenRead(muster)
    await whenCompared(reference)
    await whenTrue(reference, muster)
    const before = operationsOf(reference)
    const byIds = () => reference.operations().filter(({ operationName }) => operationName === 'StatesByIds').length
    const beforeByIds = byIds()
    for (const { id } of reference.world
      .devices()
      .filter(({ connected }) => connected === true)
      .slice(0, 12))
      reference.world.setConnected(id, false)
    await whenTrue(reference, muster)
    // Gathered; all devices may be compared once more meanwhile.
    expect(operationsOf(reference) - before).toBeLessThanOrEqual(4)
    // A list is simply read.
    if (eventForm === 'list') expect(byIds()).toBe(beforeByIds)
    await until(() =>
      expect(muster.log.filter((line) => line.includes('could not be read'))).toHaveLength(
        eventForm === 'no-device' ? 1 : 0,
      ),
    )
  },
)
