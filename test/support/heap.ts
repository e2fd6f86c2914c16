import type { CDPSession } from 'playwright'

/** Everything that the page's JavaScript holds, garbage collected, as text. */
export async function heap(cdp: CDPSession): Promise<string> {
  const chunks: string[] = []
  const pendingStore = ({ chunk }: { chunk: string }) => void chunks.push(chunk)
  cdp.on('HeapProfiler.addHeapSnapshotChunk', pendingStore)
  await cdp.send('HeapProfiler.enable')
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  cdp.off('HeapProfiler.addHeapSnapshotChunk', pendingStore)
  return chunks.join('')
}
