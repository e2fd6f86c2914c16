import { createStore, type Store } from '../../lib/store.ts'

/** Whether the panel with saved operations and history is shown. It outlives the screen. */
export const panelOpen: Store<boolean> = createStore(false)
