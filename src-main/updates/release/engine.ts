import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Network } from '../../ports.ts'
import { below, channelFile, readFeed } from './feed.ts'
import { fetchFile, type Wanted } from './fetch-file.ts'
import type { Offer, Updater } from '../ports.ts'
import { releaseFor, updateOf, type Release } from './release.ts'

/** Fetches a file of a release to this path, and checks it. Rejects with a `FaultError`. */
export type Fetch = (wanted: Wanted) => Promise<void>

/** What of electron-updater is used: which release is for this computer, where its download lies, and how it is installed. */
export interface Engine {
  /** Ending of the file's name that this copy is renewed by: `exe`, `AppImage`, `zip`. */
  extension: string
  /** Whether it is newer than this copy, for this system, and in its part of a rollout. */
  accepts(release: Release, feed: string): Promise<boolean>
  /** Has what it needs fetched, unless it lies there whole. */
  download(release: Release, feed: string, fetch: Fetch): Promise<void>
  /**
   * Installs what `download` has just found or fetched, without a question of its own, and starts it; the application ends
   * with that. Resolves when it is ending, rejects when it will not. `late`: waiting has an end. What the system has begun by
   * then goes on; the application does not end for it any more once this has rejected.
   */
  install(late: AbortSignal): Promise<void>
  /** Ends the application in order and starts it again. */
  restart(): void
}

export interface UpdaterDeps {
  engine: Engine
  network: Network
  clock: Clock
  platform: NodeJS.Platform
  arch: string
}

/**
 * Asks and fetches by the same network as the connections, on a link of its own for each: no redirect, no cookie, the
 * proxy's login, the feed's CA. electron-updater's own network would follow a redirect to anywhere, read an answer without
 * an end, and wait for one without a limit.
 */
export function createUpdater({ engine, network, clock, platform, arch }: UpdaterDeps): Updater {
  return {
    async ask(feed, signal) {
      const link = network.open(feed.ca)
      try {
        const release = await readFeed(link, below(feed.url, channelFile(feed.channel, platform, arch)), clock, signal)
        if (!(await engine.accepts(release, feed.url))) return null
        const mine = releaseFor(release, engine.extension, arch)
        if (mine === null)
          throw new FaultError('update', `the feed has ${release.version} for another processor or package only`)
        return { update: updateOf(mine), release: mine, feed }
      } finally {
        await link.close()
      }
    },
    async download({ release, feed }, onProgress, signal) {
      const link = network.open(feed.ca)
      try {
        await engine.download(release, feed.url, (wanted) => fetchFile(wanted, { link, clock, onProgress, signal }))
      } finally {
        await link.close()
      }
    },
    restart: () => engine.restart(),
  }
}

/** Throws where the download of this offer does not lie there whole. */
export function assertHeld(engine: Engine, { release, feed }: Offer): Promise<void> {
  return engine.download(release, feed.url, () =>
    Promise.reject(new FaultError('update', 'what was downloaded is gone or damaged')),
  )
}
