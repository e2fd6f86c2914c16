/** A window that goes to the tray, as Electron has it. */
export interface HiddenWindow {
  isFullScreen(): boolean
  setFullScreen(on: boolean): void
  once(event: 'leave-full-screen', listener: () => void): unknown
  isDestroyed(): boolean
  hide(): void
}

/** Puts a window out of sight. One that is hidden in full screen leaves a black screen behind on macOS (Electron, issue 20263): there it leaves that first. */
export function hideToTray(window: HiddenWindow, platform: NodeJS.Platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) return window.hide()
  window.once('leave-full-screen', () => {
    if (!window.isDestroyed()) window.hide()
  })
  window.setFullScreen(false)
}
