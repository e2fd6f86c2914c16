import { afterEach, expect, test } from 'vitest'
import type { Reply } from '../../../src-main/api/client.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { count, minute, openWorld, page, tenants, type Answer, type Bed, type World } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const byId = { name: 'device', args: [{ name: 'id', type: { kind: 'SCALAR', name: 'ID' } }] }
const schema = (fields: unknown[]): Reply => ({
  errors: [],
  data: { root: { queryType: { fields } }, params: { inputFields: [] } },
})
const many = Array.from({ length: 30 }, (_, at) => `a${at}`)

/** Acme has thirty devices, Berg two. The service answers with the status of a device in `states`. */
async function setup(
  states: Map<string, boolean | null>,
  { offersIds = true, more = () => null }: { offersIds?: boolean; more?: Answer } = {},
): Promise<{ world: World; bed: Bed }> {
  const world = openWorld(leftovers)
  const stateOf = (id: string) => (states.has(id) ? states.get(id) : true)
  const bed = await world.connect('c1', (request) => {
    const { name, tenant, ids } = request
    if (name === 'Tenants') return tenants(['a', 'Acme'], ['b', 'Berg'])
    if (name === 'Schema') return schema(offersIds ? [byId] : [])
    const reply = more(request)
    if (reply !== null) return reply
    if (name === 'StatesByIds')
      return {
        errors: [],
        data: Object.fromEntries(ids.map((id, at) => [`d${at}`, { id, connected: stateOf(id), lastDetected: null }])),
      }
    return withStates(page(tenant === 'a' ? many : ['b1', 'b2'], null), stateOf)
  })
  await world.clock.advance(minute)
  bed.requests.length = 0
  return { world, bed }
}

function withStates(reply: Reply, stateOf: (id: string) => boolean | null | undefined): Reply {
  const text = JSON.stringify(reply).replaceAll(
    /"id":"(\w+)","name":"\w+","connected":true/g,
    (_all, id: string) => `"id":"${id}","name":"${id}","connected":${stateOf(id)}`,
  )
  return JSON.parse(text) as Reply
}

const sendWithoutStatus = (bed: Bed, ...ids: string[]) => {
  for (const id of ids) bed.sendPayload({ id, tenantId: id[0], name: id, connected: null })
}
const requestsOf = ({ requests }: Bed) => requests.map(({ name, tenant, ids }) => `${name} ${tenant}${ids.join(' ')}`)

test('requests within two seconds are sent together, by their ids, and each time anew', async () => {
  const { world, bed } = await setup(new Map([['a1', false]]))
  sendWithoutStatus(bed, 'a1')
  await world.clock.advance(1_500)
  sendWithoutStatus(bed, 'b2')
  expect([bed.statusOf('a1'), bed.statusOf('b2'), bed.requests]).toEqual(['unknown', 'unknown', []])
  await world.clock.advance(600)
  expect([bed.statusOf('a1'), bed.statusOf('b2'), requestsOf(bed)]).toEqual([
    'disconnected',
    'connected',
    ['StatesByIds a1 b2'],
  ])
  sendWithoutStatus(bed, 'a1')
  await world.clock.advance(2_100)
  expect([bed.statusOf('a1'), bed.requests.length]).toEqual(['disconnected', 2])
  await world.clock.advance(20 * minute)
  expect(bed.requests).toHaveLength(2)
})

test('a missing status is requested after 2 s, 30 s, a minute, and every half hour at most', async () => {
  const { world, bed } = await setup(new Map([['a1', null]]))
  const begun = world.clock.now()
  const times: number[] = []
  sendWithoutStatus(bed, 'a1')
  for (let requested = 0; world.clock.now() - begun < 28 * minute;) {
    await world.clock.advance(1_000)
    if (count(bed, 'StatesByIds') > requested) times.push((world.clock.now() - begun) / 1_000)
    requested = count(bed, 'StatesByIds')
  }
  expect(times).toEqual([2, 32, 92, 212, 452, 932])
  // A full sync has none to offer either, and another such event begins nothing anew.
  sendWithoutStatus(bed, 'a1')
  await world.clock.advance(2 * minute)
  expect(count(bed, 'StatesByIds')).toBe(times.length)
})

test('a device whose state came in another event in between is not read', async () => {
  const { world, bed } = await setup(new Map())
  sendWithoutStatus(bed, 'a1')
  bed.send('a1', false)
  await world.clock.advance(minute)
  expect([bed.statusOf('a1'), bed.requests]).toEqual(['disconnected', []])
})

test('where devices cannot be read by their ids, their tenant is read, once for all of them', async () => {
  const { world, bed } = await setup(
    new Map([
      ['a1', false],
      ['a7', false],
    ]),
    { offersIds: false },
  )
  sendWithoutStatus(bed, 'a1', 'a7')
  await world.clock.advance(2_100)
  expect([bed.statusOf('a1'), bed.statusOf('a7'), requestsOf(bed)]).toEqual([
    'disconnected',
    'disconnected',
    ['States a'],
  ])
})

test('a tenant that cannot be read delays no other one', async () => {
  const { world, bed } = await setup(new Map([['b1', false]]), {
    offersIds: false,
    more: ({ name, tenant }) => (name === 'States' && tenant === 'a' ? new FaultError('timeout') : null),
  })
  sendWithoutStatus(bed, 'a1', 'b1')
  await world.clock.advance(2_100)
  expect([bed.statusOf('a1'), bed.statusOf('b1')]).toEqual(['unknown', 'disconnected'])
})

test.each([
  [30, 150],
  [1_500, 4],
  [3_000, 2],
])('%i devices without states are polled within a quarter of the points, %i times in 5 min', async (devices, times) => {
  const ids = Array.from({ length: devices }, (_, at) => `a${at}`)
  const { world, bed } = await setup(new Map(), {
    offersIds: false,
    more: ({ name, tenant }) => (tenant === 'a' && (name === 'Devices' || name === 'States') ? page(ids, null) : null),
  })
  for (let second = 0; second < 300; second += 1) {
    sendWithoutStatus(bed, `a${second % 30}`)
    await world.clock.advance(1_000)
  }
  expect(count(bed, 'States', 'a')).toBeLessThanOrEqual(times)
  expect(count(bed, 'States', 'a')).toBeGreaterThanOrEqual(times / 2)
})

test('a connection that is not live reads nothing: all is reconciled when it is again', async () => {
  const { world, bed } = await setup(new Map())
  sendWithoutStatus(bed, 'a1')
  bed.link('waiting')
  await world.clock.advance(10 * minute)
  expect(count(bed, 'StatesByIds')).toBe(0)
})
