import { afterEach, expect, test } from 'vitest'
import type { Reply } from '../../../src-main/api/client.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { count, openWorld, page, tenants, type Answer, type SentRequest, type Bed, type World } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const field = {
  name: 'device',
  args: [{ name: 'id', type: { kind: 'NON_NULL', name: null, ofType: { kind: 'SCALAR', name: 'String' } } }],
}
const schema = (fields: unknown[]): Reply => ({
  errors: [],
  data: {
    root: { queryType: { fields } },
    params: { inputFields: [{ name: 'filter', type: { kind: 'INPUT_OBJECT', name: 'DeviceFilter' } }] },
  },
})

/** Acme has two devices, Berg three, Cole two that are offline. */
function service(fields: unknown[], more: Answer = () => null): Answer {
  return (request) => {
    const { name, tenant, ids } = request
    if (name === 'Tenants') return tenants(['a', 'Acme'], ['b', 'Berg'], ['c', 'Cole'])
    if (name === 'Schema') return schema(fields)
    const reply = more(request)
    if (reply !== null) return reply
    if (name === 'StatesByIds')
      return {
        errors: [],
        data: Object.fromEntries(ids.map((id, index) => [`d${index}`, { id, connected: false, lastDetected: null }])),
      }
    if (tenant === 'b') return page(['b1', 'b2', 'b3'], null)
    return tenant === 'c' ? offline(page(['c1', 'c2'], null)) : null
  }
}

const offline = (reply: Reply): Reply =>
  JSON.parse(JSON.stringify(reply).replaceAll('"connected":true', '"connected":false')) as Reply

interface Open {
  world: World
  bed: Bed
}

/** Read once, then cut off. */
async function openDisconnected(answer: Answer, before?: (request: SentRequest) => Promise<void>): Promise<Open> {
  const world = openWorld(leftovers)
  const bed = await world.connect('c1', answer, before)
  await world.clock.advance(5_000)
  bed.link('waiting')
  await world.clock.advance(60_000)
  bed.requests.length = 0
  return { world, bed }
}

test('after a reconnection visible devices are reconciled first by id; the rest is unknown', async () => {
  let held = Promise.resolve()
  let go = () => {}
  const { world, bed } = await openDisconnected(service([field]), async ({ name }) =>
    name === 'States' ? held : undefined,
  )
  world.urgent.push('s/b/b2', 's/a/a1', 's/x/gone')
  held = new Promise((resolve) => {
    go = resolve
  })
  bed.link('live')
  await world.clock.advance(1_000)
  expect(bed.requests.slice(0, 2).map(({ name, tenant, ids }) => [name, tenant, ids])).toEqual([
    ['StatesByIds', '', ['a1', 'b2']],
    ['States', 'b', []],
  ])
  expect(['a1', 'a2', 'b2', 'b3'].map(bed.statusOf)).toEqual(['disconnected', 'unknown', 'disconnected', 'unknown'])
  go()
  await world.clock.advance(1_000)
  expect(['a2', 'b3'].map(bed.statusOf)).toEqual(['connected', 'connected'])
})

test('an id that two tenants have is not read by itself: the answer could be either', async () => {
  const { world, bed } = await openDisconnected(
    service([field], ({ tenant, name }) =>
      name === 'Devices' || name === 'States' ? (tenant === 'b' ? page(['a1', 'b2'], null) : null) : null,
    ),
  )
  world.urgent.push('s/b/b2', 's/a/a1')
  bed.link('live')
  await world.clock.advance(1_000)
  expect(bed.requests[0]).toMatchObject({ name: 'StatesByIds', ids: ['b2'] })
  expect(bed.statusOf('a1')).toBe('connected')
  await expect(bed.sync.readStatus([{ tenant: 'a', id: 'a1' }])).rejects.toMatchObject({
    fault: { kind: 'input', detail: expect.stringContaining('Two tenants') },
  })
})

test('then the tenants with the most devices that were online', async () => {
  const { world, bed } = await openDisconnected(service([field]))
  bed.link('live')
  await world.clock.advance(1_000)
  expect(bed.requests.map(({ name, tenant }) => [name, tenant])).toEqual([
    ['States', 'b'],
    ['States', 'a'],
    ['States', 'c'],
  ])
})

test('without a query for one device, the tenants on screen come first', async () => {
  const { world, bed } = await openDisconnected(service([]))
  world.urgent.push('s/c/c1')
  bed.link('live')
  await world.clock.advance(1_000)
  expect(bed.requests.map(({ name, tenant }) => [name, tenant])).toEqual([
    ['States', 'c'],
    ['States', 'b'],
    ['States', 'a'],
  ])
})

test('no more than 25 are read at once', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `a${index}`)
  const { world, bed } = await openDisconnected(
    service([field], ({ tenant }) => (tenant === 'a' ? page(ids, null) : null)),
  )
  world.urgent.push(...ids.map((id) => `s/a/${id}`))
  bed.link('live')
  await world.clock.advance(1_000)
  expect(bed.requests.filter(({ name }) => name === 'StatesByIds').map((request) => request.ids.length)).toEqual([
    25, 25, 10,
  ])
})

test('a device that fails there is reconciled with the rest', async () => {
  const { world, bed } = await openDisconnected(
    service([field], ({ name }) => (name === 'StatesByIds' ? new FaultError('query') : null)),
  )
  world.urgent.push('s/a/a1')
  bed.link('live')
  await world.clock.advance(1_000)
  expect(count(bed, 'StatesByIds')).toBe(1)
  expect(['a1', 'b1'].map(bed.statusOf)).toEqual(['connected', 'connected'])
  bed.link('waiting')
  bed.link('live')
  await world.clock.advance(1_000)
  expect(count(bed, 'StatesByIds')).toBe(1)
  expect(count(bed, 'States')).toBe(6)
})

test('another device in the answer is not believed', async () => {
  const { world, bed } = await openDisconnected(
    service([field], ({ name }) =>
      name === 'StatesByIds' ? { errors: [], data: { d0: { id: 'a2', connected: false } } } : null,
    ),
    async ({ name }) => (name === 'States' ? new Promise(() => {}) : undefined),
  )
  world.urgent.push('s/a/a1')
  bed.link('live')
  await world.clock.advance(1_000)
  expect(['a1', 'a2'].map(bed.statusOf)).toEqual(['unknown', 'unknown'])
})

test('a socket that opens during a sync does not wait for its last page', async () => {
  let held: Promise<void> | undefined
  const { world, bed } = await openDisconnected(service([field]), async ({ name }) =>
    name === 'Devices' ? held : undefined,
  )
  world.urgent.push('s/b/b2', 's/a/a1')
  held = new Promise(() => {})
  bed.sync.refresh(null)
  await world.clock.advance(1_000)
  expect(count(bed, 'Devices')).toBe(3)
  bed.link('live')
  await world.clock.advance(1_000)
  expect(count(bed, 'StatesByIds')).toBe(1)
  expect(['a1', 'a2', 'b2', 'b3'].map(bed.statusOf)).toEqual(['disconnected', 'unknown', 'disconnected', 'unknown'])
})

test('a hanging read delays the rest by five seconds', async () => {
  const { world, bed } = await openDisconnected(service([field]), async ({ name }) =>
    name === 'StatesByIds' ? new Promise(() => {}) : undefined,
  )
  world.urgent.push('s/a/a1')
  bed.link('live')
  await world.clock.advance(4_900)
  expect(count(bed, 'States')).toBe(0)
  await world.clock.advance(200)
  expect(count(bed, 'States')).toBe(3)
})

test.each([
  ['a moment’s failure', new FaultError('http', '', { status: 502, answerText: 'Bad gateway' }), true],
  [
    'a failure inside the service',
    new FaultError('query', '', { status: 200, answerText: 'Internal server error' }),
    true,
  ],
  [
    'a rejection of the document',
    new FaultError('query', '', { status: 400, answerText: 'Aliases are not allowed' }),
    false,
  ],
  ['a rejection without a message', new FaultError('http', '', { status: 400, answerText: '' }), false],
])('devices are read by their ids again after %s, or not', async (_why, fault, isRepeated) => {
  const { world, bed } = await openDisconnected(service([field], ({ name }) => (name === 'StatesByIds' ? fault : null)))
  world.urgent.push('s/a/a1')
  for (const _time of [1, 2]) {
    bed.link('live')
    await world.clock.advance(5_000)
    bed.link('waiting')
    await world.clock.advance(60_000)
  }
  expect(count(bed, 'StatesByIds') > 1).toBe(isRepeated)
})

test('a hidden schema keeps the former capabilities, and is requested again soon', async () => {
  let failing = false
  const answer = service([field])
  const bed = await openWorld(leftovers).connect('c1', (request) =>
    failing && request.name === 'Schema' ? new FaultError('http', '', { status: 502 }) : answer(request),
  )
  await bed.clock.advance(5_000)
  failing = true
  await bed.clock.advance(25 * 60 * 60_000)
  expect(bed.sync.statusCost(1)).not.toBeNull()
  const before = count(bed, 'Schema')
  await bed.clock.advance(60 * 60_000)
  expect(count(bed, 'Schema')).toBeGreaterThan(before)
})
