import type { LoopDelay } from '../../../src-shared/contract/diagnostics.ts'
import type { TableRows } from '../../storage/tables.ts'
import { rowAt } from '../engine/view.ts'
import type { Store } from '../store.ts'
import type { NamedStatistics, ThreadMetrics } from './metrics-protocol.ts'

export type ReadMetrics = () => ThreadMetrics

/** Tables are counted this often at most, because the diagnostics are refreshed every few seconds. */
const countEveryMs = 60_000

/** `delay`: the event loop delay of this thread; `now`: a monotonic clock, ms. */
export function metricsOf({ cache, journal }: Store, delay: () => LoopDelay | null, now: () => number): ReadMetrics {
  let counted: { at: number; tables: ThreadMetrics['tables'] } | null = null
  const tables = () => {
    if (counted === null || now() - counted.at >= countEveryMs)
      counted = {
        at: now(),
        tables: [...inFile('cache.db', cache.tables()), ...inFile('journal.db', journal.tables())],
      }
    return counted.tables
  }
  return () => {
    // Only this thread's.
    const { heapUsed, heapTotal, external } = process.memoryUsage()
    return { delay: delay(), heapUsed, heapTotal, external, tables: tables() }
  }
}

const inFile = (file: string, tables: TableRows[]) => tables.map((table) => ({ file, ...table }))

export function statisticsOf({ inventory, journal }: Store, now: number): NamedStatistics {
  const found = journal.statistics(now)
  const nameOf = (key: string) => {
    const slot = inventory.rows.slotOf.get(key)
    return slot === undefined ? null : rowAt(inventory, slot).name
  }
  return { ...found, busiest: found.busiest.map((one) => ({ ...one, name: nameOf(one.key) })) }
}
