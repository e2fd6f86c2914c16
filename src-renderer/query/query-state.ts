import type { CallOutput } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { createStore, type Store } from '../lib/store.ts'

export type Answer = CallOutput<'query.run'>

/** The last run of the screen. `at`: when it began, ms. */
export type Run =
  | { is: 'none' }
  | { is: 'running'; id: string; at: number }
  | { is: 'answered'; id: string; at: number; answer: Answer }
  | { is: 'failed'; id: string; at: number; fault: Fault }

/** What the operator wrote, and the last run. It outlives the screen, until the window is closed. */
export interface QueryState {
  document: string
  /** JSON. */
  variables: string
  /** Id of the chosen connection; null: the first one. */
  connection: string | null
  run: Run
}

const firstDocument = `# Ctrl Space completes, Ctrl Enter runs.
query Tenants {
  tenants {
    id
    name
    region {
      id
    }
  }
}
`

export const queryState: Store<QueryState> = createStore<QueryState>({
  document: firstDocument,
  variables: '{}',
  connection: null,
  run: { is: 'none' },
})

export const change = (part: Partial<QueryState>): void => queryState.set({ ...queryState.get(), ...part })
