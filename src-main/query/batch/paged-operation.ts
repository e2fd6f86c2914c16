import {
  Kind,
  print,
  separateOperations,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { fragmentsIn } from '../../pacing/cost/fragments.ts'
import { connectionsIn, fieldsOf, keyOf, type ConnectionField } from './connections-in.ts'
import { sizePlace, tokenPlace, valueAt, withArgument, withValue, type Place, type TokenPlace } from './page-place.ts'

/** What is sent for one page. */
export interface PageRequest {
  document: string
  variables: Record<string, unknown>
}

/** Where the rows and the next page's token are in an answer: response keys from `data` on. */
export interface SlicePlan {
  path: readonly string[]
  list: string
  node: string | null
  /** Keys of `pageInfo` and of its members. */
  info: string
  token: string
}

/** A connection that can be read to its end, page by page. */
export interface PagedOperation {
  /** Its path for people: "tenant.inventory.deviceSearch". */
  field: string
  connection: ConnectionField
  slice: SlicePlan
  /** The requested page size; null where the operation names none. */
  size: number | null
  /** Number of sets of `pageInfo` members that can be asked for: a service may lack some of them. */
  levels: number
  /**
   * Returns the request of a page. `token`: null for the first page, as the operator wrote it. `size`: null, or as written.
   * `level`: from 0, with all members of `pageInfo` that Muster reads, to the last one, with the token alone.
   */
  request(token: string | null, size: number | null, level: number): PageRequest
}

/** An operation that cannot be read page by page, with the reason as a sentence. */
export interface NotPaged {
  why: string
}

export interface ReadOperation {
  /** The operation alone, with its fragments. */
  document: DocumentNode
  operation: OperationDefinitionNode
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  connections: ConnectionField[]
}

/** Returns one operation of a document, by its name, with the fragments that it uses and the connections that it selects. */
export function readOperation(document: DocumentNode, name: string | null): ReadOperation {
  const alone = own(separateOperations(document), name ?? '') ?? document
  const operation = alone.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (operation === undefined) throw new FaultError('input', 'document: It has no operation.')
  const fragments = fragmentsIn(alone)
  return { document: alone, operation, fragments, connections: connectionsIn(operation.selectionSet, fragments) }
}

/**
 * Returns the one connection of an operation that is outside of all lists, ready to be paged. Connections within its rows are
 * read as far as their own first page goes. A list that the document does not show is met with the first answer.
 */
export function pagedOperation(read: ReadOperation, variables: Record<string, unknown>): PagedOperation | NotPaged {
  const outer = read.connections.filter(({ within }) => within === null)
  const [connection, ...more] = outer
  if (connection === undefined) return { why: noneText(read.connections) }
  if (more.length > 0)
    return { why: `It has several paged fields: ${outer.slice(0, 5).map(pathText).join(', ')}. Ask for one of them.` }
  const node = connection.nodes[0]
  if (node === undefined) return { why: noneText([]) }
  const place = tokenPlace(node, variables, selectedToken(connection, read.fragments))
  if (place === null)
    return {
      why: `${pathText(connection)} does not say how its next page is asked for: add params: { nextToken: null }, or first: 100, after: null.`,
    }
  return paged(read, variables, connection, place)
}

const pathText = ({ path }: ConnectionField): string => path.join('.')

function noneText([inner]: readonly ConnectionField[]): string {
  return inner === undefined
    ? 'It has no paged field: none with edges.'
    : `${pathText(inner)} is within a list (${inner.within ?? ''}): ask for one element, such as tenant(id: …).`
}

function paged(
  { document, operation, fragments }: ReadOperation,
  variables: Record<string, unknown>,
  connection: ConnectionField,
  { place, member }: TokenPlace,
): PagedOperation {
  const [node] = connection.nodes
  const token = selectedToken(connection, fragments) ?? (member === 'nextToken' ? 'nextToken' : 'endCursor')
  const info = infoKey(connection, fragments)
  const levels = token === 'nextToken' ? [['totalCount', 'hasNextPage'], ['hasNextPage'], []] : [['hasNextPage'], []]
  const sizeAt = node === undefined ? null : sizePlace(node, variables)
  const size = node === undefined || sizeAt === null ? null : valueAt(node, variables, sizeAt, defaultsOf(operation))
  const written = typeof size === 'number' && Number.isInteger(size) && size > 0 ? size : null
  return {
    field: pathText(connection),
    connection,
    slice: { path: connection.path, list: connection.list, node: connection.node, info, token },
    size: written,
    levels: levels.length,
    request(next, wanted, level) {
      const isSized = sizeAt !== null && wanted !== null && wanted !== written
      const change = (field: FieldNode): FieldNode => {
        const withNext = next === null ? field : atPlace(field, place, { kind: Kind.STRING, value: next })
        const sized = isSized ? atPlace(withNext, sizeAt, { kind: Kind.INT, value: String(wanted) }) : withNext
        return field === node
          ? withInfo(sized, info, missing(connection, info, [...(levels[level] ?? []), token]))
          : sized
      }
      const sizedVariables = isSized ? withValue(variables, sizeAt, wanted) : variables
      return {
        document: print(
          visit(document, {
            Field: (field) => (connection.nodes.includes(field) ? change(field) : undefined),
          }),
        ),
        variables: next === null ? sizedVariables : withValue(sizedVariables, place, next),
      }
    },
  }
}

const atPlace = (field: FieldNode, place: Place, value: Parameters<typeof withArgument>[2]): FieldNode =>
  place.in === 'text' ? withArgument(field, place, value) : field

/** Returns the default values of an operation's variables that are numbers. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  )
}

type Fragments = ReadOperation['fragments']

const fieldsIn = ({ nodes }: ConnectionField, fragments: Fragments): FieldNode[] =>
  nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : fieldsOf(selectionSet, fragments)))

const infosIn = (connection: ConnectionField, fragments: Fragments): FieldNode[] =>
  fieldsIn(connection, fragments).filter(({ name }) => name.value === 'pageInfo')

const membersOf = (infos: readonly FieldNode[], fragments: Fragments): FieldNode[] =>
  infos.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : fieldsOf(selectionSet, fragments)))

/** Returns the token that the operator selects in `pageInfo`, under whatever alias; null: none. */
function selectedToken(connection: ConnectionField, fragments: Fragments): 'nextToken' | 'endCursor' | null {
  const names = membersOf(infosIn(connection, fragments), fragments).map(({ name }) => name.value)
  return names.includes('nextToken') ? 'nextToken' : names.includes('endCursor') ? 'endCursor' : null
}

const pageInfo = 'pageInfo'

/**
 * Returns the response key under which Muster reads `pageInfo`: the usual one, which the service merges with what the operator
 * selects, or one of its own where an alias has taken a key.
 */
function infoKey(connection: ConnectionField, fragments: Fragments): string {
  const same = fieldsIn(connection, fragments).filter((field) => keyOf(field) === pageInfo)
  const members = membersOf(same, fragments)
  const isUsual = (field: FieldNode) => keyOf(field) === field.name.value && (field.arguments ?? []).length === 0
  return same.every(isUsual) && members.every(isUsual) ? pageInfo : 'musterPageInfo'
}

/** Returns the members of `pageInfo` that are wanted and not selected yet, unconditionally. */
function missing({ nodes }: ConnectionField, info: string, wanted: readonly string[]): string[] {
  const isAlways = ({ directives = [] }: FieldNode) => directives.length === 0
  const same = nodes
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .filter((node): node is FieldNode => node.kind === Kind.FIELD && keyOf(node) === info && isAlways(node))
  const selected = same
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .flatMap((node) => (node.kind === Kind.FIELD && isAlways(node) ? [keyOf(node)] : []))
  return wanted.filter((name) => !selected.includes(name))
}

function withInfo(field: FieldNode, key: string, names: readonly string[]): FieldNode {
  if (names.length === 0 || field.selectionSet === undefined) return field
  const named = (value: string) => ({ kind: Kind.NAME, value }) as const
  const info: SelectionNode = {
    kind: Kind.FIELD,
    name: named(pageInfo),
    ...(key !== pageInfo && { alias: named(key) }),
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: names.map((name) => ({ kind: Kind.FIELD, name: named(name) })),
    },
  }
  return { ...field, selectionSet: { ...field.selectionSet, selections: [...field.selectionSet.selections, info] } }
}
