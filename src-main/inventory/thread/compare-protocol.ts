import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Asset, KeptComparison } from '../../../src-shared/model/comparison.ts'
import type { CallOrder } from './call-order.ts'

/** The data thread's calls about comparisons (protocol.ts). `now` in ms. */
export interface CompareData {
  /** Gives an asset list, or another reading of it. The last few are kept. */
  giveAssets(input: { list: string; assets: readonly Asset[] }): Promise<void>
  /** Answers null while it is not done, and is to be repeated. */
  compareRead(input: CallInput<'compare.read'> & { now: number }): Promise<CallOutput<'compare.read'> | null>
  compareCsv(input: CallInput<'compare.csv'> & { now: number }): Promise<CallOutput<'compare.csv'> | null>
  /** Returns what is kept, without the lists. The caller checks its shape. */
  comparisons(): Promise<unknown[]>
  /** Keeps a comparison. `text`: of its list, compressed; null: without a list. Fails with `input` where there are too many. */
  saveComparison(input: { comparison: KeptComparison; text: Uint8Array | null }): Promise<void>
  removeComparison(input: { id: string }): Promise<void>
  /** Returns the list of a comparison, compressed; null: it has none. */
  comparisonList(input: { id: string }): Promise<{ text: Uint8Array | null }>
}

/** How the request queue orders each of these calls. */
export const compareCallOrder: { readonly [N in keyof CompareData]: CallOrder } = {
  giveAssets: 'ordered',
  compareRead: 'read',
  compareCsv: 'read',
  comparisons: 'ordered',
  saveComparison: 'ordered',
  removeComparison: 'ordered',
  comparisonList: 'ordered',
}
