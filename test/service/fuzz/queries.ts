import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { GraphQLInputType, GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql'
import type { Random } from '../../../src-service/world/random.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const texts = [
  '',
  'x',
  'Studio',
  'name',
  'site',
  'macAddress',
  'connected',
  '%',
  '_',
  '\\',
  '"',
  '\u0000',
  '\uD800',
  '😀',
  'é'.repeat(700),
  ':',
  "' OR 1=1 --",
  '00e0db',
  'true',
  '__proto__',
  'constructor',
]
const numbers = [0, 1, 2, 10, 100, 5000, 5001, -1, 2 ** 31 - 1, 2 ** 31, 1.5, 1e308]

/** An operation of random fields and arguments, most of which fit the schema, with values that mostly do. */
export function randomOperation(
  random: Random,
  schema: GraphQLSchema,
  ids: readonly string[],
): { query: string; variables: Record<string, Json>; operationName?: string } {
  const writes = random.chance(0.15)
  const root = (writes ? schema.getMutationType() : schema.getQueryType()) ?? schema.getQueryType()
  if (!root) throw new Error('the schema has no root')
  const variables: { name: string; type: string; value: Json }[] = []
  const fields = selection({ random, ids, variables }, root, 0)
  const head = variables.length > 0 ? `(${variables.map(({ name, type }) => `$${name}: ${type}`).join(', ')})` : ''
  const query = `${writes ? 'mutation' : 'query'} ${random.chance(0.5) ? 'Random' : ''} ${head} ${fields}`
  return { query, variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])) }
}

type Making = { random: Random; ids: readonly string[]; variables: { name: string; type: string; value: Json }[] }

function selection(making: Making, type: GraphQLObjectType, depth: number): string {
  const { random } = making
  const fields = Object.values(type.getFields())
  const chosen = Array.from({ length: random.int(1, depth > 4 ? 2 : 4) }, () => {
    if (random.chance(0.03))
      return random.pick(['__typename', 'nope', '...Nothing', '... on Device { id }', '... { __typename }'])
    const field = random.pick(fields)
    const alias = random.chance(0.2) ? `a${random.int(0, 3)}: ` : ''
    const given = field.args
      .filter(({ type: wanted }) => isNonNullType(wanted) || random.chance(0.5))
      .map((arg) => `${arg.name}: ${argument(making, arg.type)}`)
    const named: GraphQLNamedType = getNamedType(field.type)
    const directive = random.chance(0.05)
      ? random.pick(['@skip(if: true)', '@include(if: false)', '@include(if: $nope)', '@nope'])
      : ''
    const below = isObjectType(named)
      ? depth > 7
        ? '{ __typename }'
        : selection(making, named, depth + 1)
      : random.chance(0.02)
        ? '{ id }'
        : ''
    return `${alias}${field.name}${given.length > 0 ? `(${given.join(' ')})` : ''} ${directive} ${below}`
  })
  return `{ ${chosen.join(' ')} }`
}

function argument(making: Making, type: GraphQLInputType): string {
  const value = valueOf(making, type, 0)
  if (making.random.chance(0.5)) return written(value, type)
  const name = `v${making.variables.length}`
  making.variables.push({ name, type: String(type), value })
  return `$${name}`
}

function valueOf(making: Making, type: GraphQLInputType, depth: number): Json {
  const { random, ids } = making
  if (random.chance(0.05)) return random.pick<Json>([null, true, 1, 'x', [], {}, [[[]]], { field: { field: 1 } }])
  const bare = getNullableType(type)
  if (isListType(bare))
    return depth > 5
      ? []
      : Array.from({ length: random.int(0, 3) }, () => valueOf(making, bare.ofType as GraphQLInputType, depth + 1))
  if (isInputObjectType(bare)) {
    const members = Object.values(bare.getFields()).filter(
      (field) => isNonNullType(field.type) || (depth < 6 && random.chance(0.4)),
    )
    return Object.fromEntries(members.map((field) => [field.name, valueOf(making, field.type, depth + 1)]))
  }
  if (isEnumType(bare)) return random.pick([...bare.getValues().map(({ name }) => name), 'NOPE'])
  if (bare.name === 'Int' || bare.name === 'Float') return random.pick(numbers)
  if (bare.name === 'Boolean') return random.chance(0.5)
  return random.pick(random.chance(0.5) ? ids : texts)
}

/** A value as a document writes it: enum values without quotes. */
function written(value: Json, type: GraphQLInputType): string {
  const bare = getNullableType(type)
  if (Array.isArray(value))
    return `[${value.map((item) => written(item, isListType(bare) ? (bare.ofType as GraphQLInputType) : bare)).join(' ')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = isInputObjectType(bare) ? bare.getFields() : {}
    return `{${Object.entries(value)
      .map(([name, item]) => `${name}: ${written(item, fields[name]?.type ?? bare)}`)
      .join(' ')}}`
  }
  return isEnumType(bare) && typeof value === 'string' ? value : JSON.stringify(value)
}
