import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  typeFromAST,
  parseType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLDirective,
  type GraphQLEnumType,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'

/** A node of the editor's own grammar. */
export type SyntaxNode = ReturnType<typeof syntaxTree>['topNode']

type Field = GraphQLField<unknown, unknown>

/** What a name in a document stands for in the schema. */
export type SchemaSymbol =
  | { is: 'field'; parent: GraphQLCompositeType; field: Field }
  /** `owner`: the field ("Query.tenant") or directive ("@skip"); `member`: the name of its field, null for a directive. */
  | {
      is: 'argument'
      owner: string
      parent: GraphQLCompositeType | null
      member: string | null
      argument: GraphQLArgument
    }
  | { is: 'inputField'; parent: GraphQLInputObjectType; field: GraphQLInputField }
  | { is: 'enumValue'; type: GraphQLEnumType; value: GraphQLEnumValue }
  /** `written`: its type as the document has it, such as "[ID!]!"; `type`: null where the schema has none of that name. */
  | { is: 'variable'; name: string; written: string; type: GraphQLNamedType | null }
  | { is: 'type'; type: GraphQLNamedType }
  | { is: 'directive'; directive: GraphQLDirective }

/** Where a symbol is in the text. */
export interface Located {
  symbol: SchemaSymbol
  from: number
  to: number
}

/** Longest time that reading up to a place may take, ms. */
const parseMs = 50

/** Returns the tree of a text, read up to a position where there is time. */
export const treeUntil = (state: EditorState, position: number) =>
  ensureSyntaxTree(state, position, parseMs) ?? syntaxTree(state)

/** The deepest nesting that is followed. */
const maxDepth = 200

/** Returns what the name at a position stands for; null where there is none, or the schema does not know it. */
export function symbolAt(state: EditorState, position: number, schema: GraphQLSchema): Located | null {
  // A name that begins here, or else one that ends here.
  return at(1) ?? at(-1)
  function at(side: 1 | -1): Located | null {
    const node = treeUntil(state, position).resolveInner(position, side)
    if (depthOf(node) > maxDepth) return null
    const symbol = symbolOf({ state, schema }, node)
    return symbol === null ? null : { symbol, from: node.from, to: node.to }
  }
}

/** Returns the innermost set of selected fields around a position, with its type; null: none, or of an unknown type. */
export function selectionAt(
  state: EditorState,
  position: number,
  schema: GraphQLSchema,
): { node: SyntaxNode | null; field: SyntaxNode | null; type: GraphQLCompositeType } | null {
  const scope = { state, schema }
  let node: SyntaxNode | null = treeUntil(state, position).resolveInner(position, -1)
  if (node.name === '}' && node.to === position) node = node.parent?.parent ?? null
  if (node === null || depthOf(node) > maxDepth) return null
  for (; node !== null; node = node.parent) {
    if (node.name === 'SelectionSet') {
      const type = selected(scope, node)
      return type === null ? null : { node, field: null, type }
    }
    const inner = node.name === 'Field' ? node.getChild('SelectionSet') : null
    const type = node.name === 'Field' ? getNamedType(fieldOf(scope, node)?.field.type) : undefined
    if (isCompositeType(type)) return { node: inner, field: node, type }
  }
  return null
}

function depthOf(node: SyntaxNode): number {
  let depth = 0
  for (let each = node.parent; each !== null && depth <= maxDepth; each = each.parent) depth += 1
  return depth
}

/** A document and what it is read by. */
interface Scope {
  state: EditorState
  schema: GraphQLSchema
}

const text = ({ state }: Scope, { from, to }: SyntaxNode): string => state.sliceDoc(from, to)

/** Returns the type whose fields a set selects. */
function selected(scope: Scope, set: SyntaxNode): GraphQLCompositeType | null {
  const owner = set.parent
  if (owner === null) return null
  if (owner.name === 'Field') return composite(getNamedType(fieldOf(scope, owner)?.field.type))
  const condition = owner.getChild('TypeCondition')?.getChild('NamedType')
  if (condition) return composite(scope.schema.getType(text(scope, condition)))
  if (owner.name === 'InlineFragment') return owner.parent?.parent ? selected(scope, owner.parent.parent) : null
  if (owner.name !== 'OperationDefinition') return null
  const kind = owner.getChild('OperationType')
  const root = kind === null ? 'query' : text(scope, kind)
  if (root === 'mutation') return scope.schema.getMutationType() ?? null
  return (root === 'subscription' ? scope.schema.getSubscriptionType() : scope.schema.getQueryType()) ?? null
}

function fieldOf(scope: Scope, node: SyntaxNode): { parent: GraphQLCompositeType; field: Field } | null {
  const name = node.getChild('FieldName')
  const set = node.parent?.parent
  const parent = name && set?.name === 'SelectionSet' ? selected(scope, set) : null
  if (name === null || parent === null) return null
  const field = fieldNamed(scope.schema, parent, text(scope, name))
  return field === undefined ? null : { parent, field }
}

function argumentOf(scope: Scope, node: SyntaxNode): (SchemaSymbol & { is: 'argument' }) | null {
  const name = node.getChild('ArgumentAttributeName')
  const owner = node.parent?.parent
  if (name === null || !owner) return null
  const find = (all: readonly GraphQLArgument[]) => all.find((each) => each.name === text(scope, name))
  if (owner.name === 'Directive') {
    const directive = directiveOf(scope, owner)
    const argument = find(directive?.args ?? [])
    if (!directive || argument === undefined) return null
    return { is: 'argument', owner: `@${directive.name}`, parent: null, member: null, argument }
  }
  const found = fieldOf(scope, owner)
  const argument = find(found?.field.args ?? [])
  if (found === null || argument === undefined) return null
  const { parent, field } = found
  return { is: 'argument', owner: `${parent.name}.${field.name}`, parent, member: field.name, argument }
}

function directiveOf(scope: Scope, node: SyntaxNode): GraphQLDirective | null {
  const name = node.getChild('DirectiveName')
  return (name && scope.schema.getDirective(text(scope, name).replace(/^@/u, ''))) ?? null
}

/** Returns the type that a value must have. */
function valueType(scope: Scope, value: SyntaxNode): GraphQLInputType | null {
  const { parent, prevSibling } = value
  switch (parent?.name) {
    case 'Argument':
      return argumentOf(scope, parent)?.argument.type ?? null
    case 'ListValue':
      return itemType(valueType(scope, parent))
    case 'ObjectValue':
      return prevSibling === null ? null : (inputFieldOf(scope, prevSibling)?.field.type ?? null)
    case 'DefaultValue':
      return parent.parent === null ? null : inputType(scope, variableOf(scope, parent.parent)?.written ?? '')
    default:
      return null
  }
}

function inputFieldOf(scope: Scope, name: SyntaxNode): (SchemaSymbol & { is: 'inputField' }) | null {
  const object = name.parent
  const type = object?.name === 'ObjectValue' ? getNamedType(valueType(scope, object) ?? undefined) : undefined
  if (!isInputObjectType(type)) return null
  const field = own(type.getFields(), text(scope, name))
  return field === undefined ? null : { is: 'inputField', parent: type, field }
}

function inputType(scope: Scope, written: string): GraphQLInputType | null {
  try {
    // The type of a variable is an input type; another one has no values that could be described.
    return (typeFromAST(scope.schema, parseType(written, { noLocation: true })) as GraphQLInputType | undefined) ?? null
  } catch {
    return null
  }
}

function variableOf(scope: Scope, definition: SyntaxNode): (SchemaSymbol & { is: 'variable' }) | null {
  const [name, type] = [definition.getChild('Variable'), typeChild(definition)]
  if (name === null || type === null) return null
  const written = text(scope, type)
  return {
    is: 'variable',
    name: text(scope, name),
    written,
    type: scope.schema.getType(written.replaceAll(/[[\]!]/gu, '')) ?? null,
  }
}

function variable(scope: Scope, node: SyntaxNode): SchemaSymbol | null {
  let operation: SyntaxNode | null = node
  while (operation !== null && operation.name !== 'OperationDefinition') operation = operation.parent
  const all = operation?.getChild('VariableDefinitions')?.getChildren('VariableDefinition') ?? []
  const found = all.find((each) => {
    const name = each.getChild('Variable')
    return name !== null && text(scope, name) === text(scope, node)
  })
  return found === undefined ? null : variableOf(scope, found)
}

function symbolOf(scope: Scope, node: SyntaxNode): SchemaSymbol | null {
  const { parent } = node
  if (parent === null) return null
  switch (node.name) {
    case 'FieldName': {
      const found = fieldOf(scope, parent)
      return found === null ? null : { is: 'field', ...found }
    }
    case 'ArgumentAttributeName':
      return argumentOf(scope, parent)
    case 'Variable':
      return variable(scope, node)
    case 'DirectiveName': {
      const directive = directiveOf(scope, parent)
      return directive === null ? null : { is: 'directive', directive }
    }
    case 'EnumValue': {
      const type = getNamedType(valueType(scope, node) ?? undefined)
      const value = isEnumType(type) ? type.getValue(text(scope, node)) : null
      return isEnumType(type) && value ? { is: 'enumValue', type, value } : null
    }
    case 'Name': {
      if (parent.name !== 'NamedType') return inputFieldOf(scope, node)
      const type = scope.schema.getType(text(scope, node))
      return type === undefined ? null : { is: 'type', type }
    }
    default:
      return null
  }
}

const typeChild = (node: SyntaxNode): SyntaxNode | null =>
  node.getChild('NonNullType') ?? node.getChild('ListType') ?? node.getChild('NamedType')

const composite = (type: GraphQLType | undefined): GraphQLCompositeType | null => (isCompositeType(type) ? type : null)

/** Returns a field of a type, also one that each type has. */
export function fieldNamed(schema: GraphQLSchema, parent: GraphQLCompositeType, name: string): Field | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  }
  return isObjectType(parent) || isInterfaceType(parent) ? own(parent.getFields(), name) : undefined
}

/** Returns the type of the items of a list; a type that is no list takes one item as it is. */
export function itemType(type: GraphQLInputType | null): GraphQLInputType | null {
  const list = isNonNullType(type) ? type.ofType : type
  return isListType(list) ? list.ofType : list
}
