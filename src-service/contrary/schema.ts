import { GraphQLInputObjectType, GraphQLObjectType } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import type { Answers } from './answers.ts'

const withoutTotals = ['totalCount', 'countOnPage']
const left: Record<Answers['pageInfo'], readonly string[]> = { full: [], 'no-totals': withoutTotals, 'token-only': [...withoutTotals, 'hasNextPage'] }

/** Takes out of the schema what these answers do not offer: it is unknown then, as GraphQL has it. Changes `schema`. */
export function withoutOffers(schema: GraphQLSchema, { pageInfo, missingFields, costField }: Readonly<Answers>): GraphQLSchema {
  drop(schema, 'PageInfo', left[pageInfo])
  drop(schema, 'Device', missingFields)
  if (!costField) for (const root of ['Query', 'Mutation']) drop(schema, root, ['calculateQueryCost'])
  // A limit may lie below it: who names no size is not to be refused for that.
  const params = schema.getType('DeviceFindArgs')
  const size = params instanceof GraphQLInputObjectType ? params.getFields()['pageSize'] : undefined
  if (size) size.defaultValue = undefined
  return schema
}

function drop(schema: GraphQLSchema, typeName: string, names: readonly string[]): void {
  const type = schema.getType(typeName)
  if (!(type instanceof GraphQLObjectType)) return
  const fields = type.getFields()
  for (const name of names) delete fields[name]
}
