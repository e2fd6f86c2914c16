import type { Clock } from '../../src-shared/lib/clock.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'

/** What is older than 400 days goes from the journal soon after the start and this often. */
const everyMs = 24 * 60 * 60_000
/** Asked again this soon where nobody has confirmed this computer's clock yet: no service has answered. */
const againMs = 60_000
/** Between two parts of a run: the data thread has others to answer. */
const breathMs = 100
/** The most that goes in one run: what a day adds is some 400th of a full journal. A wrong clock that nobody noticed costs no more than that. */
const mostShare = 0.1
const leastRows = 50

export interface PruningOptions {
  data: Pick<InventoryData, 'prune'>
  clock: Clock
  log: Log
  /** Whether a service has told its time in this run and none tells another one: what is old is reckoned from now, and would be everything where the clock is years ahead. */
  clockAgrees: () => boolean
}

/** Prunes the journal while Muster runs; each run says what went. Returns the way to stop. */
export function startPruning({ data, clock, log, clockAgrees }: PruningOptions): () => void {
  let cancel = () => {}
  let isWaiting = false
  let pruned = 0
  const later = (ms: number) => (cancel = clock.after(ms, () => void run()))
  const over = (isMore: boolean) => {
    if (pruned > 0)
      log(
        'info',
        `${pruned} entries older than 400 days were taken from the journal${isMore ? '; as many go in a day at most, the others later' : ''}`,
      )
    pruned = 0
    later(everyMs)
  }
  const run = async () => {
    if (!clockAgrees()) {
      if (!isWaiting)
        log('info', 'nothing is taken from the journal for its age until a service’s time agrees with this computer’s')
      isWaiting = true
      later(againMs)
      return
    }
    isWaiting = false
    try {
      const { deleted: gone, rows } = await data.prune({ now: clock.now() })
      pruned += gone
      if (gone === 0) over(false)
      else if (pruned >= Math.max(leastRows, (rows + pruned) * mostShare)) over(true)
      else later(breathMs)
    } catch {
      log('warn', 'what is older than 400 days could not be taken from the journal yet')
      over(false)
    }
  }
  later(breathMs)
  return () => cancel()
}
