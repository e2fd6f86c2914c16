import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Fetch } from './engine.ts'
import type { Release } from './release.ts'

/**
 * Replaces electron-updater's own search and download: provides a release that was read and checked already, and the
 * given download.
 */
export interface Source {
  /** Sets the release that it provides from now on. */
  offer(release: Release, feed: string): void
  setFetch(fetch: Fetch): void
  /** A provider as electron-updater expects it; it knows only the offered release. */
  provider: {
    isUseMultipleRangeRequest: false
    fileExtraDownloadHeaders: null
    setRequestHeaders(): void
    getLatestVersion(): Promise<Release | undefined>
    resolveFiles(): { url: URL; info: Release['files'][number] }[]
  }
  /** An executor as electron-updater expects it. */
  executor: { download(url: URL, destination: string, file: { sha512: string }): Promise<void> }
}

export function createSource(): Source {
  let offered: { release: Release; folder: string } | null = null
  let fetch: Fetch = () => Promise.reject(new FaultError('internal', 'nothing is to be fetched'))
  const files = () => offered?.release.files ?? []
  return {
    offer: (release, feed) => void (offered = { release, folder: feed.endsWith('/') ? feed : `${feed}/` }),
    setFetch: (next) => void (fetch = next),
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
