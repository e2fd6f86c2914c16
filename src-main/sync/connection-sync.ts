import { repeat } from '../../src-shared/lib/clock.ts'
import type { Check, ConnectionState } from '../../src-shared/model/connection.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/model/fault.ts'
import type { Reply } from '../api/client.ts'
import type { RemainingWork } from '../pacing/balance/forecast.ts'
import type { Fingerprint, Member } from './assignments/assignments.ts'
import { createSharing, type Sharing } from './assignments/sharing.ts'
import { columnCost } from './columns/column-cost.ts'
import { startConnectionColumns } from './columns/column-syncing.ts'
import type { ConnectionColumns } from './columns/connection-columns.ts'
import { toolsOf, type SyncContext } from './context.ts'
import type { EventQueue, EventQueueOptions } from './events/events.ts'
import { startPlaceReads } from './events/place-reads.ts'
import { startRechecks } from './events/rechecks.ts'
import { createStreamEvents, type StreamEvents } from './events/stream-events.ts'
import { startUnreadableEvents } from './events/unreadable-events.ts'
import { createFaults } from './faults.ts'
import { createDoubts } from './health/doubts.ts'
import { checkOf, skewText } from './health/health.ts'
import { createVisibility } from './health/visibility.ts'
import { createDevices } from './link/devices.ts'
import { createFreshness } from './link/freshness.ts'
import { createLink } from './link/link.ts'
import { createUnsubscribed } from './link/unsubscribed.ts'
import type { ConnectionSyncOptions } from './options.ts'
import { createPlacesReading, type PlacesReading } from './places/places-reading.ts'
import { createAccessReading, type AccessReading } from './reader/access-reading.ts'
import { createPriorities, type DeviceOf } from './reader/priorities.ts'
import { createReader } from './reader/reader.ts'
import { createRequests } from './reader/requests.ts'
import { failed } from './reader/retry.ts'
import { createSchedule } from './reader/schedule.ts'
import { recall, runSyncCycle } from './reader/sync-cycle.ts'
import type { Tenants } from './tenants/tenant-list.ts'
import { fullCost, remainingCost, statusCost, type PartCost } from './tenants/sync-cost.ts'
import { fingerprintTenant } from './tenants/tenant-sync.ts'
import { startTotalsWatch } from './totals/totals-watch.ts'

/** The sync of one connection: its tenants, its live stream and its faults. */
export interface ConnectionSync {
  state(): Pick<
    ConnectionState,
    'link' | 'sync' | 'lastEventAt' | 'lastReadingAt' | 'heardAt' | 'faults' | 'notOffered'
  >
  /** Returns what is known of the service's schema; null before the first list of tenants. */
  service(): Pick<Tenants, 'capabilities' | 'eventFields'> | null
  /** Syncs these tenants for the operator, of those that this connection reads; null: all. */
  refresh(tenants: ReadonlySet<string> | null): void
  /** Returns whether this connection reads the tenant; others may stand by for it. */
  reads(tenant: string): boolean
  /** Returns the cost of `refresh`; it counts only the tenants that this connection reads itself. */
  cost(tenants: ReadonlySet<string> | null): PartCost & { tenants: number }
  /** Reads the status of these devices by their ids, for a person. Rejects with a `FaultError`. */
  readStatus(devices: readonly DeviceOf[]): Promise<void>
  /** Returns the cost of `readStatus` for this many devices; null where the service does not offer it. */
  statusCost(devices: number): PartCost | null
  /** Handles that another token was granted. */
  newToken(): void
  /** Retries at once what waits. */
  retry(): void
  /** Handles lost time: the computer slept, or its clock was set, after `lastGoodAt`, ms. Restarts the live link, and retries. */
  loseTime(lastGoodAt: number): void
  /** Returns the monitoring checks (`health.ts`). */
  checks(): Check[]
  /** Checks the answer of `ConnectionSyncOptions.selfChecks` again. */
  checkSelf(): void
  /** Applies a changed interval of full syncs. */
  reschedule(): void
  columns: ConnectionColumns
  /** Returns the cost of an extra column. Rejects with a `FaultError` when the service rejects the field. */
  columnCost(name: string): Promise<PartCost>
  /** Returns the remaining cost of the running sync; null when none runs or the cost is unknown. */
  remainingCost(): RemainingWork | null
  stop(): Promise<void>
}

/**
 * Interval at which the proven time of the link is recorded, for when it is lost, ms: a Pong alone changes nothing on
 * the screen.
 */
const proveMs = 5_000
/** Interval at which the window is notified of the last Pong, ms. */
const notifyEveryMs = 30_000
/**
 * Interval at which the proven time is stored, ms: the devices are known to have been visible up to then, even where
 * the process is killed.
 */
const reportEveryMs = 60_000
const overdueEveryMs = 10_000

/** The parts of a running sync, including those that the others do not use. */
interface Parts {
  context: SyncContext
  queue: EventQueue
  events: StreamEvents
  sharing: Sharing
  columns: ConnectionColumns
  access: AccessReading
  places: PlacesReading
  stopFollowUps: () => void
}

export function startConnectionSync(given: ConnectionSyncOptions): ConnectionSync {
  const stopping = new AbortController()
  const options: ConnectionSyncOptions = { ...given, api: { run: (request) => answered(given.api.run(request)) } }
  const answered = async (reply: Promise<Reply>): Promise<Reply> => {
    const answer = await reply
    sync.link.recordAnswer()
    sync.visibility.reachable()
    sync.link.pollAnswered()
    return answer
  }
  const parts = assemble(options, stopping.signal)
  const { context: sync, columns } = parts
  const stopNotifying = startPeriodicUpdates(sync)
  const working = work(parts)
  return {
    columns,
    columnCost: (name) => columnCost(sync, name),
    remainingCost: () => remainingCost(sync),
    state: () => stateOf(parts),
    service: () => sync.reader.tenants(),
    refresh: (tenants) => refresh(parts, tenants),
    reads: (tenant) => sync.member.reads(tenant),
    cost: (tenants) => fullCost(sync, tenants),
    readStatus(devices) {
      tryForOperator(sync)
      return sync.priorities.readStatus(devices)
    },
    statusCost: (devices) => statusCost(sync, devices),
    newToken: () => sync.link.newToken(),
    retry() {
      options.tryNow?.()
      sync.link.retry()
      sync.requests.add('full')
    },
    checks: () => sync.visibility.state().map(checkOf),
    checkSelf: () => sync.visibility.check(),
    loseTime(lastGoodAt) {
      sync.visibility.timeLost(lastGoodAt)
      sync.link.restart({ kind: 'reset', detail: 'the computer slept, or its clock was set' })
      const activity = sync.reader.state()
      if (activity.state === 'retrying' && activity.at !== null) sync.requests.add('full')
    },
    reschedule() {
      sync.schedule.reschedule()
      columns.check()
    },
    async stop() {
      options.onState()
      stopNotifying()
      stopping.abort(new FaultError('stopped'))
      await stop(parts, working)
    },
  }
}

async function stop(
  { context: sync, queue, columns, access, places, stopFollowUps }: Parts,
  working: Promise<void>,
): Promise<void> {
  stopFollowUps()
  sync.schedule.stop()
  sync.freshness.stop()
  sync.link.endPolling()
  // It leaves before its visibility ends: the connection that takes over covers the devices.
  sync.member.leave()
  sync.link.stop()
  const written = queue.stop()
  sync.requests.wake()
  await Promise.all([working, columns.stop(), access.stop(), places.stop(), written])
  sync.link.hide()
  // This connection covers no device any more (invariant 4).
  await sync.visibility.report()
}

/** Creates the parts in the order of their dependencies. Earlier ones notify later ones by callbacks. */
function assemble(options: ConnectionSyncOptions, signal: AbortSignal): Parts {
  const { clock, onState } = options
  const member = join(options, () => ({ context, sharing }))
  const queue = openQueue(
    options,
    () => context,
    (devices) => placeReads.add(devices),
  )
  const faults = createFaults(clock, onState)
  // The operator waits for the first sync of a new connection.
  const requests = createRequests(clock, options.lastReadingAt === null)
  const devices = createDevices()
  const reader = createReader({ clock, member, lastSyncAt: options.lastReadingAt, onProgress: onState })
  const base = { options, signal, member, queue, faults, requests, devices, reader }
  const priorities = createPriorities(base)
  const link = createLink({
    ...base,
    onEvent: (data, source) => events.apply(data, source),
    onParked: () => unsubscribed.changed(),
    onReachable: () => visibility.reachable(),
    onMoved: (afterGap) => visibility.report(afterGap),
    onSubscribedWhileReading: () => void priorities.reconcile(),
    onPolling: () => freshness.forgetInterval(),
    // They may have changed between their reading and their subscription.
    onAdded: (ids) => {
      for (const id of ids) for (const tenant of devices.tenantsOf(id)) rechecks.add({ tenant, id }, true)
    },
  })
  const unsubscribed = createUnsubscribed({ ...base, link })
  const freshness = createFreshness({
    ...options,
    reader,
    requests,
    intervalMs: unsubscribed.intervalMs,
    isNeeded: () => unsubscribed.tenants().size > 0,
    onOverdue: (tenant) => void link.loseSubscriptions(devices.of(tenant) ?? new Set()),
  })
  const visibility = createVisibility({ ...base, link, freshness })
  const schedule = createSchedule({ ...options, requests })
  const doubts = createDoubts(clock)
  const context: SyncContext = {
    ...base,
    doubts,
    priorities,
    link,
    unsubscribed,
    freshness,
    visibility,
    schedule,
  }
  const rechecks = startRechecks(context)
  const unreadableEvents = startUnreadableEvents(context)
  const placeReads = startPlaceReads(context, (known, other) => {
    if (devices.of(other) !== null) for (const tenant of [known, other]) unreadableEvents.add(tenant)
  })
  const events = createStreamEvents({ ...base, visibility, rechecks, placeReads, unreadableEvents })
  const columns = startConnectionColumns(context, options.columns)
  const sharing = createSharing(context, columns)
  const totals = startTotalsWatch(context, sharing)
  const stopFollowUps = () => [rechecks, placeReads, unreadableEvents, totals].forEach((each) => each.stop())
  const access = createAccessReading(context)
  const places = createPlacesReading(context)
  return { context, queue, events, sharing, columns, access, places, stopFollowUps }
}

/** Adds this connection to those that list the same tenants. */
function join(options: ConnectionSyncOptions, parts: () => Pick<Parts, 'context' | 'sharing'>): Member {
  const { service, connection, credentials, place, assignments } = options
  return assignments.join({
    service,
    connection,
    credentials,
    place,
    fingerprint: (tenant) => fingerprint(parts().context, tenant),
    provenAt() {
      const { link } = parts().context
      return link.isPolling() ? null : link.provenAt()
    },
    onTake: (tenant, taken) => parts().sharing.onTake(tenant, taken),
    onYield: (tenant) => parts().sharing.onYield(tenant),
    onShared: (tenant) => parts().sharing.onShared(tenant),
  })
}

async function fingerprint(sync: SyncContext, tenant: string): Promise<Fingerprint> {
  const tenants = sync.reader.tenants()
  if (tenants === null) return null
  return fingerprintTenant({ ...toolsOf(sync, 'background'), capabilities: tenants.capabilities }, tenant)
}

function openQueue(
  options: ConnectionSyncOptions,
  sync: () => SyncContext,
  onUnplaced: NonNullable<EventQueueOptions['onUnplaced']>,
): EventQueue {
  const { service, clock, data, publish, queues } = options
  return queues.start({
    service,
    clock,
    commit: (events) => data.events({ service, events }),
    publish,
    onFault: (fault, waiting) => reportWritten(sync(), fault, waiting),
    onPublishFault: (fault) => sync().faults.note('publish', 'this computer', fault),
    onLost: (ids) => eventsLost(sync(), ids),
    onUnplaced,
  })
}

/** Reports that events cannot be written, or can again. */
function reportWritten({ faults, visibility }: SyncContext, fault: Fault | null, waiting: number): void {
  const detailed = fault && { ...fault, detail: `${fault.detail}; ${waiting} changes are waiting` }
  faults.note('storage', 'this computer', detailed)
  visibility.written(fault)
}

/** Handles devices with more events than can wait, or with events that may not be written: they are compared. */
function eventsLost({ options, faults, link, requests }: SyncContext, ids: ReadonlySet<string>): void {
  options.log('warn', `live: events of ${ids.size} devices were left out, they are compared`)
  faults.note('flood', 'the live connection', { kind: 'flood', detail: '' })
  void link.loseSubscriptions(ids)
  requests.add('reconciliation')
}

/** Ignores the delay that the service asked for, at the operator's request. */
function tryForOperator({ options, link }: SyncContext): void {
  options.tryNow?.()
  link.pollForOperator()
  // Where the service has no stream, the probe looks for it on its own schedule.
  link.retry(true)
}

function refresh({ context: sync, places }: Parts, tenants: ReadonlySet<string> | null): void {
  tryForOperator(sync)
  places.request(tenants)
  if (tenants === null || sync.reader.tenants() === null) return sync.requests.addUrgent()
  sync.requests.addTenants([...tenants].filter((id) => sync.member.reads(id)))
}

/** Starts periodic updates of what changes with time alone. Returns a function that stops them. */
function startPeriodicUpdates({ options: { clock, onState }, link, freshness, visibility }: SyncContext): () => void {
  let known: number | null = null
  const notify = () => {
    const now = link.lastAnswerAt()
    if (now !== known) onState()
    known = now
  }
  const storeVisibility = () => {
    if (link.covers()) void visibility.report()
  }
  const checkOverdue = () => {
    const { visibleSince } = link.polling()
    if (link.isPolling() && visibleSince !== null) freshness.checkOverdue(visibleSince)
  }
  const stops = [
    repeat(clock, proveMs, () => visibility.prove()),
    repeat(clock, overdueEveryMs, checkOverdue),
    repeat(clock, notifyEveryMs, notify),
    repeat(clock, reportEveryMs, storeVisibility),
  ]
  return () => stops.forEach((stop) => stop())
}

function stateOf({ context: sync, events }: Parts): ReturnType<ConnectionSync['state']> {
  const notOffered = sync.options.dialect.notOffered()
  return {
    link: sync.visibility.link(),
    sync: syncOf(sync),
    lastEventAt: events.lastEventAt(),
    lastReadingAt: sync.reader.lastSyncAt(),
    heardAt: sync.link.lastAnswerAt(),
    // The clock comes last, so that it hides no other cause.
    faults: [...sync.faults.state(), ...clockFault(sync)],
    ...(notOffered.length > 0 && { notOffered }),
  }
}

/** Returns the state of the sync. One that waits for points, or because the service asks to, is shown as such. */
function syncOf({ options: { pacer }, reader }: SyncContext): ConnectionState['sync'] {
  const progress = reader.state()
  if (progress.state !== 'syncing') return { state: 'idle' }
  const delayedUntil = pacer.waitsForService()
  const until = delayedUntil ?? pacer.holdsUntil()
  if (until === null) return progress
  const { what, read, expected } = progress
  return { state: 'holding', what, read, expected, until, why: delayedUntil === null ? 'points' : 'service' }
}

/** Returns the difference of the clocks as a fault: the window shows times of the service beside Muster's own. */
function clockFault({ options }: SyncContext): { where: string; fault: Fault; at: number }[] {
  const { skew } = options.selfChecks()
  return skew === null ? [] : [{ where: 'the clock', fault: { kind: 'clock', detail: skewText(skew) }, at: skew.since }]
}

/** Runs the requested tasks one after the other, while the sync runs. */
async function work(parts: Parts): Promise<void> {
  const { context: sync, sharing, access } = parts
  const { signal, requests } = sync
  // A failed read is repeated with the list of tenants.
  await recall(sync).catch(() => {})
  while (!signal.aborted) {
    const kind = requests.take()
    try {
      if (kind === null) await idle(parts)
      else await runSyncCycle(sync, sharing, kind)
    } catch (error) {
      if (signal.aborted) return
      if (toFault(error).kind === 'forbidden') access.recheck()
      await failed(sync, kind ?? 'full', error)
    }
  }
}

async function idle({ context: { options, signal, requests }, columns, access, places }: Parts): Promise<void> {
  options.onState()
  columns.check()
  access.check()
  places.check()
  if (requests.any() || signal.aborted) return
  await requests.next(null)
}
