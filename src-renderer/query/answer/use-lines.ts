import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { scrollScale } from './scaled-scroll.ts'

export const lineHeight = 20
/** Lines that are drawn above and below the seen ones. */
const overscan = 20

export interface ShownLines {
  /** Height of the content of the box, px. */
  height: number
  /** Place of the first drawn line, and of the one after the last. */
  from: number
  until: number
  /** Returns where a line is drawn in the content, px. */
  startOf(place: number): number
}

interface Position {
  top: number
  scroll: number
}

const beginning: Position = { top: 0, scroll: 0 }

/** Returns the lines that a box shows of so many; the one of the cursor is followed. */
export function useLines(box: RefObject<HTMLDivElement | null>, count: number, cursor: number): ShownLines {
  const [view, setView] = useState(0)
  /** What of the list is at the top, px, and the scroll position that the box has for it. */
  const [at, setAt] = useState(beginning)
  /** The same at once: several events may come before the next drawing. */
  const now = useRef(beginning)
  const scale = scrollScale(count * lineHeight, view)
  const [top, scroll] = [Math.min(at.top, Math.max(0, count * lineHeight - view)), at.scroll]
  const move = (to: Position) => {
    now.current = to
    setAt(to)
  }
  const moveTo = useEffectEvent((to: number) => {
    const element = box.current
    if (element === null) return
    const wanted = scale.topOf(scale.scrollOf(to))
    element.scrollTop = scale.scrollOf(wanted)
    move({ top: wanted, scroll: element.scrollTop })
  })
  const onScroll = useEffectEvent(({ scrollTop }: HTMLElement) => {
    // The position that was just set may be told with less precision: then the finer one holds.
    if (Math.abs(scrollTop - now.current.scroll) < 1 && scale.isScaled) return
    move({ top: scale.topOf(scrollTop), scroll: scrollTop })
  })
  const onWheel = useEffectEvent((event: WheelEvent) => {
    // By itself the box would pass over what its scale makes of the wheel's pixels.
    if (!scale.isScaled || event.ctrlKey || event.deltaY === 0 || event.shiftKey) return
    event.preventDefault()
    moveTo(now.current.top + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? lineHeight : 1))
  })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const scrolled = () => onScroll(element)
    const turned = (event: WheelEvent) => onWheel(event)
    const sizes = new ResizeObserver(() => setView(element.clientHeight))
    setView(element.clientHeight)
    sizes.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    element.addEventListener('wheel', turned, { passive: false })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', scrolled)
      element.removeEventListener('wheel', turned)
    }
  }, [box])
  const follow = useEffectEvent((place: number) => {
    const [start, end] = [place * lineHeight, (place + 1) * lineHeight]
    if (start < top) moveTo(start)
    else if (end > top + view) moveTo(end - view)
  })
  useEffect(() => {
    if (cursor > 0 || at.top > 0) follow(cursor)
    // oxlint-disable-next-line react/exhaustive-deps -- only a moved cursor is followed
  }, [cursor])
  return {
    height: scale.height,
    from: Math.max(0, Math.floor(top / lineHeight) - overscan),
    until: Math.min(count, Math.ceil((top + view) / lineHeight) + overscan),
    startOf: (place) => (scale.isScaled ? scroll + place * lineHeight - top : place * lineHeight),
  }
}
