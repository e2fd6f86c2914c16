import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Channel } from '../../../src-shared/model/updates.ts'
import type { Link } from '../../ports.ts'
import { readRelease, type Release } from './release.ts'

/** Largest entry of a feed, bytes: a few hundred, and its notes. */
const maxBytes = 512 * 1024
const timeoutMs = 30_000

/** Returns the file of a channel for this system, as electron-builder names it. */
export function channelFile(channel: Channel, platform: NodeJS.Platform, arch: string): string {
  if (platform === 'win32') return `${channel}.yml`
  if (platform === 'darwin') return `${channel}-mac.yml`
  return `${channel}-linux${arch === 'x64' ? '' : `-${arch}`}.yml`
}

/** Returns an address below the feed's folder. */
export function below(feed: string, name: string): URL {
  return new URL(name, feed.endsWith('/') ? feed : `${feed}/`)
}

/** Reads the feed once. Follows no redirect; times out. Rejects with a `FaultError`. */
export async function readFeed({ fetch }: Link, url: URL, clock: Clock, signal: AbortSignal): Promise<Release> {
  const timeout = new AbortController()
  const cancel = clock.after(timeoutMs, () => timeout.abort(new FaultError('timeout', url.host)))
  const either = AbortSignal.any([signal, timeout.signal])
  try {
    const response = await fetch(url.href, { signal: either, headers: { accept: 'text/yaml, */*;q=0.1' } })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new FaultError(response.status === 404 ? 'not-found' : 'http', `HTTP ${response.status} from ${url.host}`)
    }
    return await readRelease(await textOf(response))
  } catch (thrown) {
    throw either.aborted ? either.reason : thrown
  } finally {
    cancel()
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > maxBytes) throw new FaultError('update', 'what the feed answers is too long to be an entry of updates')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
