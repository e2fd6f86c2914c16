import type { Pipe } from '../../src-shared/contract/contract.ts'
import { useAppContext } from '../lib/context.ts'
import { activeTab, changeTab, tabs } from './query-state.ts'
import { chosenOperation, readVariables } from './variables.ts'

/** Runs what is written, and ends a run. `connection`: the chosen one. */
export function useRun(connection: string | null) {
  const { session } = useAppContext()
  return {
    run: () => void run(session.pipe, connection),
    cancel: () => void cancel(session.pipe),
  }
}

async function run(pipe: Pipe, connection: string | null): Promise<void> {
  const written = activeTab(tabs.get())
  const { id: tab, document, variables, run: last } = written
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
    operation: chosenOperation(written),
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
