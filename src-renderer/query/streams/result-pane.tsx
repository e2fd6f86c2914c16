import '../../styles/query-streams.css'
import type { SubscriptionState } from '../../../src-shared/model/subscription.ts'
import { AnswerPane } from '../answer/answer-pane.tsx'
import { useTab } from '../use-tab.ts'
import { MutationResult } from './mutation-result.tsx'
import { OtherSubscriptions } from './other-subscriptions.tsx'
import { StreamPane } from './stream-pane.tsx'

interface Props {
  coreLost: boolean
  /** Null before the core's first answer. */
  subscriptions: readonly SubscriptionState[] | null
}

/** What came of the last press: an answer, the events of a subscription, or what a mutation did. */
export function ResultPane({ coreLost, subscriptions }: Props) {
  const shown = useTab((tab) => tab.subscription ?? null)
  return (
    <div className="query-result">
      <OtherSubscriptions subscriptions={subscriptions ?? []} />
      <MutationResult />
      {shown === null ? (
        <AnswerPane coreLost={coreLost} />
      ) : (
        <StreamPane
          key={shown}
          id={shown}
          state={subscriptions?.find(({ id }) => id === shown) ?? null}
          coreLost={coreLost}
        />
      )}
    </div>
  )
}
