import { createApi, type Api } from '../api/client.ts'
import type { Dialect } from '../api/dialect.ts'
import type { Turns } from '../api/event-loop-turns.ts'
import type { Mutations } from '../api/mutations/mutations.ts'
import { startMutations } from '../api/mutations/start.ts'
import { createRaw, type Raw } from '../api/raw.ts'
import { readTenantIds } from '../api/tenant-ids.ts'
import { startTokens, type TokenProblem } from '../auth/token.ts'
import type { LiveOptions } from '../live/machine.ts'
import { createRawSubscriptions, type RawSubscriptions } from '../live/raw/subscriptions.ts'
import type { Pacer } from '../pacing/pacer.ts'
import type { Ports } from '../ports.ts'
import { createListeners } from '../../src-shared/lib/listeners.ts'
import { watchClockSkew, type ClockSkewWatch } from '../sync/health/clock-skew.ts'
import type { ConnectionRecord } from './stored/record.ts'

export interface ClientOptions {
  record: Pick<ConnectionRecord, 'name' | 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl' | 'clientId' | 'ca'>
  ports: Pick<Ports, 'network' | 'clock' | 'log'>
  pacer: Pacer
  dialect: Dialect
  turns: Turns
  secret: () => Promise<string | null>
  random: () => number
}

/**
 * What sends to a connection's service: its own network and token. It requests nothing by itself, so that each member of a
 * team may have one beside the member that reads the connection.
 */
export interface Client {
  /** Sends Muster's own reads, for the sync and for what a person asks for. */
  api: Api
  /** What the service rejected of Muster's documents. */
  dialect: Dialect
  pacer: Pacer
  /** Sends what changes devices and places, each thing once. */
  mutations: Mutations
  /** Sends queries that the operator writes. */
  raw: Raw
  /** The subscriptions that the operator writes. */
  subscriptions: Pick<RawSubscriptions, 'start'>
  /** What a live link is made with. */
  sockets: Pick<LiveOptions, 'link' | 'clock' | 'random' | 'log' | 'url' | 'tokens'>
  skew: Pick<ClockSkewWatch, 'skew' | 'isKnown' | 'agrees'>
  /** Returns why no valid token is available; null: none is missing. */
  tokenProblem(): TokenProblem | null
  /** Calls the listener when `tokenProblem` or `skew` changes. Returns a function that stops it. */
  onDoubt(listener: () => void): () => void
  /** Calls the listener when another token was granted. Returns a function that stops it. */
  onGranted(listener: () => void): () => void
  /** Returns the text without the secrets that were sent to the service. */
  redact(text: string): string
  /** Reads the ids of all tenants that the service lists. Rejects where the list is not whole. */
  tenantIds(): Promise<string[]>
  /** Ends the delays that the service asked for, because a person wants to try at once. */
  tryNow(): void
  /** Handles that time was lost: sockets are replaced. */
  loseTime(): void
  /** Ends all that it sends; what is begun afterwards fails with `stopped`. */
  end(): void
  /** Closes the network, after all that uses it has stopped. */
  close(): Promise<void>
}

/** Starts a client. Throws a `FaultError` of kind `ca` when the connection's CA cannot be read. */
export function startClient({ record, ports, pacer, dialect, turns, secret, random }: ClientOptions): Client {
  const { clock } = ports
  const log: Ports['log'] = (level, text) => ports.log(level, `${record.name}: ${text}`)
  const link = ports.network.open(record.ca)
  const doubts = createListeners()
  const grants = createListeners()
  const tokens = startTokens({
    fetch: link.fetch,
    clock,
    tokenUrl: record.tokenUrl,
    clientId: record.clientId,
    secret,
    onProblem: doubts.emit,
    onGranted: grants.emit,
  })
  const skew = watchClockSkew(clock, doubts.emit)
  const requests = { clock, graphqlUrl: record.graphqlUrl, tokens, pacer, turns, onDate: skew.observe }
  const api = createApi({ ...requests, fetch: link.fetch, dialect })
  const mutations = startMutations({ ...requests, api, fetchOnce: link.fetchOnce })
  const sockets = { link, clock, random, log, url: record.subscriptionUrl, tokens }
  const subscriptions = createRawSubscriptions(sockets)
  return {
    api,
    dialect,
    pacer,
    mutations,
    raw: createRaw({ ...requests, fetch: link.fetch, fetchOnce: link.fetchOnce }),
    subscriptions,
    sockets,
    skew,
    tokenProblem: tokens.problem,
    onDoubt: doubts.on,
    onGranted: grants.on,
    redact: tokens.redactIn,
    tenantIds: () => readTenantIds(api),
    tryNow() {
      for (const each of [tokens, pacer]) each.tryNow()
      subscriptions.retry()
    },
    loseTime: subscriptions.loseTime,
    end() {
      subscriptions.stop()
      mutations.stop()
      tokens.stop()
    },
    close: link.close,
  }
}
