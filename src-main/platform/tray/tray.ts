import path from 'node:path'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { scarcest } from './balance.ts'
import type { TrayAction, Entry } from './entry.ts'
import { menuOf } from './menu.ts'
import { faceOf, tooltipOf, type TrayFace, type FleetStatus } from './status.ts'

/** The tray's place on the desktop. */
export interface TrayPlace {
  image(face: TrayFace): void
  words(text: string): void
  /** A menu of its own each time: Linux takes no change of one that it has. Hears when it is opened and closed, where the system tells. */
  menu(entries: readonly Entry[], onOpen: () => void, onClose: () => void): void
  destroy(): void
}

export interface TrayOptions {
  /** Puts it there, blind at first. */
  place(face: TrayFace, onClick: () => void): TrayPlace
  clock: Clock
  does(deed: TrayAction): void
}

export interface ShownTray {
  show(situation: FleetStatus): void
  stop(): void
}

/** A tray is redrawn by another process, and a menu that changes more often nobody reads. */
const redrawMs = 1_000
/** Not every system says when a menu was closed: after so long it counts as such. */
const openMs = 60_000

/** macOS draws template images in its own colour; elsewhere the image has to do on dark and on light. */
export function imageFile(assets: string, face: TrayFace, platform: NodeJS.Platform): string {
  return path.join(assets, platform === 'darwin' ? `tray-${face}Template.png` : `tray-${face}.png`)
}

/** Shows the newest situation, at most once a second, and changes no menu that is open, as far as the system tells. */
export function startTray(options: TrayOptions): ShownTray {
  const { clock, does } = options
  const tray = options.place('blind', () => does({ do: 'raise' }))
  let situation: FleetStatus | null = null
  const shown = { face: 'blind', words: '', menu: '' }
  let openUntil = -Infinity

  function draw() {
    if (situation === null) return
    const [face, words, entries] = [faceOf(situation), tooltipOf(situation), menuOf(situation, clock.now())]
    if (face !== shown.face) tray.image(face)
    if (words !== shown.words) tray.words(words)
    Object.assign(shown, { face, words })
    place(entries)
    // What is said of the points is no longer so when they are back.
    const resetIn = (scarcest(situation.gauges)?.resetAt ?? 0) - clock.now()
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
      situation = now
      pace.soon()
    },
    stop() {
      pace.stop()
      tray.destroy()
    },
  }
}

/** Draws now, or as soon as the last time is `everyMs` ago. */
interface Throttle {
  soon(): void
  /** At the latest after so many ms. */
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
