import { Worker } from 'node:worker_threads'
import { type Fault, FaultError } from '../../../src-shared/model/fault.ts'
import type { Reply, Request, ThreadData } from './messages.ts'
import { callOrder, type InventoryData, type Opened } from './protocol.ts'

export interface DataOptions {
  /** Folder that holds cache.db and journal.db; it is there already. */
  profile: string
  /** Path of the thread's entry: `thread.ts` from source, `data-thread.cjs` when built. */
  thread: string
  /**
   * The thread died; calls that it had not answered were rejected. `reopened` is what the next thread found, or null
   * when there is no next one and every further call is rejected. Sight has to be given anew, and windows ask anew.
   */
  onDied?: (reopened: Promise<Opened> | null) => void
  /** Ms that count up, whatever the computer's clock does; `performance.now` when left out. */
  now?: () => number
}

export interface StartedData {
  data: InventoryData
  opened: Opened
  /** Answers what was asked before, then closes the files and ends the thread. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts the data thread and opens its files. Rejects with a `FaultError` of kind `storage` when they cannot be opened.
 * Calls are answered in the order of `request-queue.ts`. A thread that dies is started again, unless it was itself started for one that died less
 * than ten minutes ago; its pending calls reject with kind `internal`.
 * After `stop`, calls reject with kind `stopped`.
 */
export async function startData(options: DataOptions): Promise<StartedData> {
  const link: Link = {
    options,
    worker: null,
    pending: new Map(),
    lastId: 0,
    lastRev: 0,
    opened: null,
    stopped: null,
    restarts: 1,
    startedAt: 0,
  }
  const data = facade(link)
  try {
    link.opened = begin(link)
    return { data, opened: await link.opened, stop: data.close }
  } catch (thrown) {
    await data.close().catch(() => undefined)
    throw thrown
  }
}

interface Pending {
  resolve: (value: unknown) => void
  reject: (fault: FaultError) => void
}

interface Link {
  readonly options: DataOptions
  worker: Worker | null
  readonly pending: Map<number, Pending>
  lastId: number
  lastRev: number
  opened: Promise<Opened> | null
  stopped: Promise<void> | null
  /** How many more deaths in a row a new thread follows. */
  restarts: number
  /** When the present thread was started. */
  startedAt: number
}

/** A thread that ran this long, ms, ran well: its death is a first one again. */
const goodRun = 10 * 60_000

const nowOf = ({ options }: Link) => options.now?.() ?? performance.now()

/** Room for new objects, MB: with the usual room the process keeps tens of MB more for good, and opens no faster. */
const youngMb = 24

function begin(link: Link): Promise<Opened> {
  const workerData: ThreadData = { profile: link.options.profile, rev: link.lastRev + 1 }
  const worker = new Worker(link.options.thread, {
    workerData,
    name: 'data',
    resourceLimits: { maxYoungGenerationSizeMb: youngMb },
  })
  link.worker = worker
  link.startedAt = nowOf(link)
  worker.on('message', (reply: Reply) => settle(link, reply))
  // The exit that follows an error tells the rest.
  worker.on('error', () => undefined)
  worker.on('exit', () => ended(link, worker))
  return ask(link, 'open', undefined) as Promise<Opened>
}

function ask(link: Link, call: Request['call'], input: unknown): Promise<unknown> {
  const { worker } = link
  if (!worker) return Promise.reject(endedFault(link))
  return new Promise((resolve, reject) => {
    link.lastId += 1
    link.pending.set(link.lastId, { resolve, reject })
    worker.postMessage({ id: link.lastId, call, input } satisfies Request)
  })
}

const endedFault = ({ stopped }: Link) =>
  stopped ? new FaultError('stopped') : new FaultError('internal', 'the data thread has ended')

function settle(link: Link, reply: Reply): void {
  const pending = link.pending.get(reply.id)
  link.pending.delete(reply.id)
  if (!reply.ok) return pending?.reject(faultOf(reply.fault))
  noteRev(link, reply.value)
  pending?.resolve(reply.value)
}

const faultOf = ({ kind, detail }: Fault) => new FaultError(kind, detail)

function noteRev(link: Link, value: unknown): void {
  if (typeof value === 'object' && value !== null && 'rev' in value && typeof value.rev === 'number')
    link.lastRev = value.rev
}

function ended(link: Link, worker: Worker): void {
  if (link.worker !== worker) return
  link.worker = null
  const pending = [...link.pending.values()]
  link.pending.clear()
  if (nowOf(link) - link.startedAt >= goodRun) link.restarts = 1
  const again = link.stopped === null && link.opened !== null && link.restarts > 0
  if (again) {
    link.restarts -= 1
    link.opened = begin(link)
    // Whoever calls hears of the failure; nobody has to wait for this promise.
    link.opened.catch(() => undefined)
  }
  for (const { reject } of pending) reject(endedFault(link))
  if (link.stopped === null) link.options.onDied?.(again ? link.opened : null)
}

async function close(link: Link): Promise<void> {
  const { worker } = link
  if (!worker) return
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  await ask(link, 'close', undefined).catch(() => worker.terminate())
  await exited
}

function facade(link: Link): InventoryData {
  const calls = Object.keys(callOrder).map((name) => [
    name,
    (input?: unknown) => ask(link, name as Request['call'], input),
  ])
  return {
    // The type of `callOrder` requires an entry for each call of the protocol.
    ...(Object.fromEntries(calls) as InventoryData),
    open: () => link.opened ?? Promise.reject(endedFault(link)),
    close: () => (link.stopped ??= close(link)),
  }
}
