import type { Clock } from '../../../src-shared/lib/clock.ts'
import { wait } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import { redacted, messageText, type ServiceError } from '../../api/classify.ts'
import { longPage } from '../../api/bounds.ts'
import type { Api } from '../../api/client.ts'
import { readPage, type PageRead } from '../../api/decode.ts'
import type { Dialect } from '../../api/dialect.ts'
import type { Operation } from '../../api/operations.ts'
import { retryDelay } from '../../live/transport/backoff.ts'
import { defaultPageSize } from '../../pacing/cost/selection.ts'
import { isRejection, smallerPage } from './page-size.ts'

/**
 * Attempts for a page before its tenant's sync ends for now: where the network or the service fails, and where the
 * answer is unusable.
 */
const [networkAttempts, answeredAttempts] = [5, 2]
/**
 * Devices change while pages are read: beyond this share of the total and this many pages more, or this many
 * consecutive pages without a new device, paging counts as endless.
 */
const slackShare = 1.5
const slackPages = 10
/** Number of empty pages after all devices that end a listing. */
const emptyAfterAll = 3
/** Largest number of devices where the service names no total. */
const maxDevices = 10_000_000

export interface PagesInput {
  api: Api
  clock: Clock
  random: () => number
  signal: AbortSignal
  operation: Operation
  lane: Lane
  tenant: string
  /** null: the service offers no page size, and its own is used. */
  pageSize: number | null
  /** Returns the size that is now known to fit; left out: any fits. */
  fitting?: (pageSize: number) => number
  /** The largest page that the service accepts, as far as known, and its storage. */
  dialect?: Pick<Dialect, 'pageLimit' | 'limitPages'>
  /** The start: null for the first page (service-spec.md, section 4). */
  from: string | null
  /** Orders by this field, descending, where the service sorts. */
  descending?: string
  /** The previous answer was inconsistent: the search's own `error` is requested too. */
  doubt?: boolean
  /** Position in the order of events and requests, taken at each request. */
  order: () => number
  /** Called with the fault for which a page of this tenant is repeated; null when that is over. */
  onRetry?: (tenant: string, why: Fault | null) => void
}

export interface Page extends PageRead {
  requestOrder: number
  /** When it was requested and when it arrived, ms: it shows the state at some moment between. */
  requestedAt: number
  at: number
  /** Its requested size; null as in `PagesInput`. */
  pageSize: number | null
  /**
   * A part of the listing failed: missing devices may still exist (invariant 7). A failed single field is recorded with
   * its device.
   */
  partial: boolean
  /** Length of the answer, characters; 0 where unknown. */
  length: number
  errors: readonly ServiceError[]
}

/**
 * Reads a tenant's devices page by page and passes each to `take`; the next page is requested meanwhile. A page that is
 * too expensive or too large is never requested again: later pages are smaller, and a size limit is remembered. Rejects
 * with a `FaultError`: `paging` for a repeated token or endless pages, `cost-limit` when a page of one is too
 * expensive, `partial` when no device arrived and the service reports a failure, otherwise the last fault of the
 * network or the service.
 */
export async function readPages(input: PagesInput, take: (page: Page) => Promise<void>): Promise<void> {
  const walk: PageWalk = {
    seen: new Set(),
    pageSize: input.pageSize,
    suspect: null,
    devices: 0,
    ids: new Set(),
    empty: 0,
    limit: maxDevices,
    total: null,
    isSteady: true,
  }
  let next: Promise<Page> | null = requestFitting(input, walk, input.from)
  let failures: readonly ServiceError[] = []
  while (next !== null) {
    const page: Page = await next
    count(walk, page)
    failures = [...failures, ...page.failures].slice(0, 10)
    next = mayContinue(walk, page) && page.nextToken !== null ? follow(input, walk, page.nextToken) : null
    // Handled before the next is awaited; its rejection is thrown at the top of the loop.
    next?.catch(() => {})
    await take(page)
  }
  if (walk.devices === 0 && failures.length > 0) throw partFault(failures)
}

/**
 * Returns whether to request another page. After a last page with a token and too few devices it continues. After all
 * devices, by a total that each page has named, it follows a few empty pages only: totals may be wrong.
 */
const mayContinue = (walk: PageWalk, { hasNextPage, nextToken, devices }: Page): boolean =>
  (hasNextPage && !(walk.empty >= emptyAfterAll && walk.isSteady && walk.ids.size === walk.total)) ||
  (nextToken !== null && devices.length > 0 && walk.total !== null && walk.devices < walk.total)

/** The progress of a sync. */
interface PageWalk {
  seen: Set<string>
  pageSize: number | null
  /** Pages of this size were rejected without a reason: the next page shows whether it was the size. */
  suspect: number | null
  devices: number
  ids: Set<string>
  /** Consecutive pages without a new device: a service may repeat a page with other tokens. */
  empty: number
  /** Number of devices above which paging counts as endless. */
  limit: number
  /** The total in the service's latest answer. */
  total: number | null
  /** True while the total is unchanged since the first page. */
  isSteady: boolean
}

function count(walk: PageWalk, page: Page): void {
  const received = page.devices.length + page.unreadable
  if (walk.devices === 0 && page.totalCount !== null)
    walk.limit = page.totalCount * slackShare + slackPages * Math.max(1, received)
  walk.devices += received
  walk.isSteady &&= walk.total === null || page.totalCount === walk.total
  walk.total = page.totalCount ?? walk.total
  const before = walk.ids.size
  for (const { id } of page.devices) walk.ids.add(id)
  walk.empty = walk.ids.size === before ? walk.empty + 1 : 0
  // A page with more devices than requested ignores the requested size.
  if (page.length > longPage && walk.pageSize !== null && received <= walk.pageSize)
    walk.pageSize = Math.max(1, Math.floor(walk.pageSize / 2))
}

function follow(input: PagesInput, walk: PageWalk, token: string): Promise<Page> {
  if (walk.seen.has(token) || token === input.from)
    return Promise.reject(new FaultError('paging', 'the same token came twice'))
  if (walk.empty >= slackPages)
    return Promise.reject(
      new FaultError('paging', `${walk.empty} pages in a row without a device that had not come before`),
    )
  if (walk.devices > walk.limit)
    return Promise.reject(new FaultError('paging', `more than ${Math.floor(walk.limit)} devices`))
  walk.seen.add(token)
  return requestFitting(input, walk, token)
}

async function requestFitting(input: PagesInput, walk: PageWalk, token: string | null): Promise<Page> {
  const { suspect } = walk
  walk.suspect = null
  walk.pageSize = suspect ?? walk.pageSize
  /** The first rejection: when smaller pages are rejected too, the size was not the reason. */
  let first: unknown = null
  let why: 'costly' | 'long' | 'size' | 'unclear' = 'costly'
  let requestedSize = walk.pageSize
  for (;;) {
    walk.pageSize = fittingSize(input, walk.pageSize)
    try {
      const page = await fetchPage({ ...input, pageSize: walk.pageSize }, token)
      if (walk.pageSize !== null && first !== null) {
        // Rejected again at the size at which the previous page was rejected.
        if (why === 'size' || (why === 'unclear' && suspect !== null)) input.dialect?.limitPages(walk.pageSize)
        else if (why === 'unclear') walk.suspect = requestedSize
      }
      return page
    } catch (error) {
      const smaller = smallerPage(error, walk.pageSize)
      if (smaller === null) throw why === 'unclear' && first !== null ? first : error
      first ??= error
      why = smaller.why
      requestedSize = first === error ? walk.pageSize : requestedSize
      walk.pageSize = smaller.size
    }
  }
}

function fittingSize({ fitting, dialect }: PagesInput, size: number | null): number | null {
  return size === null ? null : Math.min(size, fitting?.(size) ?? size, dialect?.pageLimit() ?? size)
}

/** Reads one page, repeated while its fault is transient. */
export async function fetchPage(input: PagesInput, nextToken: string | null): Promise<Page> {
  let attempt = 1
  try {
    for (; ; attempt += 1) {
      try {
        return await requestPage(input, nextToken)
      } catch (error) {
        if (
          attempt >= attemptsOf(error) ||
          isRejection(error) ||
          smallerPage(error, input.pageSize) !== null ||
          input.signal.aborted
        )
          throw error
        input.onRetry?.(input.tenant, toFault(error))
        await wait(input.clock, retryDelay(attempt, input.random()), input.signal)
      }
    }
  } finally {
    if (attempt > 1) input.onRetry?.(input.tenant, null)
  }
}

function attemptsOf(error: unknown): number {
  const { kind } = toFault(error)
  const isFailing = error instanceof FaultError && kind === 'http' && (error.status ?? 500) >= 500
  const { again } = traitsOf(kind)
  if (isFailing || again === 'soon') return networkAttempts
  return again === 'once' ? answeredAttempts : 1
}

async function requestPage(input: PagesInput, nextToken: string | null): Promise<Page> {
  const { api, clock, operation, lane, signal, tenant, descending, doubt } = input
  const pageSize =
    input.pageSize === null ? null : Math.min(input.pageSize, input.dialect?.pageLimit() ?? input.pageSize)
  const sort = descending === undefined ? {} : { sort: { fields: [{ name: descending, direction: 'DESC' }] } }
  const params = { nextToken, ...(pageSize === null ? {} : { pageSize }), ...sort }
  const requestOrder = input.order()
  const requestedAt = clock.now()
  const reply = await api.run({
    operation,
    variables: { tenant, params },
    lane,
    size: pageSize ?? defaultPageSize,
    signal,
    ...(doubt === true && { doubt }),
  })
  const page = readPage(reply.data, reply.errors, reply.redact)
  if (page === null) throw partFault(reply.errors)
  // A rejected page may be answered with an empty one and the reason.
  if (page.edges.length === 0 && page.failures.length > 0 && smallerPage(partFault(page.failures), pageSize) !== null)
    throw partFault(page.failures)
  return {
    ...page,
    requestOrder,
    requestedAt,
    at: clock.now(),
    pageSize,
    partial: page.unreadable > 0 || page.failures.length > 0 || page.cut,
    length: reply.length ?? 0,
    errors: reply.errors,
  }
}

/** Returns the fault of an answer whose wanted part is missing. */
export function partFault(errors: readonly ServiceError[]): FaultError {
  const first = errors[0]
  if (first === undefined) return new FaultError('no-data', 'no list of devices')
  return new FaultError(first.code === 'FORBIDDEN' ? 'forbidden' : 'partial', redacted(first.message), {
    status: 200,
    answerText: messageText(errors),
  })
}
