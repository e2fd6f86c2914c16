import type { Clock } from '../../src-shared/lib/clock.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'

/** Delays, ms: before the first part, between two parts, in which the data thread answers other calls, and after all were written. */
const [firstMs, pauseMs, againMs] = [30_000, 200, 60 * 60_000]

export interface DayFillingOptions {
  data: Pick<InventoryData, 'fillDays' | 'recordFirmware'>
  clock: Clock
  log: Log
}

/**
 * Writes what every device was at the beginning of each past day, and which firmware it has today, while Muster runs. Returns a function
 * that stops it.
 */
export function startDayFilling({ data, clock, log }: DayFillingOptions): () => void {
  let cancel = () => {}
  let hasFailed = false
  const later = (ms: number) => (cancel = clock.after(ms, () => void run()))
  const run = async () => {
    try {
      const now = clock.now()
      const isDone = (await data.fillDays({ now })) && (await data.recordFirmware({ now }))
      later(isDone ? againMs : pauseMs)
      hasFailed = false
    } catch {
      // The time machine then reads more: it only takes longer.
      if (!hasFailed) log('warn', 'the days of the past could not be written to the journal yet')
      hasFailed = true
      later(againMs)
    }
  }
  later(firstMs)
  return () => cancel()
}
