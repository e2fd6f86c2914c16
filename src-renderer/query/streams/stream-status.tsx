import { assertNever, explain } from '../../../src-shared/model/fault.ts'
import type { SubscriptionState } from '../../../src-shared/model/subscription.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { countdown } from '../../lib/format/time.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Moment } from '../../lib/ui/moment.tsx'

/** How a subscription stands: its state, and the numbers of its events. */
export function StreamStatus({ state }: { state: SubscriptionState }) {
  const { events, dropped, gaps, rate, lastAt } = state
  return (
    <>
      <Progress state={state} />
      <span>{many(events, 'event')}</span>
      <span>{rateText(rate)}</span>
      {lastAt !== null && (
        <span>
          last <Moment at={lastAt} />
        </span>
      )}
      {dropped > 0 && <span className="query-warning">{numberText(dropped)} older ones no longer kept</span>}
      {gaps > 0 && <span className="query-warning">{many(gaps, 'gap')}</span>}
    </>
  )
}

/** Returns a rate with at most one decimal below ten. */
export const rateText = (rate: number): string =>
  `${rate > 0 && rate < 10 ? rate.toFixed(1) : numberText(Math.round(rate))}/s`

function Progress({ state: { progress } }: { state: SubscriptionState }) {
  const wait = useTickedText((now) => (progress.is === 'waiting' ? countdown(progress.retryAt, now) : ''))
  switch (progress.is) {
    case 'connecting':
      return <strong>{progress.attempt === 0 ? 'Connecting…' : 'Reconnecting…'}</strong>
    case 'live':
      return (
        <strong className="stream-live">
          Live since <Moment at={progress.since} />
        </strong>
      )
    case 'waiting':
      return (
        <span className="query-warning">
          Not connected, tries again {wait}. {explain(progress.fault).title}
        </span>
      )
    case 'ended':
      return (
        <strong>
          {progress.reason === 'completed' ? 'Completed' : progress.reason === 'rejected' ? 'Rejected' : 'Stopped'}{' '}
          <Moment at={progress.at} />
        </strong>
      )
    default:
      return assertNever(progress)
  }
}
