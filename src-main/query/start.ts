import type { Clock } from '../../src-shared/lib/clock.ts'
import type { WrittenMutations } from '../actions/written-mutations.ts'
import type { Connections } from '../connections/connections.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Publisher } from '../ipc/publish.ts'
import type { Paths } from '../ports.ts'
import { openQueries, type Queries } from './queries.ts'

interface Base {
  ports: { clock: Clock; paths: Pick<Paths, 'answersThread'> }
  thread: { data: InventoryData }
  publisher: Publisher
}

/** Interval of the subscriptions' updates, ms: each event changes one. */
const subscriptionsMs = 500

/** Opens the query screen's side of a core. */
export const startQueries = (
  { ports, thread, publisher }: Base,
  { running, estimate }: Pick<Connections, 'running' | 'estimate'>,
  { written }: { written: WrittenMutations },
): Queries =>
  openQueries({
    thread: ports.paths.answersThread,
    data: thread.data,
    raw: (connection) => running(connection).raw,
    streams: {
      subscriptions: {
        clock: ports.clock,
        of: (connection) => running(connection).subscriptions,
        onState: (read) => publisher.sendSoon('subscriptions', read, subscriptionsMs),
      },
      mutations: {
        clock: ports.clock,
        tenantIds: async (connection) => running(connection).tenantIds(),
        estimate,
        written,
      },
    },
  })
