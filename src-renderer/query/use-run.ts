import type { Pipe } from '../../src-shared/contract/contract.ts'
import { useAppContext } from '../lib/context.ts'
import { activeTab, changeTab, tabs } from './query-state.ts'
import { readVariables } from './variables.ts'

/** Runs what is written, and ends a run. `connection`: the chosen one. `operation`: null where the document has one. */
export function useRun(connection: string | null, operation: string | null) {
  const { session } = useAppContext()
  return {
    run: () => void run(session.pipe, connection, operation),
    cancel: () => void cancel(session.pipe),
  }
}

async function run(pipe: Pipe, connection: string | null, operation: string | null): Promise<void> {
  const { id: tab, document, variables, run: last } = activeTab(tabs.get())
  const read = readVariables(variables)
  if (connection === null || last.is === 'running') return
  const begun = { id: crypto.randomUUID(), at: Date.now() }
  if ('problem' in read)
    return changeTab(tab, {
      run: { is: 'failed', ...begun, fault: { kind: 'input', detail: `variables: ${read.problem}` } },
    })
  if (last.is === 'answered') void pipe.call('query.forget', { run: last.id })
  changeTab(tab, { run: { is: 'running', ...begun } })
  const answer = await pipe.call('query.run', {
    run: begun.id,
    connection,
    document,
    operation,
    variables: read.values,
  })
  changeTab(tab, {
    run: answer.ok
      ? { is: 'answered', ...begun, answer: answer.value, connection }
      : { is: 'failed', ...begun, fault: answer.fault },
  })
}

async function cancel(pipe: Pipe): Promise<void> {
  const { run: last } = activeTab(tabs.get())
  if (last.is === 'running') await pipe.call('query.cancel', { run: last.id })
}
