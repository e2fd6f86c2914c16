import { Worker } from 'node:worker_threads'
import { type Fault, FaultError } from '../../../src-shared/model/fault.ts'
import type { Reply, Request, ThreadData } from './messages.ts'
import { callOrder, type InventoryData } from './protocol.ts'
import type { OpenResult } from './open-result.ts'

export interface DataOptions {
  /** Folder that holds cache.db and journal.db; it is there already. */
  profile: string
  /** Path of the thread's entry: `thread.ts` from source, `data-thread.cjs` when built. */
  thread: string
  /**
   * The thread died; its pending calls were rejected. `reopened` resolves when the next thread has opened the files;
   * null when there is no next one and every further call is rejected. Visibility must be set again, and the window
   * reads again.
   */
  onDied?: (reopened: Promise<OpenResult> | null) => void
  /** A monotonic clock, ms; default `performance.now`. */
  now?: () => number
}

export interface StartedData {
  data: InventoryData
  opened: OpenResult
  /** Answers the pending calls, then closes the files and ends the thread. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts the data thread and opens its files. Rejects with a `FaultError` of kind `storage` when they cannot be opened.
 * Calls are answered in the order of `request-queue.ts`. A thread that dies is started again, unless it was itself
 * started for one that died less than ten minutes ago; its pending calls reject with kind `internal`. After `stop`,
 * calls reject with kind `stopped`.
 */
export async function startData(options: DataOptions): Promise<StartedData> {
  const handle: ThreadHandle = {
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
  const data = facade(handle)
  try {
    handle.opened = startThread(handle)
    return { data, opened: await handle.opened, stop: data.close }
  } catch (thrown) {
    await data.close().catch(() => undefined)
    throw thrown
  }
}

interface Pending {
  resolve: (value: unknown) => void
  reject: (fault: FaultError) => void
}

interface ThreadHandle {
  readonly options: DataOptions
  worker: Worker | null
  readonly pending: Map<number, Pending>
  lastId: number
  lastRev: number
  opened: Promise<OpenResult> | null
  stopped: Promise<void> | null
  /** How many more times in a row a dead thread is replaced. */
  restarts: number
  /** When the present thread was started. */
  startedAt: number
}

/** After this long, ms, a thread counts as stable: its death is a first one again. */
const stableRunMs = 10 * 60_000

const nowOf = ({ options }: ThreadHandle) => options.now?.() ?? performance.now()

/**
 * Size of the young generation, MB: with the default the process holds tens of MB more for good, and opens no faster.
 */
const youngGenerationMb = 24

function startThread(handle: ThreadHandle): Promise<OpenResult> {
  const workerData: ThreadData = { profile: handle.options.profile, rev: handle.lastRev + 1 }
  const worker = new Worker(handle.options.thread, {
    workerData,
    name: 'data',
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  })
  handle.worker = worker
  handle.startedAt = nowOf(handle)
  worker.on('message', (reply: Reply) => resolveReply(handle, reply))
  // The `exit` event follows an error.
  worker.on('error', () => undefined)
  worker.on('exit', () => handleExit(handle, worker))
  return send(handle, 'open', undefined) as Promise<OpenResult>
}

function send(handle: ThreadHandle, call: Request['call'], input: unknown): Promise<unknown> {
  const { worker } = handle
  if (!worker) return Promise.reject(stoppedFault(handle))
  return new Promise((resolve, reject) => {
    handle.lastId += 1
    handle.pending.set(handle.lastId, { resolve, reject })
    worker.postMessage({ id: handle.lastId, call, input } satisfies Request)
  })
}

const stoppedFault = ({ stopped }: ThreadHandle) =>
  stopped ? new FaultError('stopped') : new FaultError('internal', 'the data thread has ended')

function resolveReply(handle: ThreadHandle, reply: Reply): void {
  const pending = handle.pending.get(reply.id)
  handle.pending.delete(reply.id)
  if (!reply.ok) return pending?.reject(faultOf(reply.fault))
  updateRev(handle, reply.value)
  pending?.resolve(reply.value)
}

const faultOf = ({ kind, detail }: Fault) => new FaultError(kind, detail)

function updateRev(handle: ThreadHandle, value: unknown): void {
  if (typeof value === 'object' && value !== null && 'rev' in value && typeof value.rev === 'number')
    handle.lastRev = value.rev
}

function handleExit(handle: ThreadHandle, worker: Worker): void {
  if (handle.worker !== worker) return
  handle.worker = null
  const pending = [...handle.pending.values()]
  handle.pending.clear()
  if (nowOf(handle) - handle.startedAt >= stableRunMs) handle.restarts = 1
  const restarting = handle.stopped === null && handle.opened !== null && handle.restarts > 0
  if (restarting) {
    handle.restarts -= 1
    handle.opened = startThread(handle)
    // Each call reports the failure; this promise need not be awaited.
    handle.opened.catch(() => undefined)
  }
  for (const { reject } of pending) reject(stoppedFault(handle))
  if (handle.stopped === null) handle.options.onDied?.(restarting ? handle.opened : null)
}

async function close(handle: ThreadHandle): Promise<void> {
  const { worker } = handle
  if (!worker) return
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  await send(handle, 'close', undefined).catch(() => worker.terminate())
  await exited
}

function facade(handle: ThreadHandle): InventoryData {
  const calls = Object.keys(callOrder).map((name) => [
    name,
    (input?: unknown) => send(handle, name as Request['call'], input),
  ])
  return {
    // The type of `callOrder` requires an entry for each call of the protocol.
    ...(Object.fromEntries(calls) as InventoryData),
    open: () => handle.opened ?? Promise.reject(stoppedFault(handle)),
    close: () => (handle.stopped ??= close(handle)),
  }
}
