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
import { usualPageSize } from '../../pacing/cost/shape.ts'
import { isRejection, smallerPage } from './page-size.ts'

/** A page is asked for this often before the reading of its tenant is given up for now: where the network or the service fails, and where the answer is of no use. */
const [networkTries, answeredTries] = [5, 2]
/** Devices come and go while pages are read; beyond the total and so many pages more, or so many pages in a row without a device that had not come before, paging does not end. */
const slackShare = 1.5
const slackPages = 10
/** So many empty pages after all devices are the end. */
const emptyAfterAll = 3
/** Where the service names no total. */
const mostDevices = 10_000_000

export interface PagesInput {
  api: Api
  clock: Clock
  random: () => number
  signal: AbortSignal
  operation: Operation
  lane: Lane
  tenant: string
  /** null: the service offers no page size and its own is used. */
  pageSize: number | null
  /** The size that is known to fit by now, where this one no longer does; left out: any fits. */
  fitting?: (pageSize: number) => number
  /** The largest page that the service takes, as far as it was found out, and where that is kept. */
  dialect?: Pick<Dialect, 'pageLimit' | 'limitPages'>
  /** Where to begin: null for the first page (service-spec.md, section 4). */
  from: string | null
  /** Order by this field, last ones first, where the service sorts. */
  descending?: string
  /** The answer before was odd: the search's own word about it is asked for as well. */
  doubt?: boolean
  /** Position in the order of events and requests, taken at each request. */
  order: () => number
  /** Why a page of this tenant is asked for again; null when that is over. */
  onRetry?: (tenant: string, why: Fault | null) => void
}

export interface Page extends PageRead {
  requestOrder: number
  /** When it was asked for and when it came in, ms: it tells how things were at some moment between. */
  requestedAt: number
  at: number
  /** How large it was asked for; null as in `PagesInput`. */
  pageSize: number | null
  /** A part of the listing failed: what is not in it may still be there (invariant 7). A single field that failed is told with its device. */
  partial: boolean
  /** Characters of the answer, 0 where nobody counted them. */
  length: number
  errors: readonly ServiceError[]
}

/**
 * Reads a tenant's devices page by page and gives each to `take`; the next page is on its way while one is taken. A page
 * that costs more or is larger than the service allows is never asked for again: from there on pages are smaller, and a limit to
 * their size is remembered. Rejects with a `FaultError`: `paging` for a repeated token or pages without end, `cost-limit` when
 * a page of one is too costly, `partial` when no device came and the service says that something failed, else what the
 * network or the service said last.
 */
export async function readPages(input: PagesInput, take: (page: Page) => Promise<void>): Promise<void> {
  const way: Way = {
    seen: new Set(),
    pageSize: input.pageSize,
    suspect: null,
    devices: 0,
    ids: new Set(),
    empty: 0,
    most: mostDevices,
    total: null,
    isSteady: true,
  }
  let next: Promise<Page> | null = askFitting(input, way, input.from)
  let failures: readonly ServiceError[] = []
  while (next !== null) {
    const page: Page = await next
    count(way, page)
    failures = [...failures, ...page.failures].slice(0, 10)
    next = goesOn(way, page) && page.nextToken !== null ? follow(input, way, page.nextToken) : null
    // Taken before the next is awaited; its rejection is met at the top of the loop.
    next?.catch(() => {})
    await take(page)
  }
  if (way.devices === 0 && failures.length > 0) throw partFault(failures)
}

/**
 * A service that calls a page the last one, gives a token all the same and has told of more devices, is asked for them. One that goes on after
 * all have come, by a total that each page has named, is followed for a few empty pages and no further: totals may lie.
 */
const goesOn = (way: Way, { hasNextPage, nextToken, devices }: Page): boolean =>
  (hasNextPage && !(way.empty >= emptyAfterAll && way.isSteady && way.ids.size === way.total)) ||
  (nextToken !== null && devices.length > 0 && way.total !== null && way.devices < way.total)

/** How far a sync has come. */
interface Way {
  seen: Set<string>
  pageSize: number | null
  /** Pages of this size were rejected, and nobody said for what: the next page shows whether it was for that. */
  suspect: number | null
  devices: number
  ids: Set<string>
  /** Pages in a row without a device that had not come before: a service may tell the same page again and again, each time with another token. */
  empty: number
  /** More devices than there can be. */
  most: number
  /** How many there are, by the service's latest word, */
  total: number | null
  /** which has not changed since the first page. */
  isSteady: boolean
}

function count(way: Way, page: Page): void {
  const came = page.devices.length + page.unreadable
  if (way.devices === 0 && page.totalCount !== null)
    way.most = page.totalCount * slackShare + slackPages * Math.max(1, came)
  way.devices += came
  way.isSteady &&= way.total === null || page.totalCount === way.total
  way.total = page.totalCount ?? way.total
  const before = way.ids.size
  for (const { id } of page.devices) way.ids.add(id)
  way.empty = way.ids.size === before ? way.empty + 1 : 0
  // Where a page has more devices than were asked for, its size is not heeded.
  if (page.length > longPage && way.pageSize !== null && came <= way.pageSize)
    way.pageSize = Math.max(1, Math.floor(way.pageSize / 2))
}

function follow(input: PagesInput, way: Way, token: string): Promise<Page> {
  if (way.seen.has(token) || token === input.from)
    return Promise.reject(new FaultError('paging', 'the same token came twice'))
  if (way.empty >= slackPages)
    return Promise.reject(
      new FaultError('paging', `${way.empty} pages in a row without a device that had not come before`),
    )
  if (way.devices > way.most)
    return Promise.reject(new FaultError('paging', `more than ${Math.floor(way.most)} devices`))
  way.seen.add(token)
  return askFitting(input, way, token)
}

async function askFitting(input: PagesInput, way: Way, token: string | null): Promise<Page> {
  const { suspect } = way
  way.suspect = null
  way.pageSize = suspect ?? way.pageSize
  /** The first rejection: when smaller pages are rejected as well, it was not for the size. */
  let first: unknown = null
  let why: 'costly' | 'long' | 'size' | 'unclear' = 'costly'
  let asked = way.pageSize
  for (;;) {
    way.pageSize = fittingSize(input, way.pageSize)
    try {
      const page = await fetchPage({ ...input, pageSize: way.pageSize }, token)
      if (way.pageSize !== null && first !== null) {
        // Rejected again at the size at which the page before was rejected.
        if (why === 'size' || (why === 'unclear' && suspect !== null)) input.dialect?.limitPages(way.pageSize)
        else if (why === 'unclear') way.suspect = asked
      }
      return page
    } catch (error) {
      const smaller = smallerPage(error, way.pageSize)
      if (smaller === null) throw why === 'unclear' && first !== null ? first : error
      first ??= error
      why = smaller.why
      asked = first === error ? way.pageSize : asked
      way.pageSize = smaller.size
    }
  }
}

function fittingSize({ fitting, dialect }: PagesInput, size: number | null): number | null {
  return size === null ? null : Math.min(size, fitting?.(size) ?? size, dialect?.pageLimit() ?? size)
}

/** One page, asked for again while its fault is one that passes. */
export async function fetchPage(input: PagesInput, nextToken: string | null): Promise<Page> {
  let attempt = 1
  try {
    for (; ; attempt += 1) {
      try {
        return await askPage(input, nextToken)
      } catch (error) {
        if (
          attempt >= triesOf(error) ||
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

function triesOf(error: unknown): number {
  const { kind } = toFault(error)
  const isFailing = error instanceof FaultError && kind === 'http' && (error.status ?? 500) >= 500
  const { again } = traitsOf(kind)
  if (isFailing || again === 'soon') return networkTries
  return again === 'once' ? answeredTries : 1
}

async function askPage(input: PagesInput, nextToken: string | null): Promise<Page> {
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
    size: pageSize ?? usualPageSize,
    signal,
    ...(doubt === true && { doubt }),
  })
  const page = readPage(reply.data, reply.errors, reply.redact)
  if (page === null) throw partFault(reply.errors)
  // A page that is rejected may be answered with an empty one and the reason.
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

/** The wanted part is missing from an answer that was good otherwise. */
export function partFault(errors: readonly ServiceError[]): FaultError {
  const first = errors[0]
  if (first === undefined) return new FaultError('no-data', 'no list of devices')
  return new FaultError(first.code === 'FORBIDDEN' ? 'forbidden' : 'partial', redacted(first.message), {
    status: 200,
    words: messageText(errors),
  })
}
