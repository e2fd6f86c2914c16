import type { Clock } from '../../src-shared/clock.ts'
import { wait } from '../../src-shared/clock.ts'
import { FaultError } from '../../src-shared/fault.ts'
import type { Lane } from '../../src-shared/model.ts'
import { redacted, type ServiceError } from '../api/classify.ts'
import type { Api } from '../api/client.ts'
import { readPage, type PageRead } from '../api/decode.ts'
import type { Operation } from '../api/operations.ts'
import { retryDelay } from '../live/backoff.ts'

/** A page is asked for again this often before the reading of its tenant is given up for now. */
const tries = 5
/** Faults that pass by themselves: the same page is asked for again. */
const passing: ReadonlySet<string> = new Set(['connect', 'reset', 'timeout', 'http', 'not-json', 'not-graphql', 'exhausted', 'name', 'proxy'])
/** Devices come and go while pages are read; beyond this many more pages than the total needs, paging does not end. */
const slackPages = 10
const slackShare = 1.5
/** Where the service names no total. */
const mostPages = 100_000

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
  /** Where to begin: null for the first page (service-spec.md, section 4). */
  from: string | null
  /** Order by this field, last ones first, where the service sorts. */
  descending?: string
  /** Position in the order of events and requests, taken at each request. */
  order: () => number
}

export interface Page extends PageRead {
  asked: number
  at: number
  /** A part of it failed: what is not in it may still be there (invariant 7). */
  partial: boolean
  errors: readonly ServiceError[]
}

/**
 * Reads a tenant's devices page by page and gives each to `take`; the next page is on its way while one is taken.
 * Rejects with a `FaultError`: `paging` for a repeated token or pages without end, `cost-limit` when the page is too
 * dear, else what the network or the service said last.
 */
export async function readPages(input: PagesInput, take: (page: Page) => Promise<void>): Promise<void> {
  const seen = new Set<string>()
  let budget = mostPages
  let pages = 0
  let next: Promise<Page> | null = fetchPage(input, input.from)
  while (next !== null) {
    const page: Page = await next
    pages += 1
    if (pages === 1) budget = pageBudget(page)
    next = page.hasNextPage && page.nextToken !== null ? follow(input, page.nextToken, seen, pages, budget) : null
    // Taken before the next is awaited; its rejection is met at the top of the loop.
    next?.catch(() => {})
    await take(page)
  }
}

function follow(input: PagesInput, token: string, seen: Set<string>, pages: number, budget: number): Promise<Page> {
  if (seen.has(token) || token === input.from) return Promise.reject(new FaultError('paging', 'the same token came twice'))
  if (pages >= budget) return Promise.reject(new FaultError('paging', `more than ${budget} pages`))
  seen.add(token)
  return fetchPage(input, token)
}

function pageBudget(first: Page): number {
  const perPage = Math.max(1, first.devices.length + first.unreadable)
  return first.totalCount === null ? mostPages : Math.ceil(first.totalCount / perPage) * slackShare + slackPages
}

/** "exceeds maximum cost limit" is never sent again unchanged: the page halves, and what reads by it begins anew. */
export async function shrinking<T>(first: number | null, read: (pageSize: number | null) => Promise<T>): Promise<T> {
  for (let size = first; ; size = Math.max(1, Math.floor((size ?? 2) / 2))) {
    try {
      return await read(size)
    } catch (error) {
      const tooDear = error instanceof FaultError && error.fault.kind === 'cost-limit'
      if (!tooDear || size === null || size <= 1) throw error
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
  const reply = await api.run({ operation, variables: { tenant, params }, lane, size: pageSize ?? 10, signal })
  const page = readPage(reply.data)
  if (page === null || (page.devices.length === 0 && reply.errors.length > 0)) throw partFault(reply.errors)
  return { ...page, asked, at: clock.now(), partial: page.unreadable > 0 || reply.errors.length > 0, errors: reply.errors }
}

/** The wanted part is missing from an answer that was good otherwise. */
function partFault(errors: readonly ServiceError[]): FaultError {
  const first = errors[0]
  if (first === undefined) return new FaultError('not-graphql', 'the answer has no devices')
  return new FaultError(first.code === 'FORBIDDEN' ? 'forbidden' : 'partial', redacted(first.message))
}
