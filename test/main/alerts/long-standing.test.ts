import { afterEach, expect, test } from 'vitest'
import { longStandingOf } from '../../../src-main/alerts/long-standing.ts'
import { createLeftovers } from '../../support/estate.ts'
import { openWorld, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

const down = (it: World, offset = 0, limit = 10) => longStandingOf({
  data: { longStanding: async (input) => it.calls().longStanding(input) }, alerts: it.alerts(), settings: () => it.settings, clock: it.clock,
}, { offset, limit })
const namesOf = async (it: World) => (await down(it)).rows.map(({ name }) => name)

test('what was down before Muster first saw it is long-standing, and what drops afterwards is not', async () => {
  const it = await openWorld(leftovers, { acme: { berlin: { a: 10 } }, beta: { york: { a: 10 } } }, {}, undefined, ['berlin-a-1', 'york-a-2'])
  expect((await down(it)).rows).toMatchObject([
    { name: 'Studio berlin-a-1', tenant: 'Acme', site: 'Berlin', room: 'Room a', lastDetected: null, spare: false }, { name: 'Studio york-a-2', tenant: 'Beta', site: 'York' },
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

test('what Muster does not see is not long-standing, and is after it sees again', async () => {
  const it = await openWorld(leftovers, { acme: { berlin: { a: 10 } } }, {}, undefined, ['berlin-a-1'])
  await it.blind()
  expect((await down(it)).total).toBe(0)
  await it.see()
  expect((await down(it)).total).toBe(1)
})

test('spares stand behind the others: of a model on the list, in any case of letters', async () => {
  const it = await openWorld(leftovers, { acme: { berlin: { a: 10 } } }, {}, undefined, ['berlin-a-1', 'berlin-a-2'])
  expect(await down(it)).toMatchObject({ total: 2, spares: 0 })
  it.settings.spareModels = ['x50']
  expect(await down(it, 1, 1)).toMatchObject({ total: 2, spares: 2, rows: [{ spare: true }] })
})
