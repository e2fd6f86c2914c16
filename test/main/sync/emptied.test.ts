import { createLeftovers } from '../../support/fleet.ts'
import { type Answer, count, faultsOf, minute, openWorld, page, tenants } from './bed.ts'
import { afterEach, expect, test } from 'vitest'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const open = (answer?: Answer) => openWorld(leftovers).connect('one', answer)

const error = (message: string, path: (string | number)[] | null) => ({ message, code: null, path })

const rowOf = (bed: Awaited<ReturnType<typeof open>>, id: string) =>
  bed.calls.device({ key: `s/${id[0]}/${id}` }).device?.row

test('an empty page where there were devices is requested again before it is believed', async () => {
  let empties = 0
  const bed = await open(({ name, tenant }) =>
    empties > 0 && name === 'Devices' && tenant === 'b' ? ((empties -= 1), page([], null, [], 0)) : null,
  )
  await bed.clock.advance(1_000)
  empties = 1
  bed.sync.refresh(null)
  await bed.clock.advance(5_000)
  expect([bed.statusOf('b1'), faultsOf(bed)]).toEqual(['connected', []])
})

/** Tenant b lists nothing from now on, without an error. */
async function emptiedBed() {
  let empty = false
  const bed = await open(({ name, tenant }) =>
    empty && name === 'Devices' && tenant === 'b' ? page([], null, [], 0) : null,
  )
  await bed.clock.advance(1_000)
  empty = true
  bed.sync.refresh(null)
  await bed.clock.advance(5_000)
  return {
    bed,
    refill: () => {
      empty = false
    },
  }
}

test('an emptied tenant is a fault, stays unknown, and is retried ever more seldom', async () => {
  const { bed, refill } = await emptiedBed()
  const expected = [{ where: 'Berg', tenant: 'b', fault: { kind: 'emptied', detail: '2 devices were listed before' } }]
  expect([bed.statusOf('b1'), rowOf(bed, 'b1')?.connected, bed.statusOf('a1')]).toEqual(['unknown', true, 'connected'])
  expect(bed.sync.state().faults).toMatchObject(expected)
  const counts: number[] = []
  for (const _part of [1, 2, 3]) {
    const before = count(bed, 'Devices', 'b')
    await bed.clock.advance(10 * minute)
    counts.push(count(bed, 'Devices', 'b') - before)
  }
  expect([bed.statusOf('b1'), counts[0]]).toEqual(['unknown', counts.toSorted((a, b) => b - a)[0]])
  expect(counts[0]).toBeLessThanOrEqual(16)
  expect(counts.at(-1)).toBeGreaterThanOrEqual(2)
  expect(bed.sync.state().faults).toMatchObject(expected)
  refill()
  await bed.clock.advance(5 * minute)
  expect([bed.statusOf('b1'), faultsOf(bed)]).toEqual(['connected', []])
})

test('a list that is empty for an hour is believed, and is a fault until a refresh', async () => {
  const { bed } = await emptiedBed()
  await bed.clock.advance(58 * minute)
  expect(bed.statusOf('b1')).toBe('unknown')
  await bed.clock.advance(10 * minute)
  expect([rowOf(bed, 'b1'), faultsOf(bed)]).toEqual([undefined, [['Berg', 'emptied']]])
  await bed.clock.advance(60 * minute)
  expect(faultsOf(bed)).toEqual([['Berg', 'emptied']])
  bed.sync.refresh(null)
  await bed.clock.advance(5_000)
  expect(faultsOf(bed)).toEqual([])
})

test('a refresh confirms an empty list only after a minute of the fault', async () => {
  const { bed } = await emptiedBed()
  bed.sync.refresh(null)
  await bed.clock.advance(5_000)
  expect([bed.statusOf('b1'), faultsOf(bed)]).toEqual(['unknown', [['Berg', 'emptied']]])
  await bed.clock.advance(minute)
  bed.sync.refresh(new Set(['b']))
  await bed.clock.advance(5_000)
  expect([rowOf(bed, 'b1'), faultsOf(bed)]).toEqual([undefined, []])
})

test('an empty list of tenants removes none, and is confirmed as an empty tenant is', async () => {
  let empty = false
  const bed = await open(({ name }) => (empty && name === 'Tenants' ? tenants() : null))
  await bed.clock.advance(1_000)
  empty = true
  bed.sync.refresh(null)
  await bed.clock.advance(5_000)
  expect(bed.sync.state().faults).toMatchObject([
    { where: 'the list of tenants', fault: { kind: 'emptied', detail: '2 tenants with 4 devices were listed before' } },
  ])
  expect(bed.statusOf('a1')).toBe('connected')
  empty = false
  await bed.clock.advance(minute)
  expect([bed.statusOf('a1'), faultsOf(bed)]).toEqual(['connected', []])
  empty = true
  bed.sync.refresh(null)
  await bed.clock.advance(2 * minute)
  bed.sync.refresh(null)
  await bed.clock.advance(minute)
  expect([rowOf(bed, 'a1'), faultsOf(bed)]).toEqual([undefined, []])
})

test('an empty list of tenants is a fault while it is empty, and is requested again early', async () => {
  let empty = true
  const bed = await open(({ name }) => (empty && name === 'Tenants' ? tenants() : null))
  await bed.clock.advance(1_000)
  expect(faultsOf(bed)).toEqual([['the list of tenants', 'no-tenants']])
  await bed.clock.advance(6 * minute)
  expect(faultsOf(bed)).toEqual([['the list of tenants', 'no-tenants']])
  empty = false
  await bed.clock.advance(6 * minute)
  expect([bed.statusOf('a1'), faultsOf(bed)]).toEqual(['connected', []])
})

test('a withdrawn tenant is a fault with its devices until it is back or a refresh clears it', async () => {
  let withdrawn = false
  const bed = await open(({ name }) => (withdrawn && name === 'Tenants' ? tenants(['a', 'Acme']) : null))
  await bed.clock.advance(1_000)
  const expected = [
    { where: 'the list of tenants', fault: { kind: 'withdrawn', detail: '1 tenant (2 devices): Berg' } },
  ]
  const withdraw = async () => {
    withdrawn = true
    bed.sync.refresh(null)
    await bed.clock.advance(5_000)
    expect(rowOf(bed, 'b1')).toBeUndefined()
    expect(bed.sync.state().faults).toMatchObject(expected)
    await bed.clock.advance(40 * minute)
    expect(bed.sync.state().faults).toMatchObject(expected)
  }
  await withdraw()
  withdrawn = false
  await bed.clock.advance(31 * minute)
  expect([bed.statusOf('b1'), faultsOf(bed)]).toEqual(['connected', []])
  await withdraw()
  bed.sync.refresh(null)
  await bed.clock.advance(5_000)
  expect(faultsOf(bed)).toEqual([])
})

test('a null list of tenants beside an error removes none, and the error is shown', async () => {
  let broken = false
  const bed = await open(({ name }) =>
    broken && name === 'Tenants'
      ? { data: { tenants: null }, errors: [error('the directory is down', ['tenants'])] }
      : null,
  )
  await bed.clock.advance(1_000)
  broken = true
  bed.sync.refresh(null)
  await bed.clock.advance(1_000)
  expect(rowOf(bed, 'a1')?.connected).toBe(true)
  expect(bed.sync.state().faults).toMatchObject([{ fault: { kind: 'partial', detail: 'the directory is down' } }])
})
