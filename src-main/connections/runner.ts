import { defaultSubscription, subscriptionOf } from '../api/operations.ts'
import { createApi, type Api } from '../api/client.ts'
import { createRaw, type Raw } from '../api/raw.ts'
import { readTenantIds } from '../api/tenant-ids.ts'
import { startMutations } from '../api/mutations/start.ts'
import type { Mutations } from '../api/mutations/mutations.ts'
import type { Dialect } from '../api/dialect.ts'
import type { Pacer } from '../pacing/pacer.ts'
import type { Turns } from '../api/event-loop-turns.ts'
import { startTokens } from '../auth/token.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Change } from '../inventory/thread/change.ts'
import type { SocketHistory } from '../live/history.ts'
import { createRawSubscriptions, type RawSubscriptions } from '../live/raw/subscriptions.ts'
import type { LiveOptions } from '../live/machine.ts'
import { startLive } from '../live/socket.ts'
import { createStreamDocument, fixedDocument, type StreamDocument } from '../live/subscriptions/stream-document.ts'
import type { Link, Ports } from '../ports.ts'
import type { ConnectionColumnsOptions } from '../sync/columns/connection-columns.ts'
import type { Deduplicator } from '../sync/events/deduplicator.ts'
import type { EventQueues } from '../sync/events/events.ts'
import { startConnectionSync, type ConnectionSync } from '../sync/connection-sync.ts'
import type { Assignments } from '../sync/assignments/assignments.ts'
import { watchClockSkew, type ClockSkewWatch } from '../sync/health/clock-skew.ts'
import type { AccessOptions, PlacesOptions } from '../sync/options.ts'
import type { ConnectionRecord } from './stored/record.ts'

export interface RunnerOptions {
  record: ConnectionRecord
  service: string
  ports: Ports
  pacer: Pacer
  dialect: Dialect
  turns: Turns
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
  secret: () => Promise<string | null>
  order: () => number
  random: () => number
  lastReadingAt: number | null
  /** Outlives the runner, because a pause and a change are part of it. */
  history: SocketHistory
  publish: (change: Change) => void
  onState: () => void
}

/** A running connection: its own network, token, live link and sync, in the order of their dependencies. */
export interface Runner {
  sync: ConnectionSync
  /** Sends Muster's own reads, for what a person asks for beside the sync. */
  api: Api
  /** What the service rejected of Muster's documents. */
  dialect: Pick<Dialect, 'stored'>
  /** Returns the text without the secrets that were sent to this connection's service. */
  redact(text: string): string
  /** Sends what changes devices and places, each thing once. */
  mutations: Mutations
  /** Sends queries that the operator writes. */
  raw: Raw
  /** The subscriptions that the operator writes. */
  subscriptions: Pick<RawSubscriptions, 'start'>
  /** Handles that time was lost, up to the last good check, ms. */
  loseTime(lastGoodAt: number): void
  /** Reads the ids of all tenants that the service lists. Rejects where the list is not whole. */
  tenantIds(): Promise<string[]>
  skew: Pick<ClockSkewWatch, 'isKnown' | 'agrees'>
  stop(): Promise<void>
}

/** Starts a connection. Throws a `FaultError` of kind `ca` when its CA cannot be read. */
export function startRunner(options: RunnerOptions): Runner {
  const { record, ports, turns, secret, history, ...shared } = options
  const { pacer, dialect, random } = shared
  const { clock } = ports
  const log: Ports['log'] = (level, text) => ports.log(level, `${record.name}: ${text}`)
  const link: Link = ports.network.open(record.ca)
  // Assigned when the sync exists; nothing is reported before.
  let checkSelf = () => {}
  let newToken = () => {}
  const onChange = () => checkSelf()
  const tokens = startTokens({
    fetch: link.fetch,
    clock,
    tokenUrl: record.tokenUrl,
    clientId: record.clientId,
    secret,
    onProblem: onChange,
    onGranted: () => newToken(),
  })
  const skew = watchClockSkew(clock, onChange)
  const requests = { clock, graphqlUrl: record.graphqlUrl, tokens, pacer, turns, onDate: skew.observe }
  const api = createApi({ ...requests, fetch: link.fetch, dialect })
  const mutations = startMutations({ ...requests, api, fetchOnce: link.fetchOnce })
  const sockets = { link, clock, random, log, url: record.subscriptionUrl, tokens }
  const subscriptions = createRawSubscriptions(sockets)
  const sync = startConnectionSync({
    ...shared,
    connection: record.id,
    api,
    clock,
    log,
    tryNow() {
      for (const each of [tokens, pacer]) each.tryNow()
      subscriptions.retry()
    },
    selfChecks: () => ({ token: tokens.problem(), skew: skew.skew(), hasServiceTime: skew.isKnown() }),
    openLive: ({ eventFields, ...listeners }) =>
      startLive({
        ...sockets,
        document: documentOf(record, eventFields),
        dialect,
        ...listeners,
        ...recorded(history, listeners),
      }),
  })
  checkSelf = sync.checkSelf
  newToken = sync.newToken
  return {
    sync,
    api,
    dialect,
    redact: tokens.redactIn,
    mutations,
    raw: createRaw({ ...requests, fetch: link.fetch, fetchOnce: link.fetchOnce }),
    subscriptions,
    tenantIds: () => readTenantIds(api),
    skew,
    loseTime(lastGoodAt) {
      sync.loseTime(lastGoodAt)
      subscriptions.loseTime()
    },
    async stop() {
      subscriptions.stop()
      mutations.stop()
      tokens.stop()
      await sync.stop()
      await link.close()
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
