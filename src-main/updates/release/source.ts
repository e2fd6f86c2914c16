import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Fetch } from './engine.ts'
import type { Release } from './release.ts'

/** What electron-updater is handed in the place of its own ways to find and to fetch: an entry that was read and checked already, and a fetch like any other. */
export interface Source {
  /** What it is to look at from now on. */
  offer(release: Release, feed: string): void
  fetchBy(fetch: Fetch): void
  /** As it wants its provider; of the feed no more than what was offered. */
  provider: {
    isUseMultipleRangeRequest: false
    fileExtraDownloadHeaders: null
    setRequestHeaders(): void
    getLatestVersion(): Promise<Release | undefined>
    resolveFiles(): { url: URL; info: Release['files'][number] }[]
  }
  /** As it wants its network. */
  executor: { download(url: URL, destination: string, file: { sha512: string }): Promise<void> }
}

export function createSource(): Source {
  let offered: { release: Release; folder: string } | null = null
  let fetch: Fetch = () => Promise.reject(new FaultError('internal', 'nothing is to be fetched'))
  const files = () => offered?.release.files ?? []
  return {
    offer: (release, feed) => void (offered = { release, folder: feed.endsWith('/') ? feed : `${feed}/` }),
    fetchBy: (next) => void (fetch = next),
    provider: {
      isUseMultipleRangeRequest: false,
      fileExtraDownloadHeaders: null,
      setRequestHeaders() {},
      getLatestVersion: async () => offered?.release,
      resolveFiles: () => files().map((info) => ({ url: new URL(info.url, offered?.folder), info })),
    },
    executor: {
      download: (url, destination, { sha512 }) =>
        fetch({ url, destination, sha512, size: files().find((file) => file.sha512 === sha512)?.size ?? null }),
    },
  }
}
