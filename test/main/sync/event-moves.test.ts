import { afterEach, expect, test } from 'vitest'
import type { Reply } from '../../../src-main/api/client.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { faultsOf, minute, openWorld, tenants, type Answer, type Bed } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const byId = { name: 'device', args: [{ name: 'id', type: { kind: 'SCALAR', name: 'ID' } }] }
const north = { id: 's1', name: 'North' }
const south = { id: 's2', name: 'South' }
const room = (id: string) => ({ id, name: `Room ${id}` })
type Where = { site: typeof north | null; room: ReturnType<typeof room> | null }
const first: Where = { site: north, room: room('r1') }
const second: Where = { site: south, room: room('r2') }

/** Acme has a1 in North and a2 in South. `truth`: where the service says that a device is when it is read by its id. */
async function setup({ offersIds = true }: { offersIds?: boolean } = {}) {
  const truth = new Map<string, Where>([
    ['a1', first],
    ['a2', second],
  ])
  const node = (id: string) => ({ id, name: id, connected: true, lastDetected: null, ...truth.get(id) })
  const listed = (...ids: string[]): Reply => ({
    errors: [],
    data: {
      tenant: {
        inventory: { deviceSearch: { edges: ids.map((id) => ({ node: node(id) })), pageInfo: { nextToken: null } } },
      },
    },
  })
  const answer: Answer = ({ name, ids, tenant }) => {
    if (name === 'Tenants') return tenants(['a', 'Acme'], ['b', 'Berg'])
    if (name === 'Schema')
      return {
        errors: [],
        data: { root: { queryType: { fields: offersIds ? [byId] : [] } }, params: { inputFields: [] } },
      }
    if (name === 'PlacesByIds')
      return { errors: [], data: Object.fromEntries(ids.map((id, at) => [`d${at}`, node(id)])) }
    return tenant === 'a' ? listed('a1', 'a2') : listed('b1')
  }
  const world = openWorld(leftovers)
  const bed = await world.connect('c1', answer)
  await world.clock.advance(minute)
  bed.requests.length = 0
  const send = async (payload: Record<string, unknown>, ms = 900) => {
    bed.sendPayload({ id: 'a1', tenantId: 'a', name: 'a1', connected: true, ...payload })
    await world.clock.advance(ms)
  }
  return { world, bed, truth, send }
}

function placeOf(bed: Bed, id = 'a1') {
  const row = bed.calls.device({ key: `s/a/${id}` }).device?.row
  return [row?.site?.name ?? null, row?.room?.name ?? null]
}
const readsIn = ({ requests }: Bed) => requests.filter(({ name }) => name === 'PlacesByIds').length

test('a known room of a known site is a move, without a request', async () => {
  const { bed, send } = await setup()
  await send({ siteId: 's2', roomId: 'r2' })
  expect([placeOf(bed), bed.requests]).toEqual([['South', 'Room r2'], []])
})

test('an event with the names of site and room moves to a place that was unknown', async () => {
  const { bed, send } = await setup()
  await send({ site: { id: 's9', name: 'West' }, room: { id: 'r9', name: 'Attic' } })
  expect([placeOf(bed), bed.requests]).toEqual([['West', 'Attic'], []])
})

test.each([
  ['ids of an unknown room', { siteId: 's2', roomId: 'r7' }],
  ['ids of nothing', { siteId: 'x', roomId: 'y' }],
  ['null for both', { siteId: null, roomId: null }],
  ['another site without a room', { siteId: 's2', roomId: null }],
  ['another site alone', { siteId: 's2' }],
  ['another room alone', { roomId: 'r2' }],
  ['a known room of another site', { siteId: 's1', roomId: 'r2' }],
])('%s: the device is read by its id within a second, and stands where it is', async (_what, place) => {
  const { bed, truth, send } = await setup()
  truth.set('a1', { site: south, room: room('r7') })
  await send(place)
  expect([placeOf(bed), readsIn(bed)]).toEqual([['South', 'Room r7'], 1])
})

test('a device that has left its place for none stands under none once it is read', async () => {
  const { bed, truth, send } = await setup()
  truth.set('a1', { site: null, room: null })
  await send({ siteId: null, roomId: null })
  expect(placeOf(bed)).toEqual([null, null])
})

test('a null moves no device where the service offers none by its id', async () => {
  const { bed, send } = await setup({ offersIds: false })
  await send({ siteId: null, roomId: null, connected: false })
  expect([placeOf(bed), bed.statusOf('a1'), bed.requests]).toEqual([['North', 'Room r1'], 'disconnected', []])
})

test('a service that always sends nulls is read less and less often', async () => {
  const { bed, send } = await setup()
  for (let at = 0; at < 120; at += 1) await send({ siteId: null, roomId: null, connected: at % 2 === 0 }, 30_000)
  expect([placeOf(bed), readsIn(bed) <= 8, readsIn(bed) >= 3]).toEqual([['North', 'Room r1'], true, true])
})

test('the present place in an event is no move and no request', async () => {
  const { bed, send } = await setup()
  await send({ siteId: 's1', roomId: 'r1', connected: false })
  await send({ siteId: 's1', connected: true })
  await send({ roomId: 'r1', connected: false })
  expect([placeOf(bed), bed.requests]).toEqual([['North', 'Room r1'], []])
})

test('two events: the later one counts, and a move back is one', async () => {
  const { bed, send } = await setup()
  bed.sendPayload({ id: 'a1', tenantId: 'a', name: 'a1', connected: true, siteId: 's2', roomId: 'r2' })
  await send({ siteId: 's1', roomId: 'r1' })
  expect(placeOf(bed)).toEqual(['North', 'Room r1'])
  await send({ siteId: 's2', roomId: 'r2' })
  expect(placeOf(bed)).toEqual(['South', 'Room r2'])
})

test('another tenant in an event moves nothing: it is a fault, and both tenants are compared', async () => {
  const { bed, send } = await setup()
  await send({ tenantId: 'b', siteId: 's2', roomId: 'r2', connected: false }, 3_000)
  const compared = bed.requests.filter(({ name }) => name === 'States').map(({ tenant }) => tenant)
  expect([placeOf(bed), faultsOf(bed), compared.toSorted()]).toEqual([
    ['North', 'Room r1'],
    [['the live connection', 'foreign']],
    ['a', 'b'],
  ])
})
