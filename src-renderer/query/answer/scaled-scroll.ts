/**
 * Highest content of a scrolled box, px: Chromium makes none above 33 million, and draws imprecisely long before. A list that
 * is higher is scrolled in another scale than it is drawn in.
 */
export const maxHeight = 12_000_000

/** How a box scrolls over a list of `total` px, of which `view` are seen. */
export interface ScrollScale {
  /** Height of the box's content, px. */
  height: number
  /** True: a pixel of scrolling is more than one of the list. */
  isScaled: boolean
  /** Returns what of the list is at the top of the box, px, for its scroll position. */
  topOf(scroll: number): number
  /** Returns the scroll position at which that is at the top. */
  scrollOf(top: number): number
}

/** Returns the scale of a list: its beginning and its end are those of the scroll bar, however high it is. */
export function scrollScale(total: number, view: number, most = maxHeight): ScrollScale {
  const height = Math.min(total, most)
  const [inner, outer] = [Math.max(0, total - view), Math.max(0, height - view)]
  const factor = outer === 0 ? 1 : inner / outer
  const within = (value: number, end: number) => Math.min(Math.max(0, value), end)
  return {
    height,
    isScaled: total > most,
    topOf: (scroll) => within(scroll * factor, inner),
    scrollOf: (top) => within(top, inner) / factor,
  }
}
