import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { StartupTimes } from '../support/startup-times.ts'
import type { Viewport } from './viewport.ts'

interface InventoryDeps {
  data: InventoryData
  clock: Pick<Clock, 'now'>
  viewport: Viewport
  marks: Pick<StartupTimes, 'mark'>
}

/** Answers from the data thread, and records which devices are on the screen. */
export function inventoryHandlers({
  data,
  clock,
  viewport,
  marks,
}: InventoryDeps): Pick<Handlers, Extract<keyof Handlers, `inventory.${string}`>> {
  return {
    async 'inventory.rows'(input) {
      const answer = await data.rows({ ...input, now: clock.now() })
      viewport.rows(answer.rows.map(({ key }) => key))
      if (answer.rows.length > 0) marks.mark('rows')
      return { ...answer, offset: input.offset }
    },
    'inventory.totals': (input) => data.totals({ ...input, now: clock.now() }),
    'inventory.values': (input) => data.values(input),
    'inventory.keys': (input) => data.keys({ ...input, now: clock.now() }),
    'inventory.hidden': (input) => data.hidden({ ...input, now: clock.now() }),
    'inventory.export': (input) => data.exportPart({ ...input, now: clock.now() }),
    'inventory.locate': (input) => data.locate({ ...input, now: clock.now() }),
    'inventory.counts': (input) => data.counts(input),
    'inventory.tree': async (input) => ({ ...(await data.tree(input)), offset: input.offset }),
    'inventory.places': (input) => data.findPlaces(input),
    'inventory.deviceHistory': (input) => data.deviceHistory(input),
    'inventory.device'(input) {
      viewport.device(input.key)
      return data.device(input)
    },
  }
}
