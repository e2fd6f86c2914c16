import { EventEmitter } from 'node:events'
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import path from 'node:path'

const did: string[] = []
const noted = (call: string) => () => void did.push(call)

/** Electron's own updater as electron-updater meets it on macOS; `did`: the calls that it got. */
export const autoUpdater = Object.assign(new EventEmitter(), {
  did,
  setFeedURL: noted('setFeedURL'),
  checkForUpdates: noted('checkForUpdates'),
  quitAndInstall: noted('quitAndInstall'),
})

/** From here on electron-updater's `require('electron')` is this file, as Node loads it and not as vitest does. */
export function standInForNative(): typeof autoUpdater {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron'
        ? {
            url: pathToFileURL(path.resolve('test/support/native-updater.ts')).href,
            format: 'module-typescript',
            shortCircuit: true,
          }
        : next(specifier, context),
  })
  return (createRequire(import.meta.url)('electron') as { autoUpdater: typeof autoUpdater }).autoUpdater
}
