import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Log } from '../../ports.ts'

/** Interval between runs that delete journal entries older than 400 days (ms). The first run follows the start. */
const intervalMs = 24 * 60 * 60_000
/** Delay (ms) before the next try while no service's time has confirmed this computer's clock. */
const retryMs = 60_000
/** Delay (ms) between two parts of a run, in which the data thread answers other calls. */
const pauseMs = 100
/**
 * The largest share of the journal that one run deletes. One day adds about 1/400 of a full journal; the limit bounds
 * what a wrong clock can delete.
 */
const maxShare = 0.1
const minRows = 50

export interface PruningOptions {
  data: Pick<InventoryData, 'prune'>
  clock: Clock
  log: Log
  /**
   * Returns whether a service's time agrees with this computer's clock and none contradicts it. Ages depend on the
   * clock: one that is years ahead would delete everything.
   */
  clockAgrees: () => boolean
}

/** Prunes the journal while Muster runs and logs the number of deleted entries. Returns a function that stops it. */
export function startPruning({ data, clock, log, clockAgrees }: PruningOptions): () => void {
  let cancel = () => {}
  let isWaiting = false
  let pruned = 0
  const later = (ms: number) => (cancel = clock.after(ms, () => void run()))
  const finish = (isMore: boolean) => {
    if (pruned > 0)
      log(
        'info',
        `${pruned} entries older than 400 days were deleted from the journal${isMore ? '; this is the daily maximum, the others follow' : ''}`,
      )
    pruned = 0
    later(intervalMs)
  }
  const run = async () => {
    if (!clockAgrees()) {
      if (!isWaiting) log('info', 'the journal is not pruned until a service’s time agrees with this computer’s')
      isWaiting = true
      later(retryMs)
      return
    }
    isWaiting = false
    try {
      const { deleted, rows } = await data.prune({ now: clock.now() })
      pruned += deleted
      if (deleted === 0) finish(false)
      else if (pruned >= Math.max(minRows, (rows + pruned) * maxShare)) finish(true)
      else later(pauseMs)
    } catch {
      log('warn', 'entries older than 400 days could not be deleted from the journal yet')
      finish(false)
    }
  }
  later(pauseMs)
  return () => cancel()
}
