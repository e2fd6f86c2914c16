import { expect, onTestFinished, test } from 'vitest'
import { createLife } from '../../src-service/world/life/life.ts'
import { createWorld } from '../../src-service/world/world.ts'
import type { World } from '../../src-service/world/world.ts'

const moment = Date.parse('2026-04-01T12:00:00Z')

function world(change: { seed?: number; devices?: number; tenants?: number; now?: () => number } = {}): World {
  const made = createWorld({ seed: 1, devices: 5000, tenants: 6, now: () => moment, ...change })
  onTestFinished(() => made.close())
  return made
}

test('the same seed gives the same world, another seed another', () => {
  const all = (made: World): unknown => [made.tenants(), made.tenants().map(({ id }) => made.sites(id)), made.devices()]
  expect(all(world())).toEqual(all(world()))
  expect(world({ seed: 2 }).devices(undefined)[7]).not.toEqual(world().devices()[7])
})

test('a plausible fleet: two regions, uneven tenants, 0.9 % offline, 0.15 % never detected', async () => {
  const made = world()
  const devices = made.devices()
  expect(devices).toHaveLength(5000)
  expect(new Set(devices.map(({ id }) => id)).size).toBe(5000)
  expect(
    devices.every(({ id, macAddress }) => /^[0-9a-f]{12}$/.test(id) && macAddress.replaceAll(':', '') === id),
  ).toBe(true)
  expect(new Set(made.tenants().map(({ region }) => region))).toEqual(new Set(['US-1', 'EU-1']))
  const sizes = await Promise.all(made.tenants().map(({ id }) => made.count({ tenantId: id, filter: null })))
  expect(Math.max(...sizes) / Math.min(...sizes)).toBeGreaterThan(3)
  const { online, offline, staged } = made.totals()
  expect(online + offline + staged).toBe(5000)
  expect(offline).toBeGreaterThan(25)
  expect(offline).toBeLessThan(70)
  expect(staged).toBeGreaterThan(0)
  expect(staged).toBeLessThan(20)
  for (const { connected, lastDetected } of devices) {
    expect(lastDetected === null).toBe(connected === null)
    if (lastDetected !== null) expect(lastDetected).toMatch(/^2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    if (connected === false) expect(Date.parse(lastDetected ?? '')).toBeLessThanOrEqual(moment - 59_000)
    if (connected === true) expect(Date.parse(lastDetected ?? '')).toBeGreaterThan(moment - 300_001)
  }
  const names = devices.map(({ name }) => name)
  expect(names.some((name) => name.length > 120)).toBe(true)
  expect(names.some((name) => /[äöüß]/i.test(name))).toBe(true)
  expect(names.some((name) => /[\u3040-\u9fff]/.test(name))).toBe(true)
  expect(devices.some(({ site }) => site === null)).toBe(true)
  expect(devices.some(({ site, room }) => site !== null && room === null)).toBe(true)
})

test('a world can have no devices, or fewer devices than tenants', () => {
  expect(world({ devices: 0 }).devices()).toEqual([])
  expect(world({ devices: 3, tenants: 40 }).devices()).toHaveLength(3)
})

test('verbs change the data and notify listeners only when something changed', () => {
  const clock = { at: moment }
  const made = world({ devices: 50, tenants: 1, now: () => clock.at })
  const told: unknown[] = []
  const off = made.onChange(({ id, connected, name }) => void told.push([id, connected, name]))
  const { id, name } = made.find(({ connected }) => connected === true)
  clock.at += 60_000
  made.setConnected(id, false)
  made.setConnected(id, false)
  expect(made.device(id)).toMatchObject({ connected: false, lastDetected: new Date(clock.at).toISOString() })
  clock.at += 3_600_000
  expect(made.device(id)?.lastDetected).toBe(new Date(clock.at - 3_600_000).toISOString())
  made.setConnected(id, true)
  // A connected device beats every five minutes from then on.
  clock.at += 11 * 60_000
  expect(made.device(id)?.lastDetected).toBe(new Date(clock.at - 60_000).toISOString())
  made.renameDevice(id, name)
  made.renameDevice(id, 'New')
  const added = made.addDevice({ name: 'Fresh', connected: null })
  expect(made.device(added.id)).toMatchObject({
    name: 'Fresh',
    connected: null,
    lastDetected: null,
    lastConfigRequestDate: null,
  })
  made.removeDevice(added.id)
  expect(made.device(added.id)).toBeUndefined()
  expect(told).toEqual([
    [id, false, name],
    [id, true, name],
    [id, true, 'New'],
  ])
  off()
  made.setConnected(id, false)
  expect(told).toHaveLength(3)
})

test('verbs reject ids that the world does not have', () => {
  const made = world({ devices: 50, tenants: 2 })
  const [device] = made.devices()
  const sites = made.tenants().flatMap(({ id }) => made.sites(id))
  expect(() => made.setConnected('no', true)).toThrow(RangeError)
  expect(() => made.removeDevice('no')).toThrow(RangeError)
  expect(() => made.renameDevice('no', 'x')).toThrow(RangeError)
  const foreign = made.rooms(sites[1]?.id ?? '')[0]
  expect(() => made.moveDevice(device?.id ?? '', sites[0]?.id ?? '', foreign?.id ?? '')).toThrow(RangeError)
  expect(() => made.addDevice({ tenantId: 'no' })).toThrow(RangeError)
})

test('life: the same seed gives the same events, whole sites drop, and about 1 % is offline', () => {
  const live = (seed: number): { events: string[]; offline: number[]; largest: number } => {
    const clock = { at: moment }
    const made = world({ now: () => clock.at })
    const events: string[] = []
    const drops = new Map<string, number[]>()
    made.onChange(({ id, connected, site }) => {
      events.push(`${clock.at} ${id} ${connected}`)
      if (connected === false && site) drops.set(site.id, [...(drops.get(site.id) ?? []), clock.at])
    })
    const life = createLife(made, seed)
    const offline: number[] = []
    for (let second = 0; second < 1800; second += 1) {
      clock.at += 1000
      life.advance(1000)
      if (second % 60 === 0) offline.push(made.totals().offline)
    }
    const burst = (times: number[]): number =>
      Math.max(...times.map((from) => times.filter((at) => at >= from && at <= from + 5000).length))
    return { events, offline, largest: Math.max(...[...drops.values()].map(burst)) }
  }
  const first = live(3)
  expect(live(3).events).toEqual(first.events)
  expect(live(4).events).not.toEqual(first.events)
  expect(first.events.length).toBeGreaterThan(500)
  expect(first.largest).toBeGreaterThanOrEqual(5)
  expect(Math.min(...first.offline)).toBeGreaterThan(15)
  expect(Math.max(...first.offline)).toBeLessThan(120)
})
