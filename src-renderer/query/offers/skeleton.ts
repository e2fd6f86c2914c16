import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'
import type { OperationKind } from './listing.ts'

/** A document to begin with, and its variables as JSON. */
export interface Skeleton {
  document: string
  variables: string
}

/** Objects within objects are selected down to this depth: `edges { node { site { id } } }`. */
const maxDepth = 4
/** Most fields of an object that are selected. */
const maxFields = 12
/** Objects that are entered on the way to what is wanted; of others only an id and a name are selected. */
const entered: ReadonlySet<string> = new Set(['edges', 'node', 'nodes', 'pageInfo', 'items', 'inventory'])

/** Returns an operation of a root field, with its required arguments as variables; null where the schema has no such field. */
export function skeletonOf(schema: GraphQLSchema, kind: OperationKind, name: string): Skeleton | null {
  const types = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }
  const field = types[kind]?.getFields()[name]
  if (field === undefined) return null
  const required = field.args.filter(isRequiredArgument)
  const declared = required.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ')
  const given = required.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
  const selection = selectionOf(field.type, 0, 1)
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return {
    document: `${kind} ${title}${declared === '' ? '' : `(${declared})`} {\n  ${name}${given === '' ? '' : `(${given})`}${selection}\n}\n`,
    variables: `${JSON.stringify(Object.fromEntries(required.map((arg) => [arg.name, exampleOf(arg.type, 0)])), null, 2)}`,
  }
}

/** Returns ` { id name … }` in lines; '' for a scalar. */
function selectionOf(type: GraphQLOutputType, depth: number, indent: number): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  const pad = '  '.repeat(indent + 1)
  const lines = isAbstractType(named)
    ? ['__typename']
    : isObjectType(named)
      ? selected(Object.values(named.getFields()), depth, indent)
      : []
  return ` {\n${(lines.length === 0 ? ['__typename'] : lines).map((line) => `${pad}${line}`).join('\n')}\n${'  '.repeat(indent)}}`
}

function selected(fields: readonly GraphQLField<unknown, unknown>[], depth: number, indent: number): string[] {
  const free = fields.filter(
    ({ args, deprecationReason }) => !args.some(isRequiredArgument) && (deprecationReason ?? null) === null,
  )
  const plain = free.filter(({ type }) => isLeafType(getNamedType(type))).slice(0, maxFields)
  const deeper = free.filter(
    ({ name, type }) => !isLeafType(getNamedType(type)) && entered.has(name) && depth < maxDepth,
  )
  return [
    ...plain.map(({ name }) => name),
    ...deeper.map(({ name, type }) => `${name}${selectionOf(type, depth + 1, indent + 1)}`),
  ]
}

/** Returns a value of a type that the operator overwrites. */
function exampleOf(type: GraphQLInputType, depth: number): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return []
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name ?? ''
  if (isInputObjectType(nullable))
    return depth > maxDepth
      ? {}
      : Object.fromEntries(
          Object.values(nullable.getFields())
            .filter(isRequiredInputField)
            .map((field) => [field.name, exampleOf(field.type, depth + 1)]),
        )
  return own(examples, String(nullable)) ?? ''
}

const examples: Readonly<Record<string, unknown>> = { Int: 0, Float: 0, Boolean: false }
