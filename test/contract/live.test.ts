import { afterEach, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
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
  whenLost,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function setup(options: Parameters<typeof service>[1] = {}, more: Parameters<typeof openConsole>[2] = {}) {
  const profile = temporaryProfile(leftovers)
  const reference = await service(leftovers, { devices: 200, tenants: 2, ...options })
  const muster = await openConsole(leftovers, profile, more)
  await muster.call('connections.save', connectionTo(reference))
  await whenListening(reference, muster)
  // What the stream told is compared with a reading once it listens: that is over, too.
  await until(async () => {
    expect(reference.operations().filter(isOfStates)).not.toEqual([])
    await whenRead(muster)
  })
  const online = reference.world.find(({ connected }) => connected === true)
  return { profile, reference, muster, online }
}

const isOfStates = ({ operationName }: { operationName: string | null }) => operationName === 'States'

/** Every device is listened to, so that a change cannot fall into the gap before. */
const whenListening = (reference: Service, muster: Console) =>
  until(async () => {
    expect(reference.subscribedIds()).toHaveLength(reference.world.devices().length)
    await whenRead(muster)
  })

async function rowOf(muster: Console, id: string) {
  const { rows } = await muster.call('inventory.rows', { query: { ...allByName, filter: id }, offset: 0, limit: 1 })
  const [row] = rows
  if (row === undefined) throw new Error(`no row for ${id}`)
  return row
}

test('a drop is shown within a second, with its transition', async () => {
  const { reference, muster, online } = await setup()
  const before = Date.now()
  reference.world.setConnected(online.id, false)
  const patch = await until(() => {
    const found = muster.patches
      .flatMap(({ devices }) => devices)
      .find(({ id, status }) => id === online.id && status === 'disconnected')
    if (found === undefined) throw new Error('not yet')
    return found
  }, 1_000)
  expect(patch.since?.kind).toBe('seen')
  expect(patch.since?.at).toBeGreaterThanOrEqual(before)
  const { device } = await muster.call('inventory.device', { key: patch.key })
  expect(device?.transitions).toMatchObject([{ connected: false, notBefore: null }])
})

test('the revisions of the patches are consecutive', async () => {
  const { reference, muster } = await setup()
  const changed = reference.world.devices().slice(0, 30)
  for (const { id, connected } of changed) reference.world.setConnected(id, connected !== true)
  await until(async () => {
    for (const { id, connected } of changed) expect((await rowOf(muster, id)).connected).toBe(connected !== true)
  })
  muster.patches.forEach((patch, at) => {
    if (at > 0) expect(patch.base).toBe(muster.patches[at - 1]?.rev)
  })
})

test('devices are unknown while the service is gone, and missed changes get a time span', async () => {
  const { reference, muster, online } = await setup()
  const lost = Date.now()
  await reference.misfortune.pause()
  await until(async () => {
    const { counts } = await muster.call('inventory.counts', { scope: 'all' })
    expect(counts).toEqual({ connected: 0, disconnected: 0, unknown: 200 })
  })
  expect(await rowOf(muster, online.id)).toMatchObject({ status: 'unknown', connected: true })
  reference.world.setConnected(online.id, false)
  await reference.misfortune.resume()
  const { key } = await until(async () => {
    const row = await rowOf(muster, online.id)
    expect(row).toMatchObject({ status: 'disconnected' })
    return row
  })
  const { device } = await muster.call('inventory.device', { key })
  const [transition] = device?.transitions ?? []
  expect(device?.transitions).toHaveLength(1)
  expect(transition?.notBefore).toBeLessThanOrEqual(lost + 1_000)
  expect(transition?.at).toBeGreaterThan(lost)
  expect(device?.row.since?.kind).toBe('at-least')
})

test('a start without the service shows the same list, unknown and with its age', async () => {
  const { profile, reference, muster } = await setup()
  const before = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })
  await muster.stop()
  await reference.misfortune.pause()
  const again = await openConsole(leftovers, profile)
  const after = await again.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })
  const known = before.rows.map(({ id, name, connected, seenAt }) => ({
    id,
    name,
    connected,
    seenAt,
    status: 'unknown',
  }))
  expect(
    after.rows.map(({ id, name, connected, seenAt, status }) => ({ id, name, connected, seenAt, status })),
  ).toEqual(known)
  const [state] = (await again.call('app.state', {})).connections
  expect(state?.lastReadingAt).not.toBeNull()
})

test.each([4403, 4401, 4400, 4500, 1006])('a socket closed with %i reconnects by itself', async (code) => {
  const { reference, muster, online } = await setup()
  reference.misfortune.dropSockets(code)
  await whenLost(muster)
  await whenListening(reference, muster)
  reference.world.setConnected(online.id, false)
  await until(async () => expect(await rowOf(muster, online.id)).toMatchObject({ status: 'disconnected' }))
})

test('after 4403 a new token is requested', async () => {
  const { reference, muster } = await setup()
  const before = reference.tokensIssued()
  reference.misfortune.dropSockets(4403)
  await until(() => expect(reference.tokensIssued()).toBe(before + 1))
  await whenListening(reference, muster)
})

test('a half-open socket is detected by its missing pongs', async () => {
  const clock = acceleratedClock(20)
  const { reference, muster } = await setup({ now: clock.now }, { clock })
  reference.misfortune.stallSockets()
  await whenLost(muster, 'timeout')
  await whenListening(reference, muster)
})

test('after a gap the watch list is compared first', async () => {
  const { reference, muster, online } = await setup()
  const { key } = await rowOf(muster, online.id)
  await muster.call('settings.change', { watched: [key] })
  const before = reference.operations().length
  reference.misfortune.dropSockets(1006)
  await whenListening(reference, muster)
  const asked = () =>
    reference
      .operations()
      .slice(before)
      .filter(({ operationName }) => operationName?.startsWith('States'))
  await until(() => expect(asked().length).toBeGreaterThan(1))
  expect(asked()[0]).toMatchObject({ operationName: 'StatesByIds', variables: { i0: online.id } })
})

test('tokens are renewed without a gap', async () => {
  // A shorter life than a minute is not believed, and the first connection has to answer once more before its token ends.
  const clock = acceleratedClock(5)
  const { reference, muster, online } = await setup({ tokenLifetimeSeconds: 75, now: clock.now }, { clock })
  const states = reference.operations().filter(isOfStates).length
  await until(
    () => expect(muster.log.filter((line) => line.endsWith('the next token took over'))).toHaveLength(1),
    20_000,
  )
  expect(muster.log.filter((line) => line.includes('-> waiting'))).toEqual([])
  expect(reference.operations().filter(isOfStates)).toHaveLength(states)
  reference.world.setConnected(online.id, false)
  await until(async () => expect(await rowOf(muster, online.id)).toMatchObject({ status: 'disconnected' }))
  await until(() => expect(reference.openSockets()).toBe(1))
}, 30_000)

test('after a sleep the socket reconnects, and missed changes are found', async () => {
  const fast = acceleratedClock(20)
  let slept = 0
  const { reference, muster, online } = await setup({}, { clock: { ...fast, now: () => fast.now() + slept } })
  const sockets = reference.openSockets()
  slept = 3_600_000
  await whenConnection(muster, ({ link }) => link.state === 'live' && link.since > fast.now() + 3_000_000)
  await whenListening(reference, muster)
  expect(muster.log.some((line) => line.includes('s were lost'))).toBe(true)
  expect(reference.openSockets()).toBe(sockets)
  reference.world.setConnected(online.id, false)
  await until(async () => expect(await rowOf(muster, online.id)).toMatchObject({ status: 'disconnected' }))
})

test('a service without such a stream is polled, with a fault', async () => {
  const reference = await service(leftovers, { devices: 60, tenants: 1 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const subscription = 'subscription Other($deviceIds: [String!]!) { otherStream(ids: $deviceIds) { id } }'
  await muster.call('connections.save', connectionTo(reference, { subscription }))
  const state = await whenConnection(
    muster,
    ({ link, lastReadingAt }) => link.state === 'polling' && lastReadingAt !== null,
  )
  expect(state.faults.map(({ fault }) => fault.kind)).toEqual(['no-stream'])
  const { online, offline, staged } = reference.world.totals()
  await until(async () => {
    const { counts } = await muster.call('inventory.counts', { scope: 'all' })
    expect(counts).toEqual({ connected: online, disconnected: offline, unknown: staged })
  })
})
