import { z } from 'zod'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import type { Log, Settings } from '../../../ports.ts'

/** A rectangle in device-independent pixels, across all displays. */
export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

const measure = z.int().min(-100_000).max(100_000)
const placement = z.object({
  /** Position of the window when it is neither maximised nor in full screen. */
  bounds: z.object({ x: measure, y: measure, width: measure.min(1), height: measure.min(1) }),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
  /** Chromium's zoom level: the factor is 1.2 to its power. */
  zoom: z.number().min(-3).max(4),
})

/** State of the window; stored in the profile's settings under `window`. */
export type WindowState = z.infer<typeof placement>

/** Default and smallest size of the window, device-independent pixels. */
export const usualSize = { width: 1440, height: 900 }
export const leastSize = { width: 640, height: 400 }

/**
 * Returns the window's position on the present displays, given their work areas, the primary one first: unchanged on
 * the display that it covers most; in the middle of the primary one where that is gone. Always completely on one
 * display, and not below the smallest size unless the display is smaller.
 */
export function fitToDisplays(areas: readonly Rect[], kept: Rect | null): Partial<Rect> & typeof usualSize {
  const [primary] = areas
  if (primary === undefined) return usualSize
  const best = kept === null ? undefined : areas.toSorted((one, other) => covered(other, kept) - covered(one, kept))[0]
  if (kept === null || best === undefined || covered(best, kept) === 0)
    return within(primary, { ...centred(primary, kept ?? usualSize) })
  return within(best, kept)
}

function covered(area: Rect, { x, y, width, height }: Rect): number {
  const across = Math.min(area.x + area.width, x + width) - Math.max(area.x, x)
  const down = Math.min(area.y + area.height, y + height) - Math.max(area.y, y)
  return Math.max(0, across) * Math.max(0, down)
}

function centred(area: Rect, { width, height }: typeof usualSize): Rect {
  return {
    x: area.x + Math.floor((area.width - width) / 2),
    y: area.y + Math.floor((area.height - height) / 2),
    width,
    height,
  }
}

function within(area: Rect, wanted: Rect): Rect {
  const width = Math.min(area.width, Math.max(leastSize.width, wanted.width))
  const height = Math.min(area.height, Math.max(leastSize.height, wanted.height))
  return {
    x: between(wanted.x, area.x, area.x + area.width - width),
    y: between(wanted.y, area.y, area.y + area.height - height),
    width,
    height,
  }
}

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

const [zoomStep, zoomLeast, zoomMost] = [0.5, -3, 4]

/** Returns the new zoom level. `by`: 1 larger, -1 smaller, 0 default. */
export function zoomed(level: number, by: -1 | 0 | 1): number {
  return by === 0 ? 0 : between(level + by * zoomStep, zoomLeast, zoomMost)
}

/** Returns the stored state; null when there is none or it is invalid. */
export function readWindowState(settings: Pick<Settings, 'get'>): WindowState | null {
  const read = placement.safeParse(settings.get('window'))
  return read.success ? read.data : null
}

export interface WindowStateStore {
  /** Stores a changed state after half a second without a further change. */
  changed(): void
  /** Stores the state at once, because the window closes. */
  now(): void
  stop(): void
}

const stillMs = 500

/**
 * Stores the result of `look` where it differs from the stored state. Logs a failed write: it must not disturb the
 * user.
 */
export function saveWindowState(
  settings: Pick<Settings, 'get' | 'set'>,
  clock: Pick<Clock, 'after'>,
  log: Log,
  look: () => WindowState | null,
): WindowStateStore {
  let cancel = () => {}
  const keep = () => {
    cancel()
    const now = placement.safeParse(look())
    if (!now.success || JSON.stringify(now.data) === JSON.stringify(readWindowState(settings))) return
    try {
      settings.set('window', now.data)
    } catch {
      log('warn', 'where the window stands could not be kept')
    }
  }
  return {
    changed() {
      cancel()
      cancel = clock.after(stillMs, keep)
    },
    now: keep,
    stop: () => cancel(),
  }
}
