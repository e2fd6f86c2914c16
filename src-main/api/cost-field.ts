import { Kind, parse, print } from 'graphql'
import type { Figures } from '../pacing/ledger.ts'

const field = 'calculateQueryCost'
const members = ['queryCost', 'costUsed', 'costRemaining', 'secondsToReset']

/** The document with `calculateQueryCost` beside its other root fields (service-spec.md, section 2: in any query or mutation). */
export function withCostField(document: string): string {
  const tree = parse(document, { noLocation: true })
  const asked = parse(`{ ${field} { ${members.join(' ')} } }`, { noLocation: true }).definitions[0]
  const more = asked?.kind === Kind.OPERATION_DEFINITION ? asked.selectionSet.selections : []
  return print({
    ...tree,
    definitions: tree.definitions.map((node) =>
      node.kind === Kind.OPERATION_DEFINITION ? { ...node, selectionSet: { ...node.selectionSet, selections: [...node.selectionSet.selections, ...more] } } : node),
  })
}

/** The figures in an answer's data; null where they are not all there. */
export function figuresIn(data: unknown): Figures | null {
  const value = memberOf(data, field)
  const [cost, used, remaining, seconds] = members.map((name) => memberOf(value, name))
  if (!isFigure(cost) || !isFigure(used) || !isFigure(remaining) || !isFigure(seconds)) return null
  return { cost, remaining, limit: used + remaining, resetIn: seconds * 1000 }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
