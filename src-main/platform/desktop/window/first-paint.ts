import type { Clock } from '../../../../src-shared/lib/clock.ts'

/** A window that is hidden until its page is drawn, as Electron has it. */
export interface PaintedWindow {
  once(event: 'ready-to-show', listener: () => void): unknown
  webContents: { once(event: 'did-finish-load', listener: () => void): unknown }
}

/** Milliseconds: a page that is loaded is drawn by then, and nobody waits longer for a window. */
const [afterLoad, atMost] = [300, 3_000]

/**
 * Runs `show` once, when the page is drawn. A hidden window may draw no frame at all (Linux on Wayland: Electron, issue 48859), and
 * then nothing says that it is drawn: so also a moment after the page is loaded, and in any case after three seconds. Answers with
 * the way to call it off.
 */
export function whenPainted(window: PaintedWindow, clock: Pick<Clock, 'after'>, show: () => void): () => void {
  let over = false
  const timers = [clock.after(atMost, () => now())]
  const cancel = () => {
    over = true
    for (const stop of timers) stop()
  }
  const now = () => {
    if (over) return
    cancel()
    show()
  }
  window.once('ready-to-show', now)
  window.webContents.once('did-finish-load', () => {
    if (!over) timers.push(clock.after(afterLoad, now))
  })
  return cancel
}
