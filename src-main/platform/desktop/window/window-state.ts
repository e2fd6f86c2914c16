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

const coordinate = z.int().min(-100_000).max(100_000)
const placement = z.object({
  /** Position of the window when it is neither maximised nor in full screen. */
  bounds: z.object({ x: coordinate, y: coordinate, width: coordinate.min(1), height: coordinate.min(1) }),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
  /** Chromium's zoom level: the factor is 1.2 to its power. */
  zoom: z.number().min(-3).max(4),
})

/** State of the window; stored in the profile's settings under `window`. */
export type WindowState = z.infer<typeof placement>

/** Default and smallest size of the window, device-independent pixels. */
export const defaultSize = { width: 1440, height: 900 }
export const minimumSize = { width: 640, height: 400 }

/**
 * Returns the window's position on the present displays, given their work areas, the primary one first: unchanged on
 * the display that it covers most; in the middle of the primary one where that is gone. Always completely on one
 * display, and not below the smallest size unless the display is smaller.
 */
export function fitToDisplays(areas: readonly Rect[], stored: Rect | null): Partial<Rect> & typeof defaultSize {
  const [primary] = areas
  if (primary === undefined) return defaultSize
  const best =
    stored === null
      ? undefined
      : areas.toSorted((one, other) => overlapArea(other, stored) - overlapArea(one, stored))[0]
  if (stored === null || best === undefined || overlapArea(best, stored) === 0)
    return within(primary, { ...centred(primary, stored ?? defaultSize) })
  return within(best, stored)
}

function overlapArea(area: Rect, { x, y, width, height }: Rect): number {
  const across = Math.min(area.x + area.width, x + width) - Math.max(area.x, x)
  const down = Math.min(area.y + area.height, y + height) - Math.max(area.y, y)
  return Math.max(0, across) * Math.max(0, down)
}

function centred(area: Rect, { width, height }: typeof defaultSize): Rect {
  return {
    x: area.x + Math.floor((area.width - width) / 2),
    y: area.y + Math.floor((area.height - height) / 2),
    width,
    height,
  }
}

function within(area: Rect, wanted: Rect): Rect {
  const width = Math.min(area.width, Math.max(minimumSize.width, wanted.width))
  const height = Math.min(area.height, Math.max(minimumSize.height, wanted.height))
  return {
    x: clamp(wanted.x, area.x, area.x + area.width - width),
    y: clamp(wanted.y, area.y, area.y + area.height - height),
    width,
    height,
  }
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

const [zoomStep, minZoom, maxZoom] = [0.5, -3, 4]

/** Returns the new zoom level. `by`: 1 larger, -1 smaller, 0 default. */
export function zoomed(level: number, by: -1 | 0 | 1): number {
  return by === 0 ? 0 : clamp(level + by * zoomStep, minZoom, maxZoom)
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

const settleMs = 500

/**
 * Stores the result of `readState` where it differs from the stored state. Logs a failed write: it must not disturb the
 * user.
 */
export function saveWindowState(
  settings: Pick<Settings, 'get' | 'set'>,
  clock: Pick<Clock, 'after'>,
  log: Log,
  readState: () => WindowState | null,
): WindowStateStore {
  let cancel = () => {}
  const save = () => {
    cancel()
    const now = placement.safeParse(readState())
    if (!now.success || JSON.stringify(now.data) === JSON.stringify(readWindowState(settings))) return
    try {
      settings.set('window', now.data)
    } catch {
      log('warn', 'the window state could not be saved')
    }
  }
  return {
    changed() {
      cancel()
      cancel = clock.after(settleMs, save)
    },
    now: save,
    stop: () => cancel(),
  }
}
