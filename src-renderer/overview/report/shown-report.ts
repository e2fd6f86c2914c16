import { createStore } from '../../lib/store.ts'

/** The place (its node, or `everything`) whose report the overview shows; null for none. */
export const shownReport = createStore<string | null>(null)
