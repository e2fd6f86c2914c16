import { afterEach, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { count, faultsOf, minute, openWorld, page, type Answer, type Bed } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const transitionsOf = (bed: Bed, id: string) => bed.calls.device({ key: `s/${id[0]}/${id}` }).device?.transitions ?? []
const partlyOf = (bed: Bed) => {
  const { link } = bed.sync.state()
  return link.state === 'live' ? link.partly : null
}

test('devices without a subscription are polled, and each tenant says how many and why', async () => {
  let down = ''
  const answer: Answer = ({ name, tenant }) =>
    name === 'States' && tenant === 'b'
      ? {
          ...page(
            ['b1', 'b2'].filter((id) => id !== down),
            null,
          ),
          ...(down === '' ? {} : gone(down)),
        }
      : null
  const bed = await openWorld(leftovers).connect('c1', answer)
  await bed.clock.advance(10_000)
  bed.park('resource mapping failed', 'b1', 'b2')
  expect([bed.statusOf('b1'), bed.statusOf('a1')]).toEqual(['unknown', 'connected'])
  await bed.clock.advance(10_000)
  expect([bed.statusOf('b1'), partlyOf(bed)]).toEqual(['connected', { live: 2, of: 4 }])
  expect(bed.sync.state().faults).toMatchObject([
    { where: 'Berg', fault: { kind: 'not-live', detail: '2 of 2 devices: resource mapping failed' } },
  ])
  expect(bed.sync.checks()[0]).toMatchObject({
    state: 'ok',
    detail: 'The live connection covers 2 of 4 devices. The others are polled.',
  })
  const [before, ofOther] = [count(bed, 'States', 'b'), count(bed, 'States', 'a')]
  await bed.clock.advance(5 * minute)
  expect(count(bed, 'States', 'b') - before).toBeGreaterThanOrEqual(8)
  expect(count(bed, 'States', 'b') - before).toBeLessThanOrEqual(10)
  expect(count(bed, 'States', 'a')).toBe(ofOther)
  down = 'b1'
  const lastRead = bed.clock.now()
  await bed.clock.advance(minute)
  expect(bed.statusOf('b1')).toBe('disconnected')
  const [missed] = transitionsOf(bed, 'b1')
  // No event reported it: it is proven up to a sync, and not to what the live connection proves of others.
  expect(lastRead - (missed?.notBefore ?? 0)).toBeGreaterThanOrEqual(0)
  expect(lastRead - (missed?.notBefore ?? 0)).toBeLessThanOrEqual(31_000)
})

test('a device that is subscribed to after all is read once more, and its fault is gone', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(10_000)
  bed.park('at most 2 ids', 'b1')
  await bed.clock.advance(minute)
  bed.park('')
  await bed.clock.advance(minute)
  expect([faultsOf(bed), partlyOf(bed)]).toEqual([[], undefined])
  const before = count(bed, 'States')
  await bed.clock.advance(10 * minute)
  expect(count(bed, 'States')).toBe(before)
})

/** Two devices, of which one is offline. */
function gone(id: string) {
  const edges = ['b1', 'b2'].map((each) => ({ node: { id: each, name: each, connected: each !== id } }))
  return {
    data: {
      tenant: {
        inventory: { deviceSearch: { edges, pageInfo: { totalCount: null, nextToken: null, hasNextPage: false } } },
      },
    },
  }
}
