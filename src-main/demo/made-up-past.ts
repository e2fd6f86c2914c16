import type { Clock } from '../../src-shared/lib/clock.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'

export interface MadeUpPastOptions {
  isDemo: boolean
  data: Pick<InventoryData, 'makeUpPast'>
  clock: Pick<Clock, 'now'>
  log: Log
}

/** Returns what is told the state of the connections: in the demo, the first reading of its fleet is given a past. */
export function startMadeUpPast({ isDemo, data, clock, log }: MadeUpPastOptions) {
  let isAsked = !isDemo
  return (states: readonly Pick<ConnectionState, 'lastReadingAt'>[]): void => {
    if (isAsked || !states.some(({ lastReadingAt }) => lastReadingAt !== null)) return
    isAsked = true
    data.makeUpPast({ now: clock.now() }).then(
      (count) => log('info', `demo: a past of ${count} transitions was made up`),
      () => log('warn', 'demo: no past could be made up'),
    )
  }
}
