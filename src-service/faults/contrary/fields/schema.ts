import {
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  isListType,
  isNonNullType,
} from 'graphql'
import type { GraphQLInputType } from 'graphql'
import type { Answers } from '../answers.ts'

const withoutTotals = ['totalCount', 'countOnPage']
const left: Record<Answers['pageInfo'], readonly string[]> = {
  full: [],
  'no-totals': withoutTotals,
  'token-only': [...withoutTotals, 'hasNextPage'],
}

/** Removes from the schema what these answers do not offer. Ids may have another type. Changes `schema`. */
export function removeFields(
  schema: GraphQLSchema,
  { pageInfo, missingFields, costField, idTypes, accounts, placeFields, insights }: Readonly<Answers>,
): GraphQLSchema {
  drop(schema, 'PageInfo', left[pageInfo])
  drop(schema, 'Device', missingFields)
  if (!costField) for (const root of ['Query', 'Mutation']) drop(schema, root, ['calculateQueryCost'])
  if (!accounts) dropAccounts(schema)
  if (placeFields === 'twin' || placeFields === 'none') dropOwnPlaces(schema)
  if (placeFields === 'own' || placeFields === 'none') dropPlaceData(schema)
  if (insights === 'none') drop(schema, 'Query', insightNames)
  if (insights === 'other-names') rename(schema, insightNames)
  if (idTypes === 'swapped') swapIdTypes(schema)
  // A limit may be lower: a search without a size must not be rejected for the default.
  const params = schema.getType('DeviceFindArgs')
  const size = params instanceof GraphQLInputObjectType ? params.getFields()['pageSize'] : undefined
  if (size) size.defaultValue = undefined
  return schema
}

/** Returns the schema without the types that nothing leads to any more, so that introspection does not show them. */
export function pruned(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), types: [] })
}

/** Removes the level between tenant and site, as in the twin. */
function dropAccounts(schema: GraphQLSchema): void {
  drop(schema, 'Tenant', ['accounts'])
  drop(schema, 'Site', ['account'])
  const site = schema.getType('UpsertSiteRequest')
  if (site instanceof GraphQLInputObjectType) delete site.getFields()['accountId']
}

/** Removes the lists of places by the level above. */
function dropOwnPlaces(schema: GraphQLSchema): void {
  drop(schema, 'Account', ['sites'])
  drop(schema, 'Site', ['rooms'])
  drop(schema, 'Room', ['devices'])
}

/** Removes the twin's lists of all places of a tenant. */
function dropPlaceData(schema: GraphQLSchema): void {
  drop(schema, 'Tenant', ['roomData'])
  drop(schema, 'Query', ['siteData'])
}

/** The root fields of configuration and analytics. */
const insightNames = [
  'getDeviceParametersExtended',
  'getPolicies',
  'getPolicyById',
  'meetingRecordLists',
  'charts',
  'activeCalls',
]

/** Gives root fields names that no client knows. */
function rename(schema: GraphQLSchema, names: readonly string[]): void {
  const fields = schema.getQueryType()?.getFields() ?? {}
  for (const name of names) {
    const field = fields[name]
    if (field === undefined) continue
    delete fields[name]
    fields[`${name}V2`] = { ...field, name: `${name}V2` }
  }
}

/** Swaps the types `ID!` and `String!` of arguments. */
function swapIdTypes(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  )
  for (const arg of roots.flatMap(({ args }) => args)) arg.type = swapped(arg.type)
}

function swapped(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(swapped(type.ofType))
  if (isListType(type)) return new GraphQLList(swapped(type.ofType))
  return type === GraphQLID ? GraphQLString : type === GraphQLString ? GraphQLID : type
}

function drop(schema: GraphQLSchema, typeName: string, names: readonly string[]): void {
  const type = schema.getType(typeName)
  if (!(type instanceof GraphQLObjectType)) return
  const fields = type.getFields()
  for (const name of names) delete fields[name]
}
