import { expect, test } from 'vitest'
import { interactiveCost, totalCost, type PartCost } from '../../../src-main/sync/tenants/sync-cost.ts'

const part = (credentials: string, points: number, more: Partial<PartCost> = {}) => ({
  credentials,
  points,
  devices: 10,
  ms: 900,
  ahead: 0,
  perWindow: 1_000,
  known: true,
  ...more,
})
const balance = (remaining: number) => () => ({ remaining, limit: 1_000, resetAt: 20_000 })

test('a manual request is sent at once while the balance lasts', () => {
  expect(interactiveCost([part('a', 500, { ahead: 9_000 })], balance(500), 0)).toEqual({
    points: 500,
    devices: 10,
    windows: 1,
    ms: 900,
    known: true,
  })
  expect(interactiveCost([part('a', 501)], balance(500), 0)).toMatchObject({ windows: 2, ms: 20_900 })
  expect(interactiveCost([part('a', 2_600)], balance(500), 0)).toMatchObject({ windows: 4, ms: 20_000 + 120_000 + 900 })
})

test('parts of one credential set share its balance, those of several do not', () => {
  expect(interactiveCost([part('a', 300), part('a', 300)], balance(500), 0)).toMatchObject({
    points: 600,
    devices: 20,
    windows: 2,
  })
  expect(interactiveCost([part('a', 300), part('b', 300)], balance(500), 0)).toMatchObject({
    points: 600,
    windows: 1,
    ms: 900,
  })
})

test('the estimate adds the points of the syncs that are ahead', () => {
  expect(totalCost([part('a', 500)])).toMatchObject({ windows: 1, ms: 900 })
  expect(totalCost([part('a', 500, { ahead: 600 })])).toMatchObject({ windows: 2, ms: 60_900 })
  expect(totalCost([part('a', 500), part('b', 500, { known: false })])).toMatchObject({
    points: 1_000,
    windows: 1,
    known: false,
  })
})
