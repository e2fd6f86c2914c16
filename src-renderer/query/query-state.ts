import type { CallInput, CallOutput } from '../../src-shared/contract/contract.ts'
import type { BatchOutcome, BatchProgress } from '../../src-shared/model/batch.ts'
import type { MutationOutcome } from '../../src-shared/model/mutation.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { maxTabs } from '../../src-shared/model/kept-queries.ts'
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
  /** The saved operation that it came from; null: none. */
  saved: string | null
  run: Run
  /** What is shown of answers, and how as a table: kept for the next run. */
  shown: TableChoice
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
  saved: null,
  run: { is: 'none' },
  shown: firstChoice,
})

/** Returns whether nothing was done yet: the tabs are those of a window that has just begun. */
export function isUntouched({ all }: Tabs): boolean {
  const [tab, ...more] = all
  const isFirst = tab?.document === firstDocument && tab.variables === '{}' && tab.saved === null
  return more.length === 0 && isFirst && tab.run.is === 'none'
}

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

/** Opens a tab behind all others, and shows it. Returns its id; null where there are too many. */
export function openTab(part: Partial<Omit<Tab, 'id'>> = {}): string | null {
  const { all } = tabs.get()
  if (all.length >= maxTabs) return null
  const tab = { ...emptyTab(), connection: activeTab(tabs.get()).connection, ...part }
  tabs.set({ all: [...all, tab], active: tab.id })
  return tab.id
}

export function showTab(id: string): void {
  const { all } = tabs.get()
  if (all.some((tab) => tab.id === id)) tabs.set({ all, active: id })
}

/** Closes a tab; of the last one an empty tab stays. Returns the function that opens it again in its place, and what was in it. */
export function closeTab(id: string): { tab: Tab; undo: () => void } | null {
  const { all, active } = tabs.get()
  const at = all.findIndex((tab) => tab.id === id)
  const tab = all[at]
  if (tab === undefined) return null
  const rest = all.filter((each) => each !== tab)
  const left = rest.length > 0 ? rest : [emptyTab()]
  const next = left[Math.min(at, left.length - 1)]
  tabs.set({ all: left, active: active === id ? (next?.id ?? '') : active })
  const stopped: Tab = tab.run.is === 'running' ? { ...tab, run: { is: 'none' } } : tab
  const undo = () => {
    const now = tabs.get().all
    if (now.length < maxTabs && now.every((each) => each.id !== id))
      tabs.set({ all: now.toSpliced(at, 0, stopped), active: id })
  }
  return { tab, undo }
}

/** Changes the shown tab. */
export const change = (part: Partial<Omit<Tab, 'id'>>): void => changeTab(tabs.get().active, part)
