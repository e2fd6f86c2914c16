import { BroadcastChannel } from 'node:worker_threads'
import '../../../src-main/inventory/thread/thread.ts'

/** The data thread unchanged, which reports its heap after a collection on request by this channel. */
const channel = new BroadcastChannel('heap')
channel.addEventListener('message', (event) => {
  if (!('data' in event) || event.data !== 'ask') return
  globalThis.gc?.()
  channel.postMessage(process.memoryUsage().heapUsed)
})
channel.unref()
