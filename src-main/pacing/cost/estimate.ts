import type { OperationEstimate } from '../../../src-shared/contract/cost-calls.ts'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Estimate } from '../../../src-shared/model/gauge.ts'
import type { Pacer } from '../pacer.ts'
import { operationLimit } from './costs.ts'
import { isOperation, parseLocated, sentOperation, type SentOperation, type Shape } from './shape.ts'
import { sharesOf, type Shares } from './shares.ts'
import { withoutFields } from './without.ts'

/** Longest duration of a page, ms. */
const pageMs = 30_000

/** What an operation is sent through. */
export type Estimating = Pick<Pacer, 'costs' | 'availableAt' | 'gauge'>

/** An operation of a document. `operation`: its name; null: the first one. */
export interface EstimatedOperation {
  document: string
  operation: string | null
  variables: Record<string, unknown>
}

/**
 * Returns the expected cost of an operation before it is sent: its certainty, whether the service would reject it as
 * too expensive, the page size that fits, and what each field costs. Throws as `shapeOf` does, and a fault of kind `input` where
 * the document has no such operation.
 */
export function estimate(pacer: Estimating, asked: EstimatedOperation): OperationEstimate {
  const sent = readSent(asked)
  const found = estimated(pacer, sent)
  const { known, remaining } = pacer.gauge()
  const sizes = { size: sent.size, variables: asked.variables }
  const shares = sharesOf(sent.tree, sent.operation, sizes, found.likely, pacer.costs.model())
  return { ...found, left: known ? remaining : null, ...shares, without: cheaper(pacer, asked, found, shares) }
}

/** Returns the document without the fields at these positions, and its estimate. Throws as `estimate` does. */
export function estimateWithout(
  pacer: Estimating,
  asked: EstimatedOperation,
  at: readonly number[],
): CallOutput<'cost.without'> {
  const document = withoutFields(asked.document, new Set(at))
  if (document === null) throw new FaultError('input', 'document: Nothing would be left of it.')
  return { document, estimate: estimated(pacer, readSent({ ...asked, document })) }
}

function readSent({ document, operation: name, variables }: EstimatedOperation): SentOperation {
  const tree = parseLocated(document)
  const operation = tree.definitions.filter(isOperation).find((node) => name === null || node.name?.value === name)
  if (operation === undefined) throw new FaultError('input', 'document: It has no such operation.')
  return sentOperation(tree, operation, variables)
}

function estimated({ costs, availableAt }: Estimating, { shape, size }: SentOperation): Estimate {
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
            waitsUntil: availableAt(Math.min(operationLimit, costs.quote(shape, fittingPage).atMost)),
          },
  }
}

/** Most fields that are left out together, and most attempts, as each reads the document again. */
const maxWithout = 8
const maxAttempts = 3

/** Returns the fewest fields without which the operation goes at once; null where it goes anyway, or none help. */
function cheaper(
  pacer: Estimating,
  asked: EstimatedOperation,
  { likely, limit, exceedsLimit, waitsUntil }: Estimate,
  { fields }: Shares,
): OperationEstimate['without'] {
  if (!exceedsLimit && waitsUntil === null) return null
  // Who asks for devices wants to know which.
  const candidates = fields.filter(({ name }) => name.split('.').at(-1) !== 'id')
  let [count, rest, attempts] = [0, likely, 0]
  while (count < Math.min(candidates.length, maxWithout) && attempts < maxAttempts) {
    rest -= candidates[count]?.points ?? 0
    count += 1
    if (rest > limit || pacer.availableAt(Math.max(1, rest)) !== null) continue
    attempts += 1
    const chosen = candidates.slice(0, count)
    const document = withoutFields(asked.document, new Set(chosen.flatMap(({ at }) => at)))
    if (document === null) return null
    const after = estimated(pacer, readSent({ ...asked, document }))
    if (!after.exceedsLimit && after.waitsUntil === null)
      return { names: chosen.map(({ name }) => name), document, estimate: after }
  }
  return null
}

/** Returns the largest page that surely fits; null where not even one item does. */
export function fittingSize(costs: Pacer['costs'], shape: Shape, size: number): number | null {
  let fittingPage = costs.largestPage(shape, { points: operationLimit, ms: pageMs }) ?? size
  while (fittingPage >= 1 && costs.quote(shape, fittingPage).atMost > operationLimit)
    fittingPage = Math.floor(fittingPage / 2)
  return fittingPage >= 1 ? Math.min(fittingPage, size - 1) : null
}
