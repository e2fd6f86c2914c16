import { repeat, systemClock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { activeTab, changeTab, tabs, type Batch, type Run } from '../query-state.ts'

/** Interval of the progress, ms. */
const progressMs = 500

/** Runs a batch in the shown tab, with its progress. `again`: the ended run whose rest is read; null: it begins anew. */
export async function runBatch(pipe: Pipe, batch: Batch, again: string | null): Promise<void> {
  const { id: tab, run: last, subscription = null } = activeTab(tabs.get())
  if (last.is === 'running') return
  const begun = { id: crypto.randomUUID(), at: Date.now() }
  if (last.is === 'answered' && last.id !== again) void pipe.call('query.forget', { run: last.id })
  if (subscription !== null) void pipe.call('subscription.forget', { id: subscription })
  changeTab(tab, { run: { is: 'running', ...begun, batch: { progress: null } }, subscription: null, mutation: null })
  const stop = repeat(systemClock, progressMs, () => void follow(pipe, tab, begun))
  const answer = await pipe.call('query.runBatch', { run: begun.id, batch, again })
  stop()
  const [connection, ...others] = batch.connections
  const run: Run = answer.ok
    ? {
        is: 'answered',
        ...begun,
        answer: answer.value.answer,
        batch: { input: batch, outcome: answer.value.outcome },
        ...(connection !== undefined && others.length === 0 && { connection }),
      }
    : { is: 'failed', ...begun, fault: answer.fault }
  changeTab(tab, { run })
}

async function follow(pipe: Pipe, tab: string, { id, at }: { id: string; at: number }): Promise<void> {
  const answer = await pipe.call('query.batchProgress', { run: id })
  const run = tabs.get().all.find((each) => each.id === tab)?.run
  // It may have ended meanwhile.
  if (!answer.ok || answer.value.progress === null || run?.is !== 'running' || run.id !== id) return
  changeTab(tab, { run: { is: 'running', id, at, batch: { progress: answer.value.progress } } })
}
