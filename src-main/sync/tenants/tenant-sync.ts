import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, type Fault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import type { Capabilities } from '../../api/capabilities.ts'
import type { Api } from '../../api/client.ts'
import type { Dialect } from '../../api/dialect.ts'
import { devicesOperation, fingerprintOperation, statesOperation } from '../../api/operations.ts'
import type { Pacer } from '../../pacing/pacer.ts'
import { operationLimit } from '../../pacing/cost/costs.ts'
import type { Shape } from '../../pacing/cost/shape.ts'
import type { InventoryData, PullState } from '../../inventory/thread/protocol.ts'
import type { Change } from '../../inventory/thread/change.ts'
import { doubtMs, listedBefore, type Doubts } from '../health/doubts.ts'
import type { EventQueues } from '../events/events.ts'
import { rejectsToken } from './page-size.ts'
import { fetchPage, readPages, type Page } from './pages.ts'
import { newReport, type PageReport } from './page-report.ts'
import type { Fingerprint } from '../assignments/assignments.ts'

/**
 * An interrupted sync continues from its token if it is not older, ms; the lifetime of a token is unknown (twin,
 * section 15).
 */
const resumableMs = 10 * 60_000
/** Largest page: larger ones block the event loop when parsed, and are lost completely when the network fails. */
export const maxPageSize = 250
/** Timeout of a tenant's count, ms, so that a region that is down does not delay the others. */
const countTimeoutMs = 5_000

export interface SyncTools {
  api: Api
  pacer: Pick<Pacer, 'costs' | 'pagePoints'>
  data: InventoryData
  clock: Clock
  random: () => number
  service: string
  /** The claiming connection: a row is removed when no connection claims it any more. */
  connection: string
  capabilities: Capabilities
  /** The fields that the service lacks, and its largest page. */
  dialect: Dialect
  /** The one order of events and requests of this run (invariant 10). */
  order: () => number
  signal: AbortSignal
  publish: (change: Change) => void
  queues: Pick<EventQueues, 'writtenBefore'>
  doubts: Doubts
  /** The lane of the pages of a full sync; cheap requests have their own. */
  lane: Lane
  /** Called with the ids of a page. */
  onIds: (tenant: string, ids: string[]) => void
  /** As in `PagesInput`. */
  onRetry?: (tenant: string, why: Fault | null) => void
}

export interface SyncedTenant {
  /** False: a part of the listing could not be read, and nothing was removed. */
  whole: boolean
  /** True: it is empty, which is not believed yet: it is requested again soon. */
  doubted?: boolean
  /** The fault of the tenant; null where there is none. */
  fault: Fault | null
  /** When the interrupted sync began that this one resumed, ms; null: none. */
  resumedFrom: number | null
  /** Number of devices in a comparison that the inventory does not know. */
  unknownDevices: number
}

export interface TenantSync {
  id: string
  /** Best known number of devices; null when unknown. */
  expected: number | null
}

type OnRead = (devices: number) => void

/**
 * Runs the full sync of one tenant: pages under a new generation, then older rows are removed (design, section 5). An
 * interrupted sync removes nothing and continues from its last token, or, once, begins again when the service rejects
 * that. `onRead` receives the number of devices of each page.
 */
export async function syncTenant(tools: SyncTools, tenant: TenantSync, onRead: OnRead): Promise<SyncedTenant> {
  const stored = await resumable(tools, tenant.id)
  if (stored !== null) {
    onRead(stored.read)
    const resumed = await tryPull(tools, tenant.id, stored, onRead, isStale)
    if (resumed !== null) return { ...resumed, resumedFrom: stored.startedAt }
  }
  const begin = () => newPull(tools, tenant.id, pageSizeFor(tools, tenant.expected))
  const pulled =
    (await tryPull(tools, tenant.id, await begin(), onRead, rejectsToken)) ??
    (await pullFrom(tools, tenant.id, await begin(), onRead))
  return { ...pulled, resumedFrom: null }
}

async function resumable(tools: SyncTools, tenant: string): Promise<PullState | null> {
  const stored = await tools.data.pull({ service: tools.service, tenant, connection: tools.connection })
  const age = stored === null ? Infinity : tools.clock.now() - stored.startedAt
  return stored !== null && age >= 0 && age < resumableMs ? stored : null
}

const isStale = (error: unknown): boolean => error instanceof FaultError && traitsOf(error.fault.kind).ofPagingToken

/** Resumes a sync; null when the service rejects the token: then it begins again. */
async function tryPull(
  tools: SyncTools,
  tenant: string,
  from: PullState,
  onRead: OnRead,
  isRestarted: (error: unknown) => boolean,
): Promise<Ended | null> {
  let read = from.read
  try {
    return await pullFrom(tools, tenant, from, (devices) => {
      read += devices
      onRead(devices)
    })
  } catch (error) {
    if (!isRestarted(error)) throw error
    onRead(-read)
    return null
  }
}

async function newPull(
  { data, service, connection, clock }: SyncTools,
  tenant: string,
  pageSize: number | null,
): Promise<PullState> {
  const generation = await data.nextGeneration({ service, tenant, connection })
  return { generation, nextToken: '', pageSize, pages: 0, read: 0, startedAt: clock.now() }
}

type Ended = Omit<SyncedTenant, 'resumedFrom'>

async function pullFrom(
  tools: SyncTools,
  tenant: string,
  start: PullState,
  onRead: OnRead,
  first: PageReport | null = null,
): Promise<Ended> {
  const { data, service, connection } = tools
  const pull = openPull(tools, tenant, start, onRead)
  const { report } = pull
  const known = start.read > 0 ? 0 : (await data.ids({ service, tenant, connection })).length
  await readToEnd(tools, tenant, pull, known)
  const missed = report.missed(start.read, first)
  if (missed !== null && report.whole() && first === null) {
    // The order changed, the total is wrong, or pages overlap: read again from the first page, once.
    onRead(-pull.state().read)
    await wait(tools.clock, doubtMs, tools.signal)
    return pullFrom(tools, tenant, await newPull(tools, tenant, pull.state().pageSize), onRead, report)
  }
  const whole = report.whole() && missed === null
  const { read } = pull.state()
  if (read > 0) tools.doubts.over(tenant)
  const { believed, fault } =
    whole && read === 0
      ? tools.doubts.emptied(tenant, known === 0 ? null : listedBefore(known, 'device'), tools.lane === 'person')
      : { believed: whole, fault: report.fault(missed) }
  await pull.finish(!believed)
  return { whole: believed, doubted: whole && !believed, fault, unknownDevices: 0 }
}

/** The pages of one sync, and its progress. */
interface Pull {
  readonly start: PullState
  state(): PullState
  readonly report: PageReport
  /** Reads the pages. `doubt`: as in `PagesInput`. */
  read(doubt: boolean): Promise<void>
  /** Ends the sync. `partial`: nothing is removed. */
  finish(partial: boolean): Promise<void>
}

function openPull(tools: SyncTools, tenant: string, start: PullState, onRead: OnRead): Pull {
  const { data, service, connection } = tools
  const report = newReport()
  let state = start
  const take = async (page: Page) => {
    state = {
      ...state,
      nextToken: page.nextToken ?? '',
      pageSize: page.pageSize,
      pages: state.pages + 1,
      read: state.read + page.devices.length,
    }
    report.add(page)
    // An incomplete sync begins again when it is interrupted: its gaps are not stored.
    await storePage(tools, tenant, page, state, page.hasNextPage && report.whole() && !report.hasDuplicates())
    onRead(page.devices.length)
  }
  return {
    start,
    report,
    state: () => state,
    read(doubt) {
      const { pageSize } = start
      const from = start.nextToken === '' ? null : start.nextToken
      const pages = { operation: devicesOperation, fitting: fitting(tools, devicesOperation.shape) }
      return readPages({ ...tools, ...pages, tenant, pageSize, from, doubt }, take)
    },
    async finish(partial) {
      const { generation } = state
      tools.publish(await data.finish({ service, tenant, connection, generation, at: tools.clock.now(), partial }))
    },
  }
}

async function storePage(
  tools: SyncTools,
  tenant: string,
  { requestOrder, requestedAt, at, devices }: Page,
  state: PullState,
  isResumable: boolean,
): Promise<void> {
  const { data, service, connection } = tools
  const { generation } = state
  const next = isResumable ? state : null
  await tools.queues.writtenBefore(requestOrder)
  tools.publish(
    await data.page({ service, tenant, connection, generation, requestOrder, requestedAt, at, devices, next }),
  )
  tools.onIds(
    tenant,
    devices.map(({ id }) => id),
  )
}

/** `known`: number of the tenant's devices in the inventory when the sync began. */
async function readToEnd(tools: SyncTools, tenant: string, pull: Pull, known: number): Promise<void> {
  const { start } = pull
  const isDoubted = tools.doubts.has(tenant)
  try {
    await pull.read(isDoubted)
    if (pull.state().read === 0 && !isDoubted && (known > 0 || !tools.dialect.knowsError())) {
      // Empty where there were devices, or without a reason: repeated before it is believed.
      await wait(tools.clock, doubtMs, tools.signal)
      await pull.read(true)
    }
  } catch (error) {
    const { pages, read } = pull.state()
    // It answered with an error in place of the devices: known ones stay, without coverage.
    if (pages > start.pages && read === 0 && error instanceof FaultError && error.fault.kind === 'partial')
      await pull.finish(true)
    throw error
  }
}

/** Target time of a page, ms; longer ones delay the requests behind them. */
const pageMs = 3_000
/** Page size while no cost is known. */
const firstPage = 100

/** Returns the page size for as few operations as the limits allow, in equal pages; null without page sizes. */
export function pageSizeFor(
  { pacer, capabilities, dialect }: Pick<SyncTools, 'pacer' | 'capabilities' | 'dialect'>,
  expected: number | null,
  shape: Shape = devicesOperation.shape,
): number | null {
  if (!capabilities.pageSize) return null
  const points = Math.min(operationLimit, pacer.pagePoints())
  const affordable = Math.min(
    maxPageSize,
    dialect.pageLimit() ?? maxPageSize,
    pacer.costs.largestPage(shape, { points, ms: pageMs }) ?? firstPage,
  )
  if (expected === null || expected === 0) return affordable
  const pages = Math.ceil(expected / affordable)
  return Math.min(affordable, Math.ceil(expected / pages) + 1)
}

/** Returns a function that reduces a page size which might be rejected now, because costs have risen. */
export function fitting({ pacer }: Pick<SyncTools, 'pacer'>, shape: Shape): (pageSize: number) => number {
  return (pageSize) => {
    if (pacer.costs.quote(shape, pageSize).atMost <= operationLimit) return pageSize
    return pacer.costs.largestPage(shape, { points: operationLimit, ms: pageMs }) ?? pageSize
  }
}

/**
 * Compares one tenant by the cheap query after a (re)subscription: differences were missed events. Where the order
 * changed between pages and a known device is missing, it is repeated, once.
 */
export async function reconcileTenant(
  tools: SyncTools,
  tenant: TenantSync,
  onRead: (devices: number) => void,
  isSecond = false,
): Promise<SyncedTenant> {
  const { data, service, connection } = tools
  const report = newReport()
  let [unknownDevices, read] = [0, 0]
  const pageSize = pageSizeFor(tools, tenant.expected, statesOperation.shape)
  const take = async (page: Page) => {
    report.add(page)
    // Devices without a reported status are not compared.
    const devices = page.devices
      .filter(({ failed }) => failed?.includes('connected') !== true)
      .map(({ id, connected, lastDetected }) => ({ id, connected, lastDetected }))
    await tools.queues.writtenBefore(page.requestOrder)
    const change = await data.reconciliation({
      service,
      tenant: tenant.id,
      requestOrder: page.requestOrder,
      requestedAt: page.requestedAt,
      at: page.at,
      devices,
    })
    unknownDevices += change.unknownDevices.length
    tools.publish(change)
    read += page.devices.length
    onRead(page.devices.length)
  }
  await readPages(
    {
      ...tools,
      operation: statesOperation,
      lane: 'reconcile',
      tenant: tenant.id,
      pageSize,
      from: null,
      fitting: fitting(tools, statesOperation.shape),
    },
    take,
  )
  const suspect = report.missed(0)
  const missed =
    suspect === null || (await data.ids({ service, tenant: tenant.id, connection })).every((id) => report.ids().has(id))
      ? null
      : suspect
  if (missed !== null && report.whole() && !isSecond) {
    onRead(-read)
    await wait(tools.clock, doubtMs, tools.signal)
    return reconcileTenant(tools, tenant, onRead, true)
  }
  return { whole: report.whole() && missed === null, fault: report.fault(missed), resumedFrom: null, unknownDevices }
}

/**
 * Resolves with the number of devices, by pages of one and two, whose costs show the largest page that fits. Null where
 * the service offers no page size or no total, or does not answer soon.
 */
export async function countDevices(tools: SyncTools, tenant: string): Promise<number | null> {
  if (!tools.capabilities.pageSize) return null
  const sizes = tools.pacer.costs.quote(devicesOperation.shape, 1).certainty === 'learned' ? [1] : [1, 2]
  return withTimeout(tools, async (signal) => {
    let total: number | null = null
    for (const pageSize of sizes) {
      const page = await fetchPage(
        { ...tools, signal, operation: devicesOperation, lane: lightLane(tools), tenant, pageSize, from: null },
        null,
      )
      // A total beside an error does not count.
      total = page.failures.length > 0 ? null : page.totalCount
    }
    return total
  })
}

/** Returns the lane of a small request: before the pages, unless those are the operator's. */
const lightLane = ({ lane }: SyncTools): Lane => (lane === 'person' ? lane : 'visible')

async function withTimeout<T>({ clock, signal }: SyncTools, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController()
  const cancel = clock.after(countTimeoutMs, () => timeout.abort(new FaultError('timeout')))
  try {
    return await run(AbortSignal.any([signal, timeout.signal]))
  } finally {
    cancel()
  }
}

/** Number of devices at each end of a fingerprint. */
const fingerprintSize = 10

/** Resolves with the number of devices, the first ids, and the last ones where the service sorts (`Assignments`). */
export async function fingerprintTenant(tools: SyncTools, tenant: string): Promise<Fingerprint> {
  const { pageSize, sort } = tools.capabilities
  return withTimeout(tools, async (signal) => {
    const input = {
      ...tools,
      signal,
      operation: fingerprintOperation,
      lane: lightLane(tools),
      tenant,
      pageSize: pageSize ? fingerprintSize : null,
      from: null,
    }
    const first = await fetchPage(input, null)
    const last = sort ? await fetchPage({ ...input, descending: 'id' }, null) : null
    if (first.totalCount === null || first.partial || last?.partial === true) return null
    const idsOf = (page: Page) => page.devices.map(({ id }) => id).toSorted()
    return JSON.stringify([first.totalCount, idsOf(first), last === null ? [] : idsOf(last)])
  })
}
