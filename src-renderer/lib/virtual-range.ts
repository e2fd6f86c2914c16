import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/** The rows to draw, and this one with them wherever the list is scrolled to: the focus lives there. */
export function withIndex(range: Range, index: number): number[] {
  const shown = defaultRangeExtractor(range)
  if (index < 0 || index >= range.count || shown.includes(index)) return shown
  return [...shown, index].sort((one, other) => one - other)
}
