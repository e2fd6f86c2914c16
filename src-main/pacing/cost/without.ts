import {
  Kind,
  visit,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { isOperation, parseLocated } from './shape.ts'

/**
 * Returns the document without the fields that begin at these positions, and without what is unused or empty then: objects,
 * fragments, variables. The rest stays as it is written. Null where nothing would be left. Throws as `shapeOf` does.
 */
export function withoutFields(document: string, at: ReadonlySet<number>): string | null {
  const tree = parseLocated(document)
  const ranges = cutsOf(tree, at)
  if (ranges === null) return null
  const cut = without(document, ranges)
  return ranges.length === 0 ? cut : withoutUnused(cut, usedIn(tree))
}

type Range = readonly [from: number, to: number]

const rangeOf = ({ loc }: ASTNode): Range => [loc?.start ?? 0, loc?.end ?? 0]

function cutsOf(tree: DocumentNode, at: ReadonlySet<number>): Range[] | null {
  const fragments = tree.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const emptied = new Set<string>()
  const goes = (node: SelectionNode): boolean => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return emptied.has(node.name.value)
    if (node.kind === Kind.FIELD && at.has(rangeOf(node)[0])) return true
    return node.selectionSet !== undefined && isEmptied(node.selectionSet)
  }
  const isEmptied = ({ selections }: SelectionSetNode): boolean => selections.every(goes)
  // A fragment that becomes empty may empty another one.
  for (let before = -1; before < emptied.size;) {
    before = emptied.size
    for (const { name, selectionSet } of fragments) if (isEmptied(selectionSet)) emptied.add(name.value)
  }
  const ranges: Range[] = []
  const collect = ({ selections }: SelectionSetNode): void =>
    selections.forEach((node) => {
      if (goes(node)) ranges.push(rangeOf(node))
      else if ('selectionSet' in node && node.selectionSet !== undefined) collect(node.selectionSet)
    })
  for (const node of tree.definitions) {
    if (isOperation(node)) {
      if (isEmptied(node.selectionSet)) return null
      collect(node.selectionSet)
    }
    if (node.kind !== Kind.FRAGMENT_DEFINITION) continue
    if (emptied.has(node.name.value)) ranges.push(rangeOf(node))
    else collect(node.selectionSet)
  }
  return ranges
}

/** What the operations of a document use. Variables as `operation variable`, by the operation's position in the document. */
interface Used {
  fragments: ReadonlySet<string>
  variables: ReadonlySet<string>
}

function usedIn(tree: DocumentNode): Used {
  const [fragments, variables] = [new Set<string>(), new Set<string>()]
  const definitions = new Map(
    tree.definitions.flatMap((node): [string, FragmentDefinitionNode][] =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  )
  tree.definitions.filter(isOperation).forEach((operation, index) => {
    const reached = new Set<string>()
    const look = (node: ASTNode): void => {
      visit(node, {
        VariableDefinition: () => false,
        Variable: ({ name }) => void variables.add(`${index} ${name.value}`),
        FragmentSpread({ name }) {
          if (reached.has(name.value)) return
          reached.add(name.value)
          fragments.add(name.value)
          const found = definitions.get(name.value)
          if (found !== undefined) look(found)
        },
      })
    }
    look(operation)
  })
  return { fragments, variables }
}

/** Removes what was used before and is not any more: the service rejects it. */
function withoutUnused(document: string, before: Used): string {
  const tree = parseLocated(document)
  const now = usedIn(tree)
  const ranges = tree.definitions.flatMap((node): Range[] =>
    node.kind === Kind.FRAGMENT_DEFINITION &&
    before.fragments.has(node.name.value) &&
    !now.fragments.has(node.name.value)
      ? [rangeOf(node)]
      : [],
  )
  tree.definitions.filter(isOperation).forEach((operation, index) => {
    const isUnused = (name: string) => {
      const key = `${index} ${name}`
      return before.variables.has(key) && !now.variables.has(key)
    }
    for (const range of unusedVariables(document, operation, isUnused)) ranges.push(range)
  })
  return without(document, ranges)
}

function unusedVariables(
  document: string,
  { variableDefinitions: all = [] }: OperationDefinitionNode,
  isUnused: (name: string) => boolean,
): Range[] {
  const unused = all.filter(({ variable }) => isUnused(variable.name.value))
  const [first, last] = [all[0], all.at(-1)]
  if (unused.length < all.length || first === undefined || last === undefined) return unused.map(rangeOf)
  return [[document.lastIndexOf('(', rangeOf(first)[0]), document.indexOf(')', rangeOf(last)[1]) + 1]]
}

/** Removes ranges with the separators beside them, and whole lines where nothing else is in them. */
function without(document: string, ranges: readonly Range[]): string {
  let [text, at] = ['', 0]
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from < at) continue
    const [begin, end] = widened(document, from, to)
    text += document.slice(at, Math.max(at, begin))
    at = end
  }
  return text + document.slice(at)
}

function widened(document: string, from: number, to: number): Range {
  let [begin, end] = [from, to]
  while (' \t'.includes(document.charAt(begin - 1)) && begin > 0) begin -= 1
  while (end < document.length && ' \t,'.includes(document.charAt(end))) end += 1
  const isLine = (begin === 0 || document.charAt(begin - 1) === '\n') && '\r\n'.includes(document.charAt(end))
  // A separator stays where there is none before.
  if (!isLine) return [from, ' \t\n{(,'.includes(document.charAt(from - 1)) ? end : to]
  const next = document.indexOf('\n', end)
  return [begin, next < 0 ? document.length : next + 1]
}
