import { useEffect, useRef, useState, type RefObject } from 'react'

/**
 * Returns whether a box overflows, including cut text (`cut`: a selector), so that it needs a tab stop. Without
 * overflow it has none.
 */
export function useScrolls(cut: string): { box: RefObject<HTMLDivElement | null>; scrolls: boolean } {
  const box = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const { current } = box
    if (current === null) return undefined
    const update = () => {
      const more =
        current.scrollHeight > current.clientHeight + 1 ||
        [...current.querySelectorAll(cut)].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      // It stays expanded while it has the focus.
      setScrolls((before) => more || (before && document.activeElement === current))
    }
    const sizes = new ResizeObserver(update)
    sizes.observe(current)
    for (const child of current.children) sizes.observe(child)
    return () => sizes.disconnect()
  }, [cut])
  return { box, scrolls }
}
