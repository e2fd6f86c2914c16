import { createHash, type Hash } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Link } from '../../ports.ts'

/** The file to fetch, and its expected content. */
export interface FileRequest {
  url: URL
  destination: string
  /** Base64. */
  sha512: string
  /** Bytes; null when the feed does not say. */
  size: number | null
}

export interface FetchOptions {
  link: Link
  clock: Clock
  onProgress(bytes: number): void
  signal: AbortSignal
}

/** Largest package, bytes; a size in the feed limits it further. */
const maxBytes = 2 * 1024 ** 3
/** Longest time without a byte, ms. */
const silenceMs = 60_000

/**
 * Downloads a file and checks it as it arrives: its length and its SHA-512 must match the feed's. Removes a file that
 * does not. Rejects with a `FaultError`, or with the signal's reason.
 */
export async function fetchFile(request: FileRequest, options: FetchOptions): Promise<void> {
  const { url, destination } = request
  const stalled = new AbortController()
  const signal = AbortSignal.any([options.signal, stalled.signal])
  const watch = watchSilence(options.clock, () => stalled.abort(new FaultError('timeout', url.host)))
  const file = await open(destination, 'w', 0o600)
  try {
    const response = await options.link.fetch(url.href, { signal })
    if (response.status !== 200)
      throw new FaultError(response.status === 404 ? 'not-found' : 'http', `HTTP ${response.status} from ${url.host}`)
    await receive(response, request, file, (bytes) => {
      watch.received()
      options.onProgress(bytes)
    })
    await file.close()
  } catch (thrown) {
    await file.close()
    await rm(destination, { force: true })
    throw signal.aborted ? signal.reason : thrown
  } finally {
    watch.stop()
  }
}

async function receive(
  { body }: Response,
  { sha512, size }: FileRequest,
  file: FileHandle,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const hash = createHash('sha512')
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > (size ?? maxBytes)) throw new FaultError('update', 'it is longer than the feed says')
    hash.update(part)
    await file.writeFile(part)
    onBytes(bytes)
  }
  assertComplete(bytes, size, hash, sha512)
  await file.sync()
}

function assertComplete(bytes: number, size: number | null, hash: Hash, sha512: string): void {
  if (size !== null && bytes < size) throw new FaultError('update', 'it is shorter than the feed says')
  if (hash.digest('base64') !== sha512)
    throw new FaultError('update', 'it is not the file that the feed names: its checksum differs')
}

function watchSilence(clock: Clock, onSilence: () => void) {
  let stop = clock.after(silenceMs, onSilence)
  return {
    received() {
      stop()
      stop = clock.after(silenceMs, onSilence)
    },
    stop: () => stop(),
  }
}
