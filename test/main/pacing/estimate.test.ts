import { describe, expect, test } from 'vitest'
import { estimate as estimateOf, estimateWithout } from '../../../src-main/pacing/cost/estimate.ts'
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

describe('what each field costs', () => {
  const document = `query Mine {
  deviceSearch(params: { pageSize: 2000 }) {
    edges {
      node {
        id
        name
        user { name email }
        site { id name }
      }
    }
    pageInfo { totalCount }
  }
}
`
  const charged: Parameters<typeof setup>[0] = [
    [search(100), 100, 700],
    [search(50).replace('name', 'name user { name email }'), 50, 900],
  ]

  test('is told by line, and sums up to the likely cost', async () => {
    const { pacer } = await setup(charged)
    const { likely, lines, fields, left } = estimate(pacer, document, {})
    expect(left).toBe(90_000)
    const sum = lines.reduce((total, { points }) => total + points, 0)
    expect(Math.abs(sum / likely - 1)).toBeLessThan(0.05)
    expect(lines.map(({ line }) => line)).toEqual(lines.map(({ line }) => line).toSorted((one, other) => one - other))
    expect(fields[0]).toMatchObject({ name: 'deviceSearch.user', at: [document.indexOf('user')], line: 7 })
    expect(fields.map(({ name }) => name)).not.toContain('deviceSearch.pageInfo.totalCount')
  })

  test('leads to the fewest fields without which it goes', async () => {
    const { pacer } = await setup(charged)
    const small = document.replace('2000', '900')
    const { exceedsLimit, without } = estimate(pacer, small, {})
    expect(exceedsLimit).toBe(true)
    expect(without).toMatchObject({ estimate: { exceedsLimit: false, waitsUntil: null } })
    expect(without?.names[0]).toBe('deviceSearch.user')
    expect(without?.document).not.toContain('email')
    expect(without?.document).toContain('pageInfo { totalCount }')
    // The same by name.
    expect(
      estimateWithout(pacer, { document: small, operation: null, variables: {} }, [small.indexOf('user')]).estimate
        .likely,
    ).toBe(estimate(pacer, small.replace('        user { name email }\n', ''), {}).likely)
  })

  test('a document without what was asked for, or with nothing left, is rejected', async () => {
    const { pacer } = await setup(charged)
    const asked = { document, operation: 'Other', variables: {} }
    expect(() => estimateOf(pacer, asked)).toThrow(/no such operation/u)
    expect(() => estimateWithout(pacer, { ...asked, operation: null }, [document.indexOf('deviceSearch')])).toThrow(
      /Nothing would be left/u,
    )
  })

  test.each([
    ['much that is no token', `{ tenants { id } } # ${'x'.repeat(990_000)}`, null],
    ['too many tokens', `{ ${'a '.repeat(480_000)}}`, /tokens/u],
    ['a fragment within itself', '{ ...A } fragment A on Q { a { ...A } }', null],
  ])('%s does not stall the core', async (_name, long, problem) => {
    const { pacer } = await setup(charged)
    const begun = process.cpuUsage()
    if (problem === null) expect(estimate(pacer, long, {}).likely).toBeGreaterThan(0)
    else expect(() => estimate(pacer, long, {})).toThrow(problem)
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(500)
  })
})
