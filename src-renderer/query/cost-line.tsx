import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Answer } from '../../src-shared/contract/contract.ts'
import type { Estimate } from '../../src-shared/model/gauge.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { useAppContext } from '../lib/context.ts'
import { inputText } from '../lib/format/input.ts'
import { numberText } from '../lib/format/numbers.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { costText } from './cost-text.ts'
import { activeTab, change, tabs } from './query-state.ts'
import { useTab } from './use-tab.ts'
import { readVariables, withPageSize } from './variables.ts'

/** The pause in typing, ms, after which the cost is asked for. */
const pauseMs = 300

/** The longest document whose cost is estimated, characters (contract: cost.estimate). */
const maxDocument = 200_000
const tooLong = 'The document is too long for an estimate of its cost.'

/** What the operation would cost, before it is run, with a smaller page where it is too expensive. */
export function CostLine({ connection }: { connection: string | null }) {
  const estimated = useEstimate(connection)
  if (estimated === null) return <p className="query-cost muted-text">The cost is not known yet.</p>
  if (!estimated.ok)
    return (
      <p className="query-cost muted-text">
        <Isolated>{inputText(estimated.fault.detail)}</Isolated>
      </p>
    )
  return <Cost estimate={estimated.value} />
}

function Cost({ estimate }: { estimate: Estimate }) {
  const verdict = useTickedText((now) => costText(estimate, now).verdict)
  const { cost, rejected } = costText(estimate, 0)
  const { split } = estimate
  const smaller = split === null ? null : withPageSize(activeTab(tabs.get()), split.pageSize)
  return (
    <p className="query-cost" data-rejected={rejected}>
      <span>{cost}.</span> <strong>{verdict}</strong>
      {split !== null && smaller !== null && (
        <Button className="button" onPress={() => change(smaller)}>
          Pages of {numberText(split.pageSize)} ({numberText(split.requests)} requests)
        </Button>
      )}
    </p>
  )
}

function useEstimate(connection: string | null): Answer<Estimate> | null {
  const { session } = useAppContext()
  const [estimated, setEstimated] = useState<Answer<Estimate> | null>(null)
  // Also after each answer, which changes the points that are left and what is known of the cost.
  const stamp = useTab(({ document, variables, run }) =>
    JSON.stringify([document, variables, run.is === 'answered' && run.id]),
  )
  useEffect(() => {
    if (connection === null || stamp === '') return undefined
    let wanted = true
    const cancel = systemClock.after(pauseMs, () => {
      const { document, variables } = activeTab(tabs.get())
      const read = readVariables(variables)
      const refuse = (detail: string) => setEstimated({ ok: false, fault: { kind: 'input', detail } })
      if (document.length > maxDocument) return refuse(tooLong)
      if ('problem' in read) return refuse(read.problem)
      const asked = { connection, document, variables: read.values }
      void session.pipe.call('cost.estimate', asked).then((answer) => {
        if (wanted) setEstimated(answer)
      })
    })
    return () => {
      wanted = false
      cancel()
    }
  }, [session, connection, stamp])
  return estimated
}
