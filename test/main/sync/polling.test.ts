import { afterEach, expect, test } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { createFreshness } from '../../../src-main/sync/link/freshness.ts'
import { createReader } from '../../../src-main/sync/reader/reader.ts'
import { manualClock } from '../../support/clock.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { count, minute, openWorld, type Answer, type Bed } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** The connection is lost, and three tries are in vain within a minute. */
async function lose(bed: Bed): Promise<void> {
  for (let left = 3; left > 0; left -= 1) {
    bed.link('waiting')
    await bed.clock.advance(10_000)
  }
}

const linkOf = ({ sync }: Bed) => sync.state().link
const statusesOf = (bed: Bed) => ['a1', 'b1'].map(bed.statusOf)

test('polling begins after three tries and a minute; until then all is unknown', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(10_000)
  const before = count(bed, 'States')
  await lose(bed)
  await bed.clock.advance(29_000)
  expect([linkOf(bed).state, statusesOf(bed), count(bed, 'States') - before]).toEqual([
    'waiting',
    ['unknown', 'unknown'],
    0,
  ])
  await bed.clock.advance(2_000)
  expect([linkOf(bed), statusesOf(bed)]).toMatchObject([
    { state: 'polling', failing: { kind: 'reset' } },
    ['connected', 'connected'],
  ])
  const readAt = bed.clock.now()
  await bed.clock.advance(10 * minute)
  const link = linkOf(bed)
  expect(link.state === 'polling' && (link.readAt ?? 0) > readAt + 9 * minute).toBe(true)
  bed.link('live')
  await bed.clock.advance(1_000)
  expect([linkOf(bed).state, bed.sync.state().faults, statusesOf(bed)]).toEqual([
    'live',
    [],
    ['connected', 'connected'],
  ])
})

test('a tenant whose next sync is overdue is unknown, and the others are not', async () => {
  let broken = false
  const answer: Answer = ({ name, tenant }) =>
    broken && name === 'States' && tenant === 'b' ? new FaultError('forbidden') : null
  const bed = await openWorld(leftovers).connect('c1', answer)
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  expect(statusesOf(bed)).toEqual(['connected', 'connected'])
  broken = true
  await bed.clock.advance(minute)
  expect(statusesOf(bed)).toEqual(['connected', 'connected'])
  await bed.clock.advance(3 * minute)
  expect(statusesOf(bed)).toEqual(['connected', 'unknown'])
  broken = false
  await bed.clock.advance(minute)
  expect(statusesOf(bed)).toEqual(['connected', 'connected'])
  broken = true
  await bed.clock.advance(5 * minute)
  expect(statusesOf(bed)).toEqual(['connected', 'unknown'])
})

test.each(['token', 'connect'] as const)('while polls fail as well (%s) no device is visible', async (kind) => {
  let down = false
  const bed = await openWorld(leftovers).connect('c1', () => (down ? new FaultError(kind) : null))
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  down = true
  await bed.clock.advance(minute)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['waiting', ['unknown', 'unknown']])
  expect(bed.sync.checks().find(({ check }) => check === 'link')?.state).toBe('doubt')
  down = false
  await bed.clock.advance(minute)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['polling', ['connected', 'connected']])
})

test('one failed try does not start polling, however long it takes', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(10_000)
  const before = count(bed, 'States')
  bed.link('waiting')
  await bed.clock.advance(3 * minute)
  expect([linkOf(bed).state, statusesOf(bed), count(bed, 'States') - before]).toEqual([
    'waiting',
    ['unknown', 'unknown'],
    0,
  ])
})

test('a connection lost right after taking over is polled at once, then must hold a minute', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  bed.link('live')
  await bed.clock.advance(5_000)
  expect(linkOf(bed).state).toBe('live')
  bed.link('waiting')
  await bed.clock.advance(0)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['polling', ['connected', 'connected']])
  bed.link('live')
  await bed.clock.advance(59_000)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['polling', ['connected', 'connected']])
  expect(linkOf(bed)).toMatchObject({ failing: { kind: 'reset' } })
  await bed.clock.advance(2_000)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['live', ['connected', 'connected']])
})

test('events until its loss are shown before the next sync', async () => {
  let held = Promise.resolve()
  const bed = await openWorld(leftovers).connect(
    'c1',
    () => null,
    () => held,
  )
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  bed.link('live')
  await bed.clock.advance(5_000)
  held = new Promise(() => {})
  bed.link('waiting')
  await bed.clock.advance(1_000)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['polling', ['connected', 'connected']])
})

test('a connection takes over when all is subscribed to, and not before', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  bed.coverage.isComplete = false
  bed.link('live')
  await bed.clock.advance(10_000)
  expect(linkOf(bed).state).toBe('polling')
  bed.coverage.isComplete = true
  bed.link('live')
  await bed.clock.advance(1_000)
  expect(linkOf(bed).state).toBe('live')
})

test('a connection that held for a minute has three tries and a minute again', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  bed.link('live')
  await bed.clock.advance(61_000)
  bed.link('waiting')
  await bed.clock.advance(30_000)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['waiting', ['unknown', 'unknown']])
})

/** Polling is on, and `answer` decides the reconciliations from then on. */
async function openPolled(answer: Answer, first: Answer = () => null) {
  let begun = false
  const bed = await openWorld(leftovers).connect('c1', (request) => (begun ? answer(request) : first(request)))
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  begun = true
  return bed
}

test('after a time without any answer, devices not read since are unknown', async () => {
  let down = true
  const bed = await openPolled(({ tenant }) =>
    down ? new FaultError('connect') : tenant === 'b' ? new FaultError('forbidden') : null,
  )
  for (let left = 90; left > 0 && bed.statusOf('a1') !== 'unknown'; left -= 1) await bed.clock.advance(1_000)
  expect(statusesOf(bed)).toEqual(['unknown', 'unknown'])
  down = false
  await bed.clock.advance(35_000)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['polling', ['connected', 'unknown']])
})

test('an unreachable tenant does not affect the reachable ones', async () => {
  const bed = await openPolled(({ name, tenant }) =>
    name === 'States' && tenant === 'a' ? new FaultError('connect') : null,
  )
  const seen = new Set<string>()
  for (let second = 0; second < 120; second += 1) {
    await bed.clock.advance(1_000)
    seen.add(`${linkOf(bed).state} ${bed.statusOf('b1')}`)
  }
  expect([...seen]).toEqual(['polling connected'])
})

test('where each tenant is rejected, the service is there, and syncs go on', async () => {
  const bed = await openPolled(({ name }) => (name === 'States' ? new FaultError('forbidden') : null))
  await bed.clock.advance(90_000)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['polling', ['connected', 'connected']])
})

test('the age of the polls is shown once each tenant was read', async () => {
  let broken = true
  const answer: Answer = ({ name, tenant }) =>
    broken && name !== 'Tenants' && tenant === 'b' ? new FaultError('forbidden') : null
  const bed = await openPolled(answer, answer)
  expect(linkOf(bed)).toMatchObject({ state: 'polling' })
  expect(linkOf(bed)).not.toHaveProperty('readAt')
  broken = false
  await bed.clock.advance(10 * minute)
  expect(linkOf(bed)).toHaveProperty('readAt')
})

test('one try is enough to poll after a minute when the service asks to wait for longer', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(10_000)
  bed.link('waiting', 5 * minute)
  await bed.clock.advance(59_000)
  expect(linkOf(bed).state).toBe('waiting')
  await bed.clock.advance(2_000)
  expect([linkOf(bed).state, statusesOf(bed)]).toEqual(['polling', ['connected', 'connected']])
})

test('an overdue sync is detected without computing the period anew', async () => {
  const bed = await openWorld(leftovers).connect('c1')
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  const [polls, intervals, from] = [count(bed, 'States'), bed.intervalCount(), bed.clock.now()]
  await bed.clock.advance(10 * minute)
  // Each sync is of two tenants, and computes the interval once; it is checked twice for each sync.
  const [more, times] = [(count(bed, 'States') - polls) / 2, bed.intervalCount() - intervals]
  expect([more >= 10, bed.clock.now() - from]).toEqual([true, 10 * minute])
  expect(times / more).toBeLessThanOrEqual(2)
})

test('while no poll is answered the check of the link says since when', async () => {
  let down = false
  const bed = await openWorld(leftovers).connect('c1', () => (down ? new FaultError('connect') : null))
  await bed.clock.advance(10_000)
  await lose(bed)
  await bed.clock.advance(minute)
  const checkOfLink = () => bed.sync.checks().find(({ check }) => check === 'link')
  expect(checkOfLink()).toMatchObject({ state: 'ok', since: null })
  const downAt = bed.clock.now()
  down = true
  await bed.clock.advance(5 * minute)
  const failing = checkOfLink()
  expect([failing?.state, (failing?.since ?? 0) > downAt]).toEqual(['doubt', true])
  down = false
  await bed.clock.advance(2 * minute)
  expect(checkOfLink()).toMatchObject({ state: 'ok', since: null })
})

/** The freshness of one tenant, whose interval (ms) a test may change, and the overdue tenants that it reports. */
function tracked() {
  const clock = manualClock()
  const overdue: string[] = []
  const interval = { ms: 30_000 }
  const reader = {
    ...createReader({
      clock,
      member: { reads: () => true, readAt: () => null },
      lastSyncAt: null,
      onProgress: () => {},
    }),
    ownTenants: () => [{ id: 'a', name: 'Acme', expected: 1 }],
  }
  const freshness = createFreshness({
    clock,
    refreshMs: () => 30 * minute,
    reader,
    requests: { add: () => {} },
    intervalMs: () => interval.ms,
    isNeeded: () => true,
    onOverdue: (tenant) => overdue.push(tenant),
  })
  return { clock, overdue, interval, freshness }
}

test('an overdue tenant is reported once, and again only after it was read', () => {
  const { clock, overdue, freshness } = tracked()
  freshness.checkOverdue(clock.now() - 2 * minute)
  expect(overdue).toEqual([])
  freshness.checkOverdue(clock.now() - 2 * minute - 1)
  freshness.checkOverdue(clock.now() - 2 * minute - 1)
  expect(overdue).toEqual(['a'])
  freshness.begun('a')
  freshness.read('a')
  freshness.checkOverdue(clock.now() - 3 * minute)
  expect(overdue).toEqual(['a'])
})

test('after the list has changed a tenant is overdue by the interval that is computed anew', () => {
  const { clock, overdue, interval, freshness } = tracked()
  freshness.checkOverdue(clock.now())
  interval.ms = 5 * minute
  freshness.forgetInterval()
  freshness.checkOverdue(clock.now() - 11 * minute)
  expect(overdue).toEqual([])
  freshness.checkOverdue(clock.now() - 11 * minute - 1)
  expect(overdue).toEqual(['a'])
})
