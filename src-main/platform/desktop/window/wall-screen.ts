/** A window that can fill the screen, as in Electron. */
export interface FillingWindow {
  isFullScreen(): boolean
  setFullScreen(on: boolean): void
}

/** The windows that the wall display fills, with whether each filled the screen before. */
const filled = new WeakMap<FillingWindow, boolean>()

/** Fills the screen for the wall display, or gives the window back as it was before. */
export function fillForWall(window: FillingWindow, on: boolean): void {
  const before = filled.get(window)
  if (on === (before !== undefined)) return
  if (on) filled.set(window, window.isFullScreen())
  else filled.delete(window)
  window.setFullScreen(on || before === true)
}

/** Returns whether the operator had the window fill the screen: the wall display does not count. */
export const isFullScreen = (window: FillingWindow): boolean => filled.get(window) ?? window.isFullScreen()
