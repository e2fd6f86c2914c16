import { BroadcastChannel } from 'node:worker_threads'
import '../../../src-main/inventory/thread/thread.ts'

/** The data thread as it is, which tells what its heap holds after a collection when it is asked on this channel. */
const channel = new BroadcastChannel('heap')
channel.addEventListener('message', (event) => {
  if (!('data' in event) || event.data !== 'ask') return
  globalThis.gc?.()
  channel.postMessage(process.memoryUsage().heapUsed)
})
channel.unref()
