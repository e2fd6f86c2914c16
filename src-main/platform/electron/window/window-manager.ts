import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { hideToTray } from '../../desktop/window/hide-to-tray.ts'
import { whenPainted } from '../../desktop/window/first-paint.ts'
import { pageUrl } from '../../desktop/page/page.ts'
import { startCrashRecovery, type CrashRecovery } from '../../desktop/window/crash-recovery.ts'
import type { WindowStateKeeper } from './window-state.ts'
import { windowOptions, type WindowOptions } from './window-options.ts'

/** The parts of a window and its listeners. */
export interface WindowManagerOptions {
  create(options: BrowserWindowConstructorOptions): BrowserWindow
  windowState: WindowStateKeeper
  /** Returns the colour behind the page until it is drawn, by the present theme. */
  background(): string
  /** Called with each new window before its page is loaded. */
  onCreated(window: BrowserWindow): void
  /** Returns whether closing the window now keeps Muster in the tray. */
  staysInTray(): boolean
  /** Called when the page's process crashed, with the delay before it is loaded again, ms; null: it is not. */
  onCrash(reason: string, again: number | null): void
  clock: Clock
}

/** The one window: absent, shown, or hidden in the tray. */
export interface WindowManager {
  /** Raises the window; creates it first when there is none. */
  raise(): void
  /** Creates it minimised, without taking the focus. */
  minimised(): void
  /** Changes and stores the page's zoom: 1 larger, -1 smaller, 0 default. */
  zoom(by: -1 | 0 | 1): void
  current(): BrowserWindow | null
}

export function createWindowManager(options: WindowOptions, deps: WindowManagerOptions): WindowManager {
  let current: BrowserWindow | null = null
  let recovery: CrashRecovery | null = null
  let zoom: WindowManager['zoom'] = () => {}
  /** Shows a window in its stored state that was not shown yet, or started minimised. */
  let showFirst: (() => void) | null = null
  /** Ends the wait for the first paint when the user raises the window earlier. */
  let stopWaiting = () => {}
  const present = () => {
    showFirst?.()
    showFirst = null
  }
  const make = (minimised: boolean) => {
    const window = deps.create({
      ...windowOptions(options),
      ...deps.windowState.bounds(),
      backgroundColor: deps.background(),
    })
    current = window
    const followed = deps.windowState.follow(window)
    zoom = followed.zoom
    showFirst = followed.present
    const stop = whenPainted(window, deps.clock, () => (minimised ? showMinimised(window) : present()))
    stopWaiting = stop
    window.on('close', (event) => {
      if (!deps.staysInTray()) return
      event.preventDefault()
      hideToTray(window, process.platform)
    })
    const { webContents } = window
    // A debugger in the developer tools stops the page on purpose.
    const ownRecovery = startCrashRecovery(
      deps.clock,
      () => webContents.reload(),
      () => !options.devTools && webContents.forcefullyCrashRenderer(),
    )
    recovery = ownRecovery
    window.on('unresponsive', ownRecovery.unresponsive)
    window.on('responsive', ownRecovery.responsive)
    window.once('closed', () => {
      stop()
      current = null
      zoom = () => {}
      showFirst = null
      ownRecovery.stop()
    })
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit' && !window.isDestroyed()) deps.onCrash(reason, ownRecovery.ended())
    })
    deps.onCreated(window)
    void window.loadURL(pageUrl)
  }
  return {
    current: () => current,
    zoom: (by) => zoom(by),
    minimised: () => make(true),
    raise() {
      if (current === null) return make(false)
      recovery?.retryNow()
      if (current.isMinimized()) current.restore()
      // The user raised it, so it is shown and not minimised.
      stopWaiting()
      if (showFirst === null) current.show()
      else present()
      current.focus()
    },
  }
}

/** Minimises a window after showing it: some desktops list no window that was never shown. */
function showMinimised(window: BrowserWindow): void {
  window.showInactive()
  window.minimize()
}
