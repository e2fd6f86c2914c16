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
  const found = new Map<string, ConnectionField>()
  let visits = 0
  const visit = (set: SelectionSetNode, above: readonly FieldNode[], within: string | null): void => {
    for (const field of fieldsOf(set, fragments)) {
      visits += 1
      if (visits > maxVisits) throw new FaultError('input', 'document: Its fragments are nested too deeply.')
      if (field.selectionSet === undefined) continue
      const chain = [...above, field]
      const list = listOf(field.selectionSet, fragments)
      if (list !== null) note(found, chain, { ...list, within })
      const isList = list !== null || (above.length === 0 && field.name.value === listField)
      visit(field.selectionSet, chain, within ?? (isList ? keyOf(field) : null))
    }
  }
  visit(selection, [], null)
  return [...found.values()]
}

function note(
  found: Map<string, ConnectionField>,
  above: readonly FieldNode[],
  more: Pick<ConnectionField, 'list' | 'node' | 'within'>,
): void {
  const path = above.map(keyOf)
  const key = JSON.stringify(path)
  const known = found.get(key)
  const last = above.at(-1)
  if (last === undefined) return
  if (known === undefined)
    found.set(key, { path, names: above.map(({ name }) => name.value), above, nodes: [last], ...more })
  else if (!known.nodes.includes(last)) known.nodes.push(last)
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

/** Returns the list of a connection: `edges`, or `nodes` beside `pageInfo`; null where the selection has neither. */
function listOf(set: SelectionSetNode, fragments: Fragments): { list: string; node: string | null } | null {
  const fields = fieldsOf(set, fragments)
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
