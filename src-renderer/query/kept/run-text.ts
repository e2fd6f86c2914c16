import { explain } from '../../../src-shared/model/fault.ts'
import type { PastRun } from '../../../src-shared/model/kept-queries.ts'
import { spanText } from '../../../src-shared/text/diagnostics.ts'
import { many, numberText } from '../../lib/format/numbers.ts'

/** Returns the name of a run's operation, or the beginning of its text. */
export const runTitle = ({ operation, excerpt }: Pick<PastRun, 'operation' | 'excerpt'>): string =>
  operation ?? (excerpt === '' ? 'Untitled' : excerpt.slice(0, 80))

/** Returns how a run ended, what it cost and how long it took. */
export function runWords({
  outcome,
  isRunning,
  expected,
}: Pick<PastRun, 'outcome' | 'isRunning' | 'expected'>): string {
  if (isRunning) return 'Running'
  if (outcome === null || outcome.fault === 'stopped') return 'Interrupted: Muster ended before the answer'
  const { status, fault, cost, ms } = outcome
  if (status === null) return fault === 'abort' ? 'Cancelled' : `No answer: ${titleOf(fault)}`
  const points = cost === null ? 'points not told' : many(cost, 'point')
  return [
    `HTTP ${status}${fault !== null && status < 400 ? ' with errors' : ''}`,
    `${points} (expected ${numberText(Math.ceil(expected))})`,
    ...(ms === null ? [] : [spanText(ms)]),
  ].join(' · ')
}

/** Returns what the service said against a run; '' for nothing. */
export const rejectionOf = ({ outcome }: Pick<PastRun, 'outcome'>): string =>
  outcome?.fault === undefined || outcome.fault === null ? '' : titleOf(outcome.fault)

/** Returns the title of a fault as a part of a line. */
function titleOf(fault: NonNullable<PastRun['outcome']>['fault']): string {
  if (fault === null) return 'unknown'
  return explain({ kind: fault, detail: '' }).title.replace(/\.$/u, '')
}
