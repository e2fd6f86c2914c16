import type { Store } from '../store.ts'
import type { KeptQueryData } from './kept-query-protocol.ts'

type KeptQueryCalls = {
  [N in keyof KeptQueryData]: (input: Parameters<KeptQueryData[N]>[0]) => Awaited<ReturnType<KeptQueryData[N]>>
}

/** The calls about what the query screen keeps (kept-query-protocol.ts), answered from the journal. */
export function keptQueryCalls({ journal }: Store): KeptQueryCalls {
  const { keptQueries } = journal
  return {
    queryTabs: () => keptQueries.tabs(),
    saveQueryTab: (tab) => keptQueries.saveTab(tab),
    arrangeQueryTabs: ({ order, active }) => keptQueries.arrangeTabs(order, active),
    closeQueryTab: ({ id }) => keptQueries.closeTab(id),
    savedOperations: () => keptQueries.operations(),
    saveOperations: ({ operations }) => keptQueries.saveOperations(operations),
    removeOperation: ({ id }) => keptQueries.removeOperation(id),
    beginQueryRun: (run) => keptQueries.beginRun(run),
    endQueryRun: ({ id, outcome }) => keptQueries.endRun(id, outcome),
    queryRuns: () => keptQueries.runs(),
    queryRunText: ({ id }) => keptQueries.runText(id),
    clearQueryRuns() {
      keptQueries.forgetRuns(null)
      journal.scrub()
    },
  }
}
