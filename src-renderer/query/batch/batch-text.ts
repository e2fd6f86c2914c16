import type { BatchCost, BatchOutcome, BatchProgress } from '../../../src-shared/model/batch.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { span } from '../../lib/format/time.ts'

/** Returns how much of a batch is done, as parts of one line. */
export function progressParts({ rows, pages, points, total, tenants }: BatchProgress): string[] {
  const ofTotal = total === null || total < rows ? '' : ` of ${numberText(total)}`
  return [
    ...(tenants === null ? [] : [tenantsText(tenants)]),
    `${numberText(rows)}${ofTotal} ${rows === 1 && total === null ? 'row' : 'rows'}`,
    many(pages, 'page'),
    many(points, 'point'),
  ]
}

function tenantsText({ of, done, failed }: NonNullable<BatchProgress['tenants']>): string {
  const failing = failed === 0 ? '' : `, ${numberText(failed)} failed`
  return `${numberText(done)} of ${many(of, 'tenant')}${failing}`
}

/** Returns when it is done, or goes on; '' where neither is known. */
export function timeLeftText(
  { doneAt, waitsUntil }: Pick<BatchProgress, 'doneAt' | 'waitsUntil'>,
  now: number,
): string {
  const left = doneAt === null ? '' : `about ${span(Math.max(1_000, doneAt - now))} left`
  if (waitsUntil === null || waitsUntil <= now) return left
  return [`waits for points: ${span(waitsUntil - now)}`, left].filter((part) => part !== '').join(', ')
}

/** Returns the lines of the cost of a batch, each with its label. */
export function costLines(cost: BatchCost, now: number): [label: string, text: string][] {
  const { field, requests, rows, points, doneAt, tenants } = cost
  return [
    ...(tenants.length === 0
      ? []
      : [['Tenants', numberText(tenants.reduce((sum, { count }) => sum + count, 0))] as [string, string]]),
    ...(field === null ? [] : [['Field', field] as [string, string]]),
    ['Requests', requests === null ? 'Unknown number of pages' : requestsText(cost, requests)],
    ...(rows === null ? [] : [['Rows', `About ${numberText(rows)}, as the inventory has`] as [string, string]]),
    [
      'Points',
      points === null
        ? `About ${numberText(cost.pointsEach)} for each page, ${basis[cost.certainty]}`
        : pointsText(cost, points),
    ],
    ...(doneAt === null ? [] : [['Time', timeText(cost, doneAt - now)] as [string, string]]),
  ]
}

const basis = { learned: 'learned from earlier answers', derived: 'derived from other operations', guess: 'a guess' }

function requestsText({ pageSize, writtenSize }: BatchCost, requests: number): string {
  const smaller = pageSize !== null && writtenSize !== null && pageSize < writtenSize
  const size = pageSize === null ? '' : `, pages of ${numberText(pageSize)}`
  const why = smaller ? ` (${numberText(writtenSize)} would be rejected as too expensive)` : ''
  return `${numberText(requests)}${size}${why}`
}

const pointsText = ({ pointsEach, certainty }: BatchCost, points: number): string =>
  `About ${numberText(points)}, ${numberText(pointsEach)} each, ${basis[certainty]}`

function timeText({ windows }: BatchCost, ms: number): string {
  const waits =
    windows === 0 ? '' : `, as it waits for points ${windows === 1 ? 'once' : `${numberText(windows)} times`}`
  return `About ${span(Math.max(1_000, ms))}${waits}`
}

/** Returns what the operator must know beside the rows, as sentences. */
export function outcomeNotes({ rows, missing, total, isFull, hasMore, stopped, tenants }: BatchOutcome): string[] {
  const differs = total !== null && total !== rows + missing && stopped === null && !isFull && tenants === null
  return [
    ...(isFull ? ['Cut: the list is longer than Muster keeps. Select fewer fields, or filter.'] : []),
    ...(hasMore ? ['Only the first page of each tenant was read.'] : []),
    ...(missing === 0 ? [] : [`The service answered ${many(missing, 'row')} with null.`]),
    ...(differs ? [`The service counts ${many(total, 'row')} now.`] : []),
  ]
}

/** Returns where a batch stopped; '' where it did not. */
export function stoppedText({ stopped, rows, tenants, canContinue }: BatchOutcome): string {
  if (stopped !== null) {
    const where = tenants === null ? many(rows, 'row') : `${numberText(tenants.done)} of ${many(tenants.of, 'tenant')}`
    return `${stopped.kind === 'abort' ? 'Cancelled' : 'Stopped'} after ${where}.`
  }
  return canContinue && tenants !== null ? `${numberText(tenants.failed)} of ${many(tenants.of, 'tenant')} failed.` : ''
}
