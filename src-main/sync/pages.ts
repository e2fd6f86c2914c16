import type { Clock } from '../../src-shared/clock.ts'
import { wait } from '../../src-shared/clock.ts'
import { FaultError, proxyKinds } from '../../src-shared/fault.ts'
import type { Lane } from '../../src-shared/gauge.ts'
import { redacted, type ServiceError } from '../api/classify.ts'
import type { Api } from '../api/client.ts'
import { readPage, type PageRead } from '../api/decode.ts'
import type { Operation } from '../api/operations.ts'
import { retryDelay } from '../live/backoff.ts'
import { usualPageSize } from '../pacing/shape.ts'

/** A page is asked for again this often before the reading of its tenant is given up for now. */
const tries = 5
/** Faults that pass by themselves: the same page is asked for again. What lacks points has waited for them in the pacer. */
const passing: ReadonlySet<string> = new Set(['connect', 'reset', 'timeout', 'http', 'not-json', 'not-graphql', 'name', ...proxyKinds])
/** Devices come and go while pages are read; beyond the total and so many pages more, or so many pages without a device, paging does not end. */
const slackShare = 1.5
const slackPages = 10
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
  /** Where to begin: null for the first page (service-spec.md, section 4). */
  from: string | null
  /** Order by this field, last ones first, where the service sorts. */
  descending?: string
  /** Position in the order of events and requests, taken at each request. */
  order: () => number
}

export interface Page extends PageRead {
  asked: number
  /** When it was asked for and when it came in, ms: it tells how things were at some moment between. */
  askedAt: number
  at: number
  /** How large it was asked for; null as in `PagesInput`. */
  pageSize: number | null
  /** A part of it failed: what is not in it may still be there (invariant 7). */
  partial: boolean
  errors: readonly ServiceError[]
}

/**
 * Reads a tenant's devices page by page and gives each to `take`; the next page is on its way while one is taken. A page
 * that is dearer than the service allows is never asked for again: from there on pages are half as large.
 * Rejects with a `FaultError`: `paging` for a repeated token or pages without end, `cost-limit` when a page of one is too
 * dear, else what the network or the service said last.
 */
export async function readPages(input: PagesInput, take: (page: Page) => Promise<void>): Promise<void> {
  const way: Way = { seen: new Set(), pageSize: input.pageSize, devices: 0, empty: 0, most: mostDevices }
  let next: Promise<Page> | null = askFitting(input, way, input.from)
  while (next !== null) {
    const page: Page = await next
    count(way, page)
    next = page.hasNextPage && page.nextToken !== null ? follow(input, way, page.nextToken) : null
    // Taken before the next is awaited; its rejection is met at the top of the loop.
    next?.catch(() => {})
    await take(page)
  }
}

/** How far a reading has come. */
interface Way {
  seen: Set<string>
  pageSize: number | null
  devices: number
  /** Pages without a device. */
  empty: number
  /** More devices than there can be. */
  most: number
}

function count(way: Way, page: Page): void {
  const came = page.devices.length + page.unreadable
  if (way.devices === 0 && page.totalCount !== null) way.most = page.totalCount * slackShare + slackPages * Math.max(1, came)
  way.devices += came
  if (came === 0) way.empty += 1
}

function follow(input: PagesInput, way: Way, token: string): Promise<Page> {
  if (way.seen.has(token) || token === input.from) return Promise.reject(new FaultError('paging', 'the same token came twice'))
  if (way.empty >= slackPages) return Promise.reject(new FaultError('paging', `${way.empty} pages without a device`))
  if (way.devices > way.most) return Promise.reject(new FaultError('paging', `more than ${Math.floor(way.most)} devices`))
  way.seen.add(token)
  return askFitting(input, way, token)
}

async function askFitting(input: PagesInput, way: Way, token: string | null): Promise<Page> {
  for (;;) {
    if (way.pageSize !== null) way.pageSize = Math.min(way.pageSize, input.fitting?.(way.pageSize) ?? way.pageSize)
    try {
      return await fetchPage({ ...input, pageSize: way.pageSize }, token)
    } catch (error) {
      const tooDear = error instanceof FaultError && error.fault.kind === 'cost-limit'
      if (!tooDear || way.pageSize === null || way.pageSize <= 1) throw error
      way.pageSize = Math.floor(way.pageSize / 2)
    }
  }
}

/** One page, asked for again while its fault is one that passes. */
export async function fetchPage(input: PagesInput, nextToken: string | null): Promise<Page> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askPage(input, nextToken)
    } catch (error) {
      const kind = error instanceof FaultError ? error.fault.kind : 'internal'
      if (attempt >= tries || !passing.has(kind) || input.signal.aborted) throw error
      await wait(input.clock, retryDelay(attempt, input.random()), input.signal)
    }
  }
}

async function askPage(input: PagesInput, nextToken: string | null): Promise<Page> {
  const { api, clock, operation, lane, signal, tenant, pageSize, descending } = input
  const sort = descending === undefined ? {} : { sort: { fields: [{ name: descending, direction: 'DESC' }] } }
  const params = { nextToken, ...(pageSize === null ? {} : { pageSize }), ...sort }
  const asked = input.order()
  const askedAt = clock.now()
  const reply = await api.run({ operation, variables: { tenant, params }, lane, size: pageSize ?? usualPageSize, signal })
  const page = readPage(reply.data)
  if (page === null || (page.devices.length === 0 && reply.errors.length > 0)) throw partFault(reply.errors)
  return { ...page, asked, askedAt, at: clock.now(), pageSize, partial: page.unreadable > 0 || reply.errors.length > 0, errors: reply.errors }
}

/** The wanted part is missing from an answer that was good otherwise. */
function partFault(errors: readonly ServiceError[]): FaultError {
  const first = errors[0]
  if (first === undefined) return new FaultError('not-graphql', 'the answer has no devices')
  return new FaultError(first.code === 'FORBIDDEN' ? 'forbidden' : 'partial', redacted(first.message))
}
