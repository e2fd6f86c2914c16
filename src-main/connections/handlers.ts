import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import { estimate, estimateWithout } from '../pacing/cost/estimate.ts'
import { readingDocument } from '../pacing/cost/shape.ts'
import type { Connections } from './connections.ts'

type ConnectionCall = Extract<
  keyof Handlers,
  `connections.${string}` | `sync.${string}` | `columns.${string}` | `cost.${string}` | `points.${string}`
>

/** `onForgotten` is called when the journal's entries of a former service or a removed connection are gone. */
export function connectionHandlers(
  connections: Connections,
  data: Pick<InventoryData, 'connectionCounts'>,
  onForgotten: () => Promise<void>,
): Pick<Handlers, ConnectionCall> {
  return {
    'connections.counts': () => data.connectionCounts(),
    'sync.cost': ({ scope }) => connections.refreshCost(scope),
    'sync.start': async ({ scope, status = false }) => {
      await (status ? connections.readStatus(scope) : connections.read(scope))
      return {}
    },
    'points.hour': async () => ({ sets: await connections.hours() }),
    'cost.estimate': async ({ connection, operation = null, ...asked }) =>
      readingDocument(() => estimate(connections.estimating(connection), { ...asked, operation })),
    'cost.without': async ({ connection, operation = null, at, ...asked }) =>
      readingDocument(() => estimateWithout(connections.estimating(connection), { ...asked, operation }, at)),
    'columns.cost': ({ name }) => connections.columns.cost(name),
    'columns.switch': async ({ name, on }) => {
      await connections.columns.switch(name, on)
      return {}
    },
    'connections.save': async (input) => {
      const id = await connections.save(input)
      // Another address is another service: the incidents of the former one are gone.
      await onForgotten()
      return { id }
    },
    'connections.show': async ({ id }) => ({ input: connections.show(id) }),
    'connections.test': async (input) => ({ legs: await connections.test(input) }),
    'connections.import': async (input) => {
      const imported = await connections.import(input)
      if (imported.stored > 0) await onForgotten()
      return imported
    },
    'connections.export': async () => ({ text: connections.export() }),
    'connections.pause': async ({ id, paused }) => {
      await connections.pause(id, paused)
      return {}
    },
    'connections.remove': async ({ id }) => {
      await connections.remove(id)
      await onForgotten()
      return {}
    },
    'connections.retry': async ({ id }) => {
      connections.retry(id)
      return {}
    },
  }
}
