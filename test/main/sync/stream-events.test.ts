import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { count, faultsOf, minute, openWorld, page, tenants, type Answer, type Bed } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const list =
  (...own: string[]): Answer =>
  ({ name }) =>
    name === 'Tenants' ? tenants(...own.map((id): [string, string] => [id, id])) : null
const rowOf = (bed: Bed, id: string) => bed.calls.device({ key: `s/${id[0]}/${id}` }).device?.row
const transitionsOf = (bed: Bed, id: string) => bed.calls.device({ key: `s/${id[0]}/${id}` }).device?.transitions

describe('an event counts for the tenants and devices of its connection', () => {
  test("another connection's tenant of the same service is not touched, with a fault", async () => {
    const world = openWorld(leftovers)
    const [acme, berg] = [await world.connect('c1', list('a')), await world.connect('c2', list('b'))]
    await world.clock.advance(1_000)
    berg.send('a1', false)
    berg.sendPayload({ id: 'a1', connected: false })
    await world.clock.advance(1_000)
    expect([acme.statusOf('a1'), transitionsOf(acme, 'a1'), faultsOf(berg), faultsOf(acme)]).toEqual([
      'connected',
      [],
      [['the live connection', 'foreign']],
      [],
    ])
    acme.send('a1', false)
    await world.clock.advance(1_000)
    expect(acme.statusOf('a1')).toBe('disconnected')
  })

  test('events of unsubscribed devices and of wrong tenants are ignored', async () => {
    const bed = await openWorld(leftovers).connect('c1')
    await bed.clock.advance(1_000)
    bed.sendPayload({ id: 'a1', tenantId: 'b', connected: false })
    bed.sendPayload({ id: 'a9', tenantId: 'a', connected: false })
    await bed.clock.advance(1_000)
    expect([bed.statusOf('a1'), bed.statusOf('a9'), faultsOf(bed)]).toEqual([
      'connected',
      undefined,
      [['the live connection', 'foreign']],
    ])
    bed.link('waiting')
    bed.link('live')
    expect(faultsOf(bed)).toEqual([])
  })

  test('an id that two tenants have, without its tenant, is reconciled and not guessed', async () => {
    let truth = true
    const both: Answer = ({ name, tenant }) =>
      tenant === ''
        ? null
        : {
            ...page(['x'], null),
            data: {
              tenant: {
                inventory: {
                  deviceSearch: {
                    edges: [{ node: { id: 'x', name: 'x', connected: tenant === 'a' || truth } }],
                    pageInfo: { nextToken: null },
                  },
                },
              },
            },
            name,
          }
    const bed = await openWorld(leftovers).connect('c1', both)
    await bed.clock.advance(10_000)
    const statuses = () => ['a', 'b'].map((tenant) => bed.calls.device({ key: `s/${tenant}/x` }).device?.row.status)
    expect(statuses()).toEqual(['connected', 'connected'])
    const before = count(bed, 'States')
    truth = false
    bed.sendPayload({ id: 'x', connected: false })
    await bed.clock.advance(minute)
    expect([statuses(), count(bed, 'States') > before]).toEqual([['connected', 'disconnected'], true])
    bed.sendPayload({ id: 'x', tenantId: 'a', connected: false })
    await bed.clock.advance(1_000)
    expect(statuses()).toEqual(['disconnected', 'disconnected'])
  })
})

describe('each field of an event has its own age', () => {
  test('a null is unknown and no transition; the same state after it is none either', async () => {
    const bed = await openWorld(leftovers).connect('c1')
    await bed.clock.advance(1_000)
    bed.sendPayload({ id: 'a1', tenantId: 'a', connected: null })
    await bed.clock.advance(1_000)
    expect([rowOf(bed, 'a1')?.connected, bed.statusOf('a1'), transitionsOf(bed, 'a1')]).toEqual([null, 'unknown', []])
    bed.send('a1', true)
    await bed.clock.advance(1_000)
    expect([bed.statusOf('a1'), transitionsOf(bed, 'a1')]).toEqual(['connected', []])
  })

  test('a name changes the name, and not the age of the state', async () => {
    const bed = await openWorld(leftovers).connect('c1')
    await bed.clock.advance(1_000)
    const before = rowOf(bed, 'a1')
    await bed.clock.advance(minute)
    bed.sendPayload({ id: 'a1', tenantId: null, name: 'Lobby', connected: null })
    await bed.clock.advance(1_000)
    expect(rowOf(bed, 'a1')).toMatchObject({ name: 'Lobby', status: 'connected', seenAt: before?.seenAt })
  })

  test('a name does not make an unknown state known', async () => {
    const bed = await openWorld(leftovers).connect('c1')
    await bed.clock.advance(1_000)
    bed.calls.subscriptionLost({ service: 's', connection: 'c1', ids: ['a1'], at: bed.clock.now() })
    bed.sendPayload({ id: 'a1', tenantId: 'a', name: 'Lobby' })
    await bed.clock.advance(1_000)
    expect([rowOf(bed, 'a1')?.name, bed.statusOf('a1')]).toEqual(['Lobby', 'unknown'])
  })

  test.each([
    [0, 'disconnected'],
    ['0', 'disconnected'],
    ['OFFLINE', 'disconnected'],
    ['False', 'disconnected'],
    [1, 'connected'],
    ['Connected', 'connected'],
    ['perhaps', 'unknown'],
    [{}, 'unknown'],
  ])('connected: %j is %s', async (connected, status) => {
    const bed = await openWorld(leftovers).connect('c1')
    await bed.clock.advance(1_000)
    bed.sendPayload({ id: 'a1', tenantId: 'a', connected })
    await bed.clock.advance(1_000)
    expect(bed.statusOf('a1')).toBe(status)
  })
})

test('the same event twice is one transition, and an event without a state is none', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(1_000)
  bed.send('a1', false)
  bed.send('a1', false)
  for (const payload of [null, [], 'x', 7, {}, { id: '' }, { id: 'a1' }]) bed.sendPayload(payload)
  await bed.clock.advance(1_000)
  expect([bed.statusOf('a1'), transitionsOf(bed, 'a1')?.length]).toEqual(['disconnected', 1])
})

test('of a thousand events in a millisecond the state is passed on once, then with the next', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(1_000)
  const before = bed.changes()
  for (let at = 0; at < 1_000; at += 1) bed.send('a1', at % 2 === 0)
  expect([bed.changes() - before, bed.sync.state().lastEventAt]).toEqual([1, bed.clock.now()])
  await bed.clock.advance(1)
  bed.send('a1', false)
  expect([bed.changes() - before, bed.sync.state().lastEventAt]).toEqual([2, bed.clock.now()])
})
