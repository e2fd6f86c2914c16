/**
 * What an operation costs is learned by its shape from what the service charged (design, section 6). A shape is an
 * operation's name; its price is a line over the page size, `fixed + perItem * size`.
 */
export interface Prices {
  /** Points that the next operation of this shape and page size is expected to cost. Never zero. */
  expect(shape: string, pageSize: number): number
  learn(shape: string, pageSize: number, cost: number): void
  /** The largest page of this shape under `limit` points, with room for error; null while the shape is unknown. */
  largestPage(shape: string, limit: number): number | null
}

/** service-spec.md, section 8: an operation over this is refused. Also what an unknown shape is expected to cost. */
export const operationLimit = 10_000

/** Two per cent of room: enough for a rounding of the service's, too little to cost a page. */
const room = 0.98

interface Known {
  size: number
  cost: number
  fixed: number
  perItem: number
}

export function createPrices(): Prices {
  const known = new Map<string, Known>()
  return {
    expect(shape, pageSize) {
      const line = known.get(shape)
      return line === undefined ? operationLimit : Math.max(1, Math.ceil(line.fixed + line.perItem * pageSize))
    },
    learn(shape, pageSize, cost) {
      known.set(shape, lineThrough(known.get(shape), pageSize, cost))
    },
    largestPage(shape, limit) {
      const line = known.get(shape)
      if (line === undefined) return null
      return Math.max(1, Math.floor((limit * room - line.fixed) / Math.max(line.perItem, limit / 1e6)))
    },
  }
}

/** A second size gives the slope; one size alone is taken as all per item, which errs on the dear side. */
function lineThrough(before: Known | undefined, size: number, cost: number): Known {
  if (before === undefined || before.size === size) {
    const perItem = before === undefined || before.cost !== cost ? cost / Math.max(1, size) : before.perItem
    return { size, cost, fixed: cost - perItem * size, perItem }
  }
  const perItem = Math.max(0, (cost - before.cost) / (size - before.size))
  return { size, cost, fixed: Math.max(0, cost - perItem * size), perItem }
}
