import { defaultSubscription, subscriptionOf } from '../api/operations.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Change } from '../inventory/thread/change.ts'
import type { SocketHistory } from '../live/history.ts'
import type { LiveOptions } from '../live/machine.ts'
import { startLive } from '../live/socket.ts'
import { createStreamDocument, fixedDocument, type StreamDocument } from '../live/subscriptions/stream-document.ts'
import type { ConnectionColumnsOptions } from '../sync/columns/connection-columns.ts'
import type { Deduplicator } from '../sync/events/deduplicator.ts'
import type { EventQueues } from '../sync/events/events.ts'
import { startConnectionSync, type ConnectionSync } from '../sync/connection-sync.ts'
import type { Assignments } from '../sync/assignments/assignments.ts'
import type { AccessOptions, PlacesOptions } from '../sync/options.ts'
import type { Client } from './client.ts'
import type { ConnectionRecord } from './stored/record.ts'

export interface RunnerOptions {
  client: Client
  record: Pick<ConnectionRecord, 'id' | 'subscription'>
  service: string
  assignments: Assignments
  deduplicator: Deduplicator
  queues: EventQueues
  /** Id of the credential set, and the connection's position in the operator's list. */
  credentials: string
  place: () => number
  refreshMs: () => number
  urgentKeys: () => Iterable<string>
  isTimeLost: () => boolean
  columns: ConnectionColumnsOptions
  onSchema: (fingerprint: readonly string[]) => void
  access: AccessOptions
  places: PlacesOptions
  data: InventoryData
  order: () => number
  lastReadingAt: number | null
  /** Outlives the runner, because a pause and a change are part of it. */
  history: SocketHistory
  publish: (change: Change) => void
  onState: () => void
}

/** A connection that is read: its live link and its sync, which send with its client. */
export interface Runner {
  sync: ConnectionSync
  stop(): Promise<void>
}

export function startRunner(options: RunnerOptions): Runner {
  const { client, record, history, ...shared } = options
  const { api, dialect, pacer, sockets, skew } = client
  const { clock, random, log } = sockets
  const sync = startConnectionSync({
    ...shared,
    connection: record.id,
    api,
    dialect,
    pacer,
    clock,
    random,
    log,
    tryNow: client.tryNow,
    selfChecks: () => ({ token: client.tokenProblem(), skew: skew.skew(), hasServiceTime: skew.isKnown() }),
    openLive: ({ eventFields, ...listeners }) =>
      startLive({
        ...sockets,
        document: documentOf(record, eventFields),
        dialect,
        ...listeners,
        ...recorded(history, listeners),
      }),
  })
  const offs = [client.onDoubt(sync.checkSelf), client.onGranted(sync.newToken)]
  return {
    sync,
    stop() {
      for (const off of offs) off()
      return sync.stop()
    },
  }
}

/** Returns the listeners of a live connection that record its transitions. */
const recorded = (
  history: SocketHistory,
  { onState }: Pick<LiveOptions, 'onState'>,
): Pick<LiveOptions, 'onState' | 'onRenewed'> => ({
  onState(state, fault) {
    history.moved(state, fault)
    onState(state, fault)
  },
  onRenewed: history.renewed,
})

/** Returns the connection's own document, or the one with what the schema offers. */
function documentOf(
  { subscription }: Pick<RunnerOptions['record'], 'subscription'>,
  eventFields: () => string | null,
): StreamDocument {
  if (subscription.trim() !== '') return fixedDocument(subscription)
  return createStreamDocument(defaultSubscription, () => {
    const fields = eventFields()
    return fields === null ? null : subscriptionOf(fields)
  })
}
