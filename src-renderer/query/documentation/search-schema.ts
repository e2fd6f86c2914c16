import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'
import type { Place } from './documentation.ts'

/** A type or member whose name contains what was searched for. */
export interface Found {
  place: Place & { type: string }
  /** "Query.tenants". */
  name: string
  deprecated: boolean
}

/** A member of a type: a field, an input field or a value. */
interface Member {
  name: string
  deprecationReason?: string | null | undefined
}

/** Returns the members of a type, in the service's order. */
export function membersOf(type: GraphQLNamedType): readonly Member[] {
  if (isEnumType(type)) return type.getValues()
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : []
}

/** Returns the types of a schema by name, without those of introspection. */
export const typesOf = (schema: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

/**
 * Returns the types and members whose name contains a text, in any case: those that are it first, then those that begin
 * with it, types before members. `total`: their number, of which `most` are returned.
 */
export function searchSchema(schema: GraphQLSchema, text: string, most: number): { found: Found[]; total: number } {
  const wanted = text.trim().toLowerCase()
  const ranked: { rank: number; found: Found }[] = []
  const add = (name: string, isType: boolean, found: Found) => {
    const at = name.toLowerCase().indexOf(wanted)
    if (at === -1) return
    const fit = name.length === wanted.length ? 0 : at === 0 ? 2 : 4
    ranked.push({ rank: fit + (isType ? 0 : 1), found })
  }
  for (const type of typesOf(schema)) {
    add(type.name, true, { place: { type: type.name, member: null }, name: type.name, deprecated: false })
    for (const { name, deprecationReason } of membersOf(type)) {
      const deprecated = typeof deprecationReason === 'string'
      add(name, false, { place: { type: type.name, member: name }, name: `${type.name}.${name}`, deprecated })
    }
  }
  const sorted = ranked.toSorted((one, other) => one.rank - other.rank)
  return { found: sorted.slice(0, most).map(({ found }) => found), total: ranked.length }
}
