import { Kind, OperationTypeNode, parse, print } from 'graphql'
import type { CostReport } from '../pacing/balance/ledger.ts'

/** An alias that no other document uses. */
export const costAlias = 'musterQueryCost'
const members = ['queryCost', 'costUsed', 'costRemaining', 'secondsToReset']

/**
 * Returns the document with `calculateQueryCost` beside its other root fields (service-spec.md, section 2). Returns
 * null for a document that is not only queries: a rejected document is sent again without the field, and only queries
 * may be repeated.
 */
export function withCostField(document: string): string | null {
  const tree = parse(document, { noLocation: true })
  if (
    tree.definitions.some(
      (node) => node.kind === Kind.OPERATION_DEFINITION && node.operation !== OperationTypeNode.QUERY,
    )
  )
    return null
  const asked = parse(`{ ${costAlias}: calculateQueryCost { ${members.join(' ')} } }`, { noLocation: true })
    .definitions[0]
  const more = asked?.kind === Kind.OPERATION_DEFINITION ? asked.selectionSet.selections : []
  return print({
    ...tree,
    definitions: tree.definitions.map((node) =>
      node.kind === Kind.OPERATION_DEFINITION
        ? { ...node, selectionSet: { ...node.selectionSet, selections: [...node.selectionSet.selections, ...more] } }
        : node,
    ),
  })
}

/** Returns the points in an answer's data; null where any of them is missing. */
export function costReportIn(data: unknown): CostReport | null {
  const value = memberOf(data, costAlias)
  const [cost, used, remaining, seconds] = members.map((name) => memberOf(value, name))
  if (!isCount(cost) || !isCount(used) || !isCount(remaining) || !isCount(seconds)) return null
  return { source: 'field', cost, remaining, limit: used + remaining, resetIn: seconds * 1000 }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
