import { Kind, type ArgumentNode, type FieldNode, type ObjectFieldNode, type ValueNode } from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'

/** Where an operation says something of its page: in a variable, in a member of a variable, or in its text. */
export type Place =
  | { in: 'variable'; variable: string }
  | { in: 'member'; variable: string; member: string }
  | { in: 'text'; argument: string; member: string | null }

/** The member that asks for the next page, and where it is. */
export interface TokenPlace {
  place: Place
  member: TokenMember
}

/** Names of the member with the next page's token: of device searches, of Relay, and of places (service-twin.md, section 13). */
const tokenMembers = ['nextToken', 'after', 'cursor'] as const
export type TokenMember = (typeof tokenMembers)[number]
/** Names of the member with the page size. */
const sizeMembers = ['pageSize', 'limit', 'first'] as const
/** The argument that holds both (service-spec.md, section 2). */
const holder = 'params'

const isTokenMember = (name: string): name is TokenMember => (tokenMembers as readonly string[]).includes(name)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Variables = Readonly<Record<string, unknown>>

/**
 * Returns where the next page of a connection is asked for; null where its arguments do not show it. `selects`: the token
 * that its `pageInfo` selects; null: none.
 */
export function tokenPlace(
  { name, arguments: given = [] }: FieldNode,
  variables: Variables,
  selects: 'nextToken' | 'endCursor' | null,
): TokenPlace | null {
  const written = find(given, variables, tokenMembers)
  if (written !== null && isTokenMember(written.name)) return { place: written.place, member: written.name }
  const params = given.find((argument) => argument.name.value === holder)
  if (params !== undefined) return placeInParams(params.value, variables, selects)
  if (given.some((argument) => argument.name.value === 'first'))
    return { place: { in: 'text', argument: 'after', member: null }, member: 'after' }
  // The documented search, as it may be written for its first page (service-spec.md, section 2).
  return name.value === 'deviceSearch'
    ? { place: { in: 'text', argument: holder, member: 'nextToken' }, member: 'nextToken' }
    : null
}

/** Returns the place of a token in `params` that have none yet. */
function placeInParams(
  value: ValueNode,
  variables: Variables,
  selects: 'nextToken' | 'endCursor' | null,
): TokenPlace | null {
  const hasLimit =
    value.kind === Kind.OBJECT
      ? value.fields.some(({ name }) => name.value === 'limit')
      : value.kind === Kind.VARIABLE && isObject(own(variables, value.name.value)) && hasOwn(variables, value, 'limit')
  const member = selects === 'endCursor' || (selects === null && hasLimit) ? 'cursor' : 'nextToken'
  if (value.kind === Kind.VARIABLE) {
    const held = own(variables, value.name.value) ?? null
    return held === null || isObject(held)
      ? { place: { in: 'member', variable: value.name.value, member }, member }
      : null
  }
  return { place: { in: 'text', argument: holder, member }, member }
}

function hasOwn(variables: Variables, value: ValueNode, member: string): boolean {
  const held = value.kind === Kind.VARIABLE ? own(variables, value.name.value) : undefined
  return isObject(held) && Object.hasOwn(held, member)
}

/** Returns where the page size of a connection is written; null where it is not. */
export function sizePlace({ arguments: given = [] }: FieldNode, variables: Variables): Place | null {
  return find(given, variables, sizeMembers)?.place ?? null
}

/** Finds one of these members in the arguments, in an object of them, or in the object of a variable. */
function find(
  given: readonly ArgumentNode[],
  variables: Variables,
  members: readonly string[],
): { place: Place; name: string } | null {
  for (const { name, value } of given) {
    const argument = name.value
    if (members.includes(argument)) return { place: placeOf(value, argument, null), name: argument }
    if (value.kind === Kind.OBJECT) {
      const field = value.fields.find((each) => members.includes(each.name.value))
      if (field !== undefined)
        return { place: placeOf(field.value, argument, field.name.value), name: field.name.value }
    }
    const held = value.kind === Kind.VARIABLE ? own(variables, value.name.value) : undefined
    const member = members.find((each) => isObject(held) && Object.hasOwn(held, each))
    if (value.kind === Kind.VARIABLE && member !== undefined)
      return { place: { in: 'member', variable: value.name.value, member }, name: member }
  }
  return null
}

const placeOf = (value: ValueNode, argument: string, member: string | null): Place =>
  value.kind === Kind.VARIABLE ? { in: 'variable', variable: value.name.value } : { in: 'text', argument, member }

/** Returns the variables with a value at a place that is in them; the same ones for one in the text. */
export function withValue(variables: Variables, place: Place, value: unknown): Record<string, unknown> {
  if (place.in === 'text') return { ...variables }
  if (place.in === 'variable') return { ...variables, [place.variable]: value }
  const held = own(variables, place.variable)
  return { ...variables, [place.variable]: { ...(isObject(held) && held), [place.member]: value } }
}

/** Returns a field with a value at a place that is in the text. */
export function withArgument(
  field: FieldNode,
  { argument, member }: Extract<Place, { in: 'text' }>,
  value: ValueNode,
): FieldNode {
  const given = field.arguments ?? []
  const old = given.find(({ name }) => name.value === argument)
  const fields = old?.value.kind === Kind.OBJECT ? old.value.fields : []
  const next: ValueNode =
    member === null
      ? value
      : {
          kind: Kind.OBJECT,
          fields: [...fields.filter(({ name }) => name.value !== member), objectField(member, value)],
        }
  const node: ArgumentNode = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: argument }, value: next }
  return {
    ...field,
    arguments: old === undefined ? [...given, node] : given.map((each) => (each === old ? node : each)),
  }
}

const objectField = (name: string, value: ValueNode): ObjectFieldNode => ({
  kind: Kind.OBJECT_FIELD,
  name: { kind: Kind.NAME, value: name },
  value,
})

/** Returns the value at a place; undefined where nothing is there. `defaults`: those of the operation's variables. */
export function valueAt(field: FieldNode, variables: Variables, place: Place, defaults: Variables): unknown {
  if (place.in === 'variable') return own(variables, place.variable) ?? own(defaults, place.variable)
  if (place.in === 'member') {
    const held = own(variables, place.variable)
    return isObject(held) ? own(held, place.member) : undefined
  }
  const argument = field.arguments?.find(({ name }) => name.value === place.argument)?.value
  const value =
    place.member === null || argument?.kind !== Kind.OBJECT
      ? argument
      : argument.fields.find(({ name }) => name.value === place.member)?.value
  if (value?.kind === Kind.INT) return Number(value.value)
  if (value?.kind === Kind.STRING) return value.value
  return value?.kind === Kind.NULL ? null : undefined
}
