import { createHash, type Hash } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Link } from '../../ports.ts'

/** The file to fetch, and its expected content. */
export interface Wanted {
  url: URL
  destination: string
  /** Base64. */
  sha512: string
  /** Bytes; null when the feed does not say. */
  size: number | null
}

export interface Fetching {
  link: Link
  clock: Clock
  onProgress(bytes: number): void
  signal: AbortSignal
}

/** Largest package, bytes; a size in the feed limits it further. */
const most = 2 * 1024 ** 3
/** Longest time without a byte, ms. */
const silence = 60_000

/**
 * Downloads a file and checks it as it arrives: its length and its SHA-512 must match the feed's. Removes a file that
 * does not. Rejects with a `FaultError`, or with the signal's reason.
 */
export async function fetchFile(wanted: Wanted, fetching: Fetching): Promise<void> {
  const { url, destination } = wanted
  const stalled = new AbortController()
  const signal = AbortSignal.any([fetching.signal, stalled.signal])
  const watch = watchSilence(fetching.clock, () => stalled.abort(new FaultError('timeout', url.host)))
  const file = await open(destination, 'w', 0o600)
  try {
    const response = await fetching.link.fetch(url.href, { signal })
    if (response.status !== 200)
      throw new FaultError(response.status === 404 ? 'not-found' : 'http', `HTTP ${response.status} from ${url.host}`)
    await take(response, wanted, file, (bytes) => {
      watch.heard()
      fetching.onProgress(bytes)
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

async function take(
  { body }: Response,
  { sha512, size }: Wanted,
  file: FileHandle,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const hash = createHash('sha512')
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > (size ?? most)) throw new FaultError('update', 'it is longer than the feed says')
    hash.update(part)
    await file.writeFile(part)
    onBytes(bytes)
  }
  assertWhole(bytes, size, hash, sha512)
  await file.sync()
}

function assertWhole(bytes: number, size: number | null, hash: Hash, sha512: string): void {
  if (size !== null && bytes < size) throw new FaultError('update', 'it is shorter than the feed says')
  if (hash.digest('base64') !== sha512)
    throw new FaultError('update', 'it is not the file that the feed names: its checksum differs')
}

function watchSilence(clock: Clock, onSilence: () => void) {
  let stop = clock.after(silence, onSilence)
  return {
    heard() {
      stop()
      stop = clock.after(silence, onSilence)
    },
    stop: () => stop(),
  }
}
