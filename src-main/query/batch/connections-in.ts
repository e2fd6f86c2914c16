import { Kind, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'
import { FaultError } from '../../../src-shared/model/fault.ts'

/** A field of an operation that selects the edges of a connection (service-spec.md, section 2). */
export interface ConnectionField {
  /** Response keys (aliases, or names) from `data` to the field, and the names of the same fields. */
  path: readonly string[]
  names: readonly string[]
  /** The fields from the root to it, of which the last one is its first node. */
  above: readonly FieldNode[]
  /** All selections with this path, which the service merges: they have the same arguments. */
  nodes: FieldNode[]
  /** Response key of its list, and of the row in each element; null: the element is the row. */
  list: string
  node: string | null
  /** It is in the elements of this list; null: in none, as far as the document shows. */
  within: string | null
}

/** Most selections that are visited: fragments within fragments may be exponentially many. */
const maxVisits = 50_000
/** A root field with a list, by the specification (service-spec.md, section 4). */
const listField = 'tenants'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

export const keyOf = (node: FieldNode): string => node.alias?.value ?? node.name.value

/**
 * Returns the connections that an operation selects, in order. `__typename` and other members beside `edges` do not matter, and
 * neither do fragments. Throws a fault of kind `input` for fragments beyond all bounds.
 */
export function connectionsIn(selection: SelectionSetNode, fragments: Fragments): ConnectionField[] {
  const found: ConnectionField[] = []
  let visits = 0
  const visit = (sets: readonly SelectionSetNode[], above: readonly FieldNode[], within: string | null): void => {
    const fields = sets.flatMap((set) => fieldsOf(set, fragments))
    visits += fields.length
    if (visits > maxVisits) throw new FaultError('input', 'document: Its fragments are nested too deeply.')
    // The service merges fields of one key, so that one of them may have the edges and another one the page info.
    for (const nodes of Map.groupBy(fields, keyOf).values()) {
      const [first] = nodes
      const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
      if (first === undefined || inner.length === 0) continue
      const chain = [...above, first]
      const list = listOf(
        inner.flatMap((set) => fieldsOf(set, fragments)),
        fragments,
      )
      if (list !== null) {
        const names = chain.map(({ name }) => name.value)
        found.push({ path: chain.map(keyOf), names, above: chain, nodes: [...new Set(nodes)], ...list, within })
      }
      const isList = list !== null || (above.length === 0 && first.name.value === listField)
      visit(inner, chain, within ?? (isList ? keyOf(first) : null))
    }
  }
  visit([selection], [], null)
  return found
}

/** Returns the fields of a selection, also those in fragments; each fragment once. */
export function fieldsOf(set: SelectionSetNode, fragments: Fragments): FieldNode[] {
  const fields: FieldNode[] = []
  const spread = new Set<string>()
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) fields.push(node)
      else if (node.kind === Kind.INLINE_FRAGMENT) visit(node.selectionSet)
      else if (!spread.has(node.name.value)) {
        spread.add(node.name.value)
        const fragment = fragments.get(node.name.value)
        if (fragment !== undefined) visit(fragment.selectionSet)
      }
    }
  }
  visit(set)
  return fields
}

/** Returns the list of a connection by its fields: `edges`, or `nodes` beside `pageInfo`; null where it has neither. */
function listOf(fields: readonly FieldNode[], fragments: Fragments): { list: string; node: string | null } | null {
  const edges = fields.find(({ name, selectionSet }) => name.value === 'edges' && selectionSet !== undefined)
  if (edges?.selectionSet !== undefined) {
    const same = fields.filter((field) => keyOf(field) === keyOf(edges))
    const inEdges = same.flatMap(({ selectionSet }) => (selectionSet ? fieldsOf(selectionSet, fragments) : []))
    const node = inEdges.find(({ name }) => name.value === 'node')
    return { list: keyOf(edges), node: node === undefined ? null : keyOf(node) }
  }
  const nodes = fields.find(({ name, selectionSet }) => name.value === 'nodes' && selectionSet !== undefined)
  const hasInfo = fields.some(({ name }) => name.value === 'pageInfo')
  return nodes === undefined || !hasInfo ? null : { list: keyOf(nodes), node: null }
}
