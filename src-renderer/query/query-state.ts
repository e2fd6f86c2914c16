import type { CallInput, CallOutput } from '../../src-shared/contract/contract.ts'
import type { BatchOutcome, BatchProgress } from '../../src-shared/model/batch.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { createStore, type Store } from '../lib/store.ts'
import { firstChoice, type TableChoice } from './table/choice.ts'

export type Answer = CallOutput<'query.run'>

/** One operation, and how it is repeated. */
export type Batch = CallInput<'query.batchCost'>

/**
 * The last run of a tab. `at`: when it began, ms. `batch`: what is sent many times, where it is. `connection`: whose tenants
 * it asked; missing: of several.
 */
export type Run =
  | { is: 'none' }
  | { is: 'running'; id: string; at: number; batch?: { progress: BatchProgress | null } }
  | {
      is: 'answered'
      id: string
      at: number
      answer: Answer
      connection?: string
      batch?: { input: Batch; outcome: BatchOutcome }
    }
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
  /** What is shown of answers, and how as a table: kept for the next run. */
  shown: TableChoice
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
  shown: firstChoice,
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

/** Opens a tab of its own with this text, and shows it. */
export function openTab(part: Pick<Tab, 'document' | 'variables' | 'connection'>): void {
  const tab = { ...emptyTab(), ...part }
  tabs.set({ all: [...tabs.get().all, tab], active: tab.id })
}

/** Changes a tab; nothing where it was closed. */
export function changeTab(id: string, part: Partial<Omit<Tab, 'id'>>): void {
  const { all, active } = tabs.get()
  tabs.set({ all: all.map((tab) => (tab.id === id ? { ...tab, ...part } : tab)), active })
}

/** Changes the shown tab. */
export const change = (part: Partial<Omit<Tab, 'id'>>): void => changeTab(tabs.get().active, part)
