import { parentPort, workerData } from 'node:worker_threads'
import { isDamage, storageFault } from '../../storage/database.ts'
import { toFault } from '../../../src-shared/model/fault.ts'
import { type Calls, callsOn } from './calls.ts'
import type { Reply, Request, ThreadData } from './messages.ts'
import { createRequestQueue } from './request-queue.ts'
import { startLoopMonitor } from './loop-monitor.ts'
import { openStore } from '../store.ts'

/**
 * The data thread's entry. It answers one request after the other, in the order of the queue; the first is `open`.
 * Bundled into one CommonJS file for production, it needs nothing but Node.
 */
const port = parentPort
if (port) {
  const { profile, rev } = workerData as ThreadData
  let calls: Calls | null = null
  const loop = startLoopMonitor()
  const open = () => {
    const store = openStore(profile, rev, Date.now())
    // All other orders need the order by name: it is made before the first request, unless that comes at once.
    setImmediate(() => store.inventory.orders.positions())
    return callsOn(store, { delay: loop.delay, now: () => performance.now() })
  }
  const queue = createRequestQueue()
  const answer = ({ id, call, input }: Request) => {
    try {
      calls ??= open()
      // The client types the name together with its input.
      const run = calls[call] as (input: unknown) => unknown
      port.postMessage({ id, ok: true, value: run(input) } satisfies Reply)
    } catch (thrown) {
      port.postMessage({ id, ok: false, fault: toFault(storageFault(thrown)) } satisfies Reply)
      // A new thread replaces a damaged file.
      if (calls && isDamage(thrown)) throw thrown
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
