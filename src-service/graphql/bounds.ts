import { GraphQLError, Kind, Lexer, parse, Source, TokenKind } from 'graphql'
import type {
  ASTVisitor,
  DocumentNode,
  FragmentDefinitionNode,
  ParseOptions,
  SelectionNode,
  SelectionSetNode,
  ValidationContext,
} from 'graphql'

/**
 * Limits of a document: checking one is faster than sending the next. An operation of 25 aliased searches has about
 * 1,500 tokens, the introspection of a playground a depth of 15.
 */
const MAX_TOKENS = 4000
const MAX_DEPTH = 20
const MAX_ALIASES = 100
/** Deepest nesting of brackets in a body and in a document: a filter of 100 nested nodes has about 210. */
export const MAX_NESTING = 250
/** Most operations in one request. */
export const MAX_BATCH = 10

/** Parses a document. Throws a `GraphQLError` for an invalid one, or one with too many tokens or too much nesting. */
export function parseBounded(text: Parameters<typeof parse>[0], options: ParseOptions = {}): DocumentNode {
  refuseNested(typeof text === 'string' ? new Source(text) : text)
  return parse(text, { ...options, maxTokens: MAX_TOKENS })
}

/** Throws for too much nesting, since walks through a document recurse into every list and object. */
function refuseNested(source: Source): void {
  // Most documents have fewer brackets than the limit.
  if (source.body.split(/[[{(]/u, MAX_NESTING + 2).length <= MAX_NESTING + 1) return
  const lexer = new Lexer(source)
  for (let [depth, tokens] = [0, 0]; tokens < MAX_TOKENS; tokens += 1) {
    const { kind } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) depth += 1
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) depth -= 1
    if (depth > MAX_NESTING) throw new GraphQLError(`The document nests deeper than ${MAX_NESTING} brackets`)
  }
}

/** Returns whether objects and lists in a JSON text are nested deeper than `most`. Ignores brackets in strings. */
export function nestsTooDeep(json: string, most: number): boolean {
  let [depth, inString] = [0, false]
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (inString && sign === '\\') at += 1
    else if (sign === '"') inString = !inString
    else if (!inString && (sign === '{' || sign === '[')) depth += 1
    else if (!inString && (sign === '}' || sign === ']')) depth -= 1
    if (depth > most) return true
  }
  return false
}

/** A validation rule that limits the depth of operations and the number of aliases. */
export function boundsRule(context: ValidationContext): ASTVisitor {
  const depths = new Map<string, number>()
  const fragments = new Map(
    context
      .getDocument()
      .definitions.flatMap((node): [string, FragmentDefinitionNode][] =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
      ),
  )
  const depthOf = ({ selections }: SelectionSetNode): number =>
    selections.reduce((most, node) => Math.max(most, depthOfNode(node)), 0)
  const depthOfNode = (node: SelectionNode): number => {
    if (node.kind === Kind.FIELD) return 1 + (node.selectionSet ? depthOf(node.selectionSet) : 0)
    return node.kind === Kind.INLINE_FRAGMENT ? depthOf(node.selectionSet) : depthOfFragment(node.name.value)
  }
  const depthOfFragment = (name: string): number => {
    const known = depths.get(name)
    if (known !== undefined) return known
    // Another rule rejects a fragment that contains itself.
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
      if (depth > MAX_DEPTH)
        context.reportError(new GraphQLError(`The operation is ${depth} deep: at most ${MAX_DEPTH}`, { nodes: node }))
    },
    Field(node) {
      if (node.alias === undefined) return
      aliases += 1
      if (aliases === MAX_ALIASES + 1)
        context.reportError(new GraphQLError(`The document has more than ${MAX_ALIASES} aliases`, { nodes: node }))
    },
  }
}
