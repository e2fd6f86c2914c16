import { createDialect } from '../../../src-main/api/dialect.ts'
import type { Api, Reply, Request } from '../../../src-main/api/client.ts'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { callsOn, type Calls } from '../../../src-main/inventory/thread/calls.ts'
import type { InventoryData } from '../../../src-main/inventory/thread/protocol.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import type { Live } from '../../../src-main/live/machine.ts'
import { createDeduplicator } from '../../../src-main/sync/events/deduplicator.ts'
import { createEventQueues } from '../../../src-main/sync/events/events.ts'
import { startConnectionSync, type ConnectionSync } from '../../../src-main/sync/connection-sync.ts'
import type { Listeners } from '../../../src-main/sync/options.ts'
import { createAssignments } from '../../../src-main/sync/assignments/assignments.ts'
import type { ClockSkew } from '../../../src-main/sync/health/clock-skew.ts'
import type { Facts } from '../../../src-main/sync/health/health.ts'
import { FaultError, type Fault } from '../../../src-shared/model/fault.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import { manualClock, settle, type ManualClock } from '../../support/clock.ts'
import { temporaryProfile, type Leftovers } from '../../support/fleet.ts'

export const minute = 60_000

/** The service's answer; null is the usual one. */
export type Answer = (request: SentRequest & { size: number }) => Reply | FaultError | null

export interface SentRequest {
  name: string
  tenant: string
  token: string | null
  /** The ids of a read by ids. */
  ids: string[]
}

/** One connection of a bed: its sync over the real data calls. The test decides the service's answers and the socket's events. */
export interface Bed {
  clock: ManualClock
  calls: Calls
  sync: ConnectionSync
  /** Requests by operation and tenant, in order. */
  requests: SentRequest[]
  /** Whether all subscriptions are confirmed while the connection is live. */
  coverage: { isComplete: boolean }
  /** `retryInMs`: when a link that waits is tried again. */
  link(state: LinkState['state'], retryInMs?: number): void
  /** The doubt about the access token that the connection gets. */
  self: { token: Facts['token'] }
  /** The number of times that the interval was computed from the balance. */
  intervalCount(): number
  /** The socket sends an event of a device. */
  send(id: string, connected: boolean): void
  /** The socket sends this payload. */
  sendPayload(payload: unknown): void
  /** The service rejects the subscriptions of these devices for this reason. */
  park(detail: string, ...ids: string[]): void
  statusOf(id: string): string | undefined
  /** The number of changes that the sync has reported. */
  changes(): number
  /** Devices that the link was last subscribed to. */
  subscribed(): string[]
  /** Stops it before the test ends, as the operator does who pauses or removes it. */
  stop(): Promise<void>
}

export interface World {
  clock: ManualClock
  calls: Calls
  /** While set, the disk takes no pages, no tenants and no events. */
  disk: { full: boolean }
  /** Keys of the devices on screen. */
  urgent: string[]
  /** Closes its files: another world may open them. */
  close(): void
  connect(
    id: string,
    answer?: Answer,
    before?: (request: SentRequest) => Promise<void>,
    skew?: ClockSkew | null,
  ): Promise<Bed>
}

/** Two tenants, a and b, with two devices each. */
function defaultReply(name: string, tenant: string): Reply {
  if (name === 'Tenants') return tenants(['a', 'Acme'], ['b', 'Berg'])
  if (name === 'Schema') return { errors: [], data: { params: { inputFields: [{ name: 'filter' }] } } }
  return page([`${tenant}1`, `${tenant}2`], null)
}

export function tenants(...list: [id: string, name: string][]): Reply {
  return { errors: [], data: { tenants: list.map(([id, name]) => ({ id, name, region: null })) } }
}

export function page(
  ids: string[],
  nextToken: string | null,
  errors: Reply['errors'] = [],
  totalCount: number | null = null,
): Reply {
  const edges = ids.map((id) => ({ node: { id, name: id, connected: true } }))
  return {
    errors,
    data: {
      tenant: {
        inventory: { deviceSearch: { edges, pageInfo: { totalCount, nextToken, hasNextPage: nextToken !== null } } },
      },
    },
  }
}

/** Connections of one service, over one store. They are stopped with the leftovers, each in its turn. */
export function openWorld(leftovers: Leftovers, clock = manualClock(), profile = temporaryProfile(leftovers)): World {
  const calls = callsOn(openStore(profile, 1, clock.now()))
  let isOpen = true
  const close = () => {
    if (isOpen) calls.close(undefined)
    isOpen = false
  }
  leftovers.push(close)
  const disk = { full: false }
  const shared = {
    data: dataOver(calls, disk),
    assignments: createAssignments(),
    deduplicator: createDeduplicator(clock),
    queues: createEventQueues(),
    order: counter(),
  }
  const places: string[] = []
  const urgent: string[] = []
  return {
    clock,
    calls,
    disk,
    urgent,
    close,
    async connect(id, answer = () => null, before = async () => {}, skew = null) {
      if (!places.includes(id)) places.push(id)
      const bed = connect(id, places.indexOf(id), { clock, calls, urgent, skew, ...shared }, answer, before)
      leftovers.push(bed.stop)
      await clock.advance(0)
      await settle()
      return bed
    },
  }
}

function dataOver(calls: Calls, disk: { full: boolean }): InventoryData {
  const written = new Set(['page', 'tenants', 'events'])
  return Object.fromEntries(
    Object.entries(calls).map(([name, run]) => [
      name,
      async (input: never) => {
        if (disk.full && written.has(name)) throw new FaultError('storage', 'the disk is full')
        return (run as (input: never) => unknown)(input)
      },
    ]),
  ) as unknown as InventoryData
}

interface Shared
  extends
    Pick<World, 'clock' | 'calls' | 'urgent'>,
    Pick<Parameters<typeof startConnectionSync>[0], 'data' | 'assignments' | 'deduplicator' | 'queues' | 'order'> {
  skew: ClockSkew | null
}

function connect(
  id: string,
  place: number,
  { clock, calls, urgent, skew, ...shared }: Shared,
  answer: Answer,
  before: (request: SentRequest) => Promise<void>,
): Bed {
  const requests: SentRequest[] = []
  let changes = 0
  const { openLive, link, coverage, send, sendPayload, park, subscribed } = manualLink(clock)
  const pacer = startPacer({
    clock,
    random: () => 0,
    policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  let intervalCount = 0
  const self: Bed['self'] = { token: null }
  const sync = startConnectionSync({
    ...shared,
    connection: id,
    service: 's',
    credentials: id,
    place: () => place,
    api: apiOf(requests, answer, before),
    clock,
    refreshMs: () => 30 * minute,
    columns: { readAt: () => ({}), onRead: () => {}, onChange: () => {} },
    onSchema: () => {},
    access: { clientId: '', onRead: () => {} },
    places: { onChange: () => {} },
    dialect: createDialect(),
    random: () => 0.5,
    log: () => {},
    urgentKeys: () => urgent,
    lastReadingAt: null,
    publish: () => {},
    onState() {
      changes += 1
    },
    openLive,
    isTimeLost: () => false,
    selfChecks: () => ({ ...self, skew, hasServiceTime: true }),
    pacer: {
      ...pacer,
      perWindow() {
        intervalCount += 1
        return pacer.perWindow()
      },
    },
  })
  let stopped: Promise<void> | null = null
  return {
    clock,
    calls,
    sync,
    requests,
    link,
    coverage,
    self,
    intervalCount: () => intervalCount,
    send,
    sendPayload,
    park,
    changes: () => changes,
    subscribed,
    statusOf: (device) => calls.device({ key: `s/${device[0]}/${device}` }).device?.row.status,
    stop: () => (stopped ??= sync.stop()),
  }
}

function apiOf(requests: SentRequest[], answer: Answer, before: (request: SentRequest) => Promise<void>): Api {
  return {
    async run({ operation: { name }, variables, size, signal }: Request) {
      const tenant = typeof variables['tenant'] === 'string' ? variables['tenant'] : ''
      const token = (variables['params'] as { nextToken: string | null } | undefined)?.nextToken ?? null
      const ids = name.endsWith('ByIds') ? Object.values(variables).map(String) : []
      requests.push({ name, tenant, token, ids })
      await Promise.race([
        before({ name, tenant, token, ids }),
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        }),
      ])
      const reply = answer({ name, tenant, token, ids, size }) ?? defaultReply(name, tenant)
      if (reply instanceof FaultError) throw reply
      return reply
    },
  }
}

/** A link that the test moves; it comes up by itself when it is opened. */
function manualLink(clock: ManualClock) {
  let listeners: Listeners | null = null
  let subscribed: string[] = []
  let parked: ReadonlyMap<string, Fault> = new Map()
  const park = (detail: string, ...ids: string[]) => {
    parked = new Map(ids.map((id) => [id, { kind: 'forbidden', detail }]))
    listeners?.onSubscriptionLost(new Set(ids))
    listeners?.onParked()
  }
  let state: LinkState = { state: 'connecting', attempt: 0 }
  let aliveAt = clock.now()
  const coverage = { isComplete: true }
  const link = (next: LinkState['state'], retryInMs = 1_000) => {
    if (state.state === 'live') aliveAt = clock.now()
    if (next === 'live') state = { state: 'live', since: clock.now() }
    else if (next === 'waiting') state = { state: 'waiting', attempt: 1, retryAt: clock.now() + retryInMs }
    else state = { state: 'off' }
    listeners?.onState(state, next === 'waiting' ? { kind: 'reset', detail: '' } : null)
    if (next === 'live') listeners?.onSubscribed(new Set(['x']))
  }
  const live: Live = {
    state: () => state,
    lateSince: () => null,
    subscriptionLostSince: () => null,
    aliveAt: () => (state.state === 'live' ? clock.now() : aliveAt),
    covers: () => state.state === 'live' && coverage.isComplete,
    provenAt: () => (state.state === 'live' ? clock.now() : aliveAt),
    setDevices: (devices) => {
      subscribed = [...devices.keys()]
    },
    parked: () => parked,
    retry: () => {},
    newToken: () => {},
    stop: () => link('off'),
    restart() {
      link('waiting')
      link('live')
    },
  }
  const openLive = (given: Listeners): Live => {
    listeners = given
    queueMicrotask(() => link('live'))
    return live
  }
  const sendPayload = (payload: unknown) =>
    listeners?.onEvent({ deviceStream: payload }, { socket: 1, since: 0, isOverlapping: false })
  const send = (id: string, connected: boolean) => sendPayload({ id, tenantId: id[0], name: id, connected })
  return { openLive, link, coverage, send, sendPayload, park, subscribed: () => subscribed }
}

function counter(): () => number {
  let count = 0
  return () => (count += 1)
}

export const count = (bed: Bed, name: string, tenant?: string): number =>
  bed.requests.filter((each) => each.name === name && (tenant === undefined || each.tenant === tenant)).length

export const faultsOf = (bed: Bed) => bed.sync.state().faults.map(({ where, fault }) => [where, fault.kind])
