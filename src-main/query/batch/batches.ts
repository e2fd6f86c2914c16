import { OperationTypeNode } from 'graphql'
import type { CallInput, CallOutput, Handlers } from '../../../src-shared/contract/contract.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { BatchOutcome, BatchProgress } from '../../../src-shared/model/batch.ts'
import { explain, FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Raw, RawReply } from '../../api/raw.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { BegunRun, RunHistory } from '../kept/history.ts'
import { operationOf, sentOf } from '../operation.ts'
import { defaultPageSize } from '../../pacing/cost/selection.ts'
import type { AnswersThread } from '../answers/client.ts'
import { batchCost, firstSize, parallel } from './batch-cost.ts'
import { follow, type Target } from './target-walk.ts'
import { rejectProblem, targetsOf, type Batch } from './targets.ts'

type BatchCall = 'query.batchCost' | 'query.runBatch' | 'query.batchProgress'

/** The queries that are sent many times. */
export interface Batches {
  handlers: Pick<Handlers, BatchCall>
  /** Ends a run, whose rows stay; nothing for one that does not run. */
  cancel(run: string): void
  isRunning(run: string): boolean
  /** Forgets what could be continued; nothing of a run that is on its way. */
  forget(run: string): void
  stop(): void
}

export interface BatchesOptions {
  answers: AnswersThread
  data: Pick<InventoryData, 'locations'>
  /** Throws a `FaultError` for a connection that is unknown or does not run. */
  raw: (connection: string) => Raw
  clock: Clock
  random: () => number
  /** Notes a new run, whose id must be new. Throws a fault of kind `input`. */
  keep: (run: string) => void
  history: Pick<RunHistory, 'enter'>
  /** Most bytes of a list. Default: 128 MB. */
  mostBytes?: number
}

/** A run, which stays when it ends: the rest of it can be read then. */
interface Run {
  targets: Target[]
  controller: AbortController
  bytes: number
  isFull: boolean
  sent: number
  began: number
  retrying: Fault | null
  last: RawReply | null
  /** Likely points of all that has been sent. */
  expected: number
}

const listBytes = 128 * 1024 * 1024
/** Connections that are asked at once. */
const maxConnections = 8
const maxFailures = 200
const maxErrors = 50

/** Opens the runs of queries that are sent page after page, or for tenant after tenant. */
export function openBatches(options: BatchesOptions): Batches {
  const running = new Map<string, Run>()
  const ended = new Map<string, Run>()
  return {
    handlers: {
      'query.batchCost': async (batch) =>
        batchCost(await readTargets(options, batch), (connection) => orNull(() => options.raw(connection))),
      async 'query.runBatch'(input) {
        const begun = input.again === null ? await newRun(options, input.batch) : null
        options.keep(input.run)
        const run = begun ?? (await continued(options, ended, input))
        running.set(input.run, run)
        try {
          const work = async () => {
            await readAll(options, input.run, run)
            return outputOf(options, input.run, run)
          }
          const output = await options.history.enter(begunRun(options, input), work, ({ answer, outcome }) => ({
            ...answer,
            fault: outcome.stopped,
          }))
          ended.set(input.run, run)
          return output
        } catch (error) {
          void options.answers.forgetList(input.run).catch(() => {})
          throw error
        } finally {
          running.delete(input.run)
        }
      },
      'query.batchProgress': async ({ run: id }) => {
        const run = running.get(id)
        return { progress: run === undefined ? null : progressOf(options, run) }
      },
    },
    cancel: (run) => running.get(run)?.controller.abort(new FaultError('abort')),
    isRunning: (run) => running.has(run),
    forget(run) {
      if (running.has(run)) return
      ended.delete(run)
      void options.answers.forgetList(run).catch(() => {})
    },
    stop() {
      for (const { controller } of running.values()) controller.abort(new FaultError('stopped'))
    },
  }
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

const readTargets = ({ data }: BatchesOptions, batch: Batch) =>
  targetsOf(batch, operationOf(batch, OperationTypeNode.QUERY), data)

/** Returns what the history tells of a run: of several connections the first. */
function begunRun({ raw }: BatchesOptions, { run, batch }: CallInput<'query.runBatch'>): BegunRun {
  const { connections, document, operation, variables } = batch
  const connection = connections[0] ?? ''
  const chosen = sentOf(batch, OperationTypeNode.QUERY, variables)
  const expected = orNull(() => raw(connection).expects(chosen.shape, chosen.size)) ?? 0
  return {
    run,
    connection,
    operation: operation ?? chosen.operation.name?.value ?? null,
    document,
    variables,
    expected,
  }
}

async function newRun(options: BatchesOptions, batch: Batch): Promise<Run> {
  const targets = await readTargets(options, batch)
  rejectProblem(targets)
  // Where it runs once, a connection that does not run is a fault of the whole.
  if (!batch.tenants) options.raw(batch.connections[0] ?? '')
  return freshRun(targets.all)
}

const freshRun = (targets: Target[]): Run => ({
  targets,
  controller: new AbortController(),
  bytes: 0,
  isFull: false,
  sent: 0,
  began: 0,
  retrying: null,
  last: null,
  expected: 0,
})

/** Returns a run with what an ended one lacks. */
async function continued(
  { answers }: BatchesOptions,
  ended: Map<string, Run>,
  { run, again }: CallInput<'query.runBatch'>,
): Promise<Run> {
  const old = again === null ? undefined : ended.get(again)
  if (again === null || old === undefined || !(await answers.continueList(again, run)))
    throw new FaultError('input', 'again: These rows are no longer kept. Run the query again.')
  ended.delete(again)
  const next = { ...freshRun(old.targets), bytes: old.bytes, last: old.last }
  await Promise.all(
    unfinished(next).map(({ slot, tenant, walk }) => {
      walk.state = 'waiting'
      return answers.markFailed(run, slot, tenant, null)
    }),
  )
  return next
}

const unfinished = ({ targets }: Run): Target[] => targets.filter(({ walk }) => walk.state !== 'done')

/** Reads all targets that are not read: each connection by itself, and some tenants of it at once. */
async function readAll(options: BatchesOptions, id: string, run: Run): Promise<void> {
  run.began = options.clock.now()
  const groups = [...Map.groupBy(unfinished(run), ({ connection }) => connection).values()]
  const workers = Math.max(1, Math.min(parallel, Math.floor((maxConnections * 2) / Math.max(1, groups.length))))
  await inParallel(groups, maxConnections, async (group) => {
    const learned: Learned = { level: 0, size: null }
    await inParallel(group, workers, (target) => readTarget(options, { id, run, learned }, target))
  })
}

/** Calls `work` with all items, so many at once. */
async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
    }),
  )
}

/** What one target has learned of a service, for those after it. */
interface Learned {
  level: number
  size: number | null
}

async function readTarget(
  options: BatchesOptions,
  { id, run, learned }: { id: string; run: Run; learned: Learned },
  target: Target,
): Promise<void> {
  const { walk, slot, tenant, connection } = target
  const { signal } = run.controller
  const { answers, clock, random, mostBytes = listBytes } = options
  try {
    if (signal.aborted) throw toError(signal.reason)
    const raw = options.raw(connection)
    if (walk.pages === 0) walk.size = firstSize(target, raw.pacing)
    walk.level = Math.max(walk.level, learned.level)
    if (walk.size !== null && learned.size !== null) walk.size = Math.min(walk.size, learned.size)
    const isRead = await follow(target, {
      run: id,
      raw,
      answers,
      clock,
      random,
      signal,
      left: () => mostBytes - run.bytes,
      lane: () => laneOf(run),
      onRetry: (fault) => void (run.retrying = fault),
      onPage(page, reply) {
        run.bytes += page.bytes + 1
        run.last = reply
        run.expected += raw.expects(target.shape, walk.size ?? defaultPageSize)
      },
    })
    Object.assign(learned, { level: walk.level, size: walk.size })
    if (!isRead) {
      run.isFull = true
      run.controller.abort(new FaultError('abort'))
    }
  } catch (error) {
    Object.assign(walk, { state: 'stopped', fault: toFault(error) })
  }
  const { fault } = walk
  if (fault !== null && tenant !== null && !isEnded(fault)) await answers.markFailed(id, slot, tenant, textOf(fault))
}

const toError = (reason: unknown): unknown => (reason instanceof FaultError ? reason : new FaultError('abort'))

/**
 * Returns the lane of the next request. The first one is what the operator waits for. A run of thousands of pages in the
 * person's lane would use up each rate window: its other pages leave what is reserved for the operator's single queries and for
 * other clients, go behind what compares live devices (`reconcile`), and before the background sync, which the operator has not
 * asked for.
 */
function laneOf(run: Run): 'person' | 'visible' {
  run.sent += 1
  return run.sent === 1 ? 'person' : 'visible'
}

const isEnded = ({ kind }: Fault): boolean => kind === 'abort' || kind === 'stopped'

function textOf(fault: Fault): string {
  const { title } = explain(fault)
  return fault.detail === '' ? title : `${title} ${fault.detail}`
}

const sum = (targets: readonly Target[], of: 'rows' | 'pages' | 'points' | 'missing' | 'errorCount'): number =>
  targets.reduce((all, { walk }) => all + walk[of], 0)

const isFailed = ({ walk }: Target): boolean => walk.fault !== null && !isEnded(walk.fault)

/** Returns the rows of all targets. `expected`: counts with what the inventory has, of those that have not begun. */
function totalOf({ targets }: Pick<Run, 'targets'>, expected: boolean): number | null {
  return targets.reduce<number | null>((all, target) => {
    const total = target.walk.total ?? (expected ? target.expectedRows : null)
    return all === null || !target.toEnd || total === null ? null : all + total
  }, 0)
}

function tenantsIn({ targets }: Run): BatchProgress['tenants'] {
  if (targets[0]?.tenant === null) return null
  const done = targets.filter(({ walk }) => walk.state === 'done').length
  return { of: targets.length, done, failed: targets.filter(isFailed).length }
}

function progressOf({ raw, clock }: BatchesOptions, run: Run): BatchProgress {
  const { targets } = run
  const sendings = new Set(targets.flatMap(({ connection }) => orNull(() => raw(connection)) ?? []))
  const holds = [...sendings].flatMap(({ pacing }) => pacing.holdsUntil() ?? [])
  return {
    rows: sum(targets, 'rows'),
    pages: sum(targets, 'pages'),
    points: Math.round(sum(targets, 'points')),
    total: totalOf(run, true),
    tenants: tenantsIn(run),
    doneAt: doneAt(raw, run, clock),
    waitsUntil: holds.length === 0 ? null : holds.reduce((last, at) => Math.max(last, at)),
    retrying: run.retrying,
  }
}

/** Returns when the rest is likely read; null while a part of it is unknown. */
function doneAt(raw: BatchesOptions['raw'], { targets, began }: Run, clock: Clock): number | null {
  const pages = sum(targets, 'pages')
  const rest = targets.filter(({ walk }) => walk.state === 'waiting').map(restOf)
  if (pages === 0 || rest.some((part) => part === null)) return null
  const msEach = (clock.now() - began) / pages
  const parts = [...Map.groupBy(targets, ({ connection }) => connection)].flatMap(([connection, group]) => {
    const pacing = orNull(() => raw(connection))?.pacing
    if (pacing === undefined) return []
    const left = group.reduce((all, target) => all + (target.walk.state === 'waiting' ? (restOf(target) ?? 0) : 0), 0)
    const each = sum(group, 'points') / Math.max(1, sum(group, 'pages'))
    return [pacing.forecast({ points: left * each, ms: left * msEach }).doneAt]
  })
  return parts.length === 0 ? null : parts.reduce((last, at) => Math.max(last, at))
}

/** Returns the pages that a target lacks; null: unknown. */
function restOf({ walk, toEnd, expectedRows }: Target): number | null {
  if (!toEnd) return 1 - walk.pages
  const total = walk.total ?? expectedRows
  if (total === null) return null
  return Math.max(0, Math.ceil((total - walk.rows) / (walk.size ?? defaultPageSize)))
}

/** Makes the answer of a run that has ended. Throws what stopped it, where nothing was read. */
async function outputOf(
  { answers, clock }: BatchesOptions,
  id: string,
  run: Run,
): Promise<CallOutput<'query.runBatch'>> {
  const { targets, last, controller } = run
  const outcome = outcomeOf(run)
  const isNothing = outcome.pages === 0 && (outcome.tenants === null || controller.signal.aborted)
  if (isNothing && outcome.stopped !== null) throw new FaultError(outcome.stopped.kind, outcome.stopped.detail)
  const summary = await answers.finishList(id)
  const errors = targets.flatMap(({ walk, tenant }) =>
    walk.errors.map(({ message, path }) => ({ message, path: tenant === null ? path : `${tenant.tenant}, ${path}` })),
  )
  return {
    answer: {
      status: last?.status ?? 0,
      ms: Math.round(clock.now() - run.began),
      headers: last?.headers ?? [],
      cost: outcome.points,
      expected: run.expected,
      isWhole: !run.isFull,
      fault: null,
      summary: { ...summary, hasData: outcome.rows > 0, errors: errors.slice(0, maxErrors) },
    },
    outcome,
  }
}

function outcomeOf(run: Run): BatchOutcome {
  const { targets, isFull, controller } = run
  const rest = unfinished(run)
  const tenants = tenantsIn(run)
  const aborted = controller.signal.aborted && !isFull ? toFault(controller.signal.reason) : null
  const stopped =
    aborted !== null && rest.length > 0 ? aborted : tenants === null ? (rest[0]?.walk.fault ?? null) : null
  return {
    rows: sum(targets, 'rows'),
    pages: sum(targets, 'pages'),
    points: Math.round(sum(targets, 'points')),
    total: totalOf(run, false),
    missing: sum(targets, 'missing'),
    errors: sum(targets, 'errorCount'),
    isFull,
    stopped,
    canContinue: !isFull && rest.length > 0,
    tenants: tenants === null ? null : { ...tenants, failures: failuresOf(targets) },
    hasMore: targets.some(({ walk }) => walk.hasMore),
  }
}

const failuresOf = (targets: readonly Target[]): NonNullable<BatchOutcome['tenants']>['failures'] =>
  targets
    .filter(isFailed)
    .slice(0, maxFailures)
    .flatMap(({ connection, tenant, walk: { rows, fault } }) =>
      tenant === null || fault === null
        ? []
        : [{ connection, tenantId: tenant.tenantId, tenant: tenant.tenant, rows, fault }],
    )
