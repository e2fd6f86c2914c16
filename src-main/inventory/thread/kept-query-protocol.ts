import type { QueryTab, RunOutcome, SavedOperation } from '../../../src-shared/model/kept-queries.ts'
import type { StartedRun } from '../../storage/journal/kept-queries.ts'
import type { CallOrder } from './call-order.ts'

/** The data thread's calls about what the query screen keeps (protocol.ts). The caller checks the shape of what is read. */
export interface KeptQueryData {
  queryTabs(): Promise<unknown[]>
  /** Fails with `input` where there are too many. */
  saveQueryTab(input: QueryTab): Promise<void>
  arrangeQueryTabs(input: { order: readonly string[]; active: string }): Promise<void>
  closeQueryTab(input: { id: string }): Promise<void>
  savedOperations(): Promise<unknown[]>
  saveOperations(input: { operations: readonly SavedOperation[] }): Promise<void>
  removeOperation(input: { id: string }): Promise<void>
  beginQueryRun(input: StartedRun): Promise<void>
  endQueryRun(input: { id: string; outcome: RunOutcome }): Promise<void>
  queryRuns(): Promise<unknown[]>
  queryRunText(input: { id: string }): Promise<unknown>
  /** Removes all runs, and erases them from the file. */
  clearQueryRuns(): Promise<void>
}

export const keptQueryCallOrder: { readonly [N in keyof KeptQueryData]: CallOrder } = {
  queryTabs: 'ordered',
  saveQueryTab: 'ordered',
  arrangeQueryTabs: 'ordered',
  closeQueryTab: 'ordered',
  savedOperations: 'ordered',
  saveOperations: 'ordered',
  removeOperation: 'ordered',
  beginQueryRun: 'ordered',
  endQueryRun: 'ordered',
  queryRuns: 'ordered',
  queryRunText: 'ordered',
  clearQueryRuns: 'ordered',
}
