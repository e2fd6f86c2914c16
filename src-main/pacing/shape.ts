import { createHash } from 'node:crypto'
import { Kind, parse, print, stripIgnoredCharacters, visit, type ASTNode, type DocumentNode, type ObjectFieldNode } from 'graphql'

/**
 * The form of an operation, by which its price is learned: the same document is the same shape, whatever its white space,
 * name or variables (design, section 6).
 */
export interface Shape {
  /** Steady over restarts and versions, as long as the document is the same. */
  key: string
  /** Its fields outside of pages and within one item of a page, each weighted with its depth: the only thing that is known of a price before anything was charged. */
  once: number
  each: number
}

/** Throws a `GraphQLError` for a text that is no document. */
export function shapeOf(document: string): Shape {
  const tree = parse(document, { noLocation: true })
  const text = stripIgnoredCharacters(print(visit(tree, { OperationDefinition: (node) => ({ ...node, name: undefined }), ObjectField: withoutSize })))
  return { key: createHash('sha256').update(text).digest('base64url').slice(0, 22), ...weights(tree) }
}

/** The member of a search's parameters that says how large a page is (service-twin.md, section 6). */
const sizeMember = 'pageSize'

const withoutSize = (node: ObjectFieldNode): ObjectFieldNode =>
  node.name.value === sizeMember && node.value.kind === Kind.INT ? { ...node, value: { ...node.value, value: '0' } } : node

/** A page holds so many when the operation does not say (service-twin.md, section 6). */
const usualSize = 10

/** The largest page that the operation asks for, in its text or its variables; 1 where it has no pages. Throws as `shapeOf`. */
export function pageSizeOf(document: string, variables: Record<string, unknown>): number {
  const tree = parse(document, { noLocation: true })
  let [hasPages, largest] = [false, 0]
  visit(tree, {
    Field: ({ name }) => void (hasPages ||= name.value === pageField),
    ObjectField({ name, value }) {
      if (name.value !== sizeMember) return
      const size = value.kind === Kind.INT ? Number(value.value) : value.kind === Kind.VARIABLE ? Number(variables[value.name.value]) : Number.NaN
      if (size > largest) largest = size
    },
  })
  if (!hasPages) return 1
  return Math.max(largest, sizeWithin(variables)) || usualSize
}

/** In whatever object the parameters are given. */
function sizeWithin(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Math.max(0, ...Object.entries(value).map(([name, inner]) => (name === sizeMember && typeof inner === 'number' ? inner : sizeWithin(inner))))
}

/** What the documented connections repeat (service-spec.md, section 2). */
const pageField = 'edges'

function weights(tree: DocumentNode): Pick<Shape, 'once' | 'each'> {
  const fragments = new Map<string, ASTNode>()
  for (const node of tree.definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node.selectionSet)
  const sum = { once: 0, each: 0 }
  const open = new Set<string>()
  const weigh = (root: ASTNode, depthBefore: number, within: boolean) => {
    let depth = depthBefore
    let pages = within ? 1 : 0
    visit(root, {
      Field: {
        enter(node) {
          depth += 1
          sum[pages > 0 ? 'each' : 'once'] += depth
          if (node.name.value === pageField) pages += 1
        },
        leave(node) {
          depth -= 1
          if (node.name.value === pageField) pages -= 1
        },
      },
      FragmentDefinition: () => false,
      FragmentSpread({ name: { value: name } }) {
        const fragment = fragments.get(name)
        if (fragment === undefined || open.has(name)) return
        open.add(name)
        weigh(fragment, depth, pages > 0)
        open.delete(name)
      },
    })
  }
  weigh(tree, 0, false)
  return sum
}
