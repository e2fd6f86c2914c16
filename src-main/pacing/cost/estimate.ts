import type { Estimate } from '../../../src-shared/model/gauge.ts'
import type { Pacer } from '../pacer.ts'
import { operationLimit } from './costs.ts'
import { pageSizeOf, shapeOf } from './shape.ts'

/** Longest duration of a page, ms. */
const pageMs = 30_000

/**
 * Returns the expected cost of an operation before it is sent: its certainty, whether the service would reject it as
 * too expensive, and the page size that fits. Throws as `shapeOf` does.
 */
export function estimate(
  { costs, room }: Pick<Pacer, 'costs' | 'room'>,
  document: string,
  variables: Record<string, unknown>,
): Estimate {
  const shape = shapeOf(document)
  const size = pageSizeOf(document, variables)
  const quote = costs.quote(shape, size)
  const wasRefused = costs.wasRejected(shape, size)
  const fitting = size > 1 && (wasRefused || quote.atMost > operationLimit) ? fittingSize(costs, shape, size) : null
  return {
    ...quote,
    limit: operationLimit,
    exceedsLimit: wasRefused || quote.likely > operationLimit,
    waitsUntil: room(Math.min(operationLimit, quote.atMost)),
    split:
      fitting === null
        ? null
        : {
            pageSize: fitting,
            requests: Math.ceil(size / fitting),
            points: Math.ceil(size / fitting) * costs.quote(shape, fitting).likely,
          },
  }
}

/** Returns the largest page that surely fits; null where not even one item does. */
function fittingSize(costs: Pacer['costs'], shape: ReturnType<typeof shapeOf>, size: number): number | null {
  let fitting = costs.largestPage(shape, { points: operationLimit, ms: pageMs }) ?? size
  while (fitting >= 1 && costs.quote(shape, fitting).atMost > operationLimit) fitting = Math.floor(fitting / 2)
  return fitting >= 1 ? Math.min(fitting, size - 1) : null
}
