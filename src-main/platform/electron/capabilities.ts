import path from 'node:path'
import { app, BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron'
import { filtersOf, otherFlags, programOf, startBeside } from '../desktop/start/other-start.ts'
import type { DesktopAbilities, StartOther } from '../../ipc/desktop.ts'
import type { Log } from '../../ports.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { printLink } from '../../../src-shared/navigation/link.ts'
import { fillForWall } from '../desktop/window/wall-screen.ts'
import type { StartArgs } from '../shared/args.ts'

/** Returns the abilities of the desktop, for the core. */
export function capabilitiesOf({ demo, profile }: StartArgs): DesktopAbilities {
  return {
    startsAtLogin: app.isPackaged && !demo && profile === null,
    setFullScreen(on) {
      for (const window of BrowserWindow.getAllWindows()) fillForWall(window, on)
    },
    async pdf() {
      const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
      if (window === undefined) throw new FaultError('input', 'There is no window.')
      return window.webContents.printToPDF({ printBackground: true, preferCSSPageSize: true })
    },
    async chooseFolder() {
      const window = BrowserWindow.getFocusedWindow()
      const options: OpenDialogOptions = { properties: ['openDirectory', 'createDirectory'] }
      const { canceled, filePaths } = await (window === null
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(window, options))
      return canceled ? null : (filePaths[0] ?? null)
    },
    async saveAs(name) {
      const window = BrowserWindow.getFocusedWindow()
      const options: SaveDialogOptions = {
        defaultPath: path.join(app.getPath('downloads'), name),
        filters: filtersOf(name),
        properties: ['createDirectory', 'showOverwriteConfirmation'],
      }
      const { canceled, filePath } = await (window === null
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(window, options))
      return canceled || filePath === '' ? null : filePath
    },
  }
}

/** Returns a function that starts the other Muster in its own window. */
export function otherOf({ demo }: StartArgs, log: Log): StartOther {
  const program = programOf(app.isPackaged, process.execPath, app.getAppPath(), process.env)
  return async (add) => {
    const link = add === null ? null : printLink({ to: 'add', what: add })
    startBeside(program, [...otherFlags(demo, app.isPackaged), ...(link === null ? [] : [link])], log)
    return null
  }
}
