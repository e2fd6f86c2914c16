import { createHash } from 'node:crypto'
import { Kind, parse, stripIgnoredCharacters, visit, type ASTNode, type DocumentNode } from 'graphql'

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
  return { key: createHash('sha256').update(stripIgnoredCharacters(document)).digest('base64url').slice(0, 22), ...weights(tree) }
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
