import { activeTab, change, tabs } from '../query-state.ts'
import type { TableChoice } from './choice.ts'

/** Changes how the shown tab's answers are seen. */
export const choose = (part: Partial<TableChoice>): void =>
  change({ shown: { ...activeTab(tabs.get()).shown, ...part } })
