import type { BrowserWindowConstructorOptions, Session } from 'electron'
import { minimumSize } from '../../desktop/window/window-state.ts'

export interface WindowOptions {
  /** Path of the built preload. */
  preload: string
  session: Session
  icon: string
  /** True only in development. */
  devTools: boolean
}

/** Returns options of a window without privileges: no Node, a sandbox, an isolated world for the preload. */
export function windowOptions({ preload, session, icon, devTools }: WindowOptions): BrowserWindowConstructorOptions {
  return {
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    show: false,
    title: 'Muster',
    icon,
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
