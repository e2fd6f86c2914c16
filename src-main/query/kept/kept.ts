import type { Handlers } from '../../../src-shared/contract/contract.ts'
import { openHistory, type RunHistory } from './history.ts'
import type { KeptOptions } from './kept-options.ts'
import { operationHandlers } from './operations.ts'
import { tabHandlers } from './tabs.ts'

export type KeptCall = Extract<
  keyof Handlers,
  `queryTabs.${string}` | `operations.${string}` | `queryHistory.${string}`
>

/** What the query screen keeps in the journal. */
export interface KeptQueries {
  handlers: Pick<Handlers, KeptCall>
  history: Pick<RunHistory, 'enter'>
}

export function openKeptQueries(options: KeptOptions): KeptQueries {
  const history = openHistory(options)
  return {
    handlers: { ...tabHandlers(options), ...operationHandlers(options), ...history.handlers },
    history,
  }
}
