import { sizeText, spanText } from '../../../src-shared/text/diagnostics.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Moment } from '../../lib/ui/moment.tsx'
import { many, numberText } from '../../lib/format/numbers.ts'
import type { Answer, Run } from '../query-state.ts'
import { useTab } from '../use-tab.ts'
import { BatchNotes } from '../batch/batch-notes.tsx'
import { BatchRunning } from '../batch/batch-running.tsx'
import { BatchSummary } from '../batch/batch-summary.tsx'
import { RunFault } from './run-fault.tsx'
import { SaveAnswer } from './save-answer.tsx'
import { AnswerView } from './answer-view.tsx'
import { isWorthTable, type AnswerPart } from '../table/choice.ts'
import { choose } from '../table/choose.ts'
import { TablePart } from '../table/table-part.tsx'
import { useTables, type Tables } from '../table/use-tables.ts'

/** What came of the last run. */
export function AnswerPane({ coreLost }: { coreLost: boolean }) {
  const run = useTab(({ run: last }) => last)
  const isMutation = useTab(({ mutation }) => mutation !== null && mutation !== undefined)
  return (
    <section className="query-answer" aria-label="Answer">
      <div role="status" className="query-status">
        <Status run={run} />
      </div>
      {run.is === 'running' && run.batch?.progress && <BatchRunning progress={run.batch.progress} />}
      {run.is === 'failed' && <RunFault fault={run.fault} isMutation={isMutation} />}
      {run.is === 'answered' && (
        <>
          {run.batch !== undefined && <BatchNotes run={run.id} coreLost={coreLost} {...run.batch} />}
          {run.answer.fault !== null && <RunFault fault={run.answer.fault} isMutation={isMutation} />}
          {coreLost && <p className="muted-text">Muster’s core is not running: it keeps no answers of before.</p>}
          <Parts key={run.id} id={run.id} answer={run.answer} connection={run.connection ?? null} />
        </>
      )}
    </section>
  )
}

function Status({ run }: { run: Run }) {
  switch (run.is) {
    case 'none':
      return <span className="muted-text">The answer appears here. Ctrl Enter runs the query.</span>
    case 'running':
      return <span>Running…</span>
    case 'failed':
      return (
        <span>
          No answer. <Moment at={run.at} />
        </span>
      )
    case 'answered':
      return run.batch === undefined ? (
        <Summary answer={run.answer} at={run.at} />
      ) : (
        <BatchSummary answer={run.answer} at={run.at} outcome={run.batch.outcome} />
      )
  }
}

function Summary({ answer: { status, ms, cost, expected, summary, isWhole }, at }: { answer: Answer; at: number }) {
  return (
    <>
      <strong>HTTP {status}</strong>
      <span>{spanText(ms)}</span>
      <span>{sizeText(summary.bytes)}</span>
      <span>
        {cost === null ? 'The service told no points' : many(cost, 'point')}, expected {numberText(Math.ceil(expected))}
      </span>
      <Moment at={at} />
      {!isWhole && (
        <span className="query-warning">
          Cut: the answer is longer than the {sizeText(summary.bytes)} that Muster keeps.
        </span>
      )}
      {summary.shown < summary.bytes && (
        <span className="query-warning">
          The first {sizeText(summary.shown)} are shown and searched. Save writes all
          {isWhole ? ' of it' : ' that is kept'}.
        </span>
      )}
      {summary.isCut && summary.shown === summary.bytes && (
        <span className="query-warning">
          The first {numberText(summary.lines)} lines are shown. Save writes all of it.
        </span>
      )}
    </>
  )
}

/** Returns the part to show: the chosen one, where there is something; null while that is not known. */
function partOf(chosen: AnswerPart | null, found: Tables | null): AnswerPart | null {
  if (chosen !== null && chosen !== 'table') return chosen
  if (found === null) return null
  const isTable = chosen === null ? isWorthTable(found.tables) : found.tables.length > 0
  return isTable ? 'table' : 'json'
}

function Parts({ id, answer, connection }: { id: string; answer: Answer; connection: string | null }) {
  const { errors } = answer.summary
  const found = useTables(id)
  const part = partOf(
    useTab(({ shown }) => shown.part),
    found,
  )
  const options = [
    { value: 'json' as const, word: 'JSON' },
    ...(found !== null && found.tables.length > 0 ? [{ value: 'table' as const, word: 'Table' }] : []),
    { value: 'errors' as const, word: `Errors ${numberText(errors.length)}` },
    { value: 'headers' as const, word: `Headers ${numberText(answer.headers.length)}` },
  ]
  return (
    <>
      <div className="answer-head">
        <Choice
          label="Part of the answer"
          value={part ?? 'json'}
          options={options}
          onChange={(next) => choose({ part: next })}
        />
        <SaveAnswer run={id} bytes={answer.summary.bytes} />
      </div>
      {part === 'table' && found !== null && <TablePart run={id} connection={connection} found={found} />}
      {part === 'json' && <AnswerView run={id} answer={answer} />}
      {part === 'errors' && <Errors errors={errors} />}
      {part === 'headers' && <Headers headers={answer.headers} />}
    </>
  )
}

function Errors({ errors }: { errors: Answer['summary']['errors'] }) {
  if (errors.length === 0) return <p className="muted-text">The answer has no errors.</p>
  return (
    <ul className="query-errors">
      {errors.map(({ message, path }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the list never changes
        <li key={index}>
          {path !== '' && (
            <code>
              <Isolated>{path}</Isolated>
            </code>
          )}
          <Isolated>{message}</Isolated>
        </li>
      ))}
    </ul>
  )
}

function Headers({ headers }: { headers: Answer['headers'] }) {
  return (
    <dl className="query-headers">
      {headers.map(([name, value], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a header may occur twice, and the list never changes
        <div key={index}>
          <dt>{name}</dt>
          <dd>
            <Isolated>{value}</Isolated>
          </dd>
        </div>
      ))}
    </dl>
  )
}
