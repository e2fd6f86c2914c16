import { FaultError, type Fault } from '../../src-shared/model/fault.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Check, ConnectionState } from '../../src-shared/model/connection.ts'
import type { Reply } from '../api/client.ts'
import { columnCost } from './columns/column-cost.ts'
import { startConnectionColumns, type ConnectionColumns } from './columns/connection-columns.ts'
import { runSyncCycle, recall, toolsOf } from './sync-cycle.ts'
import { createDoubts } from './health/doubts.ts'
import { checkOf, skewText } from './health/health.ts'
import { fingerprintTenant } from './tenants/tenant-sync.ts'
import type { Fingerprint } from './assignments/assignments.ts'
import { fullCost, statusCost, type PartCost } from './tenants/sync-cost.ts'
import { remainingCost } from './tenants/remaining-cost.ts'
import { startUnreadableEvents } from './events/unreadable-events.ts'
import type { Unpaid } from '../pacing/forecast.ts'
import { startRechecks } from './events/rechecks.ts'
import {
  noteFault,
  takeRequest,
  tenantIn,
  requestSync,
  type ConnectionSyncOptions,
  type ConnectionSyncState,
} from './state.ts'
import { readAgainInTime } from './schedule.ts'
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
import { isPolling, newPolling, syncForOperator } from './polling.ts'
import { readStatus, type DeviceOf } from './priorities.ts'
import { answers, lookForOverdue } from './freshness.ts'
import { gap } from './events/subscribe.ts'
import { largest } from '../../src-shared/lib/extremes.ts'
import { failed } from './tenants/retry.ts'

/** What one connection sees, kept true: readings, the live stream, and what stands in the way. */
export interface ConnectionSync {
  state(): Pick<
    ConnectionState,
    'link' | 'sync' | 'lastEventAt' | 'lastReadingAt' | 'heardAt' | 'faults' | 'notOffered'
  >
  /** Reads these tenants anew for a person, of those that this connection reads; null: everything. */
  read(tenants: ReadonlySet<string> | null): void
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
  /** What `EstateOptions.self` tells may have changed. */
  look(): void
  /** The time between full readings has changed. */
  reschedule(): void
  columns: ConnectionColumns
  /** What a further column would take, see `priceIn`. */
  price(name: string): Promise<PartCost>
  /** What its running reading has still to pay, see `unpaidOf`. */
  unpaid(): Unpaid | null
  stop(): Promise<void>
}

/** A Pong is no news: what it proves is noted so often, for when the link is lost, */
const proveMs = 5_000
/** its time is told to whoever looks on, */
const tellHeardMs = 30_000
/** and what it proves is kept: what was seen up to then is known to have been seen, even where this ends without an end. */
const keepProvenMs = 60_000
const overdueEveryMs = 10_000

export function startConnectionSync(given: ConnectionSyncOptions): ConnectionSync {
  const options: ConnectionSyncOptions = { ...given, api: { run: (request) => answered(given.api.run(request)) } }
  const answered = async (reply: Promise<Reply>): Promise<Reply> => {
    const good = await reply
    estate.heardAt = given.clock.now()
    isReachable(estate)
    answers(estate)
    return good
  }
  const estate: ConnectionSyncState = openEstate(options)
  const stopTelling = tellHeard(estate)
  const rechecks = startRechecks(estate)
  estate.rechecks = rechecks
  estate.unread = startUnreadableEvents(estate)
  const working = work(estate)
  const columns = startConnectionColumns(estate, options.columns)
  estate.columns = columns
  return {
    columns,
    price: (name) => columnCost(estate, name),
    unpaid: () => remainingCost(estate),
    state: () => stateOf(estate),
    read: (tenants) => read(estate, tenants),
    reads: (tenant) => estate.member.reads(tenant),
    cost: (tenants) => fullCost(estate, tenants),
    readStatus(devices) {
      tryForPerson(estate)
      return readStatus(estate, devices)
    },
    statusCost: (devices) => statusCost(estate, devices),
    newToken: () => estate.live?.newToken(),
    retry: () => retry(estate),
    checks: () => findingsOf(estate).map(checkOf),
    look: () => checkSelf(estate),
    lostTime(wellAt) {
      estate.lost = { at: options.clock.now(), wellAt }
      checkSelf(estate)
      estate.live?.restart({ kind: 'reset', detail: 'the computer slept, or its clock was set' })
      if (estate.retryAt !== null) requestSync(estate, 'full')
    },
    reschedule() {
      if (estate.fullSince !== null) readAgainInTime(estate, estate.fullSince)
      columns.look()
    },
    async stop() {
      options.onState()
      stopTelling()
      rechecks.stop()
      estate.unread?.stop()
      estate.stopping.abort(new FaultError('stopped'))
      estate.cancelFull()
      estate.cancelCatchUp()
      estate.cancelWatched()
      estate.standIn.cancel()
      estate.standIn.since = null
      // Before it is blind: whoever takes over still vouches for the devices.
      estate.member.leave()
      estate.live?.stop()
      const written = estate.queue.stop()
      estate.wake()
      await Promise.all([working, columns.stop(), written])
      estate.readableSince = null
      // Whoever looks on: this connection vouches for nothing any more (invariant 4).
      await reportVisibility(estate)
    },
  }
}

function openEstate(options: ConnectionSyncOptions): ConnectionSyncState {
  const { service, connection, credentials, place, readers } = options
  const estate: ConnectionSyncState = {
    options,
    columns: null,
    rechecks: null,
    unread: null,
    stopping: new AbortController(),
    live: null,
    tenants: null,
    shared: new Set(),
    wanted: new Set(['full']),
    asked: new Set(),
    // Who has just added a connection waits for its first reading.
    urgent: options.lastReadingAt === null,
    asking: new Set(),
    wake: () => {},
    cancelFull: () => {},
    fullSince: null,
    cancelCatchUp: () => {},
    standIn: newPolling(),
    cancelWatched: () => {},
    parkedSoon: false,
    listenSoon: false,
    ids: new Map(),
    stale: new Set(),
    refusesIds: false,
    faults: new Map(),
    sync: { state: 'idle' },
    lastEventAt: null,
    lastReadingAt: options.lastReadingAt,
    heardAt: null,
    subscribedAt: null,
    doubts: createDoubts(options.clock),
    behind: new Set(),
    inProgress: new Set(),
    retryAt: null,
    failures: 0,
    catchUps: 0,
    provenAt: 0,
    readableSince: null,
    downSince: options.clock.now(),
    lost: null,
    mistrusted: false,
    trustedSince: null,
    unwritten: null,
    owedSince: null,
    member: readers.join({
      service,
      connection,
      credentials,
      place,
      look: (tenant) => look(estate, tenant),
      provenAt: () => (isPolling(estate) ? null : (estate.live?.provenAt() ?? null)),
      onTake: (tenant, taken) => onTake(estate, tenant, taken),
      onYield: (tenant) => onYield(estate, tenant),
      onShared: (tenant) => onShared(estate, tenant),
    }),
    queue: options.queues.start({
      service,
      clock: options.clock,
      commit: (events) => options.data.events({ service, events }),
      publish: options.publish,
      onFault: (fault, waiting) => unwritten(estate, fault, waiting),
      onUntold: (fault) => noteFault(estate, 'untold', 'this computer', fault),
      onLost: (ids) => gap(estate, ids),
    }),
  }
  return estate
}

/** What was heard cannot be written, or can again. */
function unwritten(estate: ConnectionSyncState, fault: Fault | null, waiting: number): void {
  const before = isUnwritten(estate)
  noteFault(
    estate,
    'storage',
    'this computer',
    fault && { ...fault, detail: `${fault.detail}; ${waiting} changes are waiting` },
  )
  estate.unwritten = fault && {
    since: estate.unwritten?.since ?? estate.options.clock.now(),
    fault,
    times: (estate.unwritten?.times ?? 0) + 1,
  }
  if (isUnwritten(estate) !== before) checkSelf(estate)
}

async function look(estate: ConnectionSyncState, tenant: string): Promise<Fingerprint> {
  return estate.tenants === null
    ? null
    : fingerprintTenant({ ...toolsOf(estate, 'background'), capabilities: estate.tenants.capabilities }, tenant)
}

function retry(estate: ConnectionSyncState): void {
  estate.options.tryNow?.()
  estate.live?.retry()
  requestSync(estate, 'full')
}

/** Whoever asks by hand waits for nothing that the service has asked to wait for. */
function tryForPerson(estate: ConnectionSyncState): void {
  estate.options.tryNow?.()
  syncForOperator(estate)
  // Where the service has no stream, that is looked for in its own time.
  if (estate.live?.state().state === 'waiting') estate.live.retry()
}

function read(estate: ConnectionSyncState, tenants: ReadonlySet<string> | null): void {
  tryForPerson(estate)
  if (tenants === null || estate.tenants === null) {
    estate.urgent = true
    return requestSync(estate, 'full')
  }
  const own = [...tenants].filter((id) => estate.member.reads(id))
  for (const id of own) estate.asked.add(id)
  if (own.length > 0) requestSync(estate, 'asked')
}

function tellHeard(estate: ConnectionSyncState): () => void {
  const { clock, onState } = estate.options
  let told: number | null = null
  const tell = () => {
    const now = heardAt(estate)
    if (now !== told) onState()
    told = now
  }
  const keep = () => {
    if (estate.live?.covers() === true) void reportVisibility(estate)
  }
  const stops = [
    every(clock, proveMs, () => prove(estate)),
    every(clock, overdueEveryMs, () => lookForOverdue(estate)),
    every(clock, tellHeardMs, tell),
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

function heardAt(estate: ConnectionSyncState): number | null {
  const times = [estate.heardAt, estate.live?.aliveAt() ?? null].filter((time) => time !== null)
  return times.length === 0 ? null : largest(times)
}

function stateOf(estate: ConnectionSyncState): ReturnType<ConnectionSync['state']> {
  const { pacer } = estate.options
  const [asked, until] = [pacer.waitsForService(), pacer.waitsForService() ?? pacer.holdsUntil()]
  const { sync, lastEventAt, lastReadingAt } = estate
  const notOffered = estate.options.dialect.notOffered()
  const holding = sync.state === 'syncing' && until !== null
  return {
    link: linkOf(estate),
    sync: holding
      ? {
          state: 'holding',
          what: sync.what,
          read: sync.read,
          expected: sync.expected,
          until,
          why: asked === null ? 'points' : 'service',
        }
      : sync,
    lastEventAt,
    lastReadingAt,
    heardAt: heardAt(estate),
    // The clock comes last: it hides no other cause.
    faults: [
      ...[...estate.faults].map(([key, told]) => ({ ...told, ...ofTenant(tenantIn(key)) })),
      ...clockFault(estate),
    ],
    ...(notOffered.length > 0 && { notOffered }),
  }
}

const ofTenant = (tenant: string | null): { tenant?: string } => (tenant === null ? {} : { tenant })

/** Where times of the service stand beside Muster's own, whoever compares them has to know by how much they differ. */
function clockFault({ options }: ConnectionSyncState): { where: string; fault: Fault; at: number }[] {
  const { skew } = options.self()
  return skew === null ? [] : [{ where: 'the clock', fault: { kind: 'clock', detail: skewText(skew) }, at: skew.since }]
}

/** Does what is wanted, one thing after the other, for as long as the estate runs. */
async function work(estate: ConnectionSyncState): Promise<void> {
  const { signal } = estate.stopping
  // What cannot be read now is, with the list of tenants.
  await recall(estate).catch(() => {})
  while (!signal.aborted) {
    const kind = takeRequest(estate)
    try {
      if (kind === null) await idle(estate)
      else await runSyncCycle(estate, kind)
    } catch (error) {
      if (signal.aborted) return
      await failed(estate, kind ?? 'full', error)
    }
  }
}

async function idle(estate: ConnectionSyncState): Promise<void> {
  estate.options.onState()
  estate.columns?.look()
  if (estate.wanted.size > 0 || estate.stopping.signal.aborted) return
  await new Promise<void>((resolve) => {
    estate.wake = resolve
  })
}
