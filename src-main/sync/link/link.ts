import { largest } from '../../../src-shared/lib/extremes.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import type { Live } from '../../live/machine.ts'
import type { Member, Rank } from '../assignments/assignments.ts'
import { eventKey } from '../events/deduplicator.ts'
import type { Faults } from '../faults.ts'
import type { ConnectionSyncOptions, Listeners } from '../options.ts'
import type { Reader } from '../reader/reader.ts'
import type { Requests } from '../reader/requests.ts'
import { createAdditions, type Additions } from './additions.ts'
import type { Devices } from './devices.ts'
import { createPolling, type Polling, type PollingState } from './polling.ts'

/** Timeout of the first sync for the link, ms, so that it need not be compared again. */
const firstLinkMs = 3_000
const subscribeEveryMs = 3_000

/** The live connection of a sync, and the polls that replace it. */
export interface Link {
  /** Returns the state of the live connection; null before it was ever opened. */
  state(): LinkState | null
  polling(): PollingState
  /** Returns whether only polls show the devices: the service has no stream, or its stream is unavailable. */
  isPolling(): boolean
  /** Returns whether the live connection has subscribed to all devices. */
  covers(): boolean
  /** As in `Live`; null or empty before it was ever opened. */
  provenAt(): number | null
  lateSince(): number | null
  subscriptionLostSince(): number | null
  parked(): ReadonlyMap<string, Fault>
  /** Returns since when neither the live connection nor polling works, ms; null while one does. */
  downSince(): number | null
  /** Returns since when the devices are subscribed, ms; null while they are not. */
  subscribedAt(): number | null
  /** Returns when the service last answered, by a query or on the live connection, ms; null before the first time. */
  lastAnswerAt(): number | null
  /** Subscribes to the known devices; the first time it waits a few seconds until the link is live or fails. */
  subscribe(): Promise<void>
  /**
   * Subscribes within three seconds: with few points a sync takes minutes, and earlier pages should not wait for the
   * last.
   */
  subscribeSoon(): void
  /**
   * Subscribes as `subscribe` after some devices were added, which were just read, or removed: where nothing else has
   * changed, only the added ones are compared.
   */
  subscribeTo(added: readonly string[]): Promise<void>
  /** Handles lost subscriptions of these devices: they are unknown until they are subscribed and compared again. */
  loseSubscriptions(devices: ReadonlySet<string>): Promise<void>
  /** Reports this connection's rank to the others that list the same tenants. */
  reportRank(): void
  /** Records that the service has answered a query. */
  recordAnswer(): void
  /** Shows the devices that were read since polls replaced the live connection. */
  pollAnswered(): void
  /** Handles failed polls of this many tenants. When none was answered, polls cannot replace the live connection. */
  pollFailed(requested: number, failed: ReadonlyMap<string, Fault>): void
  /** Records that the service answers no query. */
  suspendPolling(): void
  /**
   * Polls at the operator's request: the results are shown with their time, and updated until the live connection is
   * back.
   */
  pollForOperator(): void
  newToken(): void
  /**
   * Connects now instead of at the planned time. `waitingOnly`: not where the service has no stream, for which there is
   * a probe.
   */
  retry(waitingOnly?: boolean): void
  restart(fault: Fault): void
  /** Ends the polls. Their results stay visible until `hide`. */
  endPolling(): void
  /** Ends the visibility of polled devices. */
  hide(): void
  stop(): void
}

export interface LinkOptions {
  options: ConnectionSyncOptions
  signal: AbortSignal
  member: Pick<Member, 'setRank'>
  faults: Faults
  requests: Pick<Requests, 'add'>
  devices: Devices
  reader: Reader
  onEvent: Listeners['onEvent']
  onParked: Listeners['onParked']
  /** Called when the service has answered on the live connection. */
  onReachable: () => void
  /** Called when the visibility may have changed. `afterGap`: events before this moment may be missing. */
  onMoved: (afterGap: boolean) => Promise<void>
  /** Called when the devices are subscribed for the first time since it is live, while pages arrive. */
  onSubscribedWhileReading: () => void
  /** Called when polls have replaced the live connection. */
  onPolling: () => void
  /** Called when devices of `subscribeTo` are subscribed, without a gap for any other. */
  onAdded: (ids: readonly string[]) => void
}

interface State {
  live: Live | null
  polling: Polling
  subscribedAt: number | null
  downSince: number | null
  answeredAt: number | null
  isSubscribePlanned: boolean
  additions: Additions
}

export function createLink(parts: LinkOptions): Link {
  const { clock } = parts.options
  const polling = createPolling({
    clock,
    onBegin: (isFirst) => pollingBegun(parts, isFirst),
    onEnd: () => parts.faults.note('live', '', null),
  })
  const state: State = {
    live: null,
    polling,
    subscribedAt: null,
    downSince: clock.now(),
    answeredAt: null,
    isSubscribePlanned: false,
    additions: createAdditions(),
  }
  return {
    ...readersOf(state),
    subscribe: () => subscribe(state, parts),
    subscribeTo(added) {
      state.additions.expect(added)
      return subscribe(state, parts)
    },
    subscribeSoon: () => subscribeSoon(state, parts),
    loseSubscriptions: (devices) => loseSubscriptions(parts, devices),
    reportRank: () => reportRank(state, parts),
    recordAnswer() {
      state.answeredAt = clock.now()
    },
    pollAnswered: () => pollAnswered(state, parts),
    pollFailed: (requested, failed) => pollFailed(state, parts, requested, failed),
    suspendPolling: () => polling.suspend(),
    pollForOperator() {
      const link = state.live?.state().state
      if (link === 'waiting' || link === 'connecting') polling.begin()
    },
    newToken: () => state.live?.newToken(),
    retry(waitingOnly = false) {
      if (!waitingOnly || state.live?.state().state === 'waiting') state.live?.retry()
    },
    restart: (fault) => state.live?.restart(fault),
    endPolling: () => polling.stop(),
    hide: () => polling.show(null),
    stop: () => state.live?.stop(),
  }
}

const none: ReadonlyMap<string, Fault> = new Map()

/** Returns the part of a link that only reads its state. */
function readersOf(
  state: State,
): Pick<
  Link,
  | 'state'
  | 'polling'
  | 'isPolling'
  | 'covers'
  | 'provenAt'
  | 'lateSince'
  | 'subscriptionLostSince'
  | 'parked'
  | 'downSince'
  | 'subscribedAt'
  | 'lastAnswerAt'
> {
  return {
    state: () => state.live?.state() ?? null,
    polling: () => state.polling.state(),
    isPolling: () => isPolling(state),
    covers: () => state.live?.covers() === true,
    provenAt: () => state.live?.provenAt() ?? null,
    lateSince: () => state.live?.lateSince() ?? null,
    subscriptionLostSince: () => state.live?.subscriptionLostSince() ?? null,
    parked: () => state.live?.parked() ?? none,
    downSince: () => state.downSince,
    subscribedAt: () => state.subscribedAt,
    lastAnswerAt() {
      const times = [state.answeredAt, state.live?.aliveAt() ?? null].filter((time) => time !== null)
      return times.length === 0 ? null : largest(times)
    },
  }
}

const isPolling = ({ live, polling }: State): boolean =>
  polling.state().since !== null || live?.state().state === 'polling'

async function subscribe(state: State, parts: LinkOptions): Promise<void> {
  const {
    options: { clock, openLive },
    signal,
  } = parts
  const ids = await idsOf(parts)
  if (signal.aborted) return
  if (state.live === null) {
    await new Promise<void>((resolve) => {
      state.live = openLive({
        ...listenersOf(state, parts, ids.size > 0, resolve),
        eventFields: () => parts.reader.tenants()?.eventFields ?? null,
      })
      state.live.setDevices(ids)
      clock.after(firstLinkMs, resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } else state.live.setDevices(ids)
  const { polling } = state
  if (state.live?.state().state === 'polling') polling.show(polling.state().visibleSince ?? clock.now())
  reportRank(state, parts)
  await parts.onMoved(false)
}

/**
 * Returns the devices that this connection claims, each with its tenant. They are loaded once, and again after each
 * sync; devices of pages in between are added.
 */
async function idsOf({ options, devices, reader }: LinkOptions): Promise<Map<string, string>> {
  const { data, service, connection } = options
  const all = new Map<string, string>()
  for (const { id: tenant } of reader.tenants()?.list ?? []) {
    if (devices.takeStale(tenant)) devices.set(tenant, await data.ids({ service, tenant, connection }))
    for (const id of devices.of(tenant) ?? []) all.set(id, tenant)
  }
  return all
}

function subscribeSoon(state: State, parts: LinkOptions): void {
  if (state.isSubscribePlanned) return
  state.isSubscribePlanned = true
  parts.options.clock.after(subscribeEveryMs, () => {
    state.isSubscribePlanned = false
    subscribe(state, parts).catch(() => parts.options.log('warn', 'new devices are subscribed to later'))
  })
}

function listenersOf(state: State, parts: LinkOptions, subscribes: boolean, onSettled: () => void): Listeners {
  return {
    onState(link, fault) {
      if (parts.signal.aborted) return
      linkChanged(state, parts, link, fault)
      if (link.state !== 'connecting' && (link.state !== 'live' || !subscribes)) onSettled()
    },
    onEvent: parts.onEvent,
    onSubscribed(devices) {
      const added = isPolling(state) ? null : state.additions.subscribed(devices, state.live?.covers() === true)
      if (added !== null) parts.onAdded(added)
      else state.polling.handOver(state.live, () => subscribed(state, parts))
      onSettled()
    },
    onSubscriptionLost(devices) {
      state.additions.lost(devices)
      void loseSubscriptions(parts, devices)
    },
    onParked: parts.onParked,
    onDoubt() {
      parts.options.onState()
      void parts.onMoved(false)
    },
  }
}

function linkChanged(state: State, parts: LinkOptions, link: LinkState, fault: Fault | null): void {
  const { polling } = state
  const { clock, onState } = parts.options
  polling.linkMoved(link)
  const isReachable = link.state === 'live' || link.state === 'polling'
  const { since, visibleSince } = polling.state()
  const isPolled = since !== null
  if (link.state !== 'live') {
    state.subscribedAt = null
    state.additions.clear()
  }
  state.downSince = isReachable || (isPolled && visibleSince !== null) ? null : (state.downSince ?? clock.now())
  onState()
  reportRank(state, parts)
  // While it connects again, the reason for the last failure stays visible.
  if (link.state === 'connecting') return
  // A repeated failure is not over after a moment of being live.
  if (fault !== null || !isPolled) parts.faults.note('live', 'the live connection', fault)
  if (link.state === 'live') parts.faults.note('foreign', '', null)
  if (!isPolled) polling.show(link.state === 'polling' ? clock.now() : null)
  // Earlier events do not cover the devices until they are read, and no subscription requests that.
  if (link.state === 'polling') parts.requests.add('reconciliation')
  if (isReachable) parts.onReachable()
  void parts.onMoved(false)
}

function subscribed(state: State, parts: LinkOptions): void {
  if (state.subscribedAt === null && parts.reader.isReadingInventory()) parts.onSubscribedWhileReading()
  state.subscribedAt ??= parts.options.clock.now()
  // Events before all were subscribed may be missing: only later data is covered.
  if (state.live?.covers() === true) void parts.onMoved(true)
  parts.requests.add('reconciliation')
}

async function loseSubscriptions({ options, devices, faults }: LinkOptions, ids: ReadonlySet<string>): Promise<void> {
  const { data, service, connection, clock, publish } = options
  markGap(options, devices, ids)
  try {
    publish(await data.subscriptionLost({ service, connection, ids: [...ids], at: clock.now() }))
  } catch (error) {
    faults.note('storage', 'this computer', toFault(error))
  }
}

/** Records that no events of these devices arrive: the next one is no duplicate of the last. */
function markGap(
  { deduplicator, connection, service }: ConnectionSyncOptions,
  devices: Devices,
  ids: ReadonlySet<string>,
): void {
  for (const tenant of devices.tenants()) {
    const own = Array.from(ids).filter((id) => devices.of(tenant)?.has(id) === true)
    deduplicator.markGap(
      connection,
      own.map((id) => eventKey(service, tenant, id)),
    )
  }
}

function reportRank(state: State, { reader, member }: LinkOptions): void {
  member.setRank(reader.failures() > 0 ? 0 : rankOf(state.live?.state() ?? { state: 'connecting', attempt: 0 }))
}

function rankOf(link: LinkState): Rank {
  const isComplete =
    link.state === 'live' || link.state === 'polling' || (link.state === 'connecting' && link.attempt === 0)
  return isComplete ? 2 : 1
}

function pollingBegun({ options, requests, onPolling }: LinkOptions, isFirst: boolean): void {
  onPolling()
  if (isFirst) options.log('info', 'the live connection is unavailable: the devices are polled')
  requests.add('poll')
}

function pollAnswered(state: State, { options, onMoved }: LinkOptions): void {
  const { since, visibleSince } = state.polling.state()
  if (since === null || visibleSince !== null) return
  state.polling.show(since)
  state.downSince = null
  options.onState()
  void onMoved(false)
}

function pollFailed(
  state: State,
  { options, onMoved }: LinkOptions,
  requested: number,
  failed: ReadonlyMap<string, Fault>,
): void {
  if (
    !isPolling(state) ||
    failed.size === 0 ||
    failed.size < requested ||
    [...failed.values()].some(({ kind }) => traitsOf(kind).answered)
  )
    return
  state.polling.suspend()
  state.downSince ??= options.clock.now()
  options.onState()
  void onMoved(false)
}
