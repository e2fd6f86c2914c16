import type { App } from 'electron'
import type { AppUpdater } from 'electron-updater'
import { FaultError } from '../../src-shared/fault.ts'
import type { Engine, Fetch } from '../updates/engine.ts'
import { downloads } from '../updates/keep.ts'
import type { Kind } from '../updates/package-kind.ts'
import type { Release } from '../updates/release.ts'

export interface EngineOptions {
  app: Pick<App, 'quit' | 'relaunch' | 'whenReady' | 'once' | 'releaseSingleInstanceLock' | 'requestSingleInstanceLock'>
  version: string
  /** Whose signature an installer for Windows must have. */
  publishers: readonly string[]
  kind: Kind
  /** Folder of the profile: what is downloaded lies below it. */
  profile: string
}

const extensions: Record<Kind, string> = { nsis: 'exe', mac: 'zip', AppImage: 'AppImage', deb: 'deb', rpm: 'rpm' }

/** electron-updater, loaded when it is first needed. Its own network is never used (`updates/engine.ts`), nor its ways to install by itself. */
export function openEngine({ app, version, publishers, kind, profile }: EngineOptions): Engine {
  let fetch: Fetch = () => Promise.reject(new FaultError('internal', 'nothing is to be fetched'))
  let offered: { release: Release; feed: string } | null = null
  // electron-updater takes a class; what is made of it is this.
  const provider = {
    isUseMultipleRangeRequest: false, fileExtraDownloadHeaders: null, setRequestHeaders: () => {},
    getLatestVersion: async () => offered?.release,
    resolveFiles: () => (offered?.release.files ?? []).map((info) => ({ url: new URL(info.url, `${offered?.feed}`), info })),
  }
  const download = (url: URL, destination: string, { sha512 }: { sha512: string }) =>
    fetch({ url, destination, sha512, size: offered?.release.files.find((file) => file.sha512 === sha512)?.size ?? null })
  const adapter = {
    version, name: 'Muster', isPackaged: true, appUpdateConfigPath: '', userDataPath: profile, baseCachePath: profile,
    whenReady: () => app.whenReady(), relaunch: () => app.relaunch(), quit: () => app.quit(), onQuit: () => {},
  }
  let opened: Promise<AppUpdater> | null = null
  const open = async (): Promise<AppUpdater> => {
    const { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater, RpmUpdater } = await import('electron-updater')
    const updater = new { nsis: NsisUpdater, mac: MacUpdater, AppImage: AppImageUpdater, deb: DebUpdater, rpm: RpmUpdater }[kind](undefined, adapter)
    const off = { autoDownload: false, autoInstallOnAppQuit: false, disableDifferentialDownload: true, disableWebInstaller: true, logger: null }
    updater.setFeedURL({ provider: 'custom', updateProvider: Object.assign(function Provider() { return provider }) as unknown as new () => unknown })
    const configOnDisk = { value: Promise.resolve({ updaterCacheDirName: downloads, publisherName: publishers }) }
    return Object.assign(updater, off, { configOnDisk, httpExecutor: { download } })
  }
  const fits = async (release: Release, feed: string): Promise<AppUpdater | null> => {
    offered = { release, feed: feed.endsWith('/') ? feed : `${feed}/` }
    const updater = await (opened ??= open())
    return (await updater.checkForUpdates())?.isUpdateAvailable === true ? updater : null
  }
  return {
    extension: extensions[kind],
    accepts: async (release, feed) => (await fits(release, feed)) !== null,
    async download(release, feed, fetchIt) {
      const updater = await fits(release, feed)
      if (updater === null) throw new FaultError('update', 'it is not newer, or not for this computer')
      fetch = fetchIt
      await updater.downloadUpdate()
    },
    async install() {
      const updater = await (opened ??= open())
      // The new version may start before this one has ended.
      app.releaseSingleInstanceLock()
      await new Promise<void>((resolve, reject) => {
        app.once('before-quit', () => resolve())
        updater.once('error', reject)
        updater.quitAndInstall(true, true)
      }).catch((thrown: unknown) => {
        app.requestSingleInstanceLock()
        throw thrown
      })
    },
    restart() {
      const image = process.env['APPIMAGE']
      // The mounted image goes with this process: the next one unpacks itself.
      app.relaunch(image === undefined ? {} : { execPath: image, args: ['--appimage-extract-and-run', ...process.argv.slice(1)] })
      app.quit()
    },
  }
}
