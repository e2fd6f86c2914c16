import type { BrowserWindow, BrowserWindowConstructorOptions, Screen } from 'electron'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import {
  saveWindowState,
  fitToDisplays,
  readWindowState,
  zoomed,
  type WindowState,
} from '../../desktop/window/window-state.ts'
import { isFullScreen } from '../../desktop/window/wall-screen.ts'
import type { Log, Settings } from '../../../ports.ts'

/** Stores the window's state between runs. */
export interface WindowStateKeeper {
  bounds(): Pick<BrowserWindowConstructorOptions, 'x' | 'y' | 'width' | 'height'>
  /** Shows the window as it was left, and stores its changes. */
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
      const stored = readWindowState(settings)
      let level = stored?.zoom ?? 0
      const readState = (): WindowState => ({
        bounds: window.getNormalBounds(),
        maximized: window.isMaximized(),
        fullScreen: isFullScreen(window),
        zoom: level,
      })
      const store = saveWindowState(settings, clock, log, readState)
      for (const event of [
        'resize',
        'move',
        'maximize',
        'unmaximize',
        'enter-full-screen',
        'leave-full-screen',
      ] as const)
        window.on(event as 'resize', store.changed)
      window.on('close', store.now)
      window.once('closed', store.stop)
      // Not for a hidden window: a zoom set before its first frame prevents that frame (Windows, Linux: Electron, issue
      // 51972).
      let applied = false
      const apply = () => {
        if (applied || !window.isVisible()) return
        applied = true
        webContents.setZoomLevel(level)
      }
      const reapply = () => {
        applied = false
        apply()
      }
      const zoom = (by: -1 | 0 | 1) => {
        level = zoomed(level, by)
        reapply()
        store.changed()
      }
      // Chromium does not store it, because the page's session is in memory.
      webContents.on('did-finish-load', reapply)
      window.on('show', apply)
      webContents.on('zoom-changed', (_event, direction) => zoom(direction === 'in' ? 1 : -1))
      const present = () => {
        if (stored?.maximized === true) window.maximize()
        window.show()
        if (stored?.fullScreen === true) window.setFullScreen(true)
      }
      return { present, zoom }
    },
  }
}
