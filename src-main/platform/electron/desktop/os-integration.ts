import os from 'node:os'
import { app, clipboard, dialog, Menu, nativeTheme, powerMonitor, type Event as ElectronEvent } from 'electron'
import type { EventData } from '../../../../src-shared/contract/contract.ts'
import type { Settings } from '../../../../src-shared/model/settings.ts'
import type { Core } from '../../../core.ts'
import { followLogin } from '../../desktop/start/login-start.ts'
import { aboutText, menuLines, type MenuAction } from '../../desktop/menu.ts'
import type { Log } from '../../../ports.ts'
import { loginStart } from './login.ts'
import { templateOf } from './menu.ts'
import type { WindowManager } from '../window/window-manager.ts'

export interface IntegrationOptions {
  core: Core
  windowManager: WindowManager
  version: string
  log: Log
  open(what: EventData<'open'>): void
  /** Reports a failure to the operator. */
  notify(title: string, body: string): void
}

/** Returns the colour behind the page until it is drawn, equal to the page's background. */
export const background = (): string => (nativeTheme.shouldUseDarkColors ? '#0c0e12' : '#f3f4f6')

/**
 * Integrates the application into the system: menus, colours, power events, start at login. Returns a function that
 * stops it.
 */
export async function integrate({
  core,
  windowManager,
  version,
  open,
  notify,
  log,
}: IntegrationOptions): Promise<() => void> {
  const perform = (action: MenuAction) => {
    if (action.do === 'zoom') return windowManager.zoom(action.by)
    if (action.do === 'about') return showAbout(version)
    // Rejected when updates are off; the settings show why.
    if (action.do === 'check') core.handlers['updates.check']({}).catch(() => log('info', 'updates are not asked for'))
    windowManager.raise()
    open(action.what)
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate(templateOf(menuLines(process.platform, !app.isPackaged), perform)))
  // Chromium restarts its helpers; the log records the loss.
  app.on('child-process-gone', (_event, { type, reason, name }) => {
    if (reason !== 'clean-exit') log('warn', `a helper of Chromium’s ended: ${name ?? type} (${reason})`)
  })
  powerMonitor.on('suspend', () => core.power('sleeps'))
  powerMonitor.on('resume', () => core.power('wakes'))
  // Linux reports neither (`lockEvents`).
  powerMonitor.on('lock-screen', () => core.power('locks'))
  powerMonitor.on('unlock-screen', () => core.power('unlocks'))
  powerMonitor.on('shutdown', (event?: ElectronEvent) => {
    // Linux waits for an application that prevents the default (usually five seconds), and otherwise kills Muster;
    // macOS asks each application to quit. The event is documented (power-monitor.md) but missing in Electron's types.
    if (process.platform === 'linux') event?.preventDefault()
    app.quit()
  })
  const { settings, can } = await core.handlers['app.state']({})
  const apply = followLogin(
    loginStart(app, process.platform, process.execPath, process.env),
    settings.startAtLogin && can.startAtLogin,
    notify,
  )
  nativeTheme.themeSource = settings.theme
  return core.on('settings', (now: Settings) => {
    nativeTheme.themeSource = now.theme
    if (can.startAtLogin) apply(now.startAtLogin)
  })
}

function showAbout(version: string): void {
  const { message, detail, copy } = aboutText(version, process.versions, `${os.type()} ${os.release()} ${process.arch}`)
  dialog
    .showMessageBox({
      type: 'info',
      title: 'About Muster',
      message,
      detail,
      buttons: ['Copy details', 'Close'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    })
    .then(({ response }) => (response === 0 ? clipboard.writeText(copy) : undefined))
    // Without a desktop that shows it, nothing is shown.
    .catch(() => {})
}
