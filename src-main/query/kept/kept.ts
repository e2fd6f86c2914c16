import type { Handlers } from '../../../src-shared/contract/contract.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { KeptQueryData } from '../../inventory/thread/kept-query-protocol.ts'
import type { Log } from '../../ports.ts'
import { openHistory, type RunHistory } from './history.ts'
import { operationHandlers } from './operations.ts'
import { tabHandlers } from './tabs.ts'

export type KeptCall = Extract<
  keyof Handlers,
  `queryTabs.${string}` | `operations.${string}` | `queryHistory.${string}`
>

/** What the query screen keeps in the journal. */
export interface KeptQueries {
  handlers: Pick<Handlers, KeptCall>
  history: Pick<RunHistory, 'begin'>
}

export interface KeptOptions {
  data: Pick<InventoryData, keyof KeptQueryData>
  log: Log
  clock: Pick<Clock, 'now'>
  /** Removes registered secrets from a text. */
  redact: (text: string) => string
}

export function openKeptQueries(options: KeptOptions): KeptQueries {
  const history = openHistory(options)
  return {
    handlers: { ...tabHandlers(options), ...operationHandlers(options), ...history.handlers },
    history,
  }
}
