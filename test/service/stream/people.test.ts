import { expect, onTestFinished, test } from 'vitest'
import { createRoomLife } from '../../../src-service/world/life/room-life.ts'
import { createWorld } from '../../../src-service/world/world.ts'
import type { People, World } from '../../../src-service/world/world.ts'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { dig, open, plainClient, streamClient, until } from '../client.ts'

const query =
  'subscription ($tenant: ID!, $rooms: [ID!]!) { peopleCountStream(tenantId: $tenant, roomIds: $rooms) { count roomId tenantId updatedAt } }'

function roomsOf(world: Pick<World, 'tenants' | 'sites' | 'rooms'>, place: number) {
  const tenant = world.tenants()[place]?.id ?? ''
  return { tenant, rooms: world.sites(tenant).flatMap(({ id }) => world.rooms(id)) }
}

async function ready(options: ServiceOptions = {}) {
  const service = await open(options)
  const as = async (place: number) => {
    const set = service.credentials.list()[place] ?? service
    return streamClient(service, await plainClient(service, { h2: true, set }).token())
  }
  return { service, as }
}

/** Watches the people in these rooms; resolves when the service has accepted or rejected the subscription. */
async function watch(
  service: Service,
  client: Awaited<ReturnType<Awaited<ReturnType<typeof ready>>['as']>>,
  tenant: string,
  rooms: string[],
) {
  const seen: unknown[] = []
  let over = false
  client.subscribe(
    { query, variables: { tenant, rooms } },
    {
      next: ({ data, errors }) => void seen.push(errors ?? data?.['peopleCountStream']),
      error(error) {
        seen.push(error)
        over = true
      },
      complete: () => (over = true),
    },
  )
  await until(() => over || rooms.every((id) => service.subscribedRooms().includes(id)))
  return seen
}

test('edge-triggered: nothing at the start, one event for each change of a watched room', async () => {
  let now = Date.parse('2026-04-08T19:50:18.747Z')
  const { service, as } = await ready({ now: () => now })
  const {
    tenant,
    rooms: [first, second, third],
  } = roomsOf(service.world, 0)
  const [one, two, three] = [first?.id ?? '', second?.id ?? '', third?.id ?? '']
  service.world.setPeople(one, 2)
  const seen = await watch(service, await as(0), tenant, [one, two, 'no such room'])
  service.world.setPeople(one, 2)
  service.world.setPeople(three, 9)
  service.world.setPeople(one, 4)
  now += 1000
  service.world.setPeople(two, 1)
  service.world.setPeople(one, 0)
  await until(() => seen.length >= 3)
  expect(seen).toEqual([
    { count: 4, roomId: one, tenantId: tenant, updatedAt: '2026-04-08T19:50:18.747Z' },
    { count: 1, roomId: two, tenantId: tenant, updatedAt: '2026-04-08T19:50:19.747Z' },
    { count: 0, roomId: one, tenantId: tenant, updatedAt: '2026-04-08T19:50:19.747Z' },
  ])
  expect([
    service.world.people(one),
    service.world.people(two),
    service.world.people(three),
    service.world.people('no such room'),
  ]).toEqual([0, 1, 9, 0])
  expect(service.subscribedIds()).toEqual([])
})

test('rooms of another tenant than the named one send nothing', async () => {
  const { service, as } = await ready()
  const [mine, other] = [roomsOf(service.world, 0), roomsOf(service.world, 1)]
  const ids = [mine.rooms[0]?.id ?? '', other.rooms[0]?.id ?? '']
  const seen = await watch(service, await as(0), mine.tenant, ids)
  service.world.setPeople(ids[1] ?? '', 3)
  service.world.setPeople(ids[0] ?? '', 3)
  await until(() => seen.length > 0)
  expect(seen).toMatchObject([{ roomId: ids[0], tenantId: mine.tenant }])
})

test('people follow reach: a tenant out of reach is NOT_FOUND, its sites send nothing', async () => {
  const { service, as } = await ready({
    devices: 400,
    credentials: (world) => [
      { tenants: [world.tenants()[0]?.id ?? ''], sites: [world.sites(world.tenants()[0]?.id ?? '')[0]?.id ?? ''] },
    ],
  })
  const { tenant } = roomsOf(service.world, 0)
  const [here, there] = service.world.sites(tenant).map(({ id }) => service.world.rooms(id)[0]?.id ?? '')
  const client = await as(0)
  for (const far of [service.world.tenants()[1]?.id ?? '', 'nobody']) {
    const refused = await watch(service, client, far, [here ?? ''])
    expect(dig(refused, 0, 0, 'extensions')).toMatchObject({ code: 'NOT_FOUND', resource: { id: far, type: 'tenant' } })
  }
  const seen = await watch(service, client, tenant, [here ?? '', there ?? ''])
  service.world.setPeople(there ?? '', 1)
  service.world.setPeople(here ?? '', 2)
  service.credentials.setReach(service.clientId, { tenants: [tenant] })
  service.world.setPeople(there ?? '', 3)
  service.credentials.setReach(service.clientId, { tenants: [] })
  service.world.setPeople(here ?? '', 4)
  service.credentials.setReach(service.clientId, {})
  service.world.setPeople(here ?? '', 5)
  await until(() => seen.length >= 3)
  expect(seen.map((event) => [dig(event, 'roomId'), dig(event, 'count')])).toEqual([
    [here, 2],
    [there, 3],
    [here, 5],
  ])
})

test('a device_user is rejected before the tenant is looked up', async () => {
  const { service, as } = await ready({ credentials: () => [{ role: 'user' }, { role: 'device_user' }] })
  const { tenant, rooms } = roomsOf(service.world, 0)
  const id = rooms[0]?.id ?? ''
  for (const asked of [tenant, 'nobody']) {
    expect(dig(await watch(service, await as(1), asked, [id]), 0, 0, 'extensions')).toEqual({
      code: 'FORBIDDEN',
      permissions: ['device:stream'],
      resource: { id: asked, type: 'tenant' },
    })
  }
  const seen = await watch(service, await as(0), tenant, [id])
  service.world.setPeople(id, 1)
  service.credentials.setRole(service.clientId, 'device_user')
  service.world.setPeople(id, 2)
  service.credentials.setRole(service.clientId, 'it-admin')
  service.world.setPeople(id, 3)
  await until(() => seen.length >= 2)
  expect(seen.map((event) => dig(event, 'count'))).toEqual([1, 3])
})

test('a region that is gone sends nothing', async () => {
  const { service, as } = await ready()
  const { tenant, rooms } = roomsOf(service.world, 0)
  const id = rooms[0]?.id ?? ''
  const region = service.world.tenants()[0]?.region ?? 'US-1'
  const seen = await watch(service, await as(0), tenant, [id])
  service.misfortune.region(region, 'gone')
  service.world.setPeople(id, 1)
  service.misfortune.region(region, 'up')
  service.world.setPeople(id, 2)
  await until(() => seen.length > 0)
  expect(seen.map((event) => dig(event, 'count'))).toEqual([2])
})

test('the minimal profile has no people stream', async () => {
  const { service, as } = await ready({ profile: 'minimal' })
  const seen = await watch(service, await as(0), 'x', ['y'])
  expect(dig(seen, 0, 0, 'message')).toMatch(/^Cannot query field "peopleCountStream"/u)
})

test('invalid counts and unknown rooms are rejected', async () => {
  const { service } = await ready()
  const id = roomsOf(service.world, 0).rooms[0]?.id ?? ''
  for (const count of [-1, 1.5, Number.NaN, 2 ** 31])
    expect(() => service.world.setPeople(id, count)).toThrow('no number of people')
  expect(() => service.world.setPeople('nobody', 1)).toThrow('nobody')
})

const HOUR = 3_600_000

/** A world that lives for some days from a Monday on, and every event of it. */
function live(seed: number, ms: number, step: number) {
  const since = Date.parse('2026-06-01T00:00:00Z')
  let now = since
  const world = createWorld({ seed: 1, devices: 600, tenants: 3, now: () => now })
  onTestFinished(() => world.close())
  const events: People[] = []
  world.onPeople(
    () => true,
    (people) => events.push(people),
  )
  const life = createRoomLife(world, seed, since)
  for (let lived = 0; lived < ms; lived += step) {
    now += step
    life.advance(step)
  }
  return { world, events }
}

test('rooms fill and empty through the working day, up to one and a half times their capacity', () => {
  const { world, events } = live(1, 7 * 24 * HOUR, 60_000)
  const rooms = new Map(
    world
      .tenants()
      .flatMap((_tenant, place) => roomsOf(world, place).rooms)
      .map((room) => [room.id, room]),
  )
  for (const { roomId, count } of events) expect(count).toBeLessThanOrEqual((rooms.get(roomId)?.capacity ?? 0) * 1.5)
  expect(events.some(({ roomId, count }) => count > (rooms.get(roomId)?.capacity ?? 0))).toBe(true)
  expect(new Set(events.map(({ roomId }) => roomId)).size).toBeGreaterThan(rooms.size * 0.9)
  // Edge-triggered: no room is told of twice with the same number.
  const last = new Map<string, number>()
  for (const { roomId, count } of events) {
    expect(last.get(roomId) ?? 0).not.toBe(count)
    last.set(roomId, count)
  }
  const weekday = (day: number) => events.filter(({ updatedAt }) => new Date(updatedAt).getUTCDay() === day).length
  expect(weekday(3)).toBeGreaterThan(10 * weekday(0))
  expect([...rooms.keys()].map((id) => world.people(id))).toEqual([...rooms.keys()].map((id) => last.get(id) ?? 0))
})

test('the same seed lives the same life in steps of any size; another seed another one', () => {
  const brief = ({ events }: ReturnType<typeof live>) => events.map(({ roomId, count }) => [roomId, count])
  const whole = brief(live(1, 24 * HOUR, 24 * HOUR))
  expect(whole.length).toBeGreaterThan(100)
  expect(brief(live(1, 24 * HOUR, 250_000 * 0.96))).toEqual(whole)
  expect(brief(live(2, 24 * HOUR, 24 * HOUR))).not.toEqual(whole)
})
