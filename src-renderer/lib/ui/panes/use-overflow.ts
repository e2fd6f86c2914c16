import { useEffect, useRef, useState, type RefObject } from 'react'

/** Whether a box holds more than it shows, cut words (`cut`, a selector) included, so that it must be reached by keys; and not otherwise, for each stop of Tab costs. */
export function useScrolls(cut: string): { box: RefObject<HTMLDivElement | null>; scrolls: boolean } {
  const box = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const { current } = box
    if (current === null) return undefined
    const look = () => {
      const more =
        current.scrollHeight > current.clientHeight + 1 ||
        [...current.querySelectorAll(cut)].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      // Unfolded while it has the focus, which it keeps.
      setScrolls((before) => more || (before && document.activeElement === current))
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(current)
    for (const child of current.children) sizes.observe(child)
    return () => sizes.disconnect()
  }, [cut])
  return { box, scrolls }
}
