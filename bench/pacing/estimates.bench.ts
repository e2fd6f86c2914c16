import { parse, type GraphQLSchema } from 'graphql'
import { devicesOperation, tenantsOperation } from '../../src-main/api/operations.ts'
import { createCosts } from '../../src-main/pacing/cost/costs.ts'
import type { Quote } from '../../src-main/pacing/cost/learned.ts'
import { selectedBy } from '../../src-main/pacing/cost/selection.ts'
import {
  isOperation,
  readDocument,
  sentOperation,
  type SentOperation,
  type Shape,
} from '../../src-main/pacing/cost/shape.ts'
import { operationCost } from '../../src-service/graphql/points/cost.ts'
import { makeSchema } from '../../src-service/graphql/schema/schema.ts'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { generateOperations, type Generated } from '../../test/support/generated-operations.ts'

/**
 * The estimates of 200 generated operations that were never sent, against services that charge by different formulas, after
 * Muster's own operations and `warmUp` others. Each is charged after its estimate, as in life. Beside them, what the
 * highest cost per field of any operation gives, which Muster used before.
 */
const estimated = 200
const warmUp = 30
const seeds = [1, 2, 3]

type Formula = (schema: GraphQLSchema, operation: Generated) => number

const tenants = 6

const formulas: Record<string, Formula> = {
  'the reference service': (schema, { document, variables }) =>
    operationCost(schema, parse(document), null, variables, tenants),
  'a service that weighs each type, no depth': weighed,
  'a service that charges fields × depth once, and rows': fieldsByDepth,
}

function sentIn({ document, variables }: Generated): SentOperation {
  const tree = readDocument(document)
  const operation = tree.definitions.find(isOperation)
  if (operation === undefined) throw new Error('no operation')
  return sentOperation(tree, operation, variables)
}

function rowsIn(generated: Generated) {
  const { tree, operation, size } = sentIn(generated)
  const fields = selectedBy(tree, operation, { size, variables: generated.variables })
  if (fields === null) throw new Error('too many fields')
  return fields.map((field) => ({ ...field, rows: field.times * size ** field.power }))
}

/** 25 points, and each row of a field costs 1 to 7, an object 9. */
function weighed(_schema: GraphQLSchema, operation: Generated): number {
  const weight = (path: readonly string[]) =>
    1 + ([...(path.at(-1) ?? '')].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 7)
  return 25 + rowsIn(operation).reduce((sum, { path, isObject, rows }) => sum + rows * (isObject ? 9 : weight(path)), 0)
}

/** Three points for each field and level, written once, and two for each row of a page. */
function fieldsByDepth(_schema: GraphQLSchema, operation: Generated): number {
  return rowsIn(operation).reduce(
    (sum, { path, rows }) => sum + 3 * path.length + (path.at(-1) === 'node' ? 2 * rows : 0),
    0,
  )
}

export async function run(): Promise<BenchRow[]> {
  const schema = makeSchema('full')
  return Object.entries(formulas).flatMap(([name, formula]) => {
    const found = seeds.map((seed) => measure(schema, formula, seed))
    const [own, plain] = [found.flatMap(({ own: each }) => each), found.flatMap(({ plain: each }) => each)]
    return [
      row(`${name}: median error of the likely cost, %`, 100 * errorOf(own), 100 * errorOf(plain), 25, '%'),
      row(`${name}: within the highest cost, %`, 100 * within(own), 100 * within(plain), 95, '%', true),
      row(`${name}: the highest cost over the cost, median`, excess(own), excess(plain), null, 'times'),
    ]
  })
}

interface Pair {
  quote: Quote
  cost: number
}

function measure(schema: GraphQLSchema, formula: Formula, seed: number): { own: Pair[]; plain: Pair[] } {
  const [own, plain] = [createCosts(), createCosts()]
  const learn = ({ shape, size, cost }: { shape: Shape; size: number; cost: number }) => {
    own.learn(shape, size, cost, 100)
    plain.learn(withoutFeatures(shape), size, cost, 100)
  }
  const charged = (operation: Generated) => ({ ...sentIn(operation), cost: formula(schema, operation) })
  const first = [
    { document: tenantsOperation.document, variables: {} },
    ...[1, 2, 200].map((pageSize) => ({
      document: devicesOperation.document,
      variables: { tenant: 'x', params: { pageSize } },
    })),
  ]
  first.forEach((operation) => learn(charged(operation)))
  const operations = generateOperations(schema, warmUp + estimated, seed)
  const pairs: { own: Pair[]; plain: Pair[] } = { own: [], plain: [] }
  operations.forEach((operation, at) => {
    const all = charged(operation)
    if (at >= warmUp) {
      pairs.own.push({ quote: own.quote(all.shape, all.size), cost: all.cost })
      pairs.plain.push({ quote: plain.quote(withoutFeatures(all.shape), all.size), cost: all.cost })
    }
    learn(all)
  })
  return pairs
}

const withoutFeatures = ({ key, once, each }: Shape): Shape => ({ key, once, each })

const errorOf = (pairs: readonly Pair[]): number =>
  percentile(
    pairs.map(({ quote: { likely }, cost }) => Math.abs(likely - cost) / cost),
    0.5,
  )
const within = (pairs: readonly Pair[]): number =>
  pairs.filter(({ quote: { atMost }, cost }) => cost <= atMost).length / pairs.length
const excess = (pairs: readonly Pair[]): number =>
  percentile(
    pairs.map(({ quote: { atMost }, cost }) => atMost / cost),
    0.5,
  )

function row(
  name: string,
  value: number,
  baseline: number,
  target: number | null,
  unit: string,
  more = false,
): BenchRow {
  const holds = target === null ? null : more ? value >= target : value <= target
  return { name, value, unit, baseline, target, holds }
}
