import { createStore, type Store } from '../lib/store.ts'

/** What is shown beside the editors; null: nothing. It outlives the screen. */
export type SidePanel = 'kept' | 'documentation' | null

export const sidePanel: Store<SidePanel> = createStore<SidePanel>(null)
