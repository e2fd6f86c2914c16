import path from 'node:path'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { lowestBalance } from './balance.ts'
import type { TrayAction, Entry } from './entry.ts'
import { menuOf } from './menu.ts'
import { trayStatusOf, tooltipOf, type TrayStatus, type FleetStatus } from './status.ts'

/** The tray on the desktop. */
export interface TrayIcon {
  image(status: TrayStatus): void
  tooltip(text: string): void
  /**
   * Sets a new menu each time: Linux does not allow changes of an existing one. Calls the listeners when it is opened
   * and closed, where the system reports that.
   */
  menu(entries: readonly Entry[], onOpen: () => void, onClose: () => void): void
  destroy(): void
}

export interface TrayOptions {
  /** Shows the tray, at first without monitoring. */
  place(status: TrayStatus, onClick: () => void): TrayIcon
  clock: Clock
  perform(action: TrayAction): void
}

export interface TrayHandle {
  show(status: FleetStatus): void
  stop(): void
}

/** Shortest interval of updates, ms: another process draws the tray, and a faster menu is unreadable. */
const redrawMs = 1_000
/** Time after which an opened menu counts as closed, ms: not every system reports it. */
const openMs = 60_000

/** Returns the image of a status. macOS colours template images; elsewhere one image serves dark and light. */
export function imageFile(assets: string, status: TrayStatus, platform: NodeJS.Platform): string {
  return path.join(assets, platform === 'darwin' ? `tray-${status}Template.png` : `tray-${status}.png`)
}

/**
 * Shows the newest fleet status, at most once a second, and does not change a menu that is open, as far as the system
 * reports that.
 */
export function startTray(options: TrayOptions): TrayHandle {
  const { clock, perform } = options
  const tray = options.place('lost', () => perform({ do: 'raise' }))
  let status: FleetStatus | null = null
  const shown = { status: 'lost', tooltip: '', menu: '' }
  let openUntil = -Infinity

  function draw() {
    if (status === null) return
    const [now, tooltip, entries] = [trayStatusOf(status), tooltipOf(status), menuOf(status, clock.now())]
    if (now !== shown.status) tray.image(now)
    if (tooltip !== shown.tooltip) tray.tooltip(tooltip)
    Object.assign(shown, { status: now, tooltip })
    place(entries)
    // The points change when the rate window ends.
    const resetIn = (lowestBalance(status.gauges)?.resetAt ?? 0) - clock.now()
    if (resetIn > 0) pace.within(resetIn)
  }
  function place(entries: readonly Entry[]) {
    const text = JSON.stringify(entries)
    const openFor = openUntil - clock.monotonic()
    if (text === shown.menu) return
    if (openFor > 0) return pace.within(openFor)
    shown.menu = text
    tray.menu(
      entries,
      () => (openUntil = clock.monotonic() + openMs),
      () => {
        openUntil = -Infinity
        pace.soon()
      },
    )
  }
  const pace = createThrottle(clock, redrawMs, draw)
  return {
    show(now) {
      status = now
      pace.soon()
    },
    stop() {
      pace.stop()
      tray.destroy()
    },
  }
}

/** Draws now, or as soon as `everyMs` have passed since the last time. */
interface Throttle {
  soon(): void
  /** Draws after this many ms at the latest. */
  within(ms: number): void
  stop(): void
}

function createThrottle(clock: Clock, everyMs: number, draw: () => void): Throttle {
  let timer: { at: number; cancel: () => void } | null = null
  let readyAt = -Infinity

  function run() {
    timer?.cancel()
    timer = null
    readyAt = clock.monotonic() + everyMs
    draw()
  }
  function within(ms: number) {
    const at = Math.max(clock.monotonic() + ms, readyAt)
    if (timer !== null && timer.at <= at) return
    timer?.cancel()
    timer = { at, cancel: clock.after(at - clock.monotonic(), run) }
  }
  return {
    soon: () => (readyAt <= clock.monotonic() ? run() : within(0)),
    within,
    stop: () => timer?.cancel(),
  }
}
