/** A window that can be hidden to the tray, as in Electron. */
export interface HiddenWindow {
  isFullScreen(): boolean
  setFullScreen(on: boolean): void
  once(event: 'leave-full-screen', listener: () => void): unknown
  isDestroyed(): boolean
  hide(): void
}

/**
 * Hides a window. On macOS one that is hidden in full screen leaves a black screen (Electron, issue 20263), so it
 * leaves full screen first.
 */
export function hideToTray(window: HiddenWindow, platform: NodeJS.Platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) return window.hide()
  window.once('leave-full-screen', () => {
    if (!window.isDestroyed()) window.hide()
  })
  window.setFullScreen(false)
}
