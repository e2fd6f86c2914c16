import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'

type OverviewCall = Extract<keyof Handlers, `overview.${string}`>

export interface OverviewOptions {
  data: Pick<InventoryData, 'overviewMap' | 'overviewDay' | 'overviewMonth' | 'overviewPlaces'>
  settings: () => Pick<Settings, 'watched'>
  clock: Pick<Clock, 'now'>
}

/** The calls of the overview, answered from the data thread. */
export function overviewHandlers({ data, settings, clock }: OverviewOptions): Pick<Handlers, OverviewCall> {
  return {
    'overview.map': (input) => data.overviewMap({ ...input, watched: settings().watched }),
    'overview.day': () => untilDone(() => data.overviewDay({ now: clock.now() })),
    'overview.month': () => untilDone(() => data.overviewMonth({ now: clock.now() })),
    'overview.places': (input) => untilDone(() => data.overviewPlaces({ ...input, now: clock.now() })),
  }
}

/** Repeats a call that reads a part at a time; others come between (overview-protocol.ts). */
async function untilDone<T>(call: () => Promise<T | null>): Promise<T> {
  let answer = await call()
  while (answer === null) answer = await call()
  return answer
}
