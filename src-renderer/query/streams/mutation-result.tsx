import { Button } from 'react-aria-components'
import { useAppContext } from '../../lib/context.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { useTab } from '../use-tab.ts'

const labels = { done: 'Done', refused: 'Rejected', 'not-sent': 'Not sent', unknown: 'Unknown' } as const

/** What came of the last mutation, field by field. The answer below has the details. */
export function MutationResult() {
  const { deviceActions } = useAppContext()
  const mutation = useTab((tab) => tab.mutation ?? null)
  if (mutation === null) return null
  const isUnknown = mutation.outcomes.some(({ outcome }) => outcome === 'unknown')
  return (
    <section className="mutation-result" aria-label="Result of the mutation">
      <ul role="status">
        {mutation.outcomes.map(({ name, outcome, words }) => (
          <li key={name} data-outcome={outcome}>
            <Isolated className="mutation-name">{name}</Isolated> <strong>{labels[outcome]}</strong>
            {words !== '' && (
              <>
                {': '}
                <Isolated>{words}</Isolated>
              </>
            )}
          </li>
        ))}
      </ul>
      {isUnknown && (
        <p className="query-warning">
          It was sent, and no answer says whether it was executed. Read what it changes before you send it again.
        </p>
      )}
      <Button className="button" onPress={() => deviceActions.show(mutation.job)}>
        Show in Actions
      </Button>
    </section>
  )
}
