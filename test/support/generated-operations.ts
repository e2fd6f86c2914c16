import {
  getNamedType,
  getOperationAST,
  getVariableValues,
  isInputObjectType,
  isObjectType,
  print,
  parse,
  validate,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import { shapeOf } from '../../src-main/pacing/cost/shape.ts'
import { startRandom } from '../../src-service/world/random.ts'

/** An operation as an operator may write it. */
export interface Generated {
  document: string
  variables: Record<string, unknown>
}

interface Writing {
  random: () => number
  schema: GraphQLSchema
  variables: Record<string, unknown>
  declared: string[]
  fragments: string[]
  aliases: number
}

const pageSizes = [1, 2, 5, 10, 20, 25, 50, 100, 200]
const maxDepth = 9
/** Shorter ones are no task for an estimate. */
const leastLines = 10

/** Returns queries of the schema: pages within pages, fragments, variables and aliases; the same ones for the same seed. */
export function generateOperations(schema: GraphQLSchema, count: number, seed: number): Generated[] {
  const random = startRandom(seed).next
  const made = new Map<string, Generated>()
  while (made.size < count) {
    const operation = generate(schema, random)
    // No two of them are of the same form, and some inputs have required members of their own.
    const { key } = shapeOf(operation.document)
    if (operation.document.split('\n').length > leastLines && isValid(schema, operation)) made.set(key, operation)
  }
  return [...made.values()]
}

function isValid(schema: GraphQLSchema, { document, variables }: Generated): boolean {
  const tree = parse(document)
  const declared = getOperationAST(tree)?.variableDefinitions ?? []
  return validate(schema, tree).length === 0 && getVariableValues(schema, declared, variables).coerced !== undefined
}

function generate(schema: GraphQLSchema, random: () => number): Generated {
  const query = schema.getQueryType()
  if (!query) throw new Error('no query type')
  const writing: Writing = { random, schema, variables: {}, declared: [], fragments: [], aliases: 0 }
  const roots = Object.values(query.getFields()).filter(({ name }) => name !== 'calculateQueryCost')
  const chosen = [pick(random, roots), ...(random() < 0.15 ? [pick(random, roots)] : [])]
  const selection = chosen.map((field, at) => written(writing, field, 1, at > 0)).join(' ')
  const head = writing.declared.length === 0 ? '' : `(${writing.declared.join(', ')})`
  const document = print(parse(`query Generated${head} { ${selection} } ${writing.fragments.join(' ')}`))
  return { document, variables: writing.variables }
}

function written(writing: Writing, field: GraphQLField<unknown, unknown>, depth: number, aliased = false): string {
  const { random } = writing
  const type = getNamedType(field.type)
  const alias = aliased || random() < 0.05 ? `a${(writing.aliases += 1)}: ` : ''
  const head = `${alias}${field.name}${argumentsOf(writing, field)}`
  return isObjectType(type) ? `${head} { ${selectionOf(writing, type, depth + 1)} }` : head
}

function selectionOf(writing: Writing, type: GraphQLObjectType, depth: number): string {
  const { random } = writing
  const all = Object.values(type.getFields())
  const scalars = all.filter((field) => !isObjectType(getNamedType(field.type)))
  const objects = all.filter((field) => isObjectType(getNamedType(field.type)))
  const isConnection = all.some(({ name }) => name === 'edges' || name === 'node')
  const share = 0.15 + random() * 0.6
  const nested =
    depth >= maxDepth
      ? []
      : objects.filter(({ name }) => (isConnection ? name !== 'pageInfo' || random() < 0.5 : random() < 0.35))
  const chosen = [...scalars.filter(() => random() < share), ...nested]
  if (chosen.length === 0) chosen.push(scalars.length > 0 ? pick(random, scalars) : pick(random, objects))
  const text = chosen.map((field) => written(writing, field, depth)).join(' ')
  if (random() >= 0.1) return text
  const name = `Part${writing.fragments.length}`
  writing.fragments.push(`fragment ${name} on ${type.name} { ${text} }`)
  return `...${name}`
}

function argumentsOf(writing: Writing, { args }: GraphQLField<unknown, unknown>): string {
  const given = args.flatMap(({ name, type }) => {
    if (!isInputObjectType(getNamedType(type))) return [`${name}: "x"`]
    if (writing.random() < 0.15) return []
    const size = pick(writing.random, pageSizes)
    if (writing.random() < 0.5) return [`${name}: { pageSize: ${size} }`]
    const variable = `p${writing.declared.length}`
    writing.declared.push(`$${variable}: ${String(type)}`)
    writing.variables[variable] = { pageSize: size }
    return [`${name}: $${variable}`]
  })
  return given.length === 0 ? '' : `(${given.join(', ')})`
}

function pick<T>(random: () => number, all: readonly T[]): T {
  const found = all[Math.floor(random() * all.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}
