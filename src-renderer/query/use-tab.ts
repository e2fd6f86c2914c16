import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { useStore } from '../lib/store.ts'
import { activeTab, tabs, type Tab } from './query-state.ts'

/** Renders again when the selected part of the shown tab changes. `select`: as for `useStore`. */
export const useTab = <P>(select: (tab: Tab) => P): P => useStore(tabs, (all) => select(activeTab(all)))

/** The pause in typing, ms, after which a document is read. */
const pauseMs = 150

/** Returns the shown tab as of the last pause in typing, for what reads a whole document; another tab at once. */
export function usePausedTab(): Tab {
  const [shown, setShown] = useState(() => activeTab(tabs.get()))
  useEffect(() => {
    let [last, cancel] = [activeTab(tabs.get()), () => {}]
    const show = () => {
      last = activeTab(tabs.get())
      setShown(last)
    }
    const off = tabs.subscribe(() => {
      const tab = activeTab(tabs.get())
      cancel()
      if (tab.id !== last.id || tab.operation !== last.operation) show()
      else if (tab.document !== last.document) cancel = systemClock.after(pauseMs, show)
    })
    // What changed before this.
    show()
    return () => {
      cancel()
      off()
    }
  }, [])
  return shown
}
