import { ProgressBar } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import type { BatchProgress } from '../../../src-shared/model/batch.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { progressParts, timeLeftText } from './batch-text.ts'

/** How much of a batch is done. It changes twice a second: a screen reader reads it when asked to. */
export function BatchRunning({ progress }: { progress: BatchProgress }) {
  const { rows, total, tenants, retrying } = progress
  const left = useTickedText((now) => timeLeftText(progress, now))
  const [value, of] = tenants === null ? [rows, total] : [tenants.done + tenants.failed, tenants.of]
  const parts = progressParts(progress)
  return (
    <div className="batch-progress">
      <ProgressBar
        aria-label="Progress"
        value={Math.min(value, of ?? 0)}
        maxValue={Math.max(1, of ?? 1)}
        isIndeterminate={of === null}
        valueLabel={parts.join(', ')}
      >
        {({ percentage, isIndeterminate }) => (
          <span className="batch-bar" data-indeterminate={isIndeterminate}>
            <span style={{ inlineSize: isIndeterminate ? '100%' : `${percentage ?? 0}%` }} />
          </span>
        )}
      </ProgressBar>
      <p>
        {[...parts, left]
          .filter((part) => part !== '')
          .map((part) => (
            <span key={part}>{part}</span>
          ))}
      </p>
      {retrying !== null && <p className="query-warning">Tries a page again: {explain(retrying).title}</p>}
    </div>
  )
}
