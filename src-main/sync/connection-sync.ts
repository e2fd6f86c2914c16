import { FaultError, type Fault } from '../../src-shared/model/fault.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Check, ConnectionState } from '../../src-shared/model/connection.ts'
import type { Reply } from '../api/client.ts'
import { columnCost } from './columns/column-cost.ts'
import { startConnectionColumns } from './columns/column-syncing.ts'
import type { ConnectionColumns } from './columns/connection-columns.ts'
import { runSyncCycle, recall, toolsOf } from './reader/sync-cycle.ts'
import { createDoubts } from './health/doubts.ts'
import { checkOf, skewText } from './health/health.ts'
import { fingerprintTenant } from './tenants/tenant-sync.ts'
import type { Fingerprint } from './assignments/assignments.ts'
import { fullCost, statusCost, type PartCost } from './tenants/sync-cost.ts'
import { remainingCost } from './tenants/remaining-cost.ts'
import { startUnreadableEvents } from './events/unreadable-events.ts'
import type { Unpaid } from '../pacing/balance/forecast.ts'
import { startRechecks } from './events/rechecks.ts'
import { type ConnectionSyncOptions, type ConnectionSyncState } from './state.ts'
import { createFaults } from './faults.ts'
import { createRequests } from './reader/requests.ts'
import { createDevices } from './link/devices.ts'
import { createReader } from './reader/reader.ts'
import { createSchedule } from './reader/schedule.ts'
import { onShared, onTake, onYield } from './assignments/sharing.ts'
import {
  findingsOf,
  isReachable,
  isUnwritten,
  linkOf,
  checkSelf,
  prove,
  reportVisibility,
} from './health/visibility.ts'
import { isPolling, syncForOperator } from './polling.ts'
import { newPolling } from './polling-state.ts'
import { readStatus, type DeviceOf } from './reader/priorities.ts'
import { noteAnswer, checkOverdue } from './freshness.ts'
import { gap } from './events/subscribe.ts'
import { largest } from '../../src-shared/lib/extremes.ts'
import { failed } from './reader/retry.ts'

/** The sync of one connection: its tenants, its live stream and its faults. */
export interface ConnectionSync {
  state(): Pick<
    ConnectionState,
    'link' | 'sync' | 'lastEventAt' | 'lastReadingAt' | 'heardAt' | 'faults' | 'notOffered'
  >
  /** Reads these tenants anew for the operator, of those that this connection reads; null: everything. */
  refresh(tenants: ReadonlySet<string> | null): void
  /** Whether this connection reads the tenant; others may stand by for it. */
  reads(tenant: string): boolean
  /** What `read` would cost; counts only what this connection reads itself. */
  cost(tenants: ReadonlySet<string> | null): PartCost & { tenants: number }
  /** Reads the status of these devices by their ids, for a person. Rejects with a `FaultError`. */
  readStatus(devices: readonly DeviceOf[]): Promise<void>
  /** What that would cost for so many; null where the service does not offer it. */
  statusCost(devices: number): PartCost | null
  /** Another token was granted. */
  newToken(): void
  /** Tries at once what waits for its time. */
  retry(): void
  /** The computer slept, or its clock was set, after `wellAt`, ms since the epoch: the live link begins anew, and what waited for its time is tried. */
  lostTime(wellAt: number): void
  /** "Is it me?" (`health.ts`). */
  checks(): Check[]
  /** What `ConnectionSyncOptions.selfChecks` tells may have changed. */
  checkSelf(): void
  /** The time between full syncs has changed. */
  reschedule(): void
  columns: ConnectionColumns
  /** What a extra column would take, see `priceIn`. */
  columnCost(name: string): Promise<PartCost>
  /** What its running reading has still to pay, see `unpaidOf`. */
  remainingCost(): Unpaid | null
  stop(): Promise<void>
}

/** A Pong is no news: what it proves is noted so often, for when the link is lost, */
const proveMs = 5_000
/** the window is told its time this often, */
const tellHeardMs = 30_000
/** and what it proves is kept: what was seen up to then is known to have been seen, even where this ends without an end. */
const keepProvenMs = 60_000
const overdueEveryMs = 10_000

export function startConnectionSync(given: ConnectionSyncOptions): ConnectionSync {
  const options: ConnectionSyncOptions = { ...given, api: { run: (request) => answered(given.api.run(request)) } }
  const answered = async (reply: Promise<Reply>): Promise<Reply> => {
    const good = await reply
    sync.heardAt = given.clock.now()
    isReachable(sync)
    noteAnswer(sync)
    return good
  }
  const sync: ConnectionSyncState = openState(options)
  const stopNotifying = notifyHeard(sync)
  const rechecks = startRechecks(sync)
  sync.rechecks = rechecks
  sync.unreadableEvents = startUnreadableEvents(sync)
  const working = work(sync)
  const columns = startConnectionColumns(sync, options.columns)
  sync.columns = columns
  return {
    columns,
    columnCost: (name) => columnCost(sync, name),
    remainingCost: () => remainingCost(sync),
    state: () => stateOf(sync),
    refresh: (tenants) => read(sync, tenants),
    reads: (tenant) => sync.member.reads(tenant),
    cost: (tenants) => fullCost(sync, tenants),
    readStatus(devices) {
      tryForPerson(sync)
      return readStatus(sync, devices)
    },
    statusCost: (devices) => statusCost(sync, devices),
    newToken: () => sync.live?.newToken(),
    retry: () => retry(sync),
    checks: () => findingsOf(sync).map(checkOf),
    checkSelf: () => checkSelf(sync),
    lostTime(wellAt) {
      sync.lostTime = { at: options.clock.now(), wellAt }
      checkSelf(sync)
      sync.live?.restart({ kind: 'reset', detail: 'the computer slept, or its clock was set' })
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
      rechecks.stop()
      sync.unreadableEvents?.stop()
      sync.stopping.abort(new FaultError('stopped'))
      sync.schedule.stop()
      sync.cancelPoll()
      sync.polling.cancel()
      sync.polling.since = null
      // It leaves before its visibility ends: the connection that takes over vouches for the devices.
      sync.member.leave()
      sync.live?.stop()
      const written = sync.queue.stop()
      sync.requests.wake()
      await Promise.all([working, columns.stop(), written])
      sync.pollingVisibleSince = null
      // This connection vouches for nothing any more (invariant 4).
      await reportVisibility(sync)
    },
  }
}

function openState(options: ConnectionSyncOptions): ConnectionSyncState {
  const { service, connection, credentials, place, assignments } = options
  const member = assignments.join({
    service,
    connection,
    credentials,
    place,
    fingerprint: (tenant) => look(sync, tenant),
    provenAt: () => (isPolling(sync) ? null : (sync.live?.provenAt() ?? null)),
    onTake: (tenant, taken) => onTake(sync, tenant, taken),
    onYield: (tenant) => onYield(sync, tenant),
    onShared: (tenant) => onShared(sync, tenant),
  })
  // Who has just added a connection waits for its first sync.
  const requests = createRequests(options.clock, options.lastReadingAt === null)
  const sync: ConnectionSyncState = {
    options,
    member,
    reader: createReader({
      clock: options.clock,
      member,
      lastSyncAt: options.lastReadingAt,
      onProgress: options.onState,
    }),
    schedule: createSchedule({ ...options, requests }),
    columns: null,
    rechecks: null,
    unreadableEvents: null,
    stopping: new AbortController(),
    live: null,
    shared: new Set(),
    requests,
    polling: newPolling(),
    cancelPoll: () => {},
    isReportPlanned: false,
    isSubscribePlanned: false,
    devices: createDevices(),
    rejectsIds: false,
    faults: createFaults(options.clock, options.onState),
    lastEventAt: null,
    heardAt: null,
    subscribedAt: null,
    doubts: createDoubts(options.clock),
    provenAt: 0,
    pollingVisibleSince: null,
    downSince: options.clock.now(),
    lostTime: null,
    isMistrusted: false,
    trustedSince: null,
    unwritten: null,
    queue: options.queues.start({
      service,
      clock: options.clock,
      commit: (events) => options.data.events({ service, events }),
      publish: options.publish,
      onFault: (fault, waiting) => unwritten(sync, fault, waiting),
      onPublishFault: (fault) => sync.faults.note('untold', 'this computer', fault),
      onLost: (ids) => gap(sync, ids),
    }),
  }
  return sync
}

/** What was heard cannot be written, or can again. */
function unwritten(sync: ConnectionSyncState, fault: Fault | null, waiting: number): void {
  const before = isUnwritten(sync)
  sync.faults.note(
    'storage',
    'this computer',
    fault && { ...fault, detail: `${fault.detail}; ${waiting} changes are waiting` },
  )
  sync.unwritten = fault && {
    since: sync.unwritten?.since ?? sync.options.clock.now(),
    fault,
    times: (sync.unwritten?.times ?? 0) + 1,
  }
  if (isUnwritten(sync) !== before) checkSelf(sync)
}

async function look(sync: ConnectionSyncState, tenant: string): Promise<Fingerprint> {
  const tenants = sync.reader.tenants()
  if (tenants === null) return null
  return fingerprintTenant({ ...toolsOf(sync, 'background'), capabilities: tenants.capabilities }, tenant)
}

function retry(sync: ConnectionSyncState): void {
  sync.options.tryNow?.()
  sync.live?.retry()
  sync.requests.add('full')
}

/** A request of the operator ignores the wait that the service has asked for. */
function tryForPerson(sync: ConnectionSyncState): void {
  sync.options.tryNow?.()
  syncForOperator(sync)
  // Where the service has no stream, that is looked for in its own time.
  if (sync.live?.state().state === 'waiting') sync.live.retry()
}

function read(sync: ConnectionSyncState, tenants: ReadonlySet<string> | null): void {
  tryForPerson(sync)
  if (tenants === null || sync.reader.tenants() === null) {
    return sync.requests.addUrgent()
  }
  sync.requests.addTenants([...tenants].filter((id) => sync.member.reads(id)))
}

function notifyHeard(sync: ConnectionSyncState): () => void {
  const { clock, onState } = sync.options
  let known: number | null = null
  const notify = () => {
    const now = heardAt(sync)
    if (now !== known) onState()
    known = now
  }
  const keep = () => {
    if (sync.live?.covers() === true) void reportVisibility(sync)
  }
  const stops = [
    every(clock, proveMs, () => prove(sync)),
    every(clock, overdueEveryMs, () => checkOverdue(sync)),
    every(clock, tellHeardMs, notify),
    every(clock, keepProvenMs, keep),
  ]
  return () => stops.forEach((stop) => stop())
}

function every(clock: Pick<Clock, 'after'>, ms: number, run: () => void): () => void {
  let cancel = () => {}
  const plan = () => {
    cancel = clock.after(ms, () => {
      run()
      plan()
    })
  }
  plan()
  return () => cancel()
}

function heardAt(sync: ConnectionSyncState): number | null {
  const times = [sync.heardAt, sync.live?.aliveAt() ?? null].filter((time) => time !== null)
  return times.length === 0 ? null : largest(times)
}

function stateOf(sync: ConnectionSyncState): ReturnType<ConnectionSync['state']> {
  const { pacer } = sync.options
  const [asked, until] = [pacer.waitsForService(), pacer.waitsForService() ?? pacer.holdsUntil()]
  const { lastEventAt } = sync
  const progress = sync.reader.state()
  const notOffered = sync.options.dialect.notOffered()
  const holding = progress.state === 'syncing' && until !== null
  return {
    link: linkOf(sync),
    sync: holding
      ? {
          state: 'holding',
          what: progress.what,
          read: progress.read,
          expected: progress.expected,
          until,
          why: asked === null ? 'points' : 'service',
        }
      : progress.state === 'syncing'
        ? progress
        : { state: 'idle' },
    lastEventAt,
    lastReadingAt: sync.reader.lastSyncAt(),
    heardAt: heardAt(sync),
    // The clock comes last: it hides no other cause.
    faults: [...sync.faults.state(), ...clockFault(sync)],
    ...(notOffered.length > 0 && { notOffered }),
  }
}

/** The window shows times of the service beside Muster's own: the difference of the clocks is a fault that it names. */
function clockFault({ options }: ConnectionSyncState): { where: string; fault: Fault; at: number }[] {
  const { skew } = options.selfChecks()
  return skew === null ? [] : [{ where: 'the clock', fault: { kind: 'clock', detail: skewText(skew) }, at: skew.since }]
}

/** Does what is wanted, one thing after the other, for as long as the sync runs. */
async function work(sync: ConnectionSyncState): Promise<void> {
  const { signal } = sync.stopping
  // What cannot be read now is, with the list of tenants.
  await recall(sync).catch(() => {})
  while (!signal.aborted) {
    const kind = sync.requests.take()
    try {
      if (kind === null) await idle(sync)
      else await runSyncCycle(sync, kind)
    } catch (error) {
      if (signal.aborted) return
      await failed(sync, kind ?? 'full', error)
    }
  }
}

async function idle(sync: ConnectionSyncState): Promise<void> {
  sync.options.onState()
  sync.columns?.check()
  if (sync.requests.any() || sync.stopping.signal.aborted) return
  await sync.requests.next(null)
}
