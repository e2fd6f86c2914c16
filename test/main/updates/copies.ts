import { defaultSettings, type Settings } from '../../../src-shared/model/settings.ts'
import type { UpdateEnvironment, PendingUpdate, Offer, Updater } from '../../../src-main/updates/ports.ts'
import { noPolicy, type Policy } from '../../../src-main/updates/policy.ts'
import { startUpdates } from '../../../src-main/updates/updates.ts'
import { manualClock } from '../../support/clock.ts'

const feed = { url: 'https://updates.example/muster/', channel: 'latest', ca: '' } as const
export const offerOf = (version: string): Offer => ({
  update: { version, notes: 'New.', releasedAt: null, size: 10 },
  feed,
  release: { version, files: [{ url: `Muster-${version}.AppImage`, sha512: `${'a'.repeat(86)}==`, size: 10 }] },
})

/** The current operation, for the test to end. */
interface Pending<T> {
  what: 'check' | 'download'
  signal: AbortSignal
  resolve(value: T): void
  reject(thrown: unknown): void
}

export interface CopyOptions {
  kept?: PendingUpdate | null
  failure?: string
  policy?: Partial<Policy>
  settings?: Partial<Settings>
  random?: () => number
  /** The package's own. */
  feed?: string
  /** A cancelled operation does not end before the test ends it. */
  stubborn?: boolean
}

/** A copy of Muster with the updates' room on a clock and a port that the test turns. */
export function copyOf({
  kept = null,
  failure = '',
  policy = {},
  settings: own = {},
  random = () => 0.5,
  stubborn = false,
  feed: packaged = '',
}: CopyOptions = {}) {
  const clock = manualClock()
  const pending: Pending<never>[] = []
  const log: string[] = []
  const seen = {
    now: kept,
    writes: [] as (PendingUpdate | null)[],
    restarts: 0,
    states: 0,
    most: 0,
    begun: [] as ('check' | 'download')[],
  }
  const startDownload = <T>(what: 'check' | 'download', signal: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      const gone = () => void pending.splice(pending.indexOf(each), 1)
      const each: Pending<T> = {
        what,
        signal,
        resolve: (value) => {
          gone()
          resolve(value)
        },
        reject: (thrown) => {
          gone()
          reject(thrown)
        },
      }
      pending.push(each)
      seen.begun.push(what)
      seen.most = Math.max(seen.most, pending.length)
      signal.addEventListener('abort', () => !stubborn && pending.includes(each) && each.reject(signal.reason))
    })
  const progress = { tell: (_bytes: number) => {} }
  const updater: Updater = {
    check: (_feed, signal) => startDownload('check', signal),
    download: (_offer, onProgress, signal) => {
      progress.tell = onProgress
      return startDownload('download', signal)
    },
    restart: () => void (seen.restarts += 1),
  }
  const pendingStore = {
    read: () => seen.now,
    write: (next: PendingUpdate | null) => {
      seen.now = next
      seen.writes.push(next)
    },
  }
  const environment: UpdateEnvironment = {
    copy: null,
    off: null,
    policy: { ...noPolicy, ...policy },
    feed: packaged,
    updater,
    pendingStore,
    failure,
  }
  const listeners = new Set<(settings: Settings) => void>()
  let now: Settings = { ...defaultSettings(false), updateFeed: feed.url, ...own }
  const settings = {
    get: () => now,
    onChange: (listener: (settings: Settings) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const updates = startUpdates({
    environment,
    settings,
    clock,
    random,
    log: (_level, text) => void log.push(text),
    onState: () => void (seen.states += 1),
  })
  const change = (part: Partial<Settings>) => {
    now = { ...now, ...part }
    for (const listener of listeners) listener(now)
  }
  return {
    updates,
    clock,
    log,
    seen,
    progress,
    change,
    under: () => pending[0] as Pending<unknown> | undefined,
    is: () => updates.state().now.is,
  }
}
