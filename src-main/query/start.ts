import type { WrittenMutations } from '../actions/written-mutations.ts'
import type { Connections } from '../connections/connections.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Publisher } from '../ipc/publish.ts'
import { estimate } from '../pacing/cost/estimate.ts'
import { readingDocument } from '../pacing/cost/shape.ts'
import { openQueries, type Queries, type QueriesOptions, type QueryConnections } from './queries.ts'

interface Base {
  ports: QueriesOptions['ports']
  thread: { data: InventoryData }
  publisher: Publisher
}

/** Interval of the subscriptions' updates, ms: each event changes one. */
const subscriptionsMs = 500

/** Opens the query screen's side of a core. */
export const startQueries = (
  { ports, thread, publisher }: Base,
  connections: QueryConnections & Pick<Connections, 'running' | 'estimating'>,
  { written }: { written: WrittenMutations },
): Queries =>
  openQueries({
    ports,
    data: thread.data,
    connections,
    streams: {
      subscriptions: {
        clock: ports.clock,
        of: (connection) => connections.running(connection).subscriptions,
        onState: (read) => publisher.sendSoon('subscriptions', read, subscriptionsMs),
      },
      mutations: {
        clock: ports.clock,
        tenantIds: async (connection) => connections.running(connection).tenantIds(),
        estimate: ({ connection, ...asked }) =>
          readingDocument(() => estimate(connections.estimating(connection), asked)),
        written,
      },
    },
  })
