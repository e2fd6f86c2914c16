import { useEffect, useState } from 'react'
import type { Answer, CallInput } from '../../src-shared/contract/contract.ts'
import type { OperationEstimate } from '../../src-shared/contract/cost-calls.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { useAppContext } from '../lib/context.ts'
import { fieldShares } from './field-shares.ts'
import { activeTab, tabs } from './query-state.ts'
import { useTab } from './use-tab.ts'
import { readVariables } from './variables.ts'

/** The pause in typing, ms, after which the cost is asked for. */
const pauseMs = 300

/** The longest document whose cost is estimated, characters (contract: cost.estimate). */
const maxDocument = 1_000_000
const tooLong = 'The document is too long for an estimate of its cost.'

/** An estimate, and what it was asked for. */
export interface Estimated {
  asked: CallInput<'cost.estimate'>
  answer: Answer<OperationEstimate>
}

/** Returns what the shown operation would cost, as of the last pause in typing; null before the first one. */
export function useEstimate(connection: string | null, operation: string | null): Estimated | null {
  const { session } = useAppContext()
  const [estimated, setEstimated] = useState<Estimated | null>(null)
  // Also after each answer, which changes the points that are left and what is known of the cost.
  const stamp = useTab(({ document, variables, run }) =>
    JSON.stringify([document, variables, run.is === 'answered' && run.id]),
  )
  useEffect(() => {
    if (connection === null || stamp === '') return undefined
    let wanted = true
    const show = (asked: Estimated['asked'], answer: Estimated['answer']) => {
      if (!wanted) return
      setEstimated({ asked, answer })
      fieldShares.set(answer.ok ? { document: asked.document, ...answer.value } : null)
    }
    const cancel = systemClock.after(pauseMs, () => {
      const { document, variables } = activeTab(tabs.get())
      const read = readVariables(variables)
      const asked = { connection, document, operation, variables: 'problem' in read ? {} : read.values }
      const refuse = (detail: string) => show(asked, { ok: false, fault: { kind: 'input', detail } })
      if (document.length > maxDocument) return refuse(tooLong)
      if ('problem' in read) return refuse(read.problem)
      void session.pipe.call('cost.estimate', asked).then((answer) => show(asked, answer))
    })
    return () => {
      wanted = false
      cancel()
    }
  }, [session, connection, operation, stamp])
  return estimated
}
