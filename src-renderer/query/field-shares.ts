import type { OperationEstimate } from '../../src-shared/contract/cost-calls.ts'
import { createStore, type Store } from '../lib/store.ts'

/** The points of the lines of a document, as last estimated. */
export interface FieldShares extends Pick<OperationEstimate, 'likely' | 'lines'> {
  document: string
}

/** Null: not known, as for a document with a syntax error. */
export const fieldShares: Store<FieldShares | null> = createStore<FieldShares | null>(null)
