import { afterEach, expect, test } from 'vitest'
import { longStandingOf, sparesOf } from '../../../src-main/incidents/service/long-standing.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

const down = (it: World, offset = 0, limit = 10) =>
  longStandingOf(
    {
      data: { longStanding: async (input) => it.calls().longStanding(input) },
      alerts: it.alerts(),
      clock: it.clock,
    },
    { offset, limit },
  )
const namesOf = async (it: World) => (await down(it)).rows.map(({ name }) => name)

test('devices down before Muster first saw them are long-standing, and later drops are not', async () => {
  const it = await openWorld(leftovers, { acme: { berlin: { a: 10 } }, beta: { york: { a: 10 } } }, {}, undefined, [
    'berlin-a-1',
    'york-a-2',
  ])
  expect((await down(it)).rows).toMatchObject([
    { name: 'Studio berlin-a-1', tenant: 'Acme', site: 'Berlin', room: 'Room a', lastDetected: null, spare: false },
    { name: 'Studio york-a-2', tenant: 'Beta', site: 'York' },
  ])
  await it.drop('berlin-a-3')
  await it.clock.advance(100)
  expect(await namesOf(it)).toEqual(['Studio berlin-a-1', 'Studio york-a-2'])
  await it.clock.advance(2 * minute)
  expect(await namesOf(it)).toEqual(['Studio berlin-a-1', 'Studio york-a-2'])
  await it.back('berlin-a-1')
  expect(await namesOf(it)).toEqual(['Studio york-a-2'])
  await it.drop('berlin-a-1')
  await it.clock.advance(100)
  expect(await namesOf(it)).toEqual(['Studio york-a-2'])
})

test('an unknown device is long-standing only after monitoring is restored', async () => {
  const it = await openWorld(leftovers, { acme: { berlin: { a: 10 } } }, {}, undefined, ['berlin-a-1'])
  await it.blind()
  expect((await down(it)).total).toBe(0)
  await it.see()
  expect((await down(it)).total).toBe(1)
})

test('spares come after the others, by model in any case of letters', async () => {
  const it = await openWorld(leftovers, { acme: { berlin: { a: 10 } } }, {}, undefined, ['berlin-a-1', 'berlin-a-2'])
  expect(await down(it)).toMatchObject({ total: 2, spares: 0 })
  it.calls().spares(sparesOf({ spareModels: ['x50'], spareDays: 0 }))
  expect(await down(it, 1, 1)).toMatchObject({ total: 2, spares: 2, rows: [{ spare: true }] })
})

test('spares are devices last seen longer ago than the days of the setting', async () => {
  const it = await openWorld(leftovers, { acme: { berlin: { a: 10 } } }, {}, undefined, [
    'berlin-a-1',
    'berlin-a-2',
    'berlin-a-3',
  ])
  const seen = (id: string, daysAgo: number) =>
    it.calls().reconciliation({
      service: 'test',
      tenant: 'acme',
      requestOrder: 1e6,
      at: it.clock.now(),
      devices: [{ id, connected: false, lastDetected: it.clock.now() - daysAgo * 24 * 60 * minute }],
    })
  seen('berlin-a-1', 31)
  seen('berlin-a-2', 29)
  const spares = async (spareDays: number) => {
    it.calls().spares(sparesOf({ spareModels: [], spareDays }))
    const { spares: count, rows } = await down(it)
    return [count, ...rows.filter(({ spare }) => spare).map(({ name }) => name)]
  }
  expect([await spares(30), await spares(32), await spares(0)]).toEqual([[1, 'Studio berlin-a-1'], [0], [0]])
  expect(await spares(28)).toEqual([2, 'Studio berlin-a-2', 'Studio berlin-a-1'])
  const filtered = (filter: string) =>
    it.calls().rows({ query: { scope: 'all', filter, sort: [] }, offset: 0, limit: 10, now: it.clock.now() }).total
  expect([filtered('connected:no spare:no'), filtered('connected:no spare:yes'), filtered('spare:no')]).toEqual([
    1, 2, 8,
  ])
  // Days pass, and nothing else happens.
  it.calls().spares(sparesOf({ spareModels: [], spareDays: 30 }))
  expect(filtered('spare:yes')).toBe(1)
  await it.clock.advance(24 * 60 * minute * 2)
  expect(filtered('spare:yes')).toBe(2)
})
