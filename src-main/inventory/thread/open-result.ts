import type { Counts } from '../../../src-shared/model/inventory.ts'

/** What opening the files has found. */
export interface OpenResult {
  rev: number
  totals: Counts
  /** `damaged`: the cache was unreadable or of another version, and was replaced. */
  cache: 'ok' | 'new' | 'damaged'
  /** `damaged`: the journal was unreadable; it was moved to `damagedJournal` (never deleted) and replaced. */
  journal: 'ok' | 'new' | 'damaged'
  /** Path of the damaged journal's copy. */
  damagedJournal: string | null
}
