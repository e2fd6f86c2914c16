import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Reply } from '../../../src-main/api/client.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { count, minute, openWorld, page, tenants, type Answer, type Bed, type World } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const byId = { name: 'device', args: [{ name: 'id', type: { kind: 'SCALAR', name: 'ID' } }] }
const named = { kind: 'SCALAR', name: 'String' }
const schema = (fields: unknown[], params: string[]): Reply => ({
  errors: [],
  data: {
    root: { queryType: { fields } },
    device: { fields: told.deviceFields.map((name) => ({ name, args: [], type: named })) },
    params: { inputFields: params.map((name) => ({ name, type: { kind: 'SCALAR', name: 'Int' } })) },
  },
})
const broken = [{ code: 'INTERNAL', message: 'the region is down', path: ['tenant', 'inventory', 'deviceSearch'] }]

/** What the service has in tenant a. `total`: what it names; null: the number of devices. */
let told: {
  ids: string[]
  total: number | null
  fields: unknown[]
  params: string[]
  errors: Reply['errors']
  hidden: string[]
  deviceFields: string[]
  /** The tenant that a device names when it is read by its id. */
  tenantOf: string
}
let world: World
beforeEach(() => {
  told = {
    ids: ['a1', 'a2', 'a3'],
    total: null,
    fields: [byId],
    params: ['pageSize'],
    errors: [],
    hidden: [],
    deviceFields: ['id', 'tenantId'],
    tenantOf: 'a',
  }
  world = openWorld(leftovers)
})

const answer: Answer = ({ name, tenant, ids, size }) => {
  if (name === 'Tenants') return tenants(['a', 'Acme'], ['b', 'Berg'])
  if (name === 'Schema') return schema(told.fields, told.params)
  if (name === 'DevicesByIds')
    return {
      errors: [],
      data: Object.fromEntries(
        ids.map((id, at) => [
          `d${at}`,
          told.hidden.includes(id) ? null : { id, name: `New ${id}`, connected: false, tenantId: told.tenantOf },
        ]),
      ),
    }
  if (tenant === 'b') return page(['b1', 'b2'].slice(0, size), null, [], 2)
  return page(told.ids.slice(0, size), null, name === 'Ids' ? told.errors : [], told.total ?? told.ids.length)
}

async function connect(id = 'c1'): Promise<Bed> {
  const bed = await world.connect(id, answer)
  await world.clock.advance(minute)
  bed.requests.length = 0
  return bed
}
const stored = (connection = 'c1') => world.calls.ids({ service: 's', tenant: 'a', connection }).toSorted()

test('each tenant is asked for its total every three minutes, and nothing else while it agrees', async () => {
  const bed = await connect()
  await world.clock.advance(12 * minute)
  expect(new Set(bed.requests.map(({ name }) => name))).toEqual(new Set(['Fingerprint']))
  for (const tenant of ['a', 'b']) {
    expect(count(bed, 'Fingerprint', tenant)).toBeGreaterThanOrEqual(3)
    expect(count(bed, 'Fingerprint', tenant)).toBeLessThanOrEqual(5)
  }
})

test('a new device is read by its id alone, shown and subscribed', async () => {
  const bed = await connect()
  told.ids.push('a4')
  await world.clock.advance(4 * minute)
  expect(stored()).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(bed.requests.filter(({ name }) => name === 'DevicesByIds').map(({ ids }) => ids)).toEqual([['a4']])
  expect([count(bed, 'Ids', 'a'), count(bed, 'Devices')]).toEqual([1, 0])
  expect(bed.statusOf('a4')).toBe('disconnected')
  expect(bed.subscribed()).toContain('a4')
})

test('a removed device goes, and is no longer subscribed', async () => {
  const bed = await connect()
  told.ids = ['a1', 'a3']
  await world.clock.advance(4 * minute)
  expect(stored()).toEqual(['a1', 'a3'])
  expect(bed.subscribed().toSorted()).toEqual(['a1', 'a3', 'b1', 'b2'])
  expect(count(bed, 'DevicesByIds') + count(bed, 'Devices')).toBe(0)
})

test('a list with errors removes nothing, and is read again after ten minutes, then less often', async () => {
  const bed = await connect()
  told.ids = ['a1']
  told.errors = broken as never
  await world.clock.advance(25 * minute)
  expect(stored()).toEqual(['a1', 'a2', 'a3'])
  expect(count(bed, 'Ids')).toBe(2)
})

test('a list that is shorter than its total removes nothing', async () => {
  const bed = await connect()
  told.ids = ['a1', 'a4']
  told.total = 7
  await world.clock.advance(25 * minute)
  expect(stored()).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(count(bed, 'DevicesByIds')).toBe(1)
})

test('a total that lastingly counts devices which are not listed is read once', async () => {
  const bed = await connect()
  told.total = 5
  await world.clock.advance(25 * minute)
  expect(count(bed, 'Ids')).toBe(1)
  told.total = 6
  await world.clock.advance(4 * minute)
  expect(count(bed, 'Ids')).toBe(2)
  expect(stored()).toEqual(['a1', 'a2', 'a3'])
})

test('a total of 0 is left to the full sync', async () => {
  const bed = await connect()
  told.ids = []
  await world.clock.advance(10 * minute)
  expect(stored()).toEqual(['a1', 'a2', 'a3'])
  expect(count(bed, 'Ids')).toBe(0)
})

test('without devices by id, the tenant alone is read in full', async () => {
  told.fields = []
  const bed = await connect()
  told.ids.push('a4')
  await world.clock.advance(5 * minute)
  expect(stored()).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(new Set(bed.requests.filter(({ name }) => name === 'Devices').map(({ tenant }) => tenant))).toEqual(
    new Set(['a']),
  )
})

test('a new device that is not readable by its id leads to one full sync', async () => {
  const bed = await connect()
  told.ids.push('a4')
  told.hidden = ['a4']
  await world.clock.advance(25 * minute)
  expect(stored()).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(count(bed, 'Ids')).toBe(1)
})

test.each([
  ['names another tenant', (): void => void (told.tenantOf = 'b')],
  ['does not name its tenant', (): void => void (told.deviceFields = ['id'])],
] as const)('a new device that %s when read by its id is read with its tenant', async (_, make) => {
  make()
  const bed = await connect()
  told.ids.push('a4')
  await world.clock.advance(5 * minute)
  expect(stored()).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(world.calls.device({ key: 's/a/a4' }).device?.row.name).toBe('a4')
  expect([count(bed, 'Devices', 'a') > 0, count(bed, 'Devices', 'b')]).toEqual([true, 0])
})

test('a total that jumps leads to one list in ten minutes, and removes nothing', async () => {
  const bed = await connect()
  for (let n = 0; n < 20; n += 1) {
    told.total = 4 + (n % 7)
    await world.clock.advance(3 * minute)
  }
  expect(stored()).toEqual(['a1', 'a2', 'a3'])
  expect(count(bed, 'Ids')).toBeLessThanOrEqual(7)
})

test('the ids of a tenant are read once in ten minutes, however often its total moves', async () => {
  const bed = await connect()
  for (let n = 4; n < 10; n += 1) {
    told.ids.push(`a${n}`)
    await world.clock.advance(3 * minute)
  }
  expect(count(bed, 'Ids')).toBeLessThanOrEqual(2)
  await world.clock.advance(10 * minute)
  expect(stored()).toHaveLength(9)
})

test.each([
  ['no page size is offered', () => (told.params = [])],
  ['no total is named', () => (told.total = Number.NaN)],
] as const)('where %s, nothing is compared', async (_, make) => {
  make()
  const bed = await connect()
  told.ids.push('a4')
  await world.clock.advance(20 * minute)
  expect(count(bed, 'Ids', 'a') + count(bed, 'Fingerprint', 'a')).toBe(0)
})

test('two connections on a tenant read it once; both claim what is new and lose what is gone', async () => {
  const one = await connect('c1')
  const two = await connect('c2')
  await world.clock.advance(minute)
  for (const bed of [one, two]) bed.requests.length = 0
  told.ids = ['a1', 'a2', 'a4', 'a5']
  await world.clock.advance(5 * minute)
  expect(count(one, 'Ids') + count(two, 'Ids')).toBe(1)
  expect(count(one, 'DevicesByIds') + count(two, 'DevicesByIds')).toBe(1)
  expect([stored('c1'), stored('c2')]).toEqual([told.ids, told.ids])
  expect(two.subscribed()).toContain('a5')
})
