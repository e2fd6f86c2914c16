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
  { costs, availableAt }: Pick<Pacer, 'costs' | 'availableAt'>,
  document: string,
  variables: Record<string, unknown>,
): Estimate {
  const shape = shapeOf(document)
  const size = pageSizeOf(document, variables)
  const quote = costs.quote(shape, size)
  const wasRejected = costs.wasRejected(shape, size)
  const fittingPage =
    size > 1 && (wasRejected || quote.atMost > operationLimit) ? fittingSize(costs, shape, size) : null
  return {
    ...quote,
    limit: operationLimit,
    exceedsLimit: wasRejected || quote.likely > operationLimit,
    waitsUntil: availableAt(Math.min(operationLimit, quote.atMost)),
    split:
      fittingPage === null
        ? null
        : {
            pageSize: fittingPage,
            requests: Math.ceil(size / fittingPage),
            points: Math.ceil(size / fittingPage) * costs.quote(shape, fittingPage).likely,
          },
  }
}

/** Returns the largest page that surely fits; null where not even one item does. */
export function fittingSize(costs: Pacer['costs'], shape: ReturnType<typeof shapeOf>, size: number): number | null {
  let fittingPage = costs.largestPage(shape, { points: operationLimit, ms: pageMs }) ?? size
  while (fittingPage >= 1 && costs.quote(shape, fittingPage).atMost > operationLimit)
    fittingPage = Math.floor(fittingPage / 2)
  return fittingPage >= 1 ? Math.min(fittingPage, size - 1) : null
}
