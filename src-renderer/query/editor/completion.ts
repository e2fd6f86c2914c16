import { CompletionContext, type CompletionResult, type CompletionSource } from '@codemirror/autocomplete'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { completion, getSchema, graphqlLanguage, stateExtensions } from 'cm6-graphql'
import { graphqlSupport } from './grammar.ts'
import type { SyntaxNode } from './symbol-at.ts'

/** Longest time that reading up to the cursor may take, ms; nothing is completed where it takes longer. */
const parseMs = 50
/** Most fragments whose names are completed. */
const maxFragments = 200

/**
 * Returns the shortest document in which the same is completed at `position` as at a place of a longer one: the definition
 * around it without what is selected before and after, and the heads of the fragments. Null where it cannot be told in time.
 */
export function shortDocument(state: EditorState, place: number): { text: string; position: number } | null {
  const tree = ensureSyntaxTree(state, place, parseMs)
  if (tree === null) return null
  const word = place - (/\w*$/u.exec(state.sliceDoc(Math.max(0, place - 200), place))?.[0].length ?? 0)
  const cuts: { from: number; to: number }[] = []
  let top: SyntaxNode | null = null
  let child: SyntaxNode | null = null
  for (let node: SyntaxNode | null = tree.resolveInner(place, -1); node !== null; child = node, node = node.parent) {
    const isAround = node.from < place && (place < node.to || state.sliceDoc(node.to - 1, node.to) !== '}')
    if (node.name === 'SelectionSet' && isAround)
      cuts.unshift({ from: node.from + 1, to: Math.min(child?.name === 'Selection' ? child.from : word, word) })
    if (node.parent?.name === 'Document') top = node
  }
  if (top === null) return { text: state.sliceDoc(word, place), position: place - word }
  let text = ''
  let from = top.from
  for (const cut of cuts) {
    text += `${state.sliceDoc(from, cut.from)} `
    from = Math.max(from, cut.to)
  }
  text += state.sliceDoc(from, place)
  const heads = tree.topNode
    .getChildren('FragmentDefinition')
    .slice(0, maxFragments)
    .map((each) => state.sliceDoc(each.from, each.getChild('SelectionSet')?.from ?? each.to))
  // Closed, since what is behind an open bracket is no fragment.
  const closed = `${text}${' }'.repeat(cuts.length)}`
  return { text: `${closed}\n${heads.map((head) => `${head} { __typename }\n`).join('')}`, position: text.length }
}

/** `cm6-graphql` reads a document from its beginning for each completion: it is given a short one. */
async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const schema = getSchema(context.state)
  const short = schema ? shortDocument(context.state, context.pos) : null
  if (!schema || short === null) return null
  const extensions = [graphqlSupport(), ...stateExtensions(schema), completion]
  const state = EditorState.create({ doc: short.text, extensions })
  const [source] = state.languageDataAt<CompletionSource>('autocomplete', short.position)
  const result = await source?.(new CompletionContext(state, short.position, context.explicit))
  if (!result) return null
  return { ...result, from: result.from + context.pos - short.position, validFor: /^\w*$/u }
}

/** Completes a document from the schema that the editor has (`updateSchema` of `cm6-graphql`). */
export const schemaCompletion: Extension = graphqlLanguage.data.of({ autocomplete: complete })
