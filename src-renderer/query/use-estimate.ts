import { useEffect, useState } from 'react'
import type { Answer, CallInput } from '../../src-shared/contract/contract.ts'
import type { OperationEstimate } from '../../src-shared/contract/cost-calls.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { useAppContext } from '../lib/context.ts'
import { fieldShares } from './field-shares.ts'
import { activeTab, tabs, type Tab } from './query-state.ts'
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
  useEffect(() => {
    if (connection === null) return undefined
    let [number, cancel, last] = [0, () => {}, activeTab(tabs.get())]
    const ask = () => {
      const { document, variables } = activeTab(tabs.get())
      const read = readVariables(variables)
      const asked = { connection, document, operation, variables: 'problem' in read ? {} : read.values }
      const mine = number
      const show = (answer: Estimated['answer']) => {
        if (mine !== number) return
        setEstimated({ asked, answer })
        fieldShares.set(answer.ok ? { document, ...answer.value } : null)
      }
      const refuse = (detail: string) => show({ ok: false, fault: { kind: 'input', detail } })
      if (document.length > maxDocument) return refuse(tooLong)
      if ('problem' in read) return refuse(read.problem)
      void session.pipe.call('cost.estimate', asked).then(show)
    }
    const later = () => {
      number += 1
      cancel()
      cancel = systemClock.after(pauseMs, ask)
    }
    // Not by a state: nothing is drawn at each key.
    const off = tabs.subscribe(() => {
      const before = last
      last = activeTab(tabs.get())
      if (isOther(before, last)) later()
    })
    later()
    return () => {
      number += 1
      cancel()
      off()
    }
  }, [session, connection, operation])
  return estimated
}

/** Returns whether a cost has to be asked for anew: also after an answer, which changes the points that are left and what is known. */
const isOther = (before: Tab, now: Tab): boolean =>
  before.document !== now.document ||
  before.variables !== now.variables ||
  (now.run.is === 'answered' && before.run !== now.run)
