import { describe, expect, test } from 'vitest'
import { createCosts, operationLimit, type Costs } from '../../../src-main/pacing/cost/costs.ts'
import { shapeOf, type Shape } from '../../../src-main/pacing/cost/shape.ts'

const devices = shapeOf(
  'query Devices($tenant: ID!, $params: DeviceFindArgs) { tenant(id: $tenant) { inventory { deviceSearch(params: $params) { edges { node { id name } } pageInfo { totalCount } } } } }',
)
const other = shapeOf('{ tenants { id name region { id } } }')
/** As a former version stored it. */
const withoutFeatures = ({ key, once, each }: Shape): Shape => ({ key, once, each })
const roomy = { points: operationLimit, ms: 60_000 }

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** The reference service's cost of the eight fields. */
const cost = (size: number): number => 12 + 19 * size

function learned(sizes: number[], priceOf = cost): Costs {
  const costs = createCosts()
  for (const size of sizes) costs.learn(devices, size, priceOf(size), 100)
  return costs
}

describe('an operation that was never charged', () => {
  test('is estimated by its selection, and never as free', () => {
    const costs = createCosts()
    expect(costs.quote(other, 1)).toEqual({ likely: 10, atMost: 10, certainty: 'guess' })
    expect(costs.quote(devices, 2).atMost).toBeGreaterThan(cost(2))
    expect(costs.quote(devices, 5_000).atMost).toBeGreaterThan(operationLimit)
    expect(costs.quote({ key: 'x', once: 0, each: 0 }, 1).atMost).toBe(1)
    expect(costs.largestPage(devices, roomy)).toBeNull()
  })

  test('is derived from what others cost for their selection, with a margin', () => {
    const costs = createCosts()
    costs.learn(withoutFeatures(other), 1, 20, 10)
    const quote = costs.quote(withoutFeatures(devices), 10)
    expect(quote.certainty).toBe('derived')
    expect(quote.likely).toBe(2 * (devices.once + devices.each * 10))
    expect(quote.atMost).toBe(Math.ceil(3 * (devices.once + devices.each * 10)))
    expect(costs.quote(devices, 10)).toEqual(quote)
  })
})

describe('an operation that was charged', () => {
  test('with pages of one and two predicts large ones, on the high side', () => {
    const quote = learned([1, 2]).quote(devices, 200)
    expect(quote.certainty).toBe('learned')
    expect(quote.likely).toBeGreaterThanOrEqual(cost(200))
    expect(quote.likely).toBeLessThan(cost(200) * 1.05)
  })

  test('with one size errs on the high side for larger and for smaller ones', () => {
    const costs = learned([10])
    expect(costs.quote(devices, 100).likely).toBeGreaterThan(cost(100))
    expect(costs.quote(devices, 1).likely).toBeGreaterThanOrEqual(cost(1))
  })

  test('with the same cost again and again keeps a margin for rounding only', () => {
    const costs = learned([1, 2, 200, 200, 200, 200, 200])
    expect(costs.quote(devices, 200)).toEqual({
      likely: cost(200),
      atMost: Math.ceil(cost(200) * 1.02),
      certainty: 'learned',
    })
    expect(costs.quote(devices, 1).likely).toBe(cost(1))
  })

  test.each([2, 1.3, 0.5])('a cost times %d fits at once, and the second such page makes it the cost', (factor) => {
    const costs = learned([1, 2, 200, 200, 200, 200])
    costs.learn(devices, 200, cost(200) * factor, 100)
    expect(costs.quote(devices, 200).atMost).toBeGreaterThanOrEqual(cost(200) * factor)
    costs.learn(devices, 200, cost(200) * factor, 100)
    costs.learn(devices, 200, cost(200) * factor, 100)
    const { likely, atMost } = costs.quote(devices, 200)
    expect(likely / (cost(200) * factor)).toBeCloseTo(1, 1)
    expect(atMost).toBeLessThan(cost(200) * factor * 1.1)
  })

  test('a small page does not unsettle what large ones cost', () => {
    const costs = learned([200, 200, 200, 200, 200, 200])
    costs.learn(devices, 1, cost(1), 10)
    expect(costs.quote(devices, 200).likely).toBe(cost(200))
  })

  test.each([1, 2, 3, 4, 5])('with costs that vary by a fifth, the margin is enough, seed %i', (seed) => {
    const random = seeded(seed)
    const costs = createCosts()
    const vary = (size: number) => Math.round(cost(size) * (0.8 + 0.4 * random()))
    for (const size of [1, 2]) costs.learn(devices, size, vary(size), 10)
    let short = 0
    for (let page = 0; page < 500; page += 1) {
      const size = Math.min(250, costs.largestPage(devices, { points: 4_000, ms: 3_000 }) ?? 1)
      const { atMost } = costs.quote(devices, size)
      const charged = vary(size)
      expect(charged).toBeLessThanOrEqual(operationLimit)
      if (charged > atMost) short += 1
      // At the very beginning nobody knows; later it may be short once in a while, by a little.
      if (page > 20) expect(charged).toBeLessThan(atMost * 1.1)
      costs.learn(devices, size, charged, size)
    }
    expect(short).toBeLessThan(10)
    expect(costs.quote(devices, 200).atMost).toBeLessThan(cost(200) * 1.6)
  })
})

describe('the largest page', () => {
  test('fits under the points, with a margin', () => {
    const costs = learned([1, 2, 100, 100, 100, 100])
    const size = costs.largestPage(devices, roomy) ?? 0
    expect(cost(size)).toBeLessThanOrEqual(operationLimit)
    expect(cost(size)).toBeGreaterThan(operationLimit * 0.9)
    expect(costs.largestPage(devices, { ...roomy, points: 1_000 })).toBeLessThanOrEqual(51)
  })

  test('takes no longer than it may', () => {
    const costs = createCosts()
    for (let page = 0; page < 5; page += 1) costs.learn(devices, 100, cost(100), 2_000)
    expect(costs.largestPage(devices, { ...roomy, ms: 3_000 })).toBe(150)
  })

  test('fits under the limit that a rejection reported', () => {
    const costs = learned([1, 2])
    costs.tooExpensive(devices, 200, 14_000)
    expect(costs.quote(devices, 200).likely).toBe(14_000)
    expect(costs.largestPage(devices, roomy)).toBeLessThanOrEqual(142)
  })

  test('halves at once after a rejection without a message, and grows again as pages succeed', () => {
    const costs = learned([1, 2])
    costs.tooExpensive(devices, 200, null)
    expect(costs.largestPage(devices, roomy)).toBe(100)
    expect([costs.wasRejected(devices, 200), costs.wasRejected(devices, 199)]).toEqual([true, false])
    costs.tooExpensive(devices, 100, null)
    expect(costs.largestPage(devices, roomy)).toBe(50)
    for (let page = 0; page < 40; page += 1) costs.learn(devices, 50, cost(50), 100)
    expect(costs.largestPage(devices, roomy)).toBeGreaterThan(100)
  })

  test('does not shrink for long because of one absurd cost', () => {
    const costs = learned([1, 2, 100, 100, 100, 100])
    costs.learn(devices, 100, 1e9, 100)
    expect(costs.quote(devices, 100)).toMatchObject({ likely: cost(100), atMost: Math.ceil(cost(100) * 2.5) })
    costs.learn(devices, 100, cost(100), 100)
    expect(costs.quote(devices, 100).atMost).toBeLessThan(cost(100) * 1.1)
  })

  test('is at least one', () => {
    const costs = createCosts()
    costs.learn(devices, 1, 50_000, 10)
    expect(costs.largestPage(devices, roomy)).toBe(1)
  })
})

test('learned costs are kept over a restart, and unused shapes are not', () => {
  const costs = learned([1, 2, 200, 200, 200, 200, 200])
  const again = createCosts(JSON.parse(JSON.stringify(costs.stored())))
  expect(again.quote(devices, 200)).toEqual(costs.quote(devices, 200))
  for (let index = 0; index < 300; index += 1) again.learn({ ...other, key: `shape ${index}` }, 1, 5, 10)
  expect(again.stored()).toHaveLength(200)
  expect(again.quote(devices, 200).certainty).toBe('derived')
})
