import {
  getArgumentValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
} from 'graphql'
import { getOperationAST, getVariableValues, SchemaMetaFieldDef, TypeMetaFieldDef } from 'graphql'
import { GraphQLIncludeDirective, GraphQLSkipDirective, getDirectiveValues } from 'graphql'
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLSchema,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'

/** The default page size (twin section 6). */
export const DEFAULT_PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 5000

/**
 * Counting stops at this number of selections, which cost more than any limit allows, so that no document takes long.
 */
const MAX_VISITS = 20_000

type Walk = {
  schema: GraphQLSchema
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  variables: Record<string, unknown>
  tenants: number
  visits: number
}

/**
 * Returns the cost in points of the operation `operationName` of a valid document, with these variables. A scalar costs
 * 1; an object costs half its depth, rounded up, where a root field has depth 1; fields below `edges` count once for
 * each device of the requested page, whatever is returned, and fields below the root field `tenants` once for each of
 * the `tenants` that the caller sees, at least once. Aliases count separately, fragments where they are spread, skipped
 * fields not at all. 0 when the variables are invalid, since such an operation does not run. README.md has the table;
 * the specification (section 8) says only that depth costs more.
 */
export function operationCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  variables: Record<string, unknown>,
  tenants: number,
): number {
  const operation = getOperationAST(document, operationName)
  const root = operation && schema.getRootType(operation.operation)
  if (!operation || !root) return 0
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables).coerced
  if (!coerced) return 0
  const fragments = new Map(
    document.definitions
      .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  )
  const walk: Walk = { schema, fragments, variables: coerced, tenants: Math.max(1, tenants), visits: 0 }
  return selectionCost(walk, root, [operation.selectionSet], { depth: 1, pageSize: DEFAULT_PAGE_SIZE })
}

type Place = {
  depth: number
  /** The page size of the enclosing field. */
  pageSize: number
}

function selectionCost(walk: Walk, parent: GraphQLObjectType, sets: readonly SelectionSetNode[], place: Place): number {
  let sum = 0
  for (const nodes of merged(walk, sets).values()) sum += fieldCost(walk, parent, nodes, place)
  return sum
}

function fieldCost(
  walk: Walk,
  parent: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { depth, pageSize }: Place,
): number {
  walk.visits += 1
  const [node] = nodes
  const field = node && fieldOf(walk.schema, parent, node.name.value)
  if (!node || !field) return 1
  const type = getNamedType(field.type)
  if (!isCompositeType(type) || !isObjectType(type) || walk.visits > MAX_VISITS) return 1
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const below = selectionCost(walk, type, sets, { depth: depth + 1, pageSize: requestedSize(walk, field, node) })
  return Math.ceil(depth / 2) + timesOf(walk, parent, field, pageSize) * below
}

/** Returns how often the fields below a field count: as often as they can occur, where that is known. */
function timesOf(
  { schema, tenants }: Walk,
  parent: GraphQLObjectType,
  { name, type }: GraphQLField<unknown, unknown>,
  pageSize: number,
): number {
  if (parent === schema.getQueryType()) return name === 'tenants' ? tenants : 1
  return name === 'edges' && isListType(getNullableType(type)) ? pageSize : 1
}

function fieldOf(
  schema: GraphQLSchema,
  parent: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (parent === schema.getQueryType() && name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
  if (parent === schema.getQueryType() && name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  return parent.getFields()[name]
}

/**
 * Returns the page size within its limits; an invalid one is rejected when the field is resolved, and must not lower
 * the cost here.
 */
function requestedSize(walk: Walk, field: GraphQLField<unknown, unknown>, node: FieldNode): number {
  const sized = field.args.find(({ name }) => name === 'params' || name === 'first')?.name
  if (sized === undefined) return DEFAULT_PAGE_SIZE
  const values = getArgumentValues(field, node, walk.variables)
  const params: unknown = sized === 'first' ? { limit: values['first'] } : values['params']
  const given = typeof params === 'object' && params !== null ? params : {}
  const size = 'pageSize' in given ? given.pageSize : 'limit' in given ? given.limit : null
  return typeof size === 'number' ? Math.min(MAX_PAGE_SIZE, Math.max(1, size)) : DEFAULT_PAGE_SIZE
}

/**
 * Returns the fields of these selections by response key, with fragments expanded: those that the executor would
 * resolve once.
 */
function merged(walk: Walk, sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  const spread = new Set<string>()
  const visit = (node: SelectionNode): void => {
    if (!included(walk, node)) return
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value
      const nodes = fields.get(key)
      if (nodes) nodes.push(node)
      else fields.set(key, [node])
      return
    }
    if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet.selections.forEach(visit)
    if (spread.has(node.name.value)) return
    spread.add(node.name.value)
    walk.fragments.get(node.name.value)?.selectionSet.selections.forEach(visit)
  }
  for (const set of sets) set.selections.forEach(visit)
  return fields
}

function included(walk: Walk, node: SelectionNode): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, node, walk.variables)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, walk.variables)?.['if'] !== false
}
