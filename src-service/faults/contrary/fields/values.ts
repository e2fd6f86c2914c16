import { GraphQLFloat, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql'
import type { GraphQLFieldResolver, GraphQLOutputType, GraphQLSchema } from 'graphql'
import type { GraphContext } from '../../../graphql/context.ts'
import type { Answers } from '../answers.ts'

type Form = { type: GraphQLOutputType; of: (value: unknown) => unknown }

const connectedForms: Record<Exclude<Answers['connectedAs'], 'boolean'>, Form> = {
  text: { type: GraphQLString, of: String },
  'upper-case': { type: GraphQLString, of: (value) => String(value).toUpperCase() },
  number: { type: GraphQLInt, of: Number },
  word: { type: GraphQLString, of: (value) => (value === true ? 'CONNECTED' : 'DISCONNECTED') },
}

const timeForms: Record<Exclude<Answers['timesAs'], 'utc'>, Form> = {
  offset: { type: GraphQLString, of: (value) => withOffset(String(value)) },
  seconds: { type: GraphQLFloat, of: (value) => Date.parse(String(value)) / 1000 },
  milliseconds: { type: GraphQLFloat, of: (value) => Date.parse(String(value)) },
  'text-seconds': { type: GraphQLString, of: (value) => String(Math.floor(Date.parse(String(value)) / 1000)) },
}

/** Gives values other types where the specification shows none. Changes `schema`. */
export function changeValueTypes(
  schema: GraphQLSchema,
  { connectedAs, timesAs, numbersAs, nullTenants }: Readonly<Answers>,
): GraphQLSchema {
  if (connectedAs !== 'boolean')
    for (const name of ['Device', 'DeviceStreamEvent']) give(schema, name, ['connected'], connectedForms[connectedAs])
  if (timesAs !== 'utc') give(schema, 'Device', ['lastDetected', 'lastConfigRequestDate'], timeForms[timesAs])
  if (numbersAs === 'text') {
    give(schema, 'PageInfo', ['totalCount', 'countOnPage'], { type: GraphQLString, of: String })
    give(schema, 'QueryCost', ['queryCost', 'costUsed', 'costRemaining', 'secondsToReset'], {
      type: GraphQLString,
      of: String,
    })
  }
  const [query, tenant] = [schema.getQueryType(), schema.getType('Tenant')]
  const tenants = query?.getFields()['tenants']
  if (nullTenants > 0 && tenants && tenant instanceof GraphQLObjectType) tenants.type = new GraphQLList(tenant)
  return schema
}

function give(schema: GraphQLSchema, typeName: string, names: readonly string[], { type, of }: Form): void {
  const parent = schema.getType(typeName)
  if (!(parent instanceof GraphQLObjectType)) return
  for (const name of names) {
    const field = parent.getFields()[name]
    if (!field) continue
    field.type = type
    field.resolve = formed(name, of)
  }
}

/** Returns a resolver with converted values. Null stays null; promises are awaited. */
function formed(name: string, of: Form['of']): GraphQLFieldResolver<unknown, GraphContext> {
  return async (source, args, context, info) => {
    const member: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, name) : undefined
    const value: unknown = await (typeof member === 'function' ? member(args, context, info) : member)
    return value === null || value === undefined ? null : of(value)
  }
}

/** Returns the same time with an offset of two hours. */
function withOffset(time: string): string {
  return new Date(Date.parse(time) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
}
