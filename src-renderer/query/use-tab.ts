import { useStore } from '../lib/store.ts'
import { activeTab, tabs, type Tab } from './query-state.ts'

/** Renders again when the selected part of the shown tab changes. `select`: as for `useStore`. */
export const useTab = <P>(select: (tab: Tab) => P): P => useStore(tabs, (all) => select(activeTab(all)))
