import { createHash } from 'node:crypto'
import {
  GraphQLError,
  Kind,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
  type DocumentNode,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { featuresIn, repeated, type Features } from './features.ts'
import { fragmentsIn } from './fragments.ts'
import { defaultPageSize, pageField, selectedBy, sizeMember } from './selection.ts'

/**
 * The form of an operation, by which its cost is learned: the same document is the same shape, whatever its white
 * space, name or variables (design, section 6).
 */
export interface Shape {
  /** Stable over restarts and versions while the document is the same. */
  key: string
  /**
   * Number of fields outside of pages and within one item of a page, each weighted with its depth: the only known
   * measure before a cost was charged.
   */
  once: number
  each: number
  /** What its cost may depend on, by which that of other operations is derived; left out where nothing is known of it. */
  features?: Features
}

/** Longest accepted document, in tokens; the service accepts no longer one. */
const maxTokens = 20_000

/** Returns a document's tree. Throws as `shapeOf` does. */
export const readDocument = (document: string): DocumentNode => parse(document, { noLocation: true, maxTokens })
/** Returns the same with the position of each node. */
export const parseLocated = (document: string): DocumentNode => parse(document, { maxTokens })

/** Returns what `read` returns. Throws a fault of kind `input` (`document: words`) where a document cannot be read. */
export function readingDocument<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof GraphQLError) throw new FaultError('input', `document: ${error.message}`)
    if (error instanceof RangeError) throw new FaultError('input', 'document: It is nested too deeply.')
    throw error
  }
}

/**
 * Returns the shape of a document. Throws a `GraphQLError` for invalid text, and a `RangeError` for excessive nesting.
 */
export const shapeOf = (document: string): Shape => shapeIn(readDocument(document), null)

/** An operation as it is sent. */
export interface SentOperation {
  /** The document with no other operation. */
  tree: DocumentNode
  operation: OperationDefinitionNode
  shape: Shape
  size: number
}

/**
 * Returns what the cost of one operation of a document depends on; other operations in the document are not sent. Throws as
 * `shapeOf` does.
 */
export function sentOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): SentOperation {
  const definitions = document.definitions.filter((node) => !isOperation(node) || node === operation)
  const tree = { ...document, definitions }
  return { tree, operation, shape: shapeIn(tree, variables), size: pageSizeIn(tree, variables) }
}

/** `variables`: null for a document that is sent with many. */
function shapeIn(tree: DocumentNode, variables: Record<string, unknown> | null): Shape {
  const operation = tree.definitions.find(isOperation)
  const sizes = { size: pageSizeIn(tree, variables ?? {}), variables }
  const fields = operation === undefined ? null : selectedBy(tree, operation, sizes)
  const text = stripIgnoredCharacters(
    print(visit(tree, { OperationDefinition: (node) => ({ ...node, name: undefined }), ObjectField: withoutSize })),
  )
  return {
    key: createHash('sha256').update(text).digest('base64url').slice(0, 22),
    ...weights(tree),
    ...(fields !== null && { features: featuresIn(fields) }),
  }
}

export const isOperation = (node: { kind: Kind }): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION

/** Returns the shape of as many such operations in one, under aliases, as its size says. */
export function shapeOfEach(document: string): Shape {
  const { key, once, features } = shapeOf(document)
  return { key, once: 0, each: once, ...(features !== undefined && { features: repeated(features) }) }
}

const withoutSize = (node: ObjectFieldNode): ObjectFieldNode =>
  node.name.value === sizeMember && node.value.kind === Kind.INT
    ? { ...node, value: { ...node.value, value: '0' } }
    : node

/**
 * Returns the largest page size in the operation's text or variables; 1 where it has no pages. Throws as `shapeOf`
 * does.
 */
export const pageSizeOf = (document: string, variables: Record<string, unknown>): number =>
  pageSizeIn(readDocument(document), variables)

function pageSizeIn(tree: DocumentNode, variables: Record<string, unknown>): number {
  let [hasPages, largest] = [false, 0]
  visit(tree, {
    Field: ({ name }) => void (hasPages ||= name.value === pageField),
    ObjectField({ name, value }) {
      if (name.value !== sizeMember) return
      const size =
        value.kind === Kind.INT
          ? Number(value.value)
          : value.kind === Kind.VARIABLE
            ? Number(own(variables, value.name.value))
            : Number.NaN
      if (size > largest) largest = size
    },
  })
  if (!hasPages) return 1
  return Math.max(largest, sizeWithin(variables)) || defaultPageSize
}

/** Deepest nesting of parameters that is searched. */
const maxDepth = 10

/** Returns the largest page size anywhere in an object; 0: none. */
function sizeWithin(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return 0
  let largest = 0
  for (const [name, inner] of Object.entries(value))
    largest = Math.max(largest, name === sizeMember && typeof inner === 'number' ? inner : sizeWithin(inner, depth + 1))
  return largest
}

/** Number of fields and sum of their depths, outside of pages and within one item. */
interface Weight {
  fields: { once: number; each: number }
  depths: { once: number; each: number }
}

const nothing: Weight = { fields: { once: 0, each: 0 }, depths: { once: 0, each: 0 } }

/**
 * Returns a document's weights. Each fragment is weighed once: the depths below a spread are those within the fragment
 * plus the spread's depth for each field.
 */
function weights(tree: DocumentNode): Pick<Shape, 'once' | 'each'> {
  const fragments = fragmentsIn(tree)
  const weightsByFragment = new Map<string, Weight>()
  const ofFragment = (name: string): Weight => {
    const known = weightsByFragment.get(name)
    const fragment = fragments.get(name)
    if (known !== undefined || fragment === undefined) return known ?? nothing
    // The service rejects a fragment that contains itself.
    weightsByFragment.set(name, nothing)
    const weight = weightOf(fragment.selectionSet)
    weightsByFragment.set(name, weight)
    return weight
  }
  const weightOf = ({ selections }: SelectionSetNode): Weight =>
    selections.reduce((sum, node) => {
      if (node.kind === Kind.FRAGMENT_SPREAD) return added(sum, ofFragment(node.name.value))
      if (node.kind === Kind.INLINE_FRAGMENT) return added(sum, weightOf(node.selectionSet))
      const below = node.selectionSet === undefined ? nothing : weightOf(node.selectionSet)
      return added(sum, deeper(node.name.value === pageField ? asItems(below) : below))
    }, nothing)
  return tree.definitions.reduce(
    (sum, node) => (node.kind === Kind.OPERATION_DEFINITION ? added(sum, weightOf(node.selectionSet)) : sum),
    nothing,
  ).depths
}

function added(one: Weight, other: Weight): Weight {
  const sum = (a: Weight['fields'], b: Weight['fields']) => ({ once: a.once + b.once, each: a.each + b.each })
  return { fields: sum(one.fields, other.fields), depths: sum(one.depths, other.depths) }
}

/** Returns the weight of a field with the given selection. */
function deeper({ fields, depths }: Weight): Weight {
  return {
    fields: { once: fields.once + 1, each: fields.each },
    depths: { once: depths.once + fields.once + 1, each: depths.each + fields.each },
  }
}

function asItems({ fields, depths }: Weight): Weight {
  return { fields: { once: 0, each: fields.once + fields.each }, depths: { once: 0, each: depths.once + depths.each } }
}
