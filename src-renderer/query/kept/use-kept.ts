import { useEffect } from 'react'
import type { EventData, Pipe } from '../../../src-shared/contract/contract.ts'
import { useAppContext } from '../../lib/context.ts'
import type { Session } from '../../lib/session.ts'
import { createStore } from '../../lib/store.ts'
import { activeTab, tabs } from '../query-state.ts'
import { keepTabs, type KeptTabs } from './keep-tabs.ts'
import {
  openInTab,
  openMusterOperation,
  openOperation,
  operations,
  readOperations,
  savedOf,
  updateOperation,
} from './operations.ts'
import { notice } from './notice.ts'
import { newTab } from './new-tab.ts'

/** The tabs are kept from the first look at the screen until the window ends. */
const kept = createStore<KeptTabs | null>(null)
/** The last open request that was followed: a request is told again to who listens later. */
const followed = createStore<EventData<'open'> | null>(null)

/** Keeps tabs, follows links to operations, and handles the keys of tabs. `onSave`: asks for a name. */
export function useKept(onSave: () => void): void {
  const { session } = useAppContext()
  useEffect(() => {
    begin(session)
    return session.onOpen((what) => void follow(session.pipe, what))
  }, [session])
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
      const isNew = event.ctrlKey && event.altKey && event.code === 'KeyT' && !event.getModifierState('AltGraph')
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 's'
      if (!isNew && !isSave) return
      event.preventDefault()
      if (isNew) newTab()
      else save(session.pipe, onSave)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [session, onSave])
}

/** Saves the shown tab into the operation that it came from, or asks for a name. */
export function save(pipe: Pipe, onSave: () => void): void {
  const tab = activeTab(tabs.get())
  const saved = savedOf(tab, operations.get())
  if (saved === null) onSave()
  else void updateOperation(pipe, saved, tab)
}

function begin({ pipe }: Session): void {
  if (kept.get() !== null) return
  const keeping = keepTabs(pipe, tabs)
  kept.set(keeping)
  keeping.problem.subscribe(() => {
    const fault = keeping.problem.get()
    // Where the core is away, the window says so itself.
    if (fault?.kind === 'storage' || fault?.kind === 'input') notice.set({ fault })
  })
  void readOperations(pipe)
  addEventListener('pagehide', () => void keeping.flush())
}

/** Opens what a link names in a new tab. Nothing is run. */
async function follow(pipe: Pipe, what: EventData<'open'>): Promise<void> {
  if (what === followed.get()) return
  followed.set(what)
  if (what.query !== undefined) return openInTab(what.query)
  if (what.operation === undefined || openMusterOperation(what.operation)) return
  await readOperations(pipe)
  const found = operations.get().all?.find(({ id }) => id === what.operation)
  if (found !== undefined) openOperation(found)
}
