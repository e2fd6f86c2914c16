import type { App } from 'electron'
import type { AppUpdater, NsisUpdater } from 'electron-updater'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { Engine } from '../../../updates/release/engine.ts'
import { downloads } from '../../../updates/install/pending-update.ts'
import { appImageFlags, installAppImage, startAppImage } from '../../../updates/install/appimage-install.ts'
import type { SelfUpdateKind } from '../../../updates/release/package-kind.ts'
import type { Release } from '../../../updates/release/release.ts'
import { createSource, type Source } from '../../../updates/release/source.ts'

export interface UpdateEngineOptions {
  app: Pick<App, 'quit' | 'relaunch' | 'whenReady' | 'once' | 'releaseSingleInstanceLock'>
  version: string
  /** Accepted signers of an installer for Windows. */
  publishers: readonly string[]
  kind: SelfUpdateKind
  /** Folder of the profile, which contains the downloads. */
  profile: string
  /** Flags for the next start of this copy. */
  flags: readonly string[]
}

const extensions: Record<SelfUpdateKind, string> = { nsis: 'exe', mac: 'zip', AppImage: 'AppImage' }

/**
 * electron-updater, loaded when it is first needed. Its own network (`updates/release/source.ts`) and its automatic
 * installation are never used.
 */
export function openEngine({ app, version, publishers, kind, profile, flags }: UpdateEngineOptions): Engine {
  const source = createSource()
  const image = process.env['APPIMAGE']
  let downloadedFile = ''
  let givenUp = false
  const quit = () => givenUp || app.quit()
  const adapter = {
    version,
    name: 'Muster',
    isPackaged: true,
    appUpdateConfigPath: '',
    userDataPath: profile,
    baseCachePath: profile,
    whenReady: () => app.whenReady(),
    relaunch: () => {},
    quit,
    onQuit: () => {},
  }
  let opened: Promise<AppUpdater> | null = null
  const open = () => (opened ??= openUpdater(kind, adapter, source, publishers))
  const checkRelease = async (release: Release, feed: string): Promise<AppUpdater | null> => {
    source.offer(release, feed)
    const updater = await open()
    return (await updater.checkForUpdates())?.isUpdateAvailable === true ? updater : null
  }
  const restart = () => {
    // The mounted image ends with this process: the next one extracts itself.
    app.relaunch(
      image === undefined ? { args: [...flags] } : { execPath: image, args: ['--appimage-extract-and-run', ...flags] },
    )
    app.quit()
  }
  return {
    extension: extensions[kind],
    accepts: async (release, feed) => (await checkRelease(release, feed)) !== null,
    async download(release, feed, fetch_) {
      const updater = await checkRelease(release, feed)
      if (updater === null) throw new FaultError('update', 'it is not newer, or not for this computer')
      source.setFetch(fetch_)
      downloadedFile = (await updater.downloadUpdate())[0] ?? ''
    },
    async install(timeout) {
      const updater = await open()
      if (kind === 'AppImage') {
        await startAppImage(await installAppImage(downloadedFile, image ?? ''), [
          ...appImageFlags(process.env['APPDIR']),
          ...flags,
        ])
        // Only now: the new one starts while this one ends, and a start during the installation would otherwise open
        // beside it.
        app.releaseSingleInstanceLock()
        return app.quit()
      }
      // The Windows installer and macOS wait for the end of this process, and then start the new one.
      await new Promise<void>((resolve, reject) => {
        const giveUp = (thrown: unknown) => {
          // macOS may be ready later, and then installs when Muster quits: it must not quit it now.
          givenUp = true
          updater.autoRunAppAfterInstall = false
          reject(thrown)
        }
        timeout.addEventListener('abort', () => giveUp(timeout.reason))
        app.once('before-quit', () => resolve())
        updater.once('error', giveUp)
        updater.quitAndInstall(true, true)
      })
    },
    restart: restart,
  }
}

async function openUpdater(
  kind: SelfUpdateKind,
  adapter: ConstructorParameters<typeof NsisUpdater>[1],
  source: Source,
  publishers: readonly string[],
): Promise<AppUpdater> {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater')
  const updater = new { nsis: NsisUpdater, mac: MacUpdater, AppImage: AppImageUpdater }[kind](undefined, adapter)
  const off = {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    disableDifferentialDownload: true,
    disableWebInstaller: true,
    logger: null,
  }
  // It expects a class; its instance is the source's provider.
  updater.setFeedURL({
    provider: 'custom',
    updateProvider: Object.assign(function Provider() {
      return source.provider
    }) as unknown as new () => unknown,
  })
  const configOnDisk = { value: Promise.resolve({ updaterCacheDirName: downloads, publisherName: publishers }) }
  return Object.assign(updater, off, { configOnDisk, httpExecutor: source.executor })
}
