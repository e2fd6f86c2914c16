import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Network } from '../../ports.ts'
import { below, channelFile, readFeed } from './feed.ts'
import { fetchFile, type FileRequest } from './fetch-file.ts'
import type { Offer, Updater } from '../ports.ts'
import { releaseFor, updateOf, type Release } from './release.ts'

/** Downloads a file of a release to this path and checks it. Rejects with a `FaultError`. */
export type Fetch = (request: FileRequest) => Promise<void>

/**
 * The used parts of electron-updater: which release fits this computer, where its download is stored, and its installation.
 */
export interface Engine {
  /** Extension of the files that update this copy: `exe`, `AppImage`, `zip`. */
  extension: string
  /** Resolves with whether it is newer than this copy, fits this system, and is in its part of a staged rollout. */
  accepts(release: Release, feed: string): Promise<boolean>
  /** Has the needed files fetched, unless the download is complete. */
  download(release: Release, feed: string, fetch: Fetch): Promise<void>
  /**
   * Installs the result of `download` without asking and starts it; the application ends with that. Resolves when it is
   * ending, rejects when it will not. `timeout` ends the wait: an installation that the system has begun continues, but
   * the application no longer ends for it after the rejection.
   */
  install(timeout: AbortSignal): Promise<void>
  /** Quits the application in order and starts it again. */
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
 * Returns an updater that uses the connections' network, each time on its own link: no redirects, no cookies, the
 * proxy's login, the feed's CA. electron-updater's own network would follow any redirect, read unbounded answers, and
 * wait without a limit.
 */
export function createUpdater({ engine, network, clock, platform, arch }: UpdaterDeps): Updater {
  return {
    async check(feed, signal) {
      const link = network.open(feed.ca)
      try {
        const release = await readFeed(link, below(feed.url, channelFile(feed.channel, platform, arch)), clock, signal)
        if (!(await engine.accepts(release, feed.url))) return null
        const matching = releaseFor(release, engine.extension, arch)
        if (matching === null)
          throw new FaultError('update', `the feed has ${release.version} for another processor or package only`)
        return { update: updateOf(matching), release: matching, feed }
      } finally {
        await link.close()
      }
    },
    async download({ release, feed }, onProgress, signal) {
      const link = network.open(feed.ca)
      try {
        await engine.download(release, feed.url, (request) => fetchFile(request, { link, clock, onProgress, signal }))
      } finally {
        await link.close()
      }
    },
    restart: () => engine.restart(),
  }
}

/** Throws where the download of this offer is not complete. */
export function assertDownloaded(engine: Engine, { release, feed }: Offer): Promise<void> {
  return engine.download(release, feed.url, () =>
    Promise.reject(new FaultError('update', 'what was downloaded is gone or damaged')),
  )
}
