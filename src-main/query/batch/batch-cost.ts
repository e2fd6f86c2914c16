import type { BatchCost } from '../../../src-shared/model/batch.ts'
import type { Raw } from '../../api/raw.ts'
import { operationLimit } from '../../pacing/cost/costs.ts'
import { fittingSize } from '../../pacing/cost/estimate.ts'
import { defaultPageSize } from '../../pacing/cost/selection.ts'
import type { Target } from './target-walk.ts'
import type { Targets } from './targets.ts'

/** Duration of a request where none was measured, ms. */
const usualMs = 250
/** Requests at once of one connection, in a batch over tenants: as many as its pacer sends for the background (pacing/admission.ts). */
export const parallel = 4

/** Returns the size of the first page: the written one, or a smaller one where that is too expensive. */
export function firstSize({ paged, shape }: Pick<Target, 'paged' | 'shape'>, { costs }: Raw['pacing']): number | null {
  const size = paged?.size ?? null
  if (size === null || size <= 1) return size
  const isTooLarge = costs.wasRejected(shape, size) || costs.quote(shape, size).atMost > operationLimit
  return isTooLarge ? (fittingSize(costs, shape, size) ?? 1) : size
}

/** Returns what a batch costs before it starts. `raw`: the sending of a connection, null where it does not run. */
export function batchCost(targets: Targets, raw: (connection: string) => Raw | null): BatchCost {
  const { all, problem, field, notPaged } = targets
  const quoted = all.flatMap((target) => {
    const pacing = raw(target.connection)?.pacing
    return pacing === undefined ? [] : [quoteOf(target, pacing)]
  })
  const [first] = quoted
  const requests = sumOf(quoted.map((quote) => quote.requests))
  const points = sumOf(quoted.map((quote) => (quote.requests === null ? null : quote.requests * quote.each)))
  const done = requests === null ? null : forecastOf(quoted)
  return {
    problem: problem ?? (first === undefined && all.length > 0 ? 'No chosen connection runs.' : null),
    field,
    notPaged,
    pageSize: first?.size ?? null,
    writtenSize: all[0]?.paged?.size ?? null,
    requests,
    rows: sumOf(quoted.map((quote) => quote.rows)),
    pointsEach: first?.each ?? 0,
    points,
    certainty: first?.certainty ?? 'guess',
    isRejected: first?.isRejected ?? false,
    doneAt: done?.doneAt ?? null,
    windows: done?.windows ?? 0,
    tenants: countsOf(all),
  }
}

interface QuotedTarget {
  pacing: Raw['pacing']
  isPaged: boolean
  size: number | null
  requests: number | null
  rows: number | null
  each: number
  ms: number
  certainty: BatchCost['certainty']
  isRejected: boolean
}

function quoteOf(target: Targets['all'][number], pacing: Raw['pacing']): QuotedTarget {
  const { costs } = pacing
  const size = firstSize(target, pacing)
  const counted = target.paged === null ? 1 : (size ?? defaultPageSize)
  const { likely, certainty } = costs.quote(target.shape, counted)
  const pages = target.expectedRows === null ? null : Math.max(1, Math.ceil(target.expectedRows / counted))
  return {
    pacing,
    isPaged: target.toEnd,
    size,
    requests: target.toEnd ? pages : 1,
    rows: target.toEnd ? target.expectedRows : null,
    each: likely,
    ms: costs.msOf(target.shape, counted) ?? usualMs,
    certainty,
    isRejected: costs.wasRejected(target.shape, counted) || likely > operationLimit,
  }
}

/** Returns the sum; null where a part of it is unknown. */
const sumOf = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)

/** Returns when the last credential set would be done: each has its own points. */
function forecastOf(quoted: readonly QuotedTarget[]): { doneAt: number; windows: number } | null {
  const forecasts = [...Map.groupBy(quoted, ({ pacing }) => pacing)].map(([pacing, parts]) => {
    const points = parts.reduce((sum, { requests, each }) => sum + (requests ?? 0) * each, 0)
    const ms = parts.reduce((sum, part) => sum + (part.requests ?? 0) * part.ms, 0)
    return pacing.forecast({ points, ms: ms / Math.min(parallel, parts.length) })
  })
  return forecasts.reduce<{ doneAt: number; windows: number } | null>(
    (last, { doneAt, windows }) => (last !== null && last.doneAt > doneAt ? last : { doneAt, windows }),
    null,
  )
}

const countsOf = (all: Targets['all']): BatchCost['tenants'] =>
  [
    ...Map.groupBy(
      all.filter(({ tenant }) => tenant !== null),
      ({ connection }) => connection,
    ),
  ].map(([connection, part]) => ({ connection, count: part.length }))
