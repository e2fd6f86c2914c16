import { parentPort, workerData } from 'node:worker_threads'
import { isDamage, storageFault } from '../../storage/database.ts'
import { toFault } from '../../../src-shared/model/fault.ts'
import { type Calls, callsOn } from './calls.ts'
import { applyLog, dropActs, keepAct, ReopenError, resumeActs, snapshotIn, snapshotOut } from './log-calls.ts'
import type { LogData } from './log-protocol.ts'
import type { Reply, Request, ThreadData } from './messages.ts'
import { createRequestQueue } from './request-queue.ts'
import { type LoopMonitor, startLoopMonitor } from './loop-monitor.ts'
import { closeStore, openResultOf, openStore, type Store } from '../store.ts'

/** The opened files, and the calls on them. */
interface Opened {
  store: Store
  calls: Calls
}

/** The files of a profile, which are opened with the first call, and anew after some of those of the log. */
function filesOf({ profile, rev }: ThreadData, loop: LoopMonitor) {
  let opened: Opened | null = null
  let nextRev = rev
  const openFiles = (): Opened => {
    const store = openStore(profile, nextRev, Date.now())
    // All other orders need the order by name: it is made before the first request, unless that comes at once.
    setImmediate(() => store.inventory.orders.positions())
    return { store, calls: callsOn(store, { delay: loop.delay, now: () => performance.now() }) }
  }
  const open = (): Opened => {
    const files = openFiles()
    try {
      resumeActs(files.store, files.calls)
      return files
    } catch (thrown) {
      if (!(thrown instanceof ReopenError)) throw thrown
      // The disk is full: the acts that wait are carried out by the next start.
      closeStore(files.store)
      return openFiles()
    }
  }
  const close = () => {
    if (opened === null) return
    nextRev = opened.store.rev + 1
    closeStore(opened.store)
    opened = null
  }
  const reopening = <T>(run: (opened: Opened) => T): T => {
    try {
      return run((opened ??= open()))
    } catch (thrown) {
      if (thrown instanceof ReopenError) close()
      throw thrown instanceof ReopenError ? thrown.cause : thrown
    }
  }
  const ofLog = {
    applyLog: (input: Parameters<LogData['applyLog']>[0]) =>
      reopening(({ store, calls }) => applyLog(store, calls, input)),
    keepAct: (input: Parameters<LogData['keepAct']>[0]) =>
      reopening(({ store, calls }) => keepAct(store, calls, input)),
    dropActs: (input: Parameters<LogData['dropActs']>[0]) =>
      reopening(({ store, calls }) => dropActs(store, calls, input)),
    writeSnapshot: () => reopening(({ store, calls }) => snapshotOut(store, calls, profile)),
    readSnapshot(input: Parameters<LogData['readSnapshot']>[0]) {
      reopening(({ store }) => snapshotIn(store, input))
      close()
      return openResultOf((opened = open()).store)
    },
  }
  return {
    isOpen: () => opened !== null,
    /** Returns the function of a call. The client types the name together with its input. */
    of: (call: Request['call']) =>
      (call in ofLog ? ofLog[call as keyof typeof ofLog] : (opened ??= open()).calls[call as keyof Calls]) as (
        input: unknown,
      ) => unknown,
  }
}

/**
 * The data thread's entry. It answers one request after the other, in the order of the queue; the first is `open`.
 * Bundled into one CommonJS file for production, it needs nothing but Node.
 */
const port = parentPort
if (port) {
  const loop = startLoopMonitor()
  const files = filesOf(workerData as ThreadData, loop)
  const queue = createRequestQueue()
  const answer = ({ id, call, input }: Request) => {
    try {
      const run = files.of(call)
      port.postMessage({ id, ok: true, value: run(input) } satisfies Reply)
    } catch (thrown) {
      port.postMessage({ id, ok: false, fault: toFault(storageFault(thrown)) } satisfies Reply)
      // A new thread replaces a damaged file.
      if (files.isOpen() && isDamage(thrown)) throw thrown
    }
  }
  let isAnswering = false
  // One request in each turn of the loop: new requests are in the queue before the next is taken.
  const answerNext = () => {
    const request = queue.next()
    isAnswering = request !== null
    if (request === null) return
    answer(request)
    if (request.call !== 'close') return void setImmediate(answerNext)
    loop.stop()
    port.close()
  }
  port.on('message', (request: Request) => {
    queue.add(request)
    if (isAnswering) return
    isAnswering = true
    setImmediate(answerNext)
  })
}
