import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { hideToTray } from '../../desktop/window/hide-to-tray.ts'
import { whenPainted } from '../../desktop/window/first-paint.ts'
import { pageUrl } from '../../desktop/page/page.ts'
import { startCrashRecovery, type CrashRecovery } from '../../desktop/window/crash-recovery.ts'
import type { WindowStateKeeper } from './window-state.ts'
import { windowOptions, type WindowOptions } from './window-options.ts'

/** What the window is made of, and who wants to know of it. */
export interface WindowManagerOptions {
  create(options: BrowserWindowConstructorOptions): BrowserWindow
  placing: WindowStateKeeper
  /** Behind the page until it is drawn: by the theme that is on. */
  background(): string
  /** Hears of each new window before its page is loaded. */
  onCreated(window: BrowserWindow): void
  /** Whether closing the window now leaves Muster in the tray. */
  staysInTray(): boolean
  /** Hears that the page's process ended by itself, and in how many ms the page is loaded again; null: not by itself. */
  onGone(reason: string, again: number | null): void
  clock: Clock
}

/** The one window: there is none, or it is shown, or it is hidden in the tray. */
export interface WindowManager {
  /** Raises the window; makes it first when there is none. */
  raise(): void
  /** Makes it without standing in anybody's way. */
  minimised(): void
  /** Of the page, and kept: 1 larger, -1 smaller, 0 as usual. */
  zoom(by: -1 | 0 | 1): void
  current(): BrowserWindow | null
}

export function createWindowManager(options: WindowOptions, making: WindowManagerOptions): WindowManager {
  let current: BrowserWindow | null = null
  let revival: CrashRecovery | null = null
  let zoom: WindowManager['zoom'] = () => {}
  /** Shows a window that was not shown yet, or was put aside, as it was left. */
  let unfold: (() => void) | null = null
  /** Somebody has it now who did not wait until it was drawn. */
  let stopWaiting = () => {}
  const present = () => {
    unfold?.()
    unfold = null
  }
  const make = (minimised: boolean) => {
    const window = making.create({
      ...windowOptions(options),
      ...making.placing.bounds(),
      backgroundColor: making.background(),
    })
    current = window
    const placed = making.placing.follow(window)
    zoom = placed.zoom
    unfold = placed.present
    const stop = whenPainted(window, making.clock, () => (minimised ? putAside(window) : present()))
    stopWaiting = stop
    window.on('close', (event) => {
      if (!making.staysInTray()) return
      event.preventDefault()
      hideToTray(window, process.platform)
    })
    const { webContents } = window
    // Whoever looks into it with the developer tools stops it on purpose.
    const own = startCrashRecovery(
      making.clock,
      () => webContents.reload(),
      () => !options.devTools && webContents.forcefullyCrashRenderer(),
    )
    revival = own
    window.on('unresponsive', own.stalls)
    window.on('responsive', own.answers)
    window.once('closed', () => {
      stop()
      current = null
      zoom = () => {}
      unfold = null
      own.stop()
    })
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit' && !window.isDestroyed()) making.onGone(reason, own.ended())
    })
    making.onCreated(window)
    void window.loadURL(pageUrl)
  }
  return {
    current: () => current,
    zoom: (by) => zoom(by),
    minimised: () => make(true),
    raise() {
      if (current === null) return make(false)
      revival?.wanted()
      if (current.isMinimized()) current.restore()
      // Who raised it wants to see it, and not aside.
      stopWaiting()
      if (unfold === null) current.show()
      else present()
      current.focus()
    },
  }
}

/** What was never shown has no place in the task bar of some desktops. */
function putAside(window: BrowserWindow): void {
  window.showInactive()
  window.minimize()
}
