import {
  astFromValue,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
  print,
  type GraphQLArgument,
  type GraphQLNamedType,
} from 'graphql'
import type { SchemaSymbol } from '../editor/symbol-at.ts'
import type { Place } from './documentation.ts'

/** What is shown of a symbol of the schema: all of it is the service's text, but for `kind`. */
export interface Description {
  /** "Query.tenant(id: ID!): Tenant". */
  signature: string
  /** "Field of Query". */
  kind: string
  text: string | null
  /** Why it is not to be used any more; null: it is not deprecated. */
  deprecated: string | null
}

/** Returns an argument or input field with its type and default, as in a schema: "first: Int = 10". */
export function argumentText({
  name,
  type,
  defaultValue,
}: Pick<GraphQLArgument, 'name' | 'type' | 'defaultValue'>): string {
  const value = defaultValue === undefined ? null : astFromValue(defaultValue, type)
  return `${name}: ${String(type)}${value ? ` = ${print(value)}` : ''}`
}

/** Returns what sort of type it is: "input", "enum". */
export function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'type'
  if (isInputObjectType(type)) return 'input'
  if (isEnumType(type)) return 'enum'
  if (isScalarType(type)) return 'scalar'
  if (isInterfaceType(type)) return 'interface'
  return isUnionType(type) ? 'union' : 'type'
}

/** Describes a symbol; a variable by its type. */
export function describe(symbol: SchemaSymbol): Description {
  switch (symbol.is) {
    case 'field': {
      const { parent, field } = symbol
      const args = field.args.length === 0 ? '' : `(${field.args.map(argumentText).join(', ')})`
      const own = field.description ?? null
      return {
        signature: `${parent.name}.${field.name}${args}: ${String(field.type)}`,
        kind: `Field of ${parent.name}`,
        text: own ?? getNamedType(field.type).description ?? null,
        deprecated: field.deprecationReason ?? null,
      }
    }
    case 'argument':
      return {
        signature: argumentText(symbol.argument),
        kind: `Argument of ${symbol.owner}`,
        text: symbol.argument.description ?? null,
        deprecated: symbol.argument.deprecationReason ?? null,
      }
    case 'inputField':
      return {
        signature: `${symbol.parent.name}.${argumentText(symbol.field)}`,
        kind: `Input field of ${symbol.parent.name}`,
        text: symbol.field.description ?? null,
        deprecated: symbol.field.deprecationReason ?? null,
      }
    case 'enumValue':
      return {
        signature: `${symbol.type.name}.${symbol.value.name}`,
        kind: `Value of ${symbol.type.name}`,
        text: symbol.value.description ?? null,
        deprecated: symbol.value.deprecationReason ?? null,
      }
    case 'variable':
      return {
        signature: `${symbol.name}: ${symbol.written}`,
        kind: symbol.type === null ? 'Variable of an unknown type' : 'Variable',
        text: symbol.type?.description ?? null,
        deprecated: null,
      }
    case 'type':
      return {
        signature: `${kindOf(symbol.type)} ${symbol.type.name}`,
        kind: 'Type',
        text: symbol.type.description ?? null,
        deprecated: null,
      }
    case 'directive': {
      const { name, args, description } = symbol.directive
      const list = args.length === 0 ? '' : `(${args.map(argumentText).join(', ')})`
      return { signature: `@${name}${list}`, kind: 'Directive', text: description ?? null, deprecated: null }
    }
  }
}

/** Returns the page of the documentation that has a symbol; null: a directive or its argument, or a variable of an unknown type. */
export function placeOf(symbol: SchemaSymbol): Place | null {
  switch (symbol.is) {
    case 'field':
      return { type: symbol.parent.name, member: symbol.field.name }
    case 'argument':
      return symbol.parent === null ? null : { type: symbol.parent.name, member: symbol.member }
    case 'inputField':
      return { type: symbol.parent.name, member: symbol.field.name }
    case 'enumValue':
      return { type: symbol.type.name, member: symbol.value.name }
    case 'variable':
      return symbol.type === null ? null : { type: symbol.type.name, member: null }
    case 'type':
      return { type: symbol.type.name, member: null }
    case 'directive':
      return null
  }
}
