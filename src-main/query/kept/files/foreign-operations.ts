import {
  Kind,
  parse,
  visit,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { operationLimits, type SavedOperation } from '../../../../src-shared/model/kept-queries.ts'
import { problemOf } from './file-form.ts'

type Parsed = Omit<SavedOperation, 'id'>

/** Most tokens of a file that Muster did not write. */
const maxTokens = 200_000

/**
 * Returns each operation of a GraphQL document with the comments above it and the fragments that it needs. `name`: for an operation
 * without one. Throws a fault of kind `input` (`line 3: words`).
 */
export function foreignOperations(text: string, name: string): Parsed[] {
  const { definitions } = parsed(text)
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
    else if (node.kind === Kind.OPERATION_DEFINITION) operations.push(node)
    else throw faultAt(node, 'It is the definition of a type, and no operation.')
  }
  if (operations.length === 0) throw new FaultError('input', 'The file has no operation.')
  return operations.map((operation) => {
    const needed = fragmentsOf(operation, fragments)
    const document = `${[operation, ...needed].map((node) => sourceOf(node, text)).join('\n\n')}\n`
    if (document.length > operationLimits.document) throw faultAt(operation, 'The operation is too long.')
    return { name: (operation.name?.value ?? name).slice(0, 200), folder: '', document, variables: '' }
  })
}

function parsed(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens })
  } catch (error) {
    const { line, words } = problemOf(error)
    throw new FaultError('input', `line ${line}: ${words}`)
  }
}

const faultAt = (node: DefinitionNode, words: string) =>
  new FaultError('input', `line ${node.loc?.startToken.line ?? 1}: ${words}`)

/** Returns all fragments that an operation spreads, directly or by others, in the order of their first use. */
function fragmentsOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FragmentDefinitionNode[] {
  const needed = new Set<FragmentDefinitionNode>()
  const waiting: DefinitionNode[] = [operation]
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    visit(node, {
      FragmentSpread(spread) {
        const found = fragments.get(spread.name.value)
        if (found === undefined) throw faultAt(operation, `Its fragment “${spread.name.value}” is not in the file.`)
        if (needed.has(found)) return
        needed.add(found)
        waiting.push(found)
      },
    })
  }
  return [...needed]
}

/** Returns the source of a definition with the comments right above it. */
function sourceOf(node: DefinitionNode, text: string): string {
  const { start, end } = node.loc ?? { start: 0, end: 0 }
  let from = start
  for (;;) {
    const before = text.lastIndexOf('\n', from - 2)
    const line = text.slice(before + 1, Math.max(0, from - 1))
    if (from === 0 || text[from - 1] !== '\n' || !line.startsWith('#')) return text.slice(from, end)
    from = before + 1
  }
}
