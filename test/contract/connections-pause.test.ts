import { afterEach, expect, test } from 'vitest'
import { openMemory } from '../../src-main/secrets/memory.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const countsOf = async (muster: Console) => (await muster.call('inventory.counts', { scope: 'all' })).counts
const allUnknown = { connected: 0, disconnected: 0, unknown: 40 }

async function setup() {
  const reference = await service(leftovers, { devices: 40, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  const secrets = openMemory('a test')
  const muster = await openConsole(leftovers, profile, { secrets })
  const { id } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  await until(() => expect(reference.subscribedIds()).toHaveLength(40))
  const pause = (paused: boolean) => muster.call('connections.pause', { id, paused })
  return { reference, profile, secrets, muster, id, pause }
}

/** The requests to the service until now. */
const asked = ({ reference }: Pick<Awaited<ReturnType<typeof setup>>, 'reference'>) => [
  reference.tokensIssued(),
  reference.requests(),
  reference.openSockets(),
]

test('a paused connection is idle, and the devices that it alone sees are unknown', async () => {
  const { reference, muster, id, pause } = await setup()
  const [before] = (await muster.call('app.state', {})).connections
  await pause(true)
  await until(() => expect(reference.openSockets()).toBe(0))
  const still = asked({ reference })
  expect(await countsOf(muster)).toEqual(allUnknown)
  const [state] = (await muster.call('app.state', {})).connections
  expect(state).toMatchObject({
    id,
    paused: true,
    link: { state: 'off' },
    sync: { state: 'idle' },
    faults: [],
    lastReadingAt: before?.lastReadingAt,
  })
  expect(state?.heardAt).toBeGreaterThanOrEqual(before?.heardAt ?? Infinity)
  await muster.call('sync.start', { scope: 'all' })
  await muster.call('connections.retry', { id })
  await pause(true)
  expect(asked({ reference })).toEqual(still)
})

test('a resumed connection listens and reads again', async () => {
  const { reference, muster, pause } = await setup()
  await pause(true)
  await pause(false)
  await whenConnection(muster, ({ paused, link }) => !paused && link.state === 'live')
  const { online, offline, staged } = reference.world.totals()
  await until(async () =>
    expect(await countsOf(muster)).toEqual({ connected: online, disconnected: offline, unknown: staged }),
  )
})

test('a pause survives a restart and an edit; an edit is checked all the same', async () => {
  const { reference, profile, secrets, muster, id, pause } = await setup()
  await pause(true)
  await muster.stop()
  const still = asked({ reference })
  const again = await openConsole(leftovers, profile, { secrets })
  await again.call('connections.save', connectionTo(reference, { id, name: 'Renamed' }))
  const [state] = (await again.call('app.state', {})).connections
  expect(state).toMatchObject({ name: 'Renamed', paused: true, link: { state: 'off' } })
  expect(await countsOf(again)).toEqual(allUnknown)
  expect(asked({ reference })).toEqual([still[0], still[1], 0])
  await expect(again.call('connections.save', connectionTo(reference, { id, tokenUrl: 'x' }))).rejects.toMatchObject({
    fault: { kind: 'input' },
  })
  await again.call('connections.pause', { id, paused: false })
  await whenRead(again)
})

test('devices that two connections see stay visible while one of them is paused', async () => {
  const { reference, muster, pause } = await setup()
  await muster.call('connections.save', connectionTo(reference, { name: 'The other one' }))
  await until(async () => {
    for (const state of (await muster.call('app.state', {})).connections)
      expect(state).toMatchObject({
        link: { state: 'live' },
        sync: { state: 'idle' },
        lastReadingAt: expect.any(Number),
      })
  })
  const { online, offline, staged } = reference.world.totals()
  const all = { connected: online, disconnected: offline, unknown: staged }
  await until(async () => expect(await countsOf(muster)).toEqual(all))
  await pause(true)
  expect(await countsOf(muster)).toEqual(all)
})

test('a pause that cannot be stored changes nothing', async () => {
  const { muster, pause } = await setup()
  muster.settings.set = () => {
    throw new Error('ENOSPC')
  }
  await expect(pause(true)).rejects.toMatchObject({ fault: { kind: 'storage' } })
  expect((await muster.call('app.state', {})).connections).toMatchObject([{ paused: false, link: { state: 'live' } }])
})

test('pausing an unknown connection does nothing', async () => {
  const { muster } = await setup()
  await muster.call('connections.pause', { id: 'nobody', paused: true })
  await muster.call('connections.retry', { id: 'nobody' })
  expect((await muster.call('connections.show', { id: 'nobody' })).input).toBeNull()
  expect((await muster.call('app.state', {})).connections).toMatchObject([{ paused: false }])
})

test('the demo connection can be paused and resumed but not removed', async () => {
  const demo = await service(leftovers, { devices: 40, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, { demo })
  await whenRead(muster)
  await muster.call('connections.pause', { id: 'demo', paused: true })
  expect((await muster.call('app.state', {})).connections).toMatchObject([
    { id: 'demo', paused: true, link: { state: 'off' } },
  ])
  expect(await countsOf(muster)).toEqual(allUnknown)
  await expect(muster.call('connections.remove', { id: 'demo' })).rejects.toMatchObject({
    fault: { kind: 'input', detail: expect.stringContaining('This is the demo.') },
  })
  await muster.call('connections.pause', { id: 'demo', paused: false })
  await whenConnection(muster, ({ paused, link }) => !paused && link.state === 'live')
  await muster.call('connections.pause', { id: 'demo', paused: true })
  await muster.stop()
  expect(muster.settings.get('connections')).toBeUndefined()
  const again = await openConsole(leftovers, profile, { demo })
  await whenConnection(again, ({ paused, link }) => !paused && link.state === 'live')
})
