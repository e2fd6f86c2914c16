import type { BrowserWindow, BrowserWindowConstructorOptions, Screen } from 'electron'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import {
  saveWindowState,
  fitToDisplays,
  readWindowState,
  zoomed,
  type WindowState,
} from '../../desktop/window/window-state.ts'
import type { Log, Settings } from '../../../ports.ts'

/** Where the window stands, from one run to the next. */
export interface WindowStateKeeper {
  bounds(): Pick<BrowserWindowConstructorOptions, 'x' | 'y' | 'width' | 'height'>
  /** Shows it as it was left, and keeps what becomes of it. */
  follow(window: BrowserWindow): { present(): void; zoom(by: -1 | 0 | 1): void }
}

export function createWindowState(
  screen: () => Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay'>,
  settings: Settings,
  clock: Clock,
  log: Log,
): WindowStateKeeper {
  return {
    bounds() {
      const primary = screen().getPrimaryDisplay()
      const others = screen()
        .getAllDisplays()
        .filter(({ id }) => id !== primary.id)
      return fitToDisplays(
        [primary, ...others].map(({ workArea }) => workArea),
        readWindowState(settings)?.bounds ?? null,
      )
    },
    follow(window) {
      const { webContents } = window
      const kept = readWindowState(settings)
      let level = kept?.zoom ?? 0
      const look = (): WindowState => ({
        bounds: window.getNormalBounds(),
        maximized: window.isMaximized(),
        fullScreen: window.isFullScreen(),
        zoom: level,
      })
      const keeper = saveWindowState(settings, clock, log, look)
      for (const event of [
        'resize',
        'move',
        'maximize',
        'unmaximize',
        'enter-full-screen',
        'leave-full-screen',
      ] as const)
        window.on(event as 'resize', keeper.changed)
      window.on('close', keeper.now)
      window.once('closed', keeper.stop)
      // Never of a hidden window: set before its first picture, that never comes (Windows, Linux: Electron, issue 51972).
      let applied = false
      const apply = () => {
        if (applied || !window.isVisible()) return
        applied = true
        webContents.setZoomLevel(level)
      }
      const applyAnew = () => {
        applied = false
        apply()
      }
      const zoom = (by: -1 | 0 | 1) => {
        level = zoomed(level, by)
        applyAnew()
        keeper.changed()
      }
      // Kept by nobody else: the page's session is in memory.
      webContents.on('did-finish-load', applyAnew)
      window.on('show', apply)
      webContents.on('zoom-changed', (_event, direction) => zoom(direction === 'in' ? 1 : -1))
      const present = () => {
        if (kept?.maximized === true) window.maximize()
        window.show()
        if (kept?.fullScreen === true) window.setFullScreen(true)
      }
      return { present, zoom }
    },
  }
}
