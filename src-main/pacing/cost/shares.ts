import type { DocumentNode, FieldNode, OperationDefinitionNode } from 'graphql'
import type { CostField, CostLine } from '../../../src-shared/contract/cost-calls.ts'
import { featuresOf, isWritten, rootOf } from './features.ts'
import type { CostModel } from './model.ts'
import { selectedBy, type Selected, type Sizes } from './selection.ts'

/** How the points of an operation are shared among its fields. */
export interface Shares {
  /** Fields that can be left out, the most expensive first. */
  fields: CostField[]
  /** Lines of the document with more than a hundredth of the points, in order. */
  lines: CostLine[]
}

const least = 0.01
const maxFields = 12

/** Shares the likely points among the fields of a located document. `model`: null where nothing was charged yet. */
export function sharesOf(
  tree: DocumentNode,
  operation: OperationDefinitionNode,
  sizes: Sizes,
  likely: number,
  model: CostModel | null,
): Shares {
  const selected = selectedBy(tree, operation, sizes)
  if (selected === null) return { fields: [], lines: [] }
  const raw = selected.map((field) => pointsOf(field, sizes.size, model))
  const sum = raw.reduce((total, points) => total + points, 0)
  const own = raw.map((points) => (sum === 0 ? 0 : (points * likely) / sum))
  return { fields: fieldsIn(selected, own, likely), lines: linesIn(selected, own, likely) }
}

function pointsOf(field: Selected, size: number, model: CostModel | null): number {
  const rows = field.times * size ** field.power
  if (model === null) return rows * field.path.length
  const items = model.itemsOf(rootOf(field))
  const points = featuresOf(field).reduce(
    (sum, [name, times, power]) => sum + model.weight(name) * times * size ** power * (isWritten(name) ? 1 : items),
    0,
  )
  return Math.max(0, points)
}

const startOf = ({ loc }: FieldNode): number => loc?.start ?? 0

function linesIn(selected: readonly Selected[], own: readonly number[], likely: number): CostLine[] {
  const points = new Map<number, number>()
  selected.forEach(({ nodes }, at) => {
    const line = nodes[0]?.loc?.startToken.line ?? 1
    points.set(line, (points.get(line) ?? 0) + (own[at] ?? 0))
  })
  return [...points]
    .filter(([, share]) => share > likely * least)
    .toSorted(([one], [other]) => one - other)
    .map(([line, share]) => ({ line, points: Math.round(share) }))
}

function fieldsIn(selected: readonly Selected[], own: readonly number[], likely: number): CostField[] {
  const whole = [...own]
  const hasPage = selected.map(({ isPage }) => isPage)
  for (let at = selected.length - 1; at >= 0; at -= 1) {
    const parent = selected[at]?.parent ?? null
    if (parent === null) continue
    whole[parent] = (whole[parent] ?? 0) + (whole[at] ?? 0)
    hasPage[parent] ||= hasPage[at] === true
  }
  const canGo = selected.map((field, at) => isOptional(field, hasPage[at] === true))
  const found = new Map<string, CostField>()
  selected.forEach(({ path, nodes, parent }, at) => {
    if (canGo[at] !== true || (parent !== null && canGo[parent] === true)) return
    const positions = nodes.map(startOf)
    // A fragment's field counts wherever the fragment is spread.
    const before = found.get(positions.join(' '))?.points ?? 0
    const line = nodes[0]?.loc?.startToken.line ?? 1
    found.set(positions.join(' '), { name: nameOf(path), at: positions, line, points: before + (whole[at] ?? 0) })
  })
  return [...found.values()]
    .filter(({ points }) => points > likely * least)
    .toSorted((one, other) => other.points - one.points)
    .slice(0, maxFields)
    .map((field) => ({ ...field, points: Math.round(field.points) }))
}

/** Fields of a page itself, without which it cannot be read on. */
const pageParts: ReadonlySet<string> = new Set(['edges', 'node', 'pageInfo', 'nextToken', 'hasNextPage'])

/** A field may be left out where it holds no page, or lies within one. */
function isOptional({ path, power, times }: Selected, holdsPage: boolean): boolean {
  const isWithin = power > 0 || times > 1
  return (
    path.length > 1 &&
    !path.slice(-2).some((name, at) => (at === 1 ? pageParts.has(name) : name === 'pageInfo')) &&
    (isWithin || !holdsPage)
  )
}

/** Returns the name of a field without what every page has. */
function nameOf(path: readonly string[]): string {
  const shown = path.filter((name) => name !== 'edges' && name !== 'node')
  return shown.slice(-3).join('.').slice(0, 200)
}
