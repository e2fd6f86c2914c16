import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { operationsFileLimit, type SavedOperation } from '../../../src-shared/model/kept-queries.ts'
import { musterOperations } from '../../../src-shared/query/muster-operations.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { many } from '../../lib/format/numbers.ts'
import { change, openTab, showTab, tabs, type Tab } from '../query-state.ts'
import { isDone, notice } from './notice.ts'

/** The folder of the operations that come with Muster. */
export const musterFolder = 'Muster'

export interface Operations {
  /** Null before they are read. */
  all: readonly SavedOperation[] | null
  /** Why they could not be read; null: they were, or are not yet. */
  fault: Fault | null
}

/** The operator's saved operations, as they were read last. */
export const operations: Store<Operations> = createStore<Operations>({ all: null, fault: null })

export async function readOperations(pipe: Pipe): Promise<void> {
  const answer = await pipe.call('operations.list', {})
  operations.set(
    answer.ok ? { all: answer.value.operations, fault: null } : { all: operations.get().all, fault: answer.fault },
  )
}

/** Saves an operation, and reads all again. Returns whether it is saved. */
export async function saveOperation(pipe: Pipe, operation: SavedOperation): Promise<boolean> {
  const isSaved = isDone(await pipe.call('operations.save', operation))
  await readOperations(pipe)
  return isSaved
}

export async function removeOperation(pipe: Pipe, operation: SavedOperation): Promise<void> {
  if (!isDone(await pipe.call('operations.remove', { id: operation.id }))) return
  notice.set({ text: `“${operation.name}” deleted.`, undo: () => void saveOperation(pipe, operation) })
  await readOperations(pipe)
}

/** Returns the saved operation of a tab; null where it came from none, or that is gone. */
export const savedOf = ({ saved }: Pick<Tab, 'saved'>, { all }: Operations): SavedOperation | null =>
  saved === null ? null : (all?.find(({ id }) => id === saved) ?? null)

/** Returns whether a tab differs from the saved operation that it came from. */
export function isChanged(tab: Pick<Tab, 'saved' | 'document' | 'variables'>, known: Operations): boolean {
  const saved = savedOf(tab, known)
  return saved !== null && (saved.document !== tab.document || saved.variables !== tab.variables)
}

/** Opens a saved operation: its tab, or a new one. */
export function openOperation({ id, document, variables }: SavedOperation): void {
  const open = tabs.get().all.find(({ saved }) => saved === id)
  if (open === undefined) openInTab({ document, variables, saved: id })
  else showTab(open.id)
}

/** Opens a copy of one that comes with Muster, or says that there is none with this id. */
export function openMusterOperation(id: string): boolean {
  const found = musterOperations.find((each) => each.id === id)
  if (found !== undefined) openInTab({ document: found.document, variables: found.variables })
  return found !== undefined
}

/** Opens a new tab with this content, or says why not. It is not run. */
export function openInTab(part: Partial<Omit<Tab, 'id'>>): void {
  if (openTab(part) === null) notice.set({ text: 'There are 50 tabs. Close one first.' })
}

/** Saves the tab's text into the operation that it came from. */
export async function updateOperation(pipe: Pipe, operation: SavedOperation, tab: Tab): Promise<void> {
  const { document, variables } = tab
  if (await saveOperation(pipe, { ...operation, document, variables }))
    notice.set({ text: `“${operation.name}” saved.` })
}

/** Saves the shown tab as a new operation, which it came from then. */
export async function addOperation(
  pipe: Pipe,
  { name, folder }: { name: string; folder: string },
  { document, variables }: Tab,
): Promise<void> {
  const operation = { id: crypto.randomUUID(), name, folder, document, variables }
  if (!(await saveOperation(pipe, operation))) return
  change({ saved: operation.id })
  notice.set({ text: `“${name}” saved.` })
}

/** Imports a `.graphql` file: all of it or nothing. */
export async function importFile(pipe: Pipe, file: File): Promise<void> {
  if (file.size > operationsFileLimit * 4) return notice.set({ fault: { kind: 'input', detail: tooLong } })
  const text = await file.text()
  if (text.length > operationsFileLimit) return notice.set({ fault: { kind: 'input', detail: tooLong } })
  const answer = await pipe.call('operations.import', { text, file: file.name.slice(0, 260) })
  if (!answer.ok) {
    const { kind, detail } = answer.fault
    return notice.set({ fault: { kind, detail: kind === 'input' ? `Nothing was imported: ${detail}` : detail } })
  }
  const { added, same } = answer.value
  const beside = same === 0 ? '' : ` ${many(same, 'operation')} ${same === 1 ? 'was' : 'were'} there already.`
  notice.set({ text: `${many(added, 'operation')} imported.${beside}` })
  await readOperations(pipe)
}

const tooLong = 'The file is longer than 5,000,000 characters.'
