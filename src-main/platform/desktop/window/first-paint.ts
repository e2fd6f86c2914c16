import type { Clock } from '../../../../src-shared/lib/clock.ts'

/** A window that is hidden until its page is drawn, as in Electron. */
export interface PaintedWindow {
  once(event: 'ready-to-show', listener: () => void): unknown
  webContents: { once(event: 'did-finish-load', listener: () => void): unknown }
}

/** Time to draw a loaded page, and the longest wait for a window, ms. */
const [afterLoadMs, maxWaitMs] = [300, 3_000]

/**
 * Calls `show` once, when the page is drawn. A hidden window may draw no frame (Linux on Wayland: Electron, issue
 * 48859), so it is also called shortly after the page is loaded, and after three seconds at the latest. Returns a
 * function that cancels it.
 */
export function whenPainted(window: PaintedWindow, clock: Pick<Clock, 'after'>, show: () => void): () => void {
  let isDone = false
  const timers = [clock.after(maxWaitMs, () => showNow())]
  const cancel = () => {
    isDone = true
    for (const stop of timers) stop()
  }
  const showNow = () => {
    if (isDone) return
    cancel()
    show()
  }
  window.once('ready-to-show', showNow)
  window.webContents.once('did-finish-load', () => {
    if (!isDone) timers.push(clock.after(afterLoadMs, showNow))
  })
  return cancel
}
