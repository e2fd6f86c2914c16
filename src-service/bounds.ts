import { GraphQLError, Kind, parse } from 'graphql'
import type { ASTVisitor, DocumentNode, FragmentDefinitionNode, ParseOptions, SelectionSetNode, ValidationContext } from 'graphql'

/**
 * What a document may be at most, whoever sends it: checking one is quicker than anybody can send the next. An operation
 * of 25 aliased searches has some 1,500 tokens, the introspection of a playground a depth of 15.
 */
export const MAX_TOKENS = 4000
export const MAX_DEPTH = 20
export const MAX_ALIASES = 100
/** Operations of one request. */
export const MAX_BATCH = 10

/** Throws a `GraphQLError` for a text that is no document, or one of too many tokens. */
export function parseBounded(text: Parameters<typeof parse>[0], options: ParseOptions = {}): DocumentNode {
  return parse(text, { ...options, maxTokens: MAX_TOKENS })
}

/** A rule of validation: no operation nests deeper, and no document has more aliases. */
export function boundsRule(context: ValidationContext): ASTVisitor {
  const depths = new Map<string, number>()
  const fragments = new Map(context.getDocument().definitions.flatMap((node): [string, FragmentDefinitionNode][] => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])))
  const depthOf = ({ selections }: SelectionSetNode): number => Math.max(0, ...selections.map((node) => {
    if (node.kind === Kind.FIELD) return 1 + (node.selectionSet ? depthOf(node.selectionSet) : 0)
    return node.kind === Kind.INLINE_FRAGMENT ? depthOf(node.selectionSet) : depthOfFragment(node.name.value)
  }))
  const depthOfFragment = (name: string): number => {
    const known = depths.get(name)
    if (known !== undefined) return known
    // A fragment within itself is refused by another rule.
    depths.set(name, 0)
    const fragment = fragments.get(name)
    const depth = fragment ? depthOf(fragment.selectionSet) : 0
    depths.set(name, depth)
    return depth
  }
  let aliases = 0
  return {
    OperationDefinition(node) {
      const depth = depthOf(node.selectionSet)
      if (depth > MAX_DEPTH) context.reportError(new GraphQLError(`The operation is ${depth} deep: at most ${MAX_DEPTH}`, { nodes: node }))
    },
    Field(node) {
      if (node.alias === undefined) return
      aliases += 1
      if (aliases === MAX_ALIASES + 1) context.reportError(new GraphQLError(`The document has more than ${MAX_ALIASES} aliases`, { nodes: node }))
    },
  }
}
