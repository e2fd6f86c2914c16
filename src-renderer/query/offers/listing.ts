import { isInputObjectType, isObjectType, type GraphQLArgument, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { SchemaChange, SchemaEntry } from '../../../src-shared/model/schema-history.ts'

/** What Muster uses of a service. */
export type Offers = CallOutput<'offers.read'>
export type OperationKind = 'query' | 'mutation' | 'subscription'

/** A field as the page lists it. */
export interface ListedField {
  name: string
  /** `(id: ID!, first: Int = 10)`; '' without arguments. */
  args: string
  type: string
  description: string
  /** The reason; null: not deprecated. */
  deprecated: string | null
}

/** Returns the root fields of a kind of operation, by name; none where the service has no such operations. */
export function rootFieldsOf(schema: GraphQLSchema, kind: OperationKind): ListedField[] {
  const type = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }[kind]
  return Object.values(type?.getFields() ?? {})
    .map(listed)
    .toSorted(byName)
}

/** Returns the fields of the type `Device`, by name. */
export function deviceFieldsOf(schema: GraphQLSchema): ListedField[] {
  const type = schema.getType('Device')
  return isObjectType(type) ? Object.values(type.getFields()).map(listed).toSorted(byName) : []
}

/** Returns the members of the search's parameters, as `pageSize: Int = 10`. */
export function searchMembersOf(schema: GraphQLSchema): string[] {
  const type = schema.getType('DeviceFindArgs')
  return isInputObjectType(type) ? Object.values(type.getFields()).map(argumentText) : []
}

const byName = (one: ListedField, other: ListedField): number => (one.name < other.name ? -1 : 1)

const listed = ({ name, args, type, description, deprecationReason }: GraphQLField<unknown, unknown>): ListedField => ({
  name,
  args: args.length === 0 ? '' : `(${args.map(argumentText).join(', ')})`,
  type: String(type),
  description: description ?? '',
  deprecated: deprecationReason ?? null,
})

function argumentText({ name, type, defaultValue }: Pick<GraphQLArgument, 'name' | 'type' | 'defaultValue'>): string {
  return `${name}: ${String(type)}${defaultValue === undefined ? '' : ` = ${JSON.stringify(defaultValue)}`}`
}

/** Returns a field as it is copied: `device(id: String!): Device`. */
export const signatureOf = ({ name, args, type }: ListedField): string => `${name}${args}: ${type}`

/** Returns whether all words of a search are in one of the texts, in any case. */
export function matches(search: string, ...texts: readonly string[]): boolean {
  const within = texts.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word))
}

/** Returns the fields that a search finds. */
export const foundFields = (fields: readonly ListedField[], search: string): ListedField[] =>
  fields.filter((field) => matches(search, signatureOf(field), field.description, field.deprecated ?? ''))

/** Returns the entries with the changes that a search finds; those without any are left out. */
export function foundEntries(
  entries: readonly SchemaEntry[],
  search: string,
  breakingOnly: boolean,
): { entry: SchemaEntry; changes: SchemaChange[] }[] {
  return entries
    .map((entry) => ({
      entry,
      changes: entry.changes.filter(
        ({ coordinate, what, severity, from, to }) =>
          matches(search, coordinate, what, severity, from, to) && (!breakingOnly || severity === 'breaking'),
      ),
    }))
    .filter(({ changes }) => changes.length > 0)
}
