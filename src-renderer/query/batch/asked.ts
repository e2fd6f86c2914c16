import { createStore, type Store } from '../../lib/store.ts'

/** Which sheet of a run of many requests is open; null: none. */
export const batchAsked: Store<'pages' | 'tenants' | null> = createStore<'pages' | 'tenants' | null>(null)
