import { describe, expect, test } from 'vitest'
import { estimate as estimateOf } from '../../../src-main/pacing/cost/estimate.ts'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { createCosts } from '../../../src-main/pacing/cost/costs.ts'
import { pageSizeOf, shapeOf } from '../../../src-main/pacing/cost/shape.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'

const estimate = (pacer: Parameters<typeof estimateOf>[0], document: string, variables: Record<string, unknown>) =>
  estimateOf(pacer, { document, operation: null, variables })

const search = (size: number | string) =>
  `query Mine($size: Int) { deviceSearch(params: { pageSize: ${size}, nextToken: null }) { edges { node { id name } } } }`

async function setup(charged: [document: string, size: number, cost: number][], remaining = 90_000) {
  const clock = manualClock()
  const costs = createCosts()
  for (const [document, size, cost] of charged) costs.learn(shapeOf(document), size, cost, 100)
  const pacer = startPacer({
    clock,
    random: () => 0,
    costs,
    policy: () => ({ reservePercent: 10, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  await pacer
    .run({
      name: 'First',
      lane: 'person',
      size: 1,
      shape: { key: 'first', once: 1, each: 0 },
      signal: new AbortController().signal,
      send: async () => ({
        report: { source: 'headers', cost: 10, limit: 100_000, remaining, resetIn: 30_000 },
        result: { error: new FaultError('query') },
      }),
    })
    .catch(() => {})
  return { clock, pacer }
}

describe('the size of a page', () => {
  test.each<[string, string, Record<string, unknown>, number]>([
    ['in the text', search(700), {}, 700],
    ['in a variable', search('$size'), { size: 300 }, 300],
    [
      'in the parameters',
      'query Q($p: DeviceFindArgs) { deviceSearch(params: $p) { edges { node { id } } } }',
      { p: { pageSize: 42 } },
      42,
    ],
    ['the usual one, where none is named', '{ deviceSearch { edges { node { id } } } }', {}, 10],
    ['the largest of several', `{ a: ${search(5).slice(25, -2)} b: ${search(90).slice(25, -2)} }`, {}, 90],
    ['none, without pages', '{ tenants { id } }', { pageSize: 9 }, 1],
  ])('%s', (_name, document, variables, size) => expect(pageSizeOf(document, variables)).toBe(size))

  test('makes no other shape, and nor does the name', () => {
    expect(shapeOf(search(700)).key).toBe(shapeOf(search(5).replace('Mine', 'Yours')).key)
    expect(shapeOf(search(700)).key).not.toBe(shapeOf(search(700).replace('name', 'connected')).key)
  })
})

test('an earlier charge gives the cost, and whether it is admitted now', async () => {
  const { pacer } = await setup([
    [search(100), 100, 700],
    [search(100), 100, 700],
    [search(100), 100, 700],
    [search(100), 100, 700],
  ])
  expect(estimate(pacer, search(100), {})).toMatchObject({
    likely: 700,
    atMost: 714,
    certainty: 'learned',
    limit: 10_000,
    exceedsLimit: false,
    waitsUntil: null,
    split: null,
  })
  expect(estimate(pacer, '{ tenants { id } }', {}).certainty).toBe('derived')
})

test('an operation over the limit is split so that it fits', async () => {
  const { pacer } = await setup([
    [search(100), 100, 700],
    [search(100), 100, 700],
    [search(100), 100, 700],
    [search(100), 100, 700],
  ])
  const { likely, exceedsLimit, split } = estimate(pacer, search(5_000), {})
  expect(likely).toBe(35_000)
  expect(exceedsLimit).toBe(true)
  expect(split?.pageSize).toBeGreaterThan(1_200)
  expect(split).toEqual({
    pageSize: split?.pageSize,
    requests: Math.ceil(5_000 / (split?.pageSize ?? 1)),
    points: expect.any(Number),
    waitsUntil: null,
  })
  expect(estimate(pacer, search(split?.pageSize ?? 0), {})).toMatchObject({ exceedsLimit: false, split: null })
})

test('an unknown operation is estimated by its selection, and split by it', async () => {
  const { pacer } = await setup([])
  const { certainty, split } = estimate(pacer, search(5_000), {})
  expect(certainty).toBe('derived')
  expect(split === null || split.pageSize < 5_000).toBe(true)
})

test('an operation that has to wait says until when', async () => {
  const { clock, pacer } = await setup([[search(100), 100, 700]], 300)
  expect(estimate(pacer, search(100), {}).waitsUntil).toBe(clock.now() + 31_000)
})

test('a text that is no document is rejected', async () => {
  const { pacer } = await setup([])
  expect(() => estimate(pacer, '{ tenants', {})).toThrow(/Syntax Error/)
})
