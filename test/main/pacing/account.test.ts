import { expect, test } from 'vitest'
import { openAccount } from '../../../src-main/pacing/balance/account.ts'
import type { CostReport } from '../../../src-main/pacing/balance/ledger.ts'
import { createCosts } from '../../../src-main/pacing/cost/costs.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import { manualClock } from '../../support/clock.ts'

const nothing: CostReport = { source: null, cost: null, limit: null, remaining: null, resetIn: null }

function setup() {
  const clock = manualClock()
  const costs = createCosts()
  const account = openAccount(clock, costs)
  const begin = (name = 'Devices', lane: Lane = 'background') =>
    account.begin({ name, lane, size: 1, shape: { key: name, once: 10, each: 0 } })
  const report = (cost: number, remaining: number, reset = 20): CostReport => ({
    source: 'headers',
    cost,
    limit: 100_000,
    remaining,
    resetIn: reset * 1000,
  })
  const spend = (cost: number, remaining: number, more: { name?: string; lane?: Lane; reset?: number } = {}) =>
    begin(more.name, more.lane).answered(report(cost, remaining, more.reset), false)
  return { clock, costs, account, begin, report, spend }
}

test("the service's last balance is kept apart from what was estimated since", async () => {
  const { clock, account, begin, spend } = setup()
  expect(account.gauge().reported).toBeUndefined()
  spend(10, 22_639)
  const reported = { remaining: 22_639, at: clock.now(), resetAt: clock.now() + 21_000 }
  expect(account.gauge()).toMatchObject({ remaining: 22_639, reported })
  await clock.advance(10_000)
  begin().answered({ ...nothing, source: 'headers', cost: 100 }, false)
  expect(account.gauge()).toMatchObject({ remaining: 22_539, reported })
  await clock.advance(30_000)
  expect(account.gauge()).toMatchObject({ remaining: 100_000, reported })
})

test('spent points are listed by lane and operation, and cleared with the rate window', async () => {
  const { clock, account, spend } = setup()
  spend(20, 99_980, { name: 'Tenants', lane: 'visible' })
  spend(4_000, 95_980)
  spend(4_000, 91_980)
  expect(account.gauge()).toMatchObject({
    burned: { person: 0, reconcile: 0, visible: 20, background: 8_000 },
    activities: [
      { name: 'Devices', lane: 'background', points: 8_000, count: 2 },
      { name: 'Tenants', lane: 'visible', points: 20, count: 1 },
    ],
    recent: [{ name: 'Devices', cost: 4_000 }, { name: 'Devices' }, { name: 'Tenants' }],
  })
  await clock.advance(21_000)
  expect(account.gauge()).toMatchObject({ burned: { visible: 0, background: 0 }, activities: [] })
})

test('points of open operations stay reserved until answered, lost ones until a later answer', async () => {
  const { clock, account, begin, report, spend } = setup()
  const [first, second, third] = [begin(), begin(), begin()]
  expect(account.inFlight()).toBe(30)
  first.lost(false)
  expect(account.inFlight()).toBe(20)
  await clock.advance(100)
  second.lost(true)
  expect(account.inFlight()).toBe(20)
  // It was sent before the loss: what it tells may not hold it.
  third.answered(report(10, 90_000), false)
  expect(account.inFlight()).toBe(10)
  await clock.advance(100)
  spend(10, 89_980)
  expect(account.inFlight()).toBe(0)
})

test('a rejected operation is not charged: its cost is learned, and nothing is deducted', () => {
  const { account, costs, begin, report, spend } = setup()
  spend(10, 500)
  begin('Dear').rejected({ ...report(900, 500) }, null)
  expect(account.gauge()).toMatchObject({ remaining: 500, burned: { background: 10 }, rejections: { count: 1 } })
  expect(costs.quote({ key: 'Dear', once: 1, each: 1 }, 1).likely).toBe(900)
  begin('Monster').tooExpensive(report(14_000, 500))
  expect(account.gauge()).toMatchObject({ remaining: 500, burned: { background: 10 }, rejections: { count: 1 } })
  expect(costs.quote({ key: 'Monster', once: 1, each: 1 }, 1).likely).toBe(14_000)
})

test('an answer of the previous rate window after the reset is no part of the new one', async () => {
  const { clock, account, begin, report, spend } = setup()
  spend(10, 5_000, { reset: 2 })
  const late = begin()
  await clock.advance(4_000)
  spend(10, 99_990, { reset: 59 })
  late.answered(report(4_000, 1_000, 2), false)
  expect(account.gauge()).toMatchObject({ remaining: 99_990, burned: { background: 10 } })
})

test('costs come from headers, else from the field, else there is no source', () => {
  const { account, begin, spend } = setup()
  expect(account.gauge()).toMatchObject({ basis: 'guess' })
  begin().answered(nothing, false)
  expect([account.costSource(), account.shouldAskCost()]).toEqual(['field', true])
  begin().answered(nothing, true)
  expect(account.costSource()).toBe('field')
  begin().answered(nothing, true)
  expect([account.costSource(), account.shouldAskCost()]).toEqual(['none', false])
  expect(account.gauge()).toMatchObject({ basis: 'guess', known: false })
  spend(10, 99_000)
  expect(account.costSource()).toBe('headers')
  begin().answered(nothing, false)
  begin().answered({ source: 'field', cost: 5, limit: 100_000, remaining: 98_000, resetIn: 10_000 }, true)
  expect(account.gauge()).toMatchObject({ basis: 'field', known: true })
})

test('a silent service is asked again now and then', () => {
  const { account, begin } = setup()
  begin().answered(nothing, true)
  begin().answered(nothing, true)
  const asked = Array.from({ length: 300 }, () => {
    const shouldAskCost = account.shouldAskCost()
    begin().answered(nothing, shouldAskCost)
    return shouldAskCost
  })
  expect(asked.filter(Boolean)).toHaveLength(3)
})

test('a cost that the service does not report is taken as expected', () => {
  const { account, begin } = setup()
  begin().answered(nothing, false)
  begin().answered(nothing, true)
  expect(account.gauge()).toMatchObject({ remaining: 99_980, burned: { background: 20 } })
})

test('a service that reports its balance, but no costs, is not taken for another client', () => {
  const { account, begin } = setup()
  for (let left = 99_990; left > 99_900; left -= 10)
    begin().answered({ source: null, cost: null, limit: 100_000, remaining: left, resetIn: 30_000 }, false)
  expect(account.gauge()).toMatchObject({ others: 0, burned: { background: 90 } })
})

test('points that may have been charged without an answer are not taken for another client', async () => {
  const { clock, account, begin, report, spend } = setup()
  spend(10, 99_990)
  const lost = account.begin({
    name: 'Devices',
    lane: 'background',
    size: 1,
    shape: { key: 'Large', once: 3_000, each: 0 },
  })
  await clock.advance(100)
  lost.lost(true)
  await clock.advance(100)
  begin().answered(report(10, 96_980), false)
  expect(account.others.used()).toBe(0)
})

test('other clients are noticed by points that Muster did not spend since its first balance', async () => {
  const { clock, account, begin, report, spend } = setup()
  spend(10, 60_000)
  expect(account.others.used()).toBe(0)
  const onItsWay = begin('Large')
  await clock.advance(1_000)
  spend(10, 59_980)
  expect(account.others.used()).toBe(0)
  onItsWay.answered(report(5_000, 54_980), false)
  expect(account.others.used()).toBe(0)
  spend(10, 50_000)
  expect(account.others.used()).toBe(4_980)
  expect(account.gauge().others).toBe(4_980)
})

test('an answer that mixes the old balance with the new reset makes no other client', async () => {
  const { clock, account, begin, report, spend } = setup()
  spend(10, 20_000, { reset: 2 })
  const late = begin()
  await clock.advance(4_000)
  spend(10, 99_990, { reset: 59 })
  await clock.advance(5_000)
  late.answered(report(4_000, 18_915, 54), false)
  expect(account.others.used()).toBe(0)
})

test('usage of other clients is expected again, and forgotten when they stop', async () => {
  const { clock, account, spend } = setup()
  spend(10, 99_990, { reset: 60 })
  for (let window = 0; window < 3; window += 1) {
    await clock.advance(30_000)
    spend(10, 69_990 - window, { reset: 30 })
    await clock.advance(31_500)
    spend(10, 99_990, { reset: 59 })
  }
  expect(account.others.expected(30_000)).toBeGreaterThan(13_000)
  for (let window = 0; window < 10; window += 1) {
    await clock.advance(60_000)
    spend(10, 99_990, { reset: 59 })
  }
  expect(account.others.expected(30_000)).toBe(0)
})

test("the operator's recent spending predicts what they will need", async () => {
  const { clock, account, spend } = setup()
  expect(account.person(10_000)).toEqual({ used: 0, expected: 0 })
  for (let act = 0; act < 10; act += 1) spend(90, 99_000 - 90 * act, { lane: 'person', reset: 50 })
  expect(account.person(10_000)).toEqual({ used: 900, expected: 300 + 90 })
  await clock.advance(30_000)
  expect(account.person(10_000)).toEqual({ used: 900, expected: 0 })
})

test('the hour outlives rate windows: points of Muster and others, rejections, lowest balance', async () => {
  const { clock, account, begin, spend } = setup()
  spend(1_000, 99_000)
  await clock.advance(1_000)
  // 2,000 points are gone that Muster did not use, and then 500 more: each counts once.
  spend(1_000, 96_000)
  spend(100, 95_400)
  begin().rejected({ ...nothing, resetIn: 15_000 }, null)
  await clock.advance(30_000)
  expect(account.gauge()).toMatchObject({ burned: { background: 0 }, others: 0 })
  // In the next rate window another 700 of others, of which the first answer tells.
  spend(10, 99_290, { reset: 50 })
  spend(10, 99_280, { reset: 50 })
  const { minutes, activities } = account.hour()
  const sum = (pick: (minute: (typeof minutes)[number]) => number) =>
    minutes.reduce((total, minute) => total + pick(minute), 0)
  expect([
    sum(({ burned }) => burned.background),
    sum(({ others }) => others),
    sum(({ rejected }) => rejected),
  ]).toEqual([2_120, 3_200, 1])
  expect(activities).toEqual([{ name: 'Devices', lane: 'background', points: 2_120, count: 5 }])
  expect(Math.min(...minutes.map(({ lowest }) => lowest ?? Infinity))).toBeLessThan(95_401)
})
