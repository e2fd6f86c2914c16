import '../styles/query-costs.css'
import { Button } from 'react-aria-components'
import type { OperationEstimate } from '../../src-shared/contract/cost-calls.ts'
import { inputText } from '../lib/format/input.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { batchAsked } from './batch/asked.ts'
import { costText, verdictText } from './cost-text.ts'
import { ExpensiveFields } from './expensive-fields.tsx'
import { activeTab, change, tabs } from './query-state.ts'
import { useEstimate, type Estimated } from './use-estimate.ts'
import { withPageSize } from './variables.ts'

interface Props {
  connection: string | null
  operation: string | null
}

/** What the operation would cost, before it is run, and what makes it cheaper. */
export function CostLine({ connection, operation }: Props) {
  const estimated = useEstimate(connection, operation)
  if (estimated === null) return <p className="query-cost muted-text">The cost is not known yet.</p>
  const { asked, answer } = estimated
  if (!answer.ok)
    return (
      <p className="query-cost muted-text">
        <Isolated>{inputText(answer.fault.detail)}</Isolated>
      </p>
    )
  return <Cost estimate={answer.value} asked={asked} />
}

function Cost({ estimate, asked }: { estimate: OperationEstimate; asked: Estimated['asked'] }) {
  const verdict = useTickedText((now) => costText(estimate, now).verdict)
  const { cost, rejected } = costText(estimate, 0)
  return (
    <div className="query-costs">
      <p className="query-cost" data-rejected={rejected}>
        <span>{cost}.</span> <strong>{verdict}</strong>
      </p>
      <Cures estimate={estimate} />
      <ExpensiveFields key={asked.document} estimate={estimate} asked={asked} />
    </div>
  )
}

/** Each makes the operation fit by one press, and says what it costs then. */
function Cures({ estimate: { split, without, limit } }: { estimate: OperationEstimate }) {
  const after = useTickedText((now) =>
    split === null ? '' : verdictText({ ...split, likely: 0, limit, exceedsLimit: false }, now),
  )
  const smaller = split === null ? null : withPageSize(activeTab(tabs.get()), split.pageSize)
  if (smaller === null && without === null) return null
  return (
    <ul className="query-cures" aria-label="What makes it cheaper">
      {split !== null && smaller !== null && (
        <li>
          <Button className="button" onPress={() => take(smaller)}>
            Pages of {numberText(split.pageSize)} ({many(split.requests, 'request')})
          </Button>
          <Button className="button" onPress={() => runPages(smaller)}>
            Run them all…
          </Button>
          <span>
            About {many(split.points, 'point')} in all. The first one {after}.
          </span>
        </li>
      )}
      {without !== null && <Without without={without} />}
    </ul>
  )
}

function Without({ without }: { without: NonNullable<OperationEstimate['without']> }) {
  const { document, estimate, names } = without
  const after = useTickedText((now) => verdictText(estimate, now))
  return (
    <li>
      <Button className="button" onPress={() => take({ document })}>
        <Isolated className="clip">{`Without ${names.join(', ')}`}</Isolated>
      </Button>
      <span>
        About {many(Math.ceil(estimate.likely), 'point')}. It {after}.
      </span>
    </li>
  )
}

/** Makes the pages smaller, and asks whether all of them are to be run. */
function runPages(part: { document: string; variables: string }): void {
  change(part)
  batchAsked.set('pages')
}

/** Changes the document, and leads back to it, where Ctrl Z undoes that. */
function take(part: { document: string; variables?: string }): void {
  change(part)
  document.querySelector<HTMLElement>('.query-left .cm-content')?.focus()
}
