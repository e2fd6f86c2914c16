import type { BatchOutcome } from '../../../src-shared/model/batch.ts'
import { sizeText, spanText } from '../../../src-shared/text/diagnostics.ts'
import { many } from '../../lib/format/numbers.ts'
import { Moment } from '../../lib/ui/moment.tsx'
import type { Answer } from '../query-state.ts'
import { outcomeNotes, stoppedText } from './batch-text.ts'

/** What a batch has read, and what it took. */
export function BatchSummary({ answer, at, outcome }: { answer: Answer; at: number; outcome: BatchOutcome }) {
  const { rows, pages, points, tenants, errors } = outcome
  const stopped = stoppedText(outcome)
  return (
    <>
      <strong>{many(rows, 'row')}</strong>
      {tenants !== null && <span>{many(tenants.of, 'tenant')}</span>}
      <span>{many(pages, 'page')}</span>
      <span>{spanText(answer.ms)}</span>
      <span>{sizeText(answer.summary.bytes)}</span>
      <span>{many(points, 'point')}</span>
      {errors > 0 && <span>{many(errors, 'error')} beside the rows</span>}
      <Moment at={at} />
      {[stopped, ...outcomeNotes(outcome)]
        .filter((note) => note !== '')
        .map((note) => (
          <span key={note} className="query-warning">
            {note}
          </span>
        ))}
    </>
  )
}
