import { createHash } from 'node:crypto'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { wait } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import { kindOf, messageText, redacted } from '../../api/classify.ts'
import type { Raw, RawReply } from '../../api/raw.ts'
import { tooLarge } from '../../auth/limited-text.ts'
import { retryDelay } from '../../live/transport/backoff.ts'
import type { Shape } from '../../pacing/cost/shape.ts'
import { defaultPageSize } from '../../pacing/cost/selection.ts'
import { isRejection, smallerPage } from '../../sync/tenants/page-size.ts'
import type { AnswersThread } from '../answers/client.ts'
import type { PagedOperation, PageRequest } from './paged-operation.ts'
import type { SlicedError } from './page-slices.ts'
import type { TakenPage } from './row-lists.ts'
import type { RowTenant } from './row-text.ts'

/** One operation that is read for one tenant, or once: to its end, or its first page. */
export interface Target {
  connection: string
  /** Its place among the rows. */
  slot: number
  tenant: RowTenant | null
  /** The paged field; null: it has none, and one answer is all. */
  paged: PagedOperation | null
  /** Sent where it has none. */
  request: PageRequest
  /** Reads all pages. */
  toEnd: boolean
  operationName: string | null
  shape: Shape
  /** Rows of all its pages by the inventory; null: unknown before. */
  expectedRows: number | null
  walk: Walk
}

/** How far a target is read. It is kept when a run ends, so that the rest can be read later. */
export interface Walk {
  state: 'waiting' | 'done' | 'stopped'
  fault: Fault | null
  /** The next page; null: the first one. */
  token: string | null
  size: number | null
  level: number
  rows: number
  pages: number
  points: number
  total: number | null
  missing: number
  errors: SlicedError[]
  errorCount: number
  /** More pages follow that are not to be read. */
  hasMore: boolean
  /** Hashes of the tokens that were followed. */
  seen: Set<string>
  /** Pages in a row without a row. */
  empty: number
}

export interface WalkTools {
  run: string
  raw: Raw
  answers: Pick<AnswersThread, 'stage' | 'unstage' | 'takePage' | 'markFailed'>
  clock: Clock
  random: () => number
  signal: AbortSignal
  /** Returns the bytes that are left for rows. */
  left: () => number
  lane: () => Lane
  onPage: (page: TakenPage, reply: RawReply) => void
  /** Called with the fault for which a page is tried again; null when that is over. */
  onRetry: (fault: Fault | null) => void
}

/** Attempts for a page: where the network or the service fails, and where the answer is unusable. */
const [networkAttempts, answeredAttempts] = [5, 3]
/** Pages in a row without a row, and the share of the total beyond which paging counts as endless. */
const maxEmpty = 10
const slackShare = 1.5
/** Most bytes of one page: several are on their way at once. */
const maxPageBytes = 16 * 1024 * 1024
/** Most errors that are kept of a target. */
const maxErrors = 50

export const newWalk = (size: number | null): Walk => ({
  state: 'waiting',
  fault: null,
  token: null,
  size,
  level: 0,
  rows: 0,
  pages: 0,
  points: 0,
  total: null,
  missing: 0,
  errors: [],
  errorCount: 0,
  hasMore: false,
  seen: new Set(),
  empty: 0,
})

/** Reads a target on from where it is. Resolves when it ends, and notes the fault that stopped it. Returns false when the list is full. */
export async function follow(target: Target, tools: WalkTools): Promise<boolean> {
  const { walk } = target
  walk.fault = null
  try {
    for (;;) {
      const page = await fittingPage(target, tools)
      if (page.isFull) {
        Object.assign(walk, { state: 'stopped' })
        return false
      }
      const next = nextOf(target, page)
      if (next === null) break
      walk.token = next
    }
    walk.state = 'done'
  } catch (error) {
    void tools.answers.unstage(tools.run, target.slot).catch(() => {})
    walk.state = 'stopped'
    walk.fault = tools.signal.aborted ? toFault(tools.signal.reason) : toFault(error)
  }
  return true
}

/** Returns the token of the next page; null: that was the last one. Throws `paging` where it would not end. */
function nextOf({ walk, toEnd, paged }: Target, page: TakenPage): string | null {
  if (paged === null || page.more === false) return null
  if (page.token === null) {
    // Without `hasNextPage` the token alone says it (service-spec.md, section 4).
    if (page.more === null || !toEnd) return null
    throw new FaultError('paging', 'there are more pages, and no token for the next one')
  }
  walk.hasMore = !toEnd
  if (!toEnd) return null
  const hash = createHash('sha256').update(page.token).digest('base64url').slice(0, 22)
  if (walk.seen.has(hash)) throw new FaultError('paging', 'the same token came twice')
  walk.seen.add(hash)
  walk.empty = page.rows + page.missing === 0 ? walk.empty + 1 : 0
  if (walk.empty >= maxEmpty) throw new FaultError('paging', `${walk.empty} pages in a row without a row`)
  const most = walk.total === null ? Infinity : walk.total * slackShare + maxEmpty * Math.max(1, page.rows)
  if (walk.rows > most) throw new FaultError('paging', `more than ${Math.floor(most)} rows`)
  return page.token
}

/** Reads one page: a smaller one where it is rejected as too large, and with fewer members of `pageInfo` where those are unknown. */
async function fittingPage(target: Target, tools: WalkTools): Promise<TakenPage> {
  const { walk, paged } = target
  for (;;) {
    try {
      return await repeatedPage(target, tools)
    } catch (error) {
      if (tools.signal.aborted) throw error
      if (walk.pages === 0 && paged !== null && lacksMember(error) && walk.level + 1 < paged.levels) {
        walk.level += 1
        continue
      }
      const smaller = smallerPage(error, walk.size)
      if (smaller === null) throw error
      walk.size = smaller.size
    }
  }
}

/** Returns whether a service has no such member of `pageInfo`: what it names in its rejection. */
const lacksMember = (error: unknown): boolean =>
  error instanceof FaultError && error.fault.kind === 'query' && /totalCount|hasNextPage/u.test(error.answerText)

/** Reads one page, repeated while its fault is transient: a query changes nothing. */
async function repeatedPage(target: Target, tools: WalkTools): Promise<TakenPage> {
  let attempt = 1
  try {
    for (; ; attempt += 1) {
      try {
        return await requestPage(target, tools)
      } catch (error) {
        const isLast = attempt >= attemptsOf(error) || tools.signal.aborted
        if (isLast || isRejection(error) || smallerPage(error, target.walk.size) !== null) throw error
        tools.onRetry(toFault(error))
        await wait(tools.clock, retryDelay(attempt, tools.random()), tools.signal)
      }
    }
  } finally {
    if (attempt > 1) tools.onRetry(null)
  }
}

function attemptsOf(error: unknown): number {
  const { kind } = toFault(error)
  if (error instanceof FaultError && kind === 'http' && (error.status ?? 500) >= 500) return networkAttempts
  const { again } = traitsOf(kind)
  return again === 'soon' ? networkAttempts : again === 'once' || kind === 'partial' ? answeredAttempts : 1
}

async function requestPage(target: Target, tools: WalkTools): Promise<TakenPage> {
  const { walk, paged, slot, tenant, operationName, shape } = target
  const { run, answers, raw } = tools
  const { document, variables } = paged?.request(walk.token, walk.size, walk.level) ?? target.request
  const encoder = new TextEncoder()
  // The parts follow each other without an answer of the thread to each.
  const staged: Promise<void>[] = []
  const size = paged === null ? 1 : (walk.size ?? defaultPageSize)
  const reply = await raw.run({
    name: 'Query',
    document,
    operationName,
    variables,
    shape,
    size,
    signal: tools.signal,
    lane: tools.lane(),
    maxBytes: maxPageBytes,
    sink: {
      restart: () => void answers.unstage(run, slot).catch(() => {}),
      async write(part) {
        const stage = answers.stage(run, slot, encoder.encode(part))
        stage.catch(() => {})
        staged.push(stage)
      },
    },
  })
  await Promise.all(staged)
  const isUsable = reply.isWhole && reply.fault === null
  const page = await answers.takePage(run, slot, paged?.slice ?? null, tenant, isUsable ? tools.left() : 0)
  walk.points += reply.cost ?? raw.expects(shape, size)
  const fault = faultOf(page, reply)
  if (fault !== null) throw fault
  note(walk, page)
  tools.onPage(page, reply)
  return page
}

function note(walk: Walk, page: TakenPage): void {
  walk.pages += 1
  walk.rows += page.rows
  walk.missing += page.missing
  walk.total = page.total ?? walk.total
  walk.errorCount += page.errorCount
  const errors = page.errors.map((error) => ({ ...error, path: `page ${walk.pages}: ${error.path}` }))
  walk.errors = [...walk.errors, ...errors].slice(0, maxErrors)
}

/** Returns why an answer is no page; null: it is one. */
function faultOf(page: TakenPage, { status, fault, isWhole }: RawReply): FaultError | null {
  const text = messageText(page.errors.map(({ message, code }) => ({ message, code, path: null })))
  const more = { status, answerText: text }
  if (fault !== null && (fault.kind !== 'not-graphql' || page.is !== 'unreadable'))
    return new FaultError(fault.kind, fault.detail, more)
  if (!isWhole) return new FaultError('http', tooLarge, more)
  const [first] = page.errors
  // The service gives an empty page and the reason instead of rejecting it.
  const isEmptied = page.is === 'page' && page.rows === 0 && page.missing === 0 && !page.isFull && first !== undefined
  if (page.is === 'page' && !isEmptied) return null
  if (page.is === 'list')
    return new FaultError(
      'input',
      `document: The paged field is within a list${page.at === '' ? '' : ` (${page.at})`}: ask for one element.`,
    )
  if (first !== undefined) {
    const kind = kindOf({ message: first.message, code: first.code, path: null }) ?? 'partial'
    return new FaultError(kind, redacted(first.message), more)
  }
  return page.is === 'unreadable'
    ? new FaultError('not-json', '', more)
    : new FaultError('no-data', page.at === '' ? '' : `${page.at} is null`, more)
}
