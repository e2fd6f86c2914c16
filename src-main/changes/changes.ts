import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import { untilDone } from '../inventory/thread/until-done.ts'
import type { Visits } from './visits.ts'

export interface ChangesOptions {
  data: Pick<InventoryData, 'changesRead' | 'changesCsv'>
  settings: () => Pick<Settings, 'flapTransitions' | 'flapMinutes'>
  clock: Pick<Clock, 'now'>
  visits: Pick<Visits, 'last'>
}

/** The calls of the screen Changes, answered from the data thread. Throws a fault of kind `input` for a time that ends before it begins. */
export function changesHandlers({
  data,
  settings,
  clock,
  visits,
}: ChangesOptions): Pick<Handlers, Extract<keyof Handlers, `changes.${string}`>> {
  const asked = ({ from, until }: { from: number; until: number }) => {
    if (until <= from) throw new FaultError('input', 'until: It is not after the beginning.')
    const { flapTransitions: transitions, flapMinutes } = settings()
    return { flap: { transitions, ms: flapMinutes * 60_000 }, now: clock.now() }
  }
  // The data thread keeps one comparison: two at once would begin it anew in turn.
  const inTurn = oneByOne()
  return {
    'changes.visit': async ({ used }) => ({ lastVisit: visits.last(used) }),
    'changes.read': (input) => inTurn(() => untilDone(async () => data.changesRead({ ...input, ...asked(input) }))),
    'changes.csv': (input) => inTurn(() => untilDone(async () => data.changesCsv({ ...input, ...asked(input) }))),
  }
}
