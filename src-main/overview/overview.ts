import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import { untilDone } from '../inventory/thread/until-done.ts'

type OverviewCall = Extract<keyof Handlers, `overview.${string}` | `firmware.${string}`>

export interface OverviewOptions {
  data: Pick<
    InventoryData,
    | 'overviewMap'
    | 'overviewDay'
    | 'overviewMonth'
    | 'overviewPlaces'
    | 'overviewFacts'
    | 'overviewPlace'
    | 'overviewThen'
    | 'thenDevices'
    | 'firmware'
    | 'firmwareProgress'
  >
  settings: () => Pick<Settings, 'watched' | 'firmwareTargets'>
  clock: Pick<Clock, 'now'>
}

/** The calls of the overview and its page of firmware, answered from the data thread. */
export function overviewHandlers({ data, settings, clock }: OverviewOptions): Pick<Handlers, OverviewCall> {
  // The data thread keeps a few results: two at once would begin them anew in turn.
  const inTurn = oneByOne()
  const rejectFuture = (at: number) => {
    if (at > clock.now()) throw new FaultError('input', 'at: It is in the future.')
  }
  return {
    'overview.map': (input) => data.overviewMap({ ...input, watched: settings().watched, now: clock.now() }),
    'overview.day': () => untilDone(() => data.overviewDay({ now: clock.now() })),
    'overview.month': () => untilDone(() => data.overviewMonth({ now: clock.now() })),
    'overview.places': (input) => untilDone(() => data.overviewPlaces({ ...input, now: clock.now() })),
    'overview.facts': (input) =>
      data.overviewFacts({ ...input, targets: settings().firmwareTargets, now: clock.now() }),
    'overview.then': (input) => {
      rejectFuture(input.at)
      return inTurn(() => untilDone(() => data.overviewThen({ ...input, now: clock.now() })))
    },
    'overview.thenDevices': (input) => {
      rejectFuture(input.at)
      return inTurn(() => untilDone(() => data.thenDevices({ ...input, now: clock.now() })))
    },
    'firmware.read': () => data.firmware({ targets: settings().firmwareTargets }),
    'firmware.progress': (input) => data.firmwareProgress(input),
    'overview.place': (input) => inTurn(() => untilDone(() => data.overviewPlace({ ...input, now: clock.now() }))),
  }
}
