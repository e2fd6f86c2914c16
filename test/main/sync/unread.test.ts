import { afterEach, describe, expect, test } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { count, faultsOf, minute, openWorld, page, type Answer, type Bed } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function open(answer?: Answer): Promise<Bed> {
  const bed = await openWorld(leftovers).connect('one', answer)
  await bed.clock.advance(minute)
  bed.requests.length = 0
  return bed
}
const compared = (bed: Bed) => ['a', 'b'].map((tenant) => count(bed, 'States', tenant))

describe('events that cannot be read', () => {
  test('a thousand of them cost one reconciliation', async () => {
    const bed = await open()
    for (let sent = 0; sent < 1_000; sent += 1) bed.sendPayload(`event ${sent}`)
    await bed.clock.advance(20_000)
    expect([compared(bed), bed.requests.length]).toEqual([[1, 1], 2])
  })

  test('that go on cost ever fewer: eight reconciliations in an hour', async () => {
    const bed = await open()
    for (let second = 0; second < 3_600; second += 1) {
      bed.sendPayload({ novelty: true })
      await bed.clock.advance(1_000)
    }
    expect(count(bed, 'States', 'a')).toBeLessThanOrEqual(8)
    expect(count(bed, 'States', 'a')).toBeGreaterThanOrEqual(5)
  })

  test('that come again after hours are reconciled as soon as the first ones were', async () => {
    const bed = await open()
    for (let second = 0; second < 600; second += 1) {
      bed.sendPayload({ novelty: true })
      await bed.clock.advance(1_000)
    }
    await bed.clock.advance(3 * 60 * minute)
    for (const _again of [1, 2]) {
      const before = count(bed, 'States', 'a')
      bed.sendPayload({ novelty: true })
      await bed.clock.advance(40_000)
      expect(count(bed, 'States', 'a') - before).toBe(1)
    }
  })

  test('of a tenant with an unknown device cause a full sync', async () => {
    const bed = await open(({ name, tenant }) =>
      name === 'States' && tenant === 'b' ? page(['b1', 'b2', 'b3'], null) : null,
    )
    bed.sendPayload({ tenantId: 'b' })
    await bed.clock.advance(20_000)
    expect(count(bed, 'Devices', 'b')).toBe(1)
  })

  test('that name their tenant cost a reconciliation of that one, however many there are', async () => {
    const bed = await open(({ name, tenant }) =>
      name === 'States' && tenant === 'b'
        ? JSON.parse(JSON.stringify(page(['b1', 'b2'], null)).replace('true', 'false'))
        : null,
    )
    for (let sent = 0; sent < 1_000; sent += 1) bed.sendPayload({ id: null, tenantId: 'b', connected: false })
    await bed.clock.advance(20_000)
    expect([compared(bed), bed.statusOf('b1'), bed.statusOf('b2')]).toEqual([[0, 1], 'disconnected', 'connected'])
  })

  test('of which one names no tenant cause a reconciliation of all', async () => {
    const bed = await open()
    for (const payload of [{ tenantId: 'b' }, { tenantId: null }, { tenantId: 'a' }]) bed.sendPayload(payload)
    await bed.clock.advance(20_000)
    expect(compared(bed)).toEqual([1, 1])
  })

  test('of a tenant that this connection does not list are ignored, with a fault', async () => {
    const bed = await open()
    bed.sendPayload({ tenantId: 'z' })
    await bed.clock.advance(20_000)
    expect([compared(bed), faultsOf(bed)]).toEqual([[0, 0], [['the live connection', 'foreign']]])
  })

  test('whose reconciliation fails cause one of all as usual', async () => {
    let failing = true
    const bed = await open(({ name }) => {
      if (name !== 'States' || !failing) return null
      failing = false
      return new FaultError('forbidden')
    })
    bed.sendPayload({ tenantId: 'b' })
    await bed.clock.advance(20_000)
    expect(compared(bed)).toEqual([1, 2])
  })
})

test.each([
  ['in it', { tenantId: 'b', device: { id: 'b1', connected: false } }],
  ['in it, as a node', { node: { id: 'b1', tenantId: 'b', connected: false } }],
  ['under the name of its id', { deviceId: 'b1', tenantId: 'b', connected: false }],
])('an event that has its device %s is read, and costs nothing', async (_where, payload) => {
  const bed = await open()
  bed.sendPayload(payload)
  await bed.clock.advance(20_000)
  expect([bed.statusOf('b1'), bed.requests.length]).toEqual(['disconnected', 0])
})
