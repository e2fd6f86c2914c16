import { useMemo, useState } from 'react'
import type { CallInput, Pipe } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { SubscriptionState } from '../../../src-shared/model/subscription.ts'
import { useAppContext } from '../../lib/context.ts'
import { activeTab, changeTab, tabs } from '../query-state.ts'
import { useRun } from '../use-run.ts'
import { useTab } from '../use-tab.ts'
import { chosenOperation, readVariables } from '../variables.ts'
import { operationKind, type OperationKind } from './operation-kind.ts'
import { useSubscriptions } from './use-subscriptions.ts'

/** What a mutation is prepared from, in a tab (its id). */
export interface AskedMutation {
  tab: string
  input: CallInput<'mutation.prepare'>
}

/** How the chosen operation is started, and what runs. */
export interface Start {
  kind: OperationKind
  /** What runs in the shown tab; null: nothing. */
  running: 'run' | 'subscription' | null
  /** Starts a query or subscription; of a mutation it only opens the question. */
  begin: () => void
  end: () => void
  asked: AskedMutation | null
  close: () => void
  subscriptions: readonly SubscriptionState[] | null
}

/** `connection`: the chosen one. The others: what is written and chosen, as of the last pause in typing. */
export function useStart(connection: string | null, pausedDocument: string, pausedOperation: string | null): Start {
  const { session } = useAppContext()
  const shown = useTab((tab) => tab.subscription ?? null)
  const isRunning = useTab((tab) => tab.run.is === 'running')
  const kind = useMemo(() => operationKind(pausedDocument, pausedOperation), [pausedDocument, pausedOperation])
  const subscriptions = useSubscriptions()
  const [asked, setAsked] = useState<AskedMutation | null>(null)
  const { run, cancel } = useRun(connection)
  const subscription = subscriptions?.find(({ id }) => id === shown)
  const running =
    subscription !== undefined && subscription.progress.is !== 'ended' ? 'subscription' : isRunning ? 'run' : null
  function begin() {
    if (running !== null || connection === null) return
    const written = activeTab(tabs.get())
    const { id: tab, document, variables } = written
    const operation = chosenOperation(written)
    if (shown !== null) void session.pipe.call('subscription.forget', { id: shown })
    changeTab(tab, { subscription: null, mutation: null })
    const writtenKind = operationKind(document, operation)
    if (writtenKind === 'query') return run()
    const read = readVariables(variables)
    if ('problem' in read) return fail(tab, { kind: 'input', detail: `variables: ${read.problem}` })
    const input = { connection, document, operation, variables: read.values }
    if (writtenKind === 'mutation') setAsked({ tab, input })
    else void subscribe(session.pipe, tab, input)
  }
  return {
    kind,
    running,
    begin,
    end: () =>
      void (running === 'subscription' && shown !== null
        ? session.pipe.call('subscription.stop', { id: shown })
        : cancel()),
    asked,
    close: () => setAsked(null),
    subscriptions,
  }
}

const fail = (tab: string, fault: Fault): void =>
  changeTab(tab, { run: { is: 'failed', id: crypto.randomUUID(), at: Date.now(), fault } })

async function subscribe(pipe: Pipe, tab: string, input: AskedMutation['input']): Promise<void> {
  const id = crypto.randomUUID()
  changeTab(tab, { subscription: id })
  const answer = await pipe.call('subscription.start', { id, ...input })
  if (answer.ok) return
  changeTab(tab, { subscription: null })
  fail(tab, answer.fault)
}
