import { cpSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import type { Reply } from '../../../src-main/api/client.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'
import { count, faultsOf, minute, openWorld, page, type Answer, type SentRequest, type Bed } from './bed.ts'

export const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** The only connection there is. */
export const open = (answer?: Answer, before?: (request: SentRequest) => Promise<void>): Promise<Bed> =>
  openWorld(leftovers).connect('c1', answer, before)

export const forbidden = new FaultError('forbidden')

test('a connection syncs once, and again after half an hour', async () => {
  const bed = await open()
  await bed.clock.advance(1_000)
  expect(bed.sync.state()).toMatchObject({ sync: { state: 'idle' }, lastReadingAt: expect.any(Number), faults: [] })
  expect(['a1', 'b2'].map(bed.statusOf)).toEqual(['connected', 'connected'])
  const before = count(bed, 'Devices')
  await bed.clock.advance(30 * minute)
  expect(count(bed, 'Devices')).toBe(before * 2)
})

test('a tenant that was never listed is not reconciled: its listing comes', async () => {
  let broken = true
  const bed = await open(({ name, tenant }) => (broken && name === 'Devices' && tenant === 'b' ? forbidden : null))
  await bed.clock.advance(1_000)
  bed.link('waiting')
  bed.link('live')
  await bed.clock.advance(1_000)
  expect([count(bed, 'States', 'a') > 0, count(bed, 'States', 'b')]).toEqual([true, 0])
  broken = false
  await bed.clock.advance(60 * minute)
  expect(bed.statusOf('b1')).toBe('connected')
})

test('visibility is stored every minute, so that a crash loses at most a minute', async () => {
  const clock = manualClock()
  const profile = temporaryProfile(leftovers)
  await openWorld(leftovers, clock, profile).connect('c1')
  await clock.advance(20 * minute)
  const left = temporaryProfile(leftovers)
  cpSync(profile, left, { recursive: true })
  const diedAt = clock.now()
  await clock.advance(5 * minute)
  const bed = await openWorld(leftovers, clock, left).connect('c1', ({ name, tenant }) =>
    name === 'Tenants' || name === 'Schema' ? null : gone(tenant),
  )
  await clock.advance(1_000)
  const [gap] = bed.calls.device({ key: 's/a/a1' }).device?.transitions ?? []
  expect(gap?.connected).toBe(false)
  expect(diedAt - (gap?.notBefore ?? 0)).toBeLessThanOrEqual(2 * minute)
})

test('a change while the socket was away lies behind its last proof', async () => {
  let away = false
  const bed = await open(({ name, tenant }) => (away && name !== 'Tenants' && name !== 'Schema' ? gone(tenant) : null))
  await bed.clock.advance(10 * minute + 25_000)
  const lostAt = bed.clock.now()
  away = true
  bed.link('waiting')
  await bed.clock.advance(20_000)
  bed.link('live')
  await bed.clock.advance(1_000)
  const [gap] = bed.calls.device({ key: 's/a/a1' }).device?.transitions ?? []
  expect(gap?.connected).toBe(false)
  expect(lostAt - (gap?.notBefore ?? 0)).toBeLessThanOrEqual(5_000)
})

test('while events cannot be written no device changes status, and the fault says why', async () => {
  const world = openWorld(leftovers)
  const bed = await world.connect('c1')
  await bed.clock.advance(10_000)
  const link = () => bed.sync.checks().find(({ check }) => check === 'link')
  world.disk.full = true
  bed.send('a1', false)
  await bed.clock.advance(1_000)
  expect([bed.statusOf('a1'), link()?.state]).toEqual(['connected', 'ok'])
  await bed.clock.advance(10_000)
  expect([bed.statusOf('a1'), bed.statusOf('b1'), link()]).toMatchObject([
    'unknown',
    'unknown',
    { state: 'doubt', detail: expect.stringMatching(/^Events of the service cannot be stored on this computer\. /u) },
  ])
  world.disk.full = false
  await bed.clock.advance(5_000)
  expect([bed.statusOf('a1'), bed.statusOf('b1'), link()?.state]).toEqual(['disconnected', 'connected', 'ok'])
})

/** Devices of a tenant, all of them offline. */
function gone(tenant: string): Reply {
  const reply = page([`${tenant}1`, `${tenant}2`], null)
  return JSON.parse(JSON.stringify(reply).replaceAll('"connected":true', '"connected":false')) as Reply
}

test('a stopped connection proves nothing', async () => {
  const bed = await open()
  await bed.clock.advance(1_000)
  await bed.sync.stop()
  expect(bed.statusOf('a1')).toBe('unknown')
})

test('a tenant that failed is read again alone, and soon where the reason may pass', async () => {
  let down = true
  const bed = await open(({ name, tenant }) =>
    down && name === 'Devices' && tenant === 'b' ? new FaultError('http', 'HTTP 500') : null,
  )
  await bed.clock.advance(2 * minute)
  expect(faultsOf(bed)).toEqual([['Berg', 'http']])
  expect(bed.sync.state().lastReadingAt).toBeNull()
  const before = count(bed, 'Devices', 'a')
  down = false
  await bed.clock.advance(5 * minute)
  expect(faultsOf(bed)).toEqual([])
  expect(bed.sync.state().lastReadingAt).not.toBeNull()
  expect(count(bed, 'Devices', 'a')).toBe(before)
  expect(bed.statusOf('b1')).toBe('connected')
})

test('after a reconnection statuses are reconciled, and a tenant that fails is read again', async () => {
  let down = false
  const bed = await open(({ name, tenant }) =>
    down && name === 'States' && tenant === 'b' ? new FaultError('http') : null,
  )
  await bed.clock.advance(1_000)
  bed.link('waiting')
  await bed.clock.advance(1_000)
  expect(['a1', 'b1'].map(bed.statusOf)).toEqual(['unknown', 'unknown'])
  down = true
  bed.link('live')
  await bed.clock.advance(10 * minute)
  expect(['a1', 'b1'].map(bed.statusOf)).toEqual(['connected', 'connected'])
  expect(faultsOf(bed)).toEqual([])
})

test('after lost time the states are reconciled, as after a reconnection', async () => {
  const bed = await open()
  await bed.clock.advance(1_000)
  const before = count(bed, 'States')
  bed.clock.jump(3_600_000)
  bed.sync.loseTime(bed.clock.now() - 3_600_000)
  await bed.clock.advance(1_000)
  expect(count(bed, 'States')).toBe(before + 2)
})

test('when a doubt about the token has ended, devices stay unknown until they are reconciled', async () => {
  let held = Promise.resolve()
  let go = () => {}
  const bed = await open(
    () => null,
    ({ name }) => (name === 'States' ? held : Promise.resolve()),
  )
  const statuses = () => ['a1', 'b2'].map(bed.statusOf)
  await bed.clock.advance(10_000)
  expect(statuses()).toEqual(['connected', 'connected'])
  bed.self.token = { since: bed.clock.now(), fault: { kind: 'token', detail: '' } }
  bed.sync.checkSelf()
  await bed.clock.advance(1_000)
  held = new Promise((resolve) => {
    go = resolve
  })
  bed.self.token = null
  bed.sync.checkSelf()
  await bed.clock.advance(1_000)
  expect(statuses()).toEqual(['unknown', 'unknown'])
  go()
  await bed.clock.advance(1_000)
  expect(statuses()).toEqual(['connected', 'connected'])
})

test('a reconciliation that finds an unknown device is followed by a full sync', async () => {
  let more = false
  const bed = await open(({ name, tenant }) =>
    more && name !== 'Tenants' && name !== 'Schema' && tenant === 'a' ? page(['a1', 'a2', 'a3'], null) : null,
  )
  await bed.clock.advance(1_000)
  more = true
  bed.link('waiting')
  bed.link('live')
  await bed.clock.advance(1_000)
  expect(bed.statusOf('a3')).toBe('connected')
})

test('a full sync that came due while another failed is not dropped', async () => {
  let rejected = false
  const bed = await open(() => (rejected ? new FaultError('credentials') : null))
  await bed.clock.advance(29 * minute)
  rejected = true
  bed.link('live')
  await bed.clock.advance(5 * minute)
  expect(faultsOf(bed)).toEqual([['the service', 'credentials']])
  const before = count(bed, 'Devices', 'a')
  rejected = false
  await bed.clock.advance(10 * minute)
  expect(count(bed, 'Devices', 'a')).toBe(before + 1)
  expect(faultsOf(bed)).toEqual([])
})

test('a resumed sync is as old as its first page, and a reconciliation follows it', async () => {
  const clock = manualClock()
  const twoPages: Answer = ({ name, tenant, token }) =>
    name === 'Devices' && tenant === 'a' ? page([token === null ? 'a1' : 'a2'], token === null ? 'next' : null) : null
  const profile = temporaryProfile(leftovers)
  const earlier = createLeftovers()
  await openWorld(earlier, clock, profile).connect('c1', (request) =>
    request.token === 'next' ? new FaultError('stopped') : twoPages(request),
  )
  await clock.advance(100)
  const began = clock.now() - 100
  await earlier.clean()
  await clock.advance(5 * minute)
  const bed = await openWorld(leftovers, clock, profile).connect('c1', twoPages)
  await clock.advance(1_000)
  expect(
    bed.requests.filter(({ name, tenant }) => name === 'Devices' && tenant === 'a').map(({ token }) => token),
  ).toEqual(['next'])
  expect(count(bed, 'States', 'a')).toBe(1)
  expect(['a1', 'a2'].map(bed.statusOf)).toEqual(['connected', 'connected'])
  const { lastReadingAt } = bed.sync.state()
  expect(lastReadingAt).toBeGreaterThanOrEqual(began)
  expect(lastReadingAt).toBeLessThanOrEqual(began + 100)
  // Read again in full when that is half an hour old, not this end of it.
  await clock.advance(25 * minute)
  expect(count(bed, 'Devices', 'a')).toBe(3)
})

test('rejected credentials are retried ever more slowly', async () => {
  const bed = await open(() => new FaultError('credentials'))
  await bed.clock.advance(60 * minute)
  expect(count(bed, 'Tenants')).toBeLessThan(40)
  expect(faultsOf(bed)).toEqual([['the service', 'credentials']])
})

test('the devices of a page are subscribed to before the last page has come', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const bed = await open(
    ({ name, tenant, token }) =>
      name === 'Devices' && tenant === 'a'
        ? page([token === null ? 'a1' : 'a2'], token === null ? 'next' : null)
        : null,
    async ({ token }) => {
      if (token === 'next') await held
    },
  )
  await bed.clock.advance(5_000)
  expect(bed.sync.state().sync.state).toBe('syncing')
  expect(bed.subscribed()).toContain('a1')
  release()
  await bed.clock.advance(5_000)
  expect(bed.subscribed()).toContain('a2')
})

describe('a manual refresh while nothing can be read', () => {
  const readings = (bed: Bed) => ['a', 'b'].map((tenant) => count(bed, 'Devices', tenant))

  test('is done when the disk works again, and then the disk fault is gone', async () => {
    const world = openWorld(leftovers)
    const bed = await world.connect('c1')
    await bed.clock.advance(1_000)
    world.disk.full = true
    bed.sync.refresh(new Set(['a']))
    await bed.clock.advance(5_000)
    expect(faultsOf(bed)).toEqual([['this computer', 'storage']])
    world.disk.full = false
    const [a = 0, b = 0] = readings(bed)
    await bed.clock.advance(2 * minute)
    expect(faultsOf(bed)).toEqual([])
    expect(readings(bed)).toEqual([a + 1, b])
  })

  test('is done when the token is accepted again, and then the fault is gone', async () => {
    let rejected = false
    const bed = await open(() => (rejected ? new FaultError('token') : null))
    await bed.clock.advance(1_000)
    rejected = true
    bed.sync.refresh(new Set(['a']))
    await bed.clock.advance(500)
    expect(faultsOf(bed)).toEqual([['the service', 'token']])
    rejected = false
    const [a = 0, b = 0] = readings(bed)
    await bed.clock.advance(2 * minute)
    expect(faultsOf(bed)).toEqual([])
    expect(readings(bed)).toEqual([a + 1, b])
  })

  test('is done once, and not again and again, when it fails by itself', async () => {
    let broken = false
    const bed = await open(({ name, tenant }) => (broken && name === 'Devices' && tenant === 'a' ? forbidden : null))
    await bed.clock.advance(1_000)
    broken = true
    const [before = 0] = readings(bed)
    bed.sync.refresh(new Set(['a']))
    await bed.clock.advance(5_000)
    expect(readings(bed)[0]).toBe(before + 1)
  })
})
