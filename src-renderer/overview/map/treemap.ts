/** A rectangle in CSS pixels. */
export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

const emptyAt = ({ x, y }: Rect): Rect => ({ x, y, width: 0, height: 0 })

/**
 * Divides a box among weights, each area in proportion to its weight and as square as possible (Bruls, Huizing, van Wijk:
 * Squarified Treemaps). The largest are at the top left. A weight of 0 has an empty rectangle.
 */
export function squarified(weights: readonly number[], box: Rect): Rect[] {
  const sum = weights.reduce((all, weight) => all + Math.max(0, weight), 0)
  const rects = weights.map(() => emptyAt(box))
  if (sum <= 0 || box.width <= 0 || box.height <= 0) return rects
  const scale = (box.width * box.height) / sum
  const order = weights
    .map((weight, index) => ({ index, area: Math.max(0, weight) * scale }))
    .filter(({ area }) => area > 0)
    .sort((one, other) => other.area - one.area || one.index - other.index)
  let rest = { ...box }
  for (let start = 0; start < order.length;) {
    const { end, area } = rowFrom(order, start, Math.min(rest.width, rest.height))
    rest = placeRow(order.slice(start, end), area, rest, rects)
    start = end
  }
  return rects
}

interface Weighed {
  index: number
  area: number
}

/** Returns the end of the row that begins at `start` along a side of this length, and its area. */
function rowFrom(order: readonly Weighed[], start: number, side: number): { end: number; area: number } {
  const largest = order[start]?.area ?? 0
  let area = largest
  let worst = ratio(largest, largest, area, side)
  let end = start + 1
  for (; end < order.length; end += 1) {
    const next = order[end]?.area ?? 0
    const worse = ratio(largest, next, area + next, side)
    if (worse > worst) break
    area += next
    worst = worse
  }
  return { end, area }
}

/** Returns the worst ratio of sides in a row whose areas are between these. */
const ratio = (largest: number, smallest: number, area: number, side: number): number =>
  Math.max((side * side * largest) / (area * area), (area * area) / (side * side * smallest))

/** Puts a row along the shorter side, and returns what is left of the box. */
function placeRow(row: readonly Weighed[], area: number, box: Rect, rects: Rect[]): Rect {
  const isColumn = box.width >= box.height
  const side = isColumn ? box.height : box.width
  const depth = side <= 0 ? 0 : Math.min(isColumn ? box.width : box.height, area / side)
  let along = isColumn ? box.y : box.x
  for (const one of row) {
    const length = depth <= 0 ? 0 : one.area / depth
    rects[one.index] = isColumn
      ? { x: box.x, y: along, width: depth, height: length }
      : { x: along, y: box.y, width: length, height: depth }
    along += length
  }
  return isColumn
    ? { x: box.x + depth, y: box.y, width: box.width - depth, height: box.height }
    : { x: box.x, y: box.y + depth, width: box.width, height: box.height - depth }
}
