import type { LoopDelay } from '../../../src-shared/contract/diagnostics.ts'
import type { JournalStatistics } from '../../storage/journal/statistics.ts'
import type { TableRows } from '../../storage/tables.ts'

/** Metrics of the data thread; sizes in bytes. */
export interface ThreadMetrics {
  /** Null before anything was measured. */
  delay: LoopDelay | null
  heapUsed: number
  heapTotal: number
  external: number
  tables: (TableRows & { file: string })[]
}

/** `busiest` by name, where the device is still there. */
export type NamedStatistics = Omit<JournalStatistics, 'busiest'> & {
  busiest: { key: string; name: string | null; transitions: number }[]
}
