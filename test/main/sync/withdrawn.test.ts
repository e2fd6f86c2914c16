import { afterEach, expect, test } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'
import { manualClock } from '../../support/clock.ts'
import { count, faultsOf, minute, openWorld, tenants, type Answer } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const expected = [{ where: 'the list of tenants', fault: { kind: 'withdrawn', detail: '1 tenant (2 devices): Berg' } }]

/** One connection whose list names tenant b until the test withdraws it, over runs of Muster on one profile. */
function opened() {
  const clock = manualClock()
  const profile = temporaryProfile(leftovers)
  const service = { withdrawn: false, down: false }
  const answer: Answer = ({ name }) => {
    if (service.down) return new FaultError('connect')
    return service.withdrawn && name === 'Tenants' ? tenants(['a', 'Acme']) : null
  }
  const run = async () => {
    const world = openWorld(leftovers, clock, profile)
    const bed = await world.connect('one', answer)
    await clock.advance(2_000)
    const end = async () => {
      await bed.stop()
      world.close()
    }
    const refresh = async () => {
      bed.sync.refresh(null)
      await clock.advance(5_000)
    }
    return { world, bed, end, refresh }
  }
  return { clock, service, run }
}

test('a withdrawn tenant stays a fault after a restart, also while the service is unreachable', async () => {
  const { service, run } = opened()
  const first = await run()
  service.withdrawn = true
  await first.refresh()
  expect(first.bed.sync.state().faults).toMatchObject(expected)
  await first.end()
  service.down = true
  const second = await run()
  expect(second.bed.sync.state().faults).toMatchObject([...expected, { fault: { kind: 'connect' } }])
  service.down = false
  await second.refresh()
  expect(second.bed.sync.state().faults).toMatchObject(expected)
})

test('after a restart a refresh clears a withdrawn tenant for good, after a minute', async () => {
  const { clock, service, run } = opened()
  const first = await run()
  service.withdrawn = true
  await first.refresh()
  await first.end()
  const second = await run()
  await second.refresh()
  expect(second.bed.sync.state().faults).toMatchObject(expected)
  await clock.advance(minute)
  await second.refresh()
  expect(faultsOf(second.bed)).toEqual([])
  await second.end()
  expect(faultsOf((await run()).bed)).toEqual([])
})

test('a tenant that is back after a restart is no fault any more, nor after the next one', async () => {
  const { service, run } = opened()
  const first = await run()
  service.withdrawn = true
  await first.refresh()
  await first.end()
  service.withdrawn = false
  const second = await run()
  expect([faultsOf(second.bed), second.bed.statusOf('b1')]).toEqual([[], 'connected'])
  await second.end()
  service.down = true
  expect(faultsOf((await run()).bed)).toEqual([['the service', 'connect']])
})

test("a crash between the note and the tenant's removal has both after the next start", async () => {
  const { service, run } = opened()
  const first = await run()
  service.withdrawn = true
  first.world.disk.full = true
  await first.refresh()
  expect(first.world.calls.withdrawn({ connection: 'one' })).toEqual([{ key: 's/b', name: 'Berg', devices: 2 }])
  expect(first.bed.statusOf('b1')).toBeDefined()
  // Nothing of this run comes after this.
  first.world.close()
  const second = await run()
  expect(second.bed.sync.state().faults).toMatchObject(expected)
  expect(second.bed.statusOf('b1')).toBeUndefined()
})

test('erasing a connection erases what its list named before, not its present service', async () => {
  const { service, run } = opened()
  const { world, bed, refresh } = await run()
  bed.send('b1', false)
  service.withdrawn = true
  await refresh()
  const history = () => world.calls.alerts({ since: 0 }).recent.map(({ key }) => key)
  expect(history()).toEqual(['s/b/b1'])
  const reported = () => world.calls.withdrawn({ connection: 'one' }).map(({ key }) => key)
  world.calls.forget({ connection: 'one', keepHistory: { at: 9000 }, except: 's' })
  expect(reported()).toEqual(['s/b'])
  world.calls.forget({ connection: 'one', keepHistory: { at: 9000 }, except: 'other' })
  expect([reported(), history(), world.calls.connections(undefined)]).toEqual([[], ['s/b/b1'], []])
  world.calls.saveWithdrawn({ connection: 'one', tenants: [{ key: 's/b', name: 'Berg', devices: 2 }] })
  expect(world.calls.connections(undefined)).toEqual(['one'])
  world.calls.forget({ connection: 'one' })
  expect([reported(), history(), world.calls.connections(undefined)]).toEqual([[], [], []])
})

test('an empty list of tenants is requested again after two seconds, and not before', async () => {
  const clock = manualClock()
  let empty = false
  const bed = await openWorld(leftovers, clock).connect('one', ({ name }) =>
    empty && name === 'Tenants' ? tenants() : null,
  )
  await clock.advance(1_000)
  const before = count(bed, 'Tenants')
  empty = true
  bed.sync.refresh(null)
  await clock.advance(1_500)
  expect(count(bed, 'Tenants') - before).toBe(1)
  await clock.advance(1_000)
  expect(count(bed, 'Tenants') - before).toBe(2)
})
