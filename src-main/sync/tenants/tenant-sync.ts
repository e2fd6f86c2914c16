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
import type { Change, InventoryData, PullState } from '../../inventory/thread/protocol.ts'
import { doubtMs, listedBefore, type Doubts } from '../health/doubts.ts'
import type { EventQueues } from '../events/events.ts'
import { rejectsToken } from './page-size.ts'
import { fetchPage, readPages, type Page } from './pages.ts'
import { newReport, type PageReport } from './page-report.ts'
import type { Fingerprint } from '../assignments/assignments.ts'

/** An interrupted pull goes on from its token if it is not older; how long a token lives is not shown (twin, section 15). */
const resumableMs = 10 * 60_000
/** Larger pages stall the loop when they are parsed, and are lost whole when the network cuts them. */
const largestPage = 250
/** A region that hangs does not keep the others waiting for its number. */
const answerWithinMs = 5_000

export interface SyncTools {
  api: Api
  pacer: Pick<Pacer, 'costs' | 'pagePoints'>
  data: InventoryData
  clock: Clock
  random: () => number
  service: string
  /** Whose reading it is: a row goes when no connection claims it any more. */
  connection: string
  capabilities: Capabilities
  /** The fields that the service was found to lack, and how large its pages are at most. */
  dialect: Dialect
  /** The one order of events and requests of this run (invariant 10). */
  order: () => number
  signal: AbortSignal
  publish: (change: Change) => void
  queues: Pick<EventQueues, 'writtenBefore'>
  doubts: Doubts
  /** The lane of the pages of a full sync; cheap requests have one of their own. */
  lane: Lane
  /** Ids that a page has brought in. */
  onIds: (tenant: string, ids: string[]) => void
  /** As in `PagesInput`. */
  onRetry?: (tenant: string, why: Fault | null) => void
}

export interface SyncedTenant {
  /** False: a part of the listing could not be read, and nothing was taken away. */
  whole: boolean
  /** It is empty, and that is not believed yet: it is asked for again soon. */
  doubted?: boolean
  /** The fault of the tenant; null where there is none. */
  fault: Fault | null
  /** When a pull began that was cut off, and that this one went on from, ms: its first pages are of then. Null: none was. */
  resumedFrom: number | null
  /** Devices that a comparison named and the inventory does not know. */
  unknownDevices: number
}

export interface TenantSync {
  id: string
  /** Best known number of devices; null when unknown. */
  expected: number | null
}

type OnRead = (devices: number) => void

/**
 * The full sync of one tenant: pages under a new generation, then the older rows go (design, section 5). An
 * interrupted pull takes nothing away and goes on from its last token; a token that the service no longer takes has it begun
 * anew, once. `onRead` hears how many devices a page brought.
 */
export async function syncTenant(tools: SyncTools, tenant: TenantSync, onRead: OnRead): Promise<SyncedTenant> {
  const kept = await resumable(tools, tenant.id)
  if (kept !== null) {
    onRead(kept.read)
    const resumed = await tryPull(tools, tenant.id, kept, onRead, isStale)
    if (resumed !== null) return { ...resumed, resumedFrom: kept.startedAt }
  }
  const begin = () => newPull(tools, tenant.id, pageSizeFor(tools, tenant.expected))
  const pulled =
    (await tryPull(tools, tenant.id, await begin(), onRead, rejectsToken)) ??
    (await pullFrom(tools, tenant.id, await begin(), onRead))
  return { ...pulled, resumedFrom: null }
}

async function resumable(tools: SyncTools, tenant: string): Promise<PullState | null> {
  const kept = await tools.data.pull({ service: tools.service, tenant, connection: tools.connection })
  const age = kept === null ? Infinity : tools.clock.now() - kept.startedAt
  return kept !== null && age >= 0 && age < resumableMs ? kept : null
}

const isStale = (error: unknown): boolean => error instanceof FaultError && traitsOf(error.fault.kind).ofPagingToken

/** Null when the service no longer takes the token: then the pull begins anew. */
async function tryPull(
  tools: SyncTools,
  tenant: string,
  from: PullState,
  onRead: OnRead,
  begunAnew: (error: unknown) => boolean,
): Promise<Ended | null> {
  let read = from.read
  try {
    return await pullFrom(tools, tenant, from, (devices) => {
      read += devices
      onRead(devices)
    })
  } catch (error) {
    if (!begunAnew(error)) throw error
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
    // The order has changed between pages, or the total lies, or pages overlap: read again from the first page, once.
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

/** The pages of one pull, and how far it has come. */
interface Pull {
  readonly start: PullState
  state(): PullState
  readonly report: PageReport
  /** `doubt`: as in `PagesInput`. */
  read(doubt: boolean): Promise<void>
  /** `keep`: nothing is taken away. */
  finish(keep: boolean): Promise<void>
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
    // A pull that is no longer whole is begun anew when it is cut off: what it missed is not remembered.
    await storePage(tools, tenant, page, state, page.hasNextPage && report.whole() && !report.hasTwice())
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
    async finish(keep) {
      const { generation } = state
      tools.publish(await data.finish({ service, tenant, connection, generation, at: tools.clock.now(), keep }))
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

/** `known`: how many devices the inventory had of this tenant when the pull began. */
async function readToEnd(tools: SyncTools, tenant: string, pull: Pull, known: number): Promise<void> {
  const { start } = pull
  const isDoubted = tools.doubts.has(tenant)
  try {
    await pull.read(isDoubted)
    if (pull.state().read === 0 && !isDoubted && (known > 0 || !tools.dialect.knowsError())) {
      // Nothing where there was something, or where a word about the reason was not asked for: asked again before it is believed.
      await wait(tools.clock, doubtMs, tools.signal)
      await pull.read(true)
    }
  } catch (error) {
    const { pages, read } = pull.state()
    // It has answered, with an error in the place of the devices: what was known stays, and nobody vouches for it.
    if (pages > start.pages && read === 0 && error instanceof FaultError && error.fault.kind === 'partial')
      await pull.finish(true)
    throw error
  }
}

/** An answer that takes longer delays the requests behind it. */
const pageMs = 3_000
/** Where nothing was charged yet. */
const firstPage = 100

/** Pages of equal size that hold the expected devices in as few operations as the limits allow; null without page sizes. */
export function pageSizeFor(
  { pacer, capabilities, dialect }: Pick<SyncTools, 'pacer' | 'capabilities' | 'dialect'>,
  expected: number | null,
  shape: Shape = devicesOperation.shape,
): number | null {
  if (!capabilities.pageSize) return null
  const points = Math.min(operationLimit, pacer.pagePoints())
  const affordable = Math.min(
    largestPage,
    dialect.pageLimit() ?? largestPage,
    pacer.costs.largestPage(shape, { points, ms: pageMs }) ?? firstPage,
  )
  if (expected === null || expected === 0) return affordable
  const pages = Math.ceil(expected / affordable)
  return Math.min(affordable, Math.ceil(expected / pages) + 1)
}

/** Costs may have risen since the sync began: what might be rejected now is made smaller before it is asked for. */
export function fitting({ pacer }: Pick<SyncTools, 'pacer'>, shape: Shape): (pageSize: number) => number {
  return (pageSize) => {
    if (pacer.costs.quote(shape, pageSize).atMost <= operationLimit) return pageSize
    return pacer.costs.largestPage(shape, { points: operationLimit, ms: pageMs }) ?? pageSize
  }
}

/**
 * The cheap reading of one tenant after a (re)subscription: what differs from what was known was missed. Where the order changed between
 * pages and a known device did not come, it is read again, once.
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
    // What was not told is compared with nothing.
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
 * How many devices a tenant has, by pages of one and two: they cost next to nothing, and their two costs tell the
 * largest page that fits. Null where the service offers no page size or no total, or does not answer at once.
 */
export async function countDevices(tools: SyncTools, tenant: string): Promise<number | null> {
  if (!tools.capabilities.pageSize) return null
  const sizes = tools.pacer.costs.quote(devicesOperation.shape, 1).certainty === 'learned' ? [1] : [1, 2]
  return soon(tools, async (signal) => {
    let total: number | null = null
    for (const pageSize of sizes) {
      const page = await fetchPage(
        { ...tools, signal, operation: devicesOperation, lane: lightLane(tools), tenant, pageSize, from: null },
        null,
      )
      // A figure beside an error is none.
      total = page.failures.length > 0 ? null : page.totalCount
    }
    return total
  })
}

/** A small request goes before the pages, unless those are the operator's. */
const lightLane = ({ lane }: SyncTools): Lane => (lane === 'person' ? lane : 'visible')

async function soon<T>({ clock, signal }: SyncTools, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const impatient = new AbortController()
  const cancel = clock.after(answerWithinMs, () => impatient.abort(new FaultError('timeout')))
  try {
    return await ask(AbortSignal.any([signal, impatient.signal]))
  } finally {
    cancel()
  }
}

/** Devices at each end of a look. */
const lookSize = 10

/** Returns what two connections compare (see `Assignments`): the number of devices, the first ids, and the last ones where the service sorts. */
export async function fingerprintTenant(tools: SyncTools, tenant: string): Promise<Fingerprint> {
  const { pageSize, sort } = tools.capabilities
  return soon(tools, async (signal) => {
    const input = {
      ...tools,
      signal,
      operation: fingerprintOperation,
      lane: lightLane(tools),
      tenant,
      pageSize: pageSize ? lookSize : null,
      from: null,
    }
    const first = await fetchPage(input, null)
    const last = sort ? await fetchPage({ ...input, descending: 'id' }, null) : null
    if (first.totalCount === null || first.partial || last?.partial === true) return null
    const idsOf = (page: Page) => page.devices.map(({ id }) => id).toSorted()
    return JSON.stringify([first.totalCount, idsOf(first), last === null ? [] : idsOf(last)])
  })
}
