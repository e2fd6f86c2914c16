import { shownFirmware } from '../firmware/shown-firmware.ts'
import { shownPlace } from '../place/shown-place.ts'
import { shownReport } from '../report/shown-report.ts'
import { createStore } from '../../lib/store.ts'

/** The past time (ms) that the overview shows; null for now. */
export const thenTime = createStore<number | null>(null)

/** A place (its node) that the past is shown of. */
export interface ThenPlace {
  id: string
  name: string
}

/** The place that the past is shown of; null for the whole fleet. */
export const thenPlace = createStore<ThenPlace | null>(null)

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** How far back the slider reaches, ms. */
export const reaches = [
  { value: 'day', word: '24 h', ms: dayMs },
  { value: 'week', word: '7 d', ms: 7 * dayMs },
  { value: 'month', word: '30 d', ms: 30 * dayMs },
  { value: 'year', word: '400 d', ms: 400 * dayMs },
] as const
export type Reach = (typeof reaches)[number]['value']

/** Returns a time (ms) by whole minutes: not in the future, and within what the journal keeps. */
export const timeWithin = (at: number, now: number): number => {
  const last = Math.floor(now / minuteMs) * minuteMs
  return Math.max(last - 400 * dayMs, Math.min(last, Math.floor(at / minuteMs) * minuteMs))
}

/** The parts of a key press that count. */
type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns how far a key of the slider moves, ms: a minute, with Shift or a page key an hour, with Ctrl a day; null for other keys. */
export function keyStep({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed): number | null {
  if (altKey) return null
  const direction = { ArrowLeft: -1, ArrowDown: -1, PageDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 1 }[key]
  if (direction === undefined) return null
  if (ctrlKey || metaKey) return direction * dayMs
  return direction * (shiftKey || key.startsWith('Page') ? hourMs : minuteMs)
}

/** Has the overview show a past time (ms), and the devices of a place (null: of the fleet). */
export function showPast(at: number, now: number, place: ThenPlace | null = null): void {
  thenPlace.set(place)
  shownPlace.set(null)
  shownReport.set(null)
  shownFirmware.set(false)
  thenTime.set(timeWithin(at, now))
}
