import type { BrowserWindow, BrowserWindowConstructorOptions, Session } from 'electron'
import type { Clock } from '../../src-shared/clock.ts'
import { pageUrl } from '../desktop/page.ts'
import { startRevival, type Revival } from '../desktop/revival.ts'

export interface WindowOptions {
  /** Path of the built preload. */
  preload: string
  session: Session
  icon: string
  /** In development alone. */
  devTools: boolean
}

/** A window that can do nothing by itself: no node, a sandbox, a world of its own for the preload. */
export function windowOptions({ preload, session, icon, devTools }: WindowOptions): BrowserWindowConstructorOptions {
  return {
    width: 1440,
    height: 900,
    minWidth: 640,
    minHeight: 400,
    show: false,
    title: 'Muster',
    icon,
    backgroundColor: '#16181d',
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      session,
      devTools,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      spellcheck: false,
    },
  }
}

/** What the window is made of, and who wants to know of it. */
export interface Making {
  create(options: BrowserWindowConstructorOptions): BrowserWindow
  /** Hears of each new window before its page is loaded. */
  onCreated(window: BrowserWindow): void
  /** Whether closing the window now leaves Muster in the tray. */
  staysInTray(): boolean
  /** Hears that the page's process ended by itself, and in how many ms the page is loaded again; null: not by itself. */
  onGone(reason: string, again: number | null): void
  clock: Clock
}

/** The one window: there is none, or it is shown, or it is hidden in the tray. */
export interface Stage {
  /** Raises the window; makes it first when there is none. */
  raise(): void
  current(): BrowserWindow | null
}

export function createStage(options: WindowOptions, making: Making): Stage {
  let current: BrowserWindow | null = null
  let revival: Revival | null = null
  const make = () => {
    const window = making.create(windowOptions(options))
    current = window
    window.once('ready-to-show', () => window.show())
    window.on('close', (event) => {
      if (!making.staysInTray()) return
      event.preventDefault()
      window.hide()
    })
    const own = startRevival(making.clock, () => window.webContents.reload())
    revival = own
    window.once('closed', () => {
      current = null
      own.stop()
    })
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit' && !window.isDestroyed()) making.onGone(reason, own.ended())
    })
    making.onCreated(window)
    void window.loadURL(pageUrl)
  }
  return {
    current: () => current,
    raise() {
      if (current === null) return make()
      revival?.wanted()
      if (current.isMinimized()) current.restore()
      current.show()
      current.focus()
    },
  }
}
