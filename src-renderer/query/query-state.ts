import type { MutationOutcome } from '../../src-shared/model/mutation.ts'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { createStore, type Store } from '../lib/store.ts'

export type Answer = CallOutput<'query.run'>

/** The last run of a tab. `at`: when it began, ms. */
export type Run =
  | { is: 'none' }
  | { is: 'running'; id: string; at: number }
  | { is: 'answered'; id: string; at: number; answer: Answer }
  | { is: 'failed'; id: string; at: number; fault: Fault }

/** What the operator wrote in one tab, and its last run. */
export interface Tab {
  id: string
  document: string
  /** JSON. */
  variables: string
  /** Id of the chosen connection; null: the first one. */
  connection: string | null
  /** The chosen operation, where the document has several; null: the first one. */
  operation: string | null
  run: Run
  /** Id of the subscription that is shown in the place of the answer; null: none. */
  subscription?: string | null
  /** What came of the mutation of the last run; null: it was none. `job`: in the history of actions. */
  mutation?: { job: string; outcomes: readonly MutationOutcome[] } | null
}

/** The tabs, in order; there is at least one. */
export interface Tabs {
  all: readonly Tab[]
  /** Id of the shown tab. */
  active: string
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

const emptyTab = (): Tab => ({
  id: crypto.randomUUID(),
  document: '',
  variables: '{}',
  connection: null,
  operation: null,
  run: { is: 'none' },
})

function firstTabs(): Tabs {
  const tab = { ...emptyTab(), document: firstDocument }
  return { all: [tab], active: tab.id }
}

/** All tabs. They outlive the screen. */
export const tabs: Store<Tabs> = createStore<Tabs>(firstTabs())

/** Returns the shown tab. */
export function activeTab({ all, active }: Tabs): Tab {
  const found = all.find(({ id }) => id === active) ?? all[0]
  if (found === undefined) throw new Error('no tab')
  return found
}

/** Changes a tab; nothing where it was closed. */
export function changeTab(id: string, part: Partial<Omit<Tab, 'id'>>): void {
  const { all, active } = tabs.get()
  tabs.set({ all: all.map((tab) => (tab.id === id ? { ...tab, ...part } : tab)), active })
}

/** Changes the shown tab. */
export const change = (part: Partial<Omit<Tab, 'id'>>): void => changeTab(tabs.get().active, part)
